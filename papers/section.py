"""A section of the study: one table or figure of a paper beside ours, or a study of our own."""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    paper: str  # HRR, GLaS or ours
    place: str  # by the paper's own numbering, such as `Table 1`
    title: str
    body: str  # Markdown; headings inside are of level 4
    covers: tuple[str, ...] = ()  # other places of the paper whose claims belong here

    @property
    def name(self) -> str:
        """`HRR Table 1`, and `Accuracy` for a study of our own."""
        return self._place if self.paper == "ours" else f"{self.paper} {self.place}"

    @property
    def _place(self) -> str:
        return self.place[0].upper() + self.place[1:]

    @property
    def heading(self) -> str:
        return f"{self.name}: {self.title}"

    @property
    def short_heading(self) -> str:
        """The heading under its paper's name."""
        return f"{self._place}: {self.title}"

    @property
    def anchor(self) -> str:
        return slug(self.heading)


def slug(heading: str) -> str:
    """The id that GitHub gives to a heading: links work in study.md and in study.html alike."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def paragraphs(parts: Iterable[str]) -> str:
    """Join the parts that are not empty."""
    return "\n\n".join(part.strip() for part in parts if part)
