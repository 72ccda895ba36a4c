"""tf.gfile and tf.io.gfile on local files. Failures are tf.errors."""
import collections
import contextlib
import errno
import glob as _glob
import os
import shutil

from . import compat, errors

_KINDS = {errno.ENOENT: errors.NotFoundError, errno.EEXIST: errors.AlreadyExistsError,
          errno.EACCES: errors.PermissionDeniedError, errno.EPERM: errors.PermissionDeniedError,
          errno.ENOTDIR: errors.FailedPreconditionError, errno.EISDIR: errors.FailedPreconditionError,
          errno.ENOTEMPTY: errors.FailedPreconditionError, errno.ENOSPC: errors.ResourceExhaustedError}

FileStatistics = collections.namedtuple('FileStatistics', ['length', 'mtime_nsec', 'is_directory'])


def _local(path):
    path = compat.as_str_any(compat.path_to_str(path))
    return path[len('file://'):] if path.startswith('file://') else path


@contextlib.contextmanager
def _errors(path):
    try:
        yield
    except OSError as error:
        kind = _KINDS.get(error.errno, errors.UnknownError)
        raise kind(None, None, '%s; %s' % (path, os.strerror(error.errno) if error.errno else error)) from None


class GFile:
    """A file that is opened when it is first read or written. Without `b` in the mode, texts are str."""

    def __init__(self, name, mode='r'):
        self.__name, self.__mode, self._file = name, mode, None
        self._binary = 'b' in mode
        plain = mode.replace('b', '')
        if plain not in ('r', 'w', 'a', 'r+', 'w+', 'a+'):
            raise errors.InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._reads, self._writes = plain[0] == 'r' or '+' in plain, plain != 'r'

    @property
    def name(self):
        return self.__name

    @property
    def mode(self):
        return self.__mode

    def _open(self):
        if self._file is None:
            with _errors(_local(self.name)):
                self._file = open(_local(self.name), self.mode.replace('b', '') + 'b')
        return self._file

    def _reader(self):
        if not self._reads:
            raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
        return self._open()

    def _given(self, data):
        return data if self._binary else data.decode('utf-8')

    def size(self):
        return Stat(self.name).length

    def write(self, file_content):
        if not self._writes:
            raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
        self._open().write(compat.as_bytes(file_content))

    def read(self, n=-1):
        file = self._reader()
        with _errors(self.name):
            data = file.read(n)
            while n > 0 and not self._binary and not _whole(data):  # n bytes may end within a character
                more = file.read(1)
                if not more:
                    break
                data += more
        return self._given(data)

    def seek(self, offset=None, whence=0, position=None):
        offset = position if offset is None else offset
        if offset is None:
            raise TypeError('seek(): offset argument required')
        self._reader().seek(offset, whence)

    def tell(self):
        return self._reader().tell()

    def seekable(self):
        return True

    def readline(self):
        return self._given(self._reader().readline())

    def readlines(self):
        return list(self)

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def flush(self):
        if self._file is not None:
            with _errors(self.name):
                self._file.flush()

    def close(self):
        if self._file is not None:
            with _errors(self.name):
                self._file.close()
            self._file = None


FastGFile = Open = GFile


def _whole(data):
    try:
        data.decode('utf-8')
    except UnicodeDecodeError as error:
        return error.reason != 'unexpected end of data'
    return True


def exists(path):
    return os.path.exists(_local(path))


def isdir(path):
    return os.path.isdir(_local(path))


def listdir(path):
    if not isdir(path):
        raise errors.NotFoundError(None, None, 'Could not find directory %s' % _local(path))
    with _errors(path):
        return os.listdir(_local(path))


def makedirs(path):
    with _errors(path):
        os.makedirs(_local(path), exist_ok=True)


def mkdir(path):
    with _errors(path):
        if not os.path.isdir(_local(path)):
            os.mkdir(_local(path))


def remove(path):
    with _errors(_local(path)):
        os.remove(_local(path))


def rmtree(path):
    path = _local(path)
    if not os.path.exists(path):
        raise errors.NotFoundError(None, None, '%s not found' % path)
    with _errors(path):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def _may_replace(path, overwrite):
    if not overwrite and os.path.exists(_local(path)):
        raise errors.AlreadyExistsError(None, None, 'file already exists')


def rename(src, dst, overwrite=False):
    _may_replace(dst, overwrite)
    with _errors(_local(src)):
        os.rename(_local(src), _local(dst))


def copy(src, dst, overwrite=False):
    _may_replace(dst, overwrite)
    with _errors(_local(src)):
        shutil.copyfile(_local(src), _local(dst))


def glob(pattern):
    patterns = [pattern] if isinstance(pattern, (str, bytes, os.PathLike)) else pattern
    return [path for one in patterns for path in sorted(_glob.glob(_local(one)))]


def stat(path):
    with _errors(_local(path)):
        found = os.stat(_local(path))
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(_local(path)))


def walk(top, topdown=True, onerror=None):
    for folder, folders, files in os.walk(_local(top), topdown=topdown, onerror=onerror):
        yield folder, sorted(folders), sorted(files)


def join(path, *paths):
    return os.path.join(path, *paths)


def Exists(filename):
    return exists(filename)


def IsDirectory(dirname):
    return isdir(dirname)


def ListDirectory(dirname):
    return listdir(dirname)


def MakeDirs(dirname):
    makedirs(dirname)


def MkDir(dirname):
    mkdir(dirname)


def Remove(filename):
    remove(filename)


def DeleteRecursively(dirname):
    rmtree(dirname)


def Rename(oldname, newname, overwrite=False):
    rename(oldname, newname, overwrite)


def Copy(oldpath, newpath, overwrite=False):
    copy(oldpath, newpath, overwrite)


def Glob(filename):
    return glob(filename)


def Stat(filename):
    return stat(filename)


def Walk(top, in_order=True):
    return walk(top, in_order)
