"""How much one client may ask for. The page reads the same numbers."""

TEXT = 20_000  # characters of a text
EXPLAINED = 5_000  # characters of a text to explain: each word costs a pass through the network
LABEL = 500  # characters of a label's name
LABELS = 50  # labels in an answer, and labels to choose from
FILE = 5_000_000  # bytes of a file of texts
TEXTS = 20_000  # texts of a file
BODY = 500_000  # bytes of any other request

REQUESTS = 128  # requests at once
UPLOADS = 4  # files of texts at once
CONNECTIONS = 256
WAITING = 100  # requests that wait for the one thread that computes
SECONDS = 20  # in which a request's header must have arrived, and then its body
DRAINED = 50_000_000  # bytes of a body that is too long, which are read so that its sender listens

STATEMENT = 300  # characters of a statement in the algebra
SYMBOLS = 24
PRODUCTS = 48  # bound products in a statement, after multiplying out
DEPTH = 8  # brackets inside brackets
MORE_PAIRS = 64
DIMENSIONS = 4096
