"""Task packages: the folder in which a task travels."""

from .harbor import checked_package, package_files, read_package, write_package

__all__ = ["checked_package", "package_files", "read_package", "write_package"]
