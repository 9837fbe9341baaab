"""Write the study: claims.yaml, study.md, study.html and figures/ in papers/.

python -m papers    from the project's root
"""

from pathlib import Path

from hrrxml.config.yaml_text import as_yaml
from hrrxml.report import page
from hrrxml.report.drawing import save
from hrrxml.runtime import command
from hrrxml.runtime.files import write_text
from papers import study
from papers.claim import ledger
from papers.evidence import Evidence, read

FOLDER = Path(__file__).parent


def main() -> None:
    write(read(), FOLDER)
    print(f"papers/study.html: {len(study.claims())} claims, {len(study.MODULES)} sections")


def write(evidence: Evidence, folder: Path) -> None:
    """Figures first, since the page embeds them; those that no section draws are removed."""
    drawings = study.figures(evidence)
    for name, draw in drawings.items():
        save(draw, folder / "figures" / f"{name}.svg")
    for path in (folder / "figures").glob("*.svg"):
        if path.stem not in drawings:
            path.unlink()
    text = study.markdown(evidence)
    write_text(folder / "study.md", text)
    write_text(folder / "study.html", page.render(text, folder))
    write_text(folder / "claims.yaml", as_yaml(ledger(study.claims(), evidence)))


if __name__ == "__main__":
    command.run(main)
