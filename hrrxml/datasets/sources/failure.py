"""The error of one source. The next source is tried after it."""


class SourceFailure(Exception):
    pass
