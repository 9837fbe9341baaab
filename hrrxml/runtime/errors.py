"""The one exception a user is meant to read."""


class UserError(Exception):
    """Something the user can mend: the message names the file or key, and the cure."""
