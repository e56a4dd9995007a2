"""Runs notebooks of this folder and keeps their outputs, so that their pictures show without running: `python execute.py [NAME ...]`."""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent


def executed(path: Path) -> nbformat.NotebookNode:
    """Returns a notebook with fresh outputs; an error of a cell is raised. Files that it writes go to a folder that is removed."""
    book = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    for cell in book.cells:
        # Times of execution change from run to run and say nothing.
        cell.metadata.pop("execution", None)
    book.metadata = {"kernelspec": book.metadata["kernelspec"], "language_info": {"name": "python"}}
    return book


def main() -> None:
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    for name in names:
        path = FOLDER / f"{name}.ipynb"
        nbformat.write(executed(path), path)
        print(f"{name}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
