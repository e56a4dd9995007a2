"""How Sphinx builds the site from this folder. The command is `cargo xtask docs`."""

import sys
import tomllib
from pathlib import Path

from pygments.lexers.rust import RustLexer
from sphinx.highlighting import lexers

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS / "_site"))

project = "zerogap"
author = "The zerogap developers"
copyright = "the zerogap developers"
# The workspace's manifest is the one place of the version.
version = release = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]

extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design", "limitations", "reference"]
exclude_patterns = ["_site", "requirements.txt", "notebooks/execute.py"]
suppress_warnings = ["epub.unknown_project_files"]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
# Headings are link targets, as they are where the pages are read as plain Markdown.
myst_heading_anchors = 4

# Notebooks show the outputs that they were saved with; the tests run them.
nb_execution_mode = "off"

# Rust's documentation tests mark code that is not run.
for mark in ("ignore", "no_run"):
    lexers[f"rust,{mark}"] = RustLexer()

html_theme = "furo"
html_title = f"zerogap {version}"
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_copy_source = False
# Prompts are not copied with a command.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
