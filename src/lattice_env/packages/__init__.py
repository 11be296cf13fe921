"""Task packages: the folder in which a task travels."""

from .harbor import checked_package, package_files, read_package, write_package
from .pin import Pin, read_pin
from .served import behind_server

__all__ = ["Pin", "behind_server", "checked_package", "package_files", "read_package", "read_pin", "write_package"]
