"""Files that are replaced whole or not at all, as the engine's own writer does it (src/io/writer.c): written to a temporary file in the
same folder, without a name where the file system has that (a kill leaves nothing then), synced, renamed."""
import contextlib
import errno
import os
import stat

_TRIES = 100
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
        with naming(path), open(path, "wb") as file:
            return function(file, False)
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", path)
    with naming(path, folder):
        _replace(path, folder, None if old is None else stat.S_IMODE(old.st_mode), function)


@contextlib.contextmanager
def naming(path, folder=None):
    """What the system refuses in the block names the file, not the temporary one, its folder or nothing (as a full disk does)."""
    try:
        yield
    except OSError as error:
        names = [str(name) for name in (error.filename, error.filename2) if name not in (None, folder)]
        if error.errno and (not names or folder and any(name.startswith(os.path.join(folder, ".winnow-")) for name in names)):
            raise type(error)(error.errno, error.strerror, path) from error
        raise


def _replace(path, folder, mode, function):
    descriptor, temporary = _open(folder, 0o666 if mode is None else mode & 0o777)
    try:
        with os.fdopen(descriptor, "wb", 0) as file:  # what is written comes in large pieces
            if mode is not None:  # before anything is in it: what was private never becomes readable
                _keep_mode(descriptor, mode)
            function(file, True)
            os.fsync(descriptor)
            if temporary is None:  # a source folder, which an absolute path does not need, makes Python follow the link
                temporary = _try_names(folder, lambda name: os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor, follow_symlinks=True))[1]
        with _folder_to_sync(folder) as sync:
            os.replace(temporary, path)
            temporary = None
            sync()
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _keep_mode(descriptor, mode):
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:  # equal also where modes cannot be set
        os.fchmod(descriptor, mode)


@contextlib.contextmanager
def _folder_to_sync(folder):
    """A function that makes a rename in the folder durable. The folder is opened before the rename: whoever lacks descriptors keeps the
    old file. One that may not be read, or lies where folders cannot be synced, is no failure."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:
        yield lambda: None
        return

    def sync():
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):
                raise
    try:
        yield sync
    finally:
        os.close(descriptor)


def _open(folder, mode):
    """The descriptor of a new file and its path, or None while it has no name (but can be given one)."""
    if hasattr(os, "O_TMPFILE") and os.access("/proc/self/fd", os.X_OK):
        with contextlib.suppress(OSError):  # what is wrong, if it is more than this, the other way says
            return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode), None
    return _try_names(folder, lambda name: os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))


def _try_names(folder, make):
    """What make(path) returned, and the path, which is the first that nobody has: a killed process of the same number may have left one."""
    global _count
    for last in reversed(range(_TRIES)):
        _count += 1
        name = os.path.join(folder, f".winnow-{os.getpid()}-py{_count}.tmp")
        try:
            return make(name), name
        except FileExistsError:
            if not last:
                raise
