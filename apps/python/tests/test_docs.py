"""Every example in a docstring runs and prints what it says."""

import doctest
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
import zerogap as zg

# numpy 2 shows scalars with their type; the examples show plain numbers.
np.set_printoptions(legacy="1.25")


def documented() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = finder.find(zg, "zerogap", globs={})
    parser = doctest.DocTestParser()
    for name, item in vars(zg._zerogap).items():
        members = [(name, item), *((f"{name}.{m}", f) for m, f in vars(item).items())] if inspect.isclass(item) else [(name, item)]
        for label, member in members:
            text = inspect.getdoc(member) or ""
            if ">>>" in text:
                tests.append(parser.get_doctest(text, {}, label, None, 0))
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("test", documented(), ids=lambda t: t.name)
def test_examples_print_what_they_say(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.failures == 0


def test_everything_public_has_a_docstring() -> None:
    for name in zg.__all__:
        if not name.startswith("__"):
            assert inspect.getdoc(getattr(zg, name)), name


REPOSITORY = Path(__file__).resolve().parents[3]

DOCS = REPOSITORY / "docs"

# What `cargo xtask docs` writes: signatures, not programs.
WRITTEN = {DOCS / "reference" / "python.md", DOCS / "reference" / "commands.md"}

# Every page with Python in it.
PAGES = ["README.md", "apps/python/README.md"] + sorted(
    page.relative_to(REPOSITORY).as_posix()
    for page in DOCS.rglob("*.md")
    if page not in WRITTEN and "```python" in page.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("page", PAGES)
def test_python_examples_of_the_pages_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    zg.parts.prism().save("bolt.obj")  # the file that the examples read
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        # A tutorial is one program, told in pieces; elsewhere every block stands for itself.
        names = names if page.startswith("docs/tutorials/") else {}
        exec(compile(block, page, "exec"), names)


def test_the_first_scene_does_what_its_page_says(tmp_path: Path) -> None:
    scene = re.search(r"```toml\n(.*?)```", (DOCS / "start" / "first-scene.md").read_text(encoding="utf-8"), re.DOTALL)
    assert scene
    (tmp_path / "ramp.toml").write_text(scene[1], encoding="utf-8")
    run = zg.simulate(zg.load(tmp_path / "ramp.toml"))
    # The box has slid down, and the pillar lies on its side.
    assert abs(run["box"].xyz[-1, 2] - 0.05) < 1e-6 and abs(run["pillar"].xyz[-1, 2] - 0.03) < 1e-6


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_limitations_stand_at_the_end_of_a_page(page: Path) -> None:
    headings = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
    assert "Limitations first" not in page.read_text(encoding="utf-8")
    if "## Limitations" in headings:
        assert headings.index("## Limitations") == len(headings) - 1
