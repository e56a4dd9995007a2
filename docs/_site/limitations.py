"""Collects the sections "Limitations" of all pages on one page, so that each is written once, where it belongs."""

import re
from pathlib import Path

from sphinx.application import Sphinx

#: What the page says where the sections go.
PLACE = "<!-- limitations of all pages -->"

#: A section from its heading to the next one of its level, or the end.
SECTION = re.compile(r"^## Limitations\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
#: A link to a place of the same page, or to another page.
LINK = re.compile(r"\]\((?!https?:|/)([^)#]*)(#[^)]*)?\)")


def section(page: Path, docs: Path) -> str | None:
    """Returns the limitations of a page under its title, with links as seen from the top folder; None where it has none."""
    text = page.read_text(encoding="utf-8")
    found, title = SECTION.search(text), TITLE.search(text)
    if not found or not title:
        return None

    def moved(link: re.Match[str]) -> str:
        to = (page.parent / link[1]).resolve() if link[1] else page
        return f"]({_relative(to, docs)}{link[2] or ''})"

    body = LINK.sub(moved, found[1]).strip()
    return f"## [{title[1]}]({_relative(page, docs)})\n\n{body}\n"


def _relative(to: Path, docs: Path) -> str:
    return Path(to).relative_to(docs).as_posix() if to.is_relative_to(docs) else f"../{to.relative_to(docs.parent).as_posix()}"


def collect(app: Sphinx, name: str, source: list[str]) -> None:
    """Fills the page that asks for it."""
    if PLACE not in source[0]:
        return
    docs = Path(app.srcdir)
    pages = sorted(path for path in docs.rglob("*.md") if app.env.path2doc(str(path)) in app.env.found_docs)
    sections = [text for page in pages if (text := section(page, docs))]
    source[0] = source[0].replace(PLACE, "\n".join(sections))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", collect)
    return {"parallel_read_safe": True}
