"""The exception whose message is for the user."""


class UserError(Exception):
    """A mistake the user can fix: the message names the file or key, and the cure."""
