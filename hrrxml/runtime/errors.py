"""The exceptions whose message is for the user."""


class UserError(Exception):
    """A mistake the user can fix: the message names the file or key, and the cure."""


class InputError(UserError, ValueError):
    """A wrong argument of a Python function; a ValueError, as scikit-learn's users expect."""
