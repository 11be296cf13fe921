"""Task packages: the folder in which a task travels."""

from .harbor import checked_package, package_files, read_package, write_package
from .pin import Pin, read_pin

__all__ = ["Pin", "checked_package", "package_files", "read_package", "read_pin", "write_package"]
