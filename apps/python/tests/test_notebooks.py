"""The notebooks of the documentation run from top to bottom; their own assertions say whether they are right."""

import os
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))

# Two of each run everywhere, all of them with ZEROGAP_FULL set.
CHOSEN = NAMES if os.environ.get("ZEROGAP_FULL") else ["bouncing-ball", "gap"]


def test_there_are_five_notebooks_with_their_pictures() -> None:
    assert len(NAMES) == 5
    for name in NAMES:
        assert '"image/png"' in (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"), name


@pytest.mark.parametrize("name", CHOSEN)
def test_the_notebook_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("ipykernel", "matplotlib", "nbclient"):
        pytest.importorskip(needed)
    monkeypatch.syspath_prepend(str(FOLDER))
    # The kernel is that of the interpreter that runs this test.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("JUPYTER_PATH", str(Path(sys.prefix) / "share" / "jupyter"))
    from execute import executed

    book = executed(FOLDER / f"{name}.ipynb")
    assert any("image/png" in output.get("data", {}) for cell in book.cells for output in cell.get("outputs", []))
