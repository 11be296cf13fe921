"""A TeX Live repository in a folder: what tlmgr installs from, made of a few packages."""

from __future__ import annotations

import hashlib
import io
import lzma
import subprocess
import tarfile

CONFIG = """\
name 00texlive.config
category TLCore
revision 1
depend container_format/xz
depend container_split_doc_files/1
depend container_split_src_files/1
depend minrelease/2016
depend release/{release}
depend revision/1
"""


def release_of(tlmgr):
    """The year of the installed TeX Live, which a repository must match."""
    said = subprocess.run([tlmgr, "--version"], capture_output=True, text=True, check=True).stdout
    return said.rsplit("version ", 1)[1].split()[0]


def make_repository(folder, packages, release):
    """A repository of packages, each a mapping from paths below the tree to texts."""
    (folder / "tlpkg").mkdir(parents=True)
    (folder / "archive").mkdir()
    entries = [CONFIG.format(release=release)]
    for name, files in sorted(packages.items()):
        entry = f"name {name}\ncategory Package\nrevision 1\nshortdesc {name}\nrelocated 1\n"
        listed = "runfiles size=1\n" + "".join(f" RELOC/{path}\n" for path in sorted(files))
        archive = _archive({**files, f"tlpkg/tlpobj/{name}.tlpobj": entry + listed})
        (folder / "archive" / f"{name}.tar.xz").write_bytes(archive)
        size, total = len(archive), hashlib.sha512(archive).hexdigest()
        entries.append(f"{entry}containersize {size}\ncontainerchecksum {total}\n{listed}")
    base = ("\n".join(entries) + "\n").encode()
    (folder / "tlpkg" / "texlive.tlpdb").write_bytes(base)
    (folder / "tlpkg" / "texlive.tlpdb.xz").write_bytes(lzma.compress(base))
    total = hashlib.sha512(base).hexdigest()
    (folder / "tlpkg" / "texlive.tlpdb.sha512").write_text(f"{total}  texlive.tlpdb\n", "utf-8")
    return folder


def _archive(files):
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w:xz") as archive:
        for path, text in sorted(files.items()):
            member = tarfile.TarInfo(path)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return sink.getvalue()


def style(name, command, *needs):
    """A package of one style: it defines one command and loads others."""
    loads = "".join(f"\\RequirePackage{{{other}}}\n" for other in needs)
    text = f"\\ProvidesPackage{{{name}}}\n{loads}\\newcommand\\{command}{{{command}}}\n"
    return {f"tex/latex/{name}/{name}.sty": text}
