"""Write the study: claims.yaml, study.md, study.html and figures/ in papers/.

python -m papers    from the project's root
"""

from pathlib import Path

from hrrxml.config.yaml_text import as_yaml
from hrrxml.report.drawing import save
from hrrxml.runtime import command
from hrrxml.runtime.files import write_text
from papers import markdown, page, study, suites
from papers.evidence import Evidence, read
from papers.study import Study

FOLDER = Path(__file__).parent


def main() -> None:
    suites.refresh()
    written = write(read(), FOLDER)
    counts = f"{len(written.findings)} findings, {len(written.sections)} sections"
    print(f"papers/study.html: {counts}, {len(written.entries)} claims")


def write(evidence: Evidence, folder: Path) -> Study:
    """Figures first, since the page embeds them; those that nothing shows are removed."""
    drawings = study.figures(evidence)
    for name, draw in drawings.items():
        save(draw, folder / "figures" / f"{name}.svg")
    for path in (folder / "figures").glob("*.svg"):
        if path.stem not in drawings:
            path.unlink()
    made = study.make(evidence)
    write_text(folder / "study.md", markdown.render(made))
    write_text(folder / "study.html", page.render(made, folder))
    write_text(folder / "claims.yaml", as_yaml(made.entries))
    return made


if __name__ == "__main__":
    command.run(main)
