"""Open a local page, and a REST API, that show what models say.

Type a text and see its labels, the words that spoke for each, and two models side by side. A second
tab binds and unbinds symbols. It listens on this machine alone, unless --host says otherwise.
`/openapi.json` describes the API. Needs pip install "hrrxml[serve]".
"""

from argparse import ArgumentParser, Namespace

from hrrxml.command import arguments
from hrrxml.runtime.errors import UserError

USAGE = "MODEL … [--run NAME …] [--port N] [--host ADDRESS]"
EXAMPLE = """\
  hrrxml serve model
  hrrxml serve --run wordnet-fc --run wordnet-hrr-fc"""


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("models", metavar="MODEL", nargs="*", help="folders of models")
    add(
        "--run",
        metavar="NAME",
        action="append",
        default=[],
        help="a run of the pipeline in this folder; again for another",
    )
    add("--port", metavar="N", type=arguments.port, default=8000, help="0 for any free one (8000)")
    add("--host", metavar="ADDRESS", default="127.0.0.1", help="to listen on (127.0.0.1)")


def run(options: Namespace, parser: ArgumentParser) -> None:
    if not options.models and not options.run:
        parser.error("give MODEL, a folder that `hrrxml train` wrote, or --run NAME")
    try:
        from hrrxml.serve import app, served, server
    except ModuleNotFoundError as error:
        raise UserError(
            f'`hrrxml serve` needs {error.name}; pip install "hrrxml[serve]"'
        ) from error
    with server.listen(options.host, options.port) as listening:
        models = served.load(options.models, options.run)
        print(f"{server.address(listening)} shows {', '.join(models)}; Ctrl-C stops it", flush=True)
        names = (options.host, server.name(listening))
        server.run(app.build(models, *names), listening)
