"""Why one source did not work, so that the next may be tried."""


class SourceFailure(Exception):
    pass
