"""Files that are replaced whole or not at all, as the engine's own writer does it (src/io/writer.c): written to a temporary file in the
same folder, without a name where the file system has that (a kill leaves nothing then), synced, renamed."""
import os
import stat

_count = 0


def replace_file(path, function):
    """function(file, can it seek back?) writes what becomes the file at path. Links are followed, the old file's mode stays."""
    if not path:
        raise FileNotFoundError(2, "No such file or directory", path)
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):  # a device, a pipe
        with open(path, "wb") as file:
            return function(file, False)
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", path)
    try:
        _replace(path, folder, None if old is None else stat.S_IMODE(old.st_mode), function)
    except OSError as error:  # of the temporary file, or without a name: a full disk
        if error.errno and error.filename in (None, folder) or str(error.filename).startswith(os.path.join(folder, ".winnow-")):
            raise type(error)(error.errno, error.strerror, path) from error
        raise


def _replace(path, folder, mode, function):
    global _count
    _count += 1
    temporary = os.path.join(folder, f".winnow-{os.getpid()}-py{_count}.tmp")
    descriptor = _unnamed(folder)
    named = descriptor is None
    if named:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb", 0) as file:  # what is written comes in large pieces
            function(file, True)
            if mode is not None:
                os.fchmod(descriptor, mode)
            os.fsync(descriptor)
            if not named:  # a source folder, which an absolute path does not need, makes Python follow the link
                os.link(f"/proc/self/fd/{descriptor}", temporary, src_dir_fd=descriptor, follow_symlinks=True)
                named = True
        os.replace(temporary, path)
    except BaseException:
        if named:
            try:
                os.unlink(temporary)
            except OSError:
                pass
        raise


def _unnamed(folder):
    """The descriptor of a file without a name, which can be given one; None where that is not possible."""
    if not hasattr(os, "O_TMPFILE") or not os.access("/proc/self/fd", os.X_OK):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:
        return None  # what is wrong, if it is more than this, the other way says
