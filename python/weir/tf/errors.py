"""tf.errors: what the library's statuses become."""

OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, \
    RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS, \
    UNAUTHENTICATED = range(17)


class OpError(Exception):
    """A failed step: `message`, `error_code`, and where it is known the operation."""

    def __init__(self, node_def, op, message, error_code):
        super().__init__(message)
        self._node_def, self._op, self._message, self._error_code = node_def, op, message, error_code

    def __reduce__(self):
        return type(self), (self._node_def, None, self._message) + (
            (self._error_code,) if type(self) is OpError else ())

    @property
    def message(self):
        return self._message

    @property
    def op(self):
        return self._op

    @property
    def error_code(self):
        return self._error_code

    @property
    def node_def(self):
        return self._node_def

    def __str__(self):
        return self._message


def _make(name, code):
    def __init__(self, node_def, op, message):
        OpError.__init__(self, node_def, op, message, code)
    made = type(name, (OpError,), {'__init__': __init__, '__doc__': 'A status of %s.' % name, '__module__': __name__})
    globals()[name] = _BY_CODE[code] = made


_BY_CODE = {}
for _name, _code in (('CancelledError', CANCELLED), ('UnknownError', UNKNOWN), ('InvalidArgumentError', INVALID_ARGUMENT),
                     ('DeadlineExceededError', DEADLINE_EXCEEDED), ('NotFoundError', NOT_FOUND),
                     ('AlreadyExistsError', ALREADY_EXISTS), ('PermissionDeniedError', PERMISSION_DENIED),
                     ('UnauthenticatedError', UNAUTHENTICATED), ('ResourceExhaustedError', RESOURCE_EXHAUSTED),
                     ('FailedPreconditionError', FAILED_PRECONDITION), ('AbortedError', ABORTED),
                     ('OutOfRangeError', OUT_OF_RANGE), ('UnimplementedError', UNIMPLEMENTED), ('InternalError', INTERNAL),
                     ('UnavailableError', UNAVAILABLE), ('DataLossError', DATA_LOSS)):
    _make(_name, _code)


def of_status(code, message):
    """The exception for a status of the library."""
    kind = _BY_CODE.get(code)
    return kind(None, None, message) if kind else OpError(None, None, message, code)


def exception_type_from_error_code(error_code):
    return _BY_CODE[error_code]


def error_code_from_exception_type(cls):
    for code, kind in _BY_CODE.items():
        if kind is cls:
            return code
    return None


class raise_exception_on_not_ok_status:
    """Kept for programs that name it: the library raises by itself."""

    def __enter__(self):
        return None

    def __exit__(self, *unused):
        return False
