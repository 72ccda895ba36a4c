"""Messages as text: what google.protobuf.text_format has."""
from .messages import merge_text


class ParseError(Exception):
    """The text is not a message of that type."""


def Merge(text, message, allow_unknown_extension=False, allow_field_number=False):
    try:
        merge_text(text if isinstance(text, str) else text.decode(), message)
    except Exception as error:
        raise ParseError(str(error)) from error
    return message


def Parse(text, message, allow_unknown_extension=False, allow_field_number=False):
    return Merge(text, message)


def MessageToString(message, **kwargs):
    return str(message)
