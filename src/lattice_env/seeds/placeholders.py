"""Placeholder figures: one-page PDFs with a frame and a few words, the same bytes everywhere."""

from __future__ import annotations


def draw_placeholder(width: int, height: int, text: str) -> bytes:
    """A PDF of `width` by `height` points (1/72 inch) that shows `text`, in ASCII, inside a frame."""
    shown = text.encode("ascii", "replace").decode()
    for mark in "\\()":
        shown = shown.replace(mark, f"\\{mark}")
    size = max(5, min(10, int(1.8 * (width - 16) / max(len(text), 1))))
    drawing = f"0.5 w 1 1 {width - 2} {height - 2} re S BT /F1 {size} Tf 8 {height // 2} Td ({shown}) Tj ET".encode()
    page = f"/Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R"
    return _pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< {page} /Resources << /Font << /F1 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def _pdf(*objects: bytes) -> bytes:
    """A PDF file of these objects, numbered from 1; the first is the catalogue."""
    data, offsets = b"%PDF-1.4\n", [0] * len(objects)
    for index, body in enumerate(objects):
        offsets[index] = len(data)
        data += b"%d 0 obj\n%b\nendobj\n" % (index + 1, body)
    rows = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(objects) + 1, rows)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(data))
    return data + table + trailer
