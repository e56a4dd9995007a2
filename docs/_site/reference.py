"""Writes the reference of the command from its own help texts, and that of the Python package from its stubs and docstrings."""

import ast
import inspect
import os
import re
import subprocess
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)

#: Where `cargo xtask docs` says the command is.
COMMAND = "ZEROGAP_COMMAND"


def help_of(command: str, words: list[str]) -> str:
    width = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    shown = subprocess.run([command, *words, "--help"], capture_output=True, text=True, check=True, env=width)
    return shown.stdout.rstrip()


def subcommands(text: str) -> list[tuple[str, str]]:
    """Returns the names and first lines below "Commands:" of a help text."""
    found, inside = [], False
    for line in text.splitlines():
        if line.startswith("Commands:"):
            inside = True
        elif inside and line.startswith("  ") and not line.startswith("   "):
            name, _, about = line.strip().partition(" ")
            found.append((name, about.strip()))
        elif inside and not line.strip():
            break
    return [(name, about) for name, about in found if name != "help"]


def commands_page(command: str) -> str:
    text = help_of(command, [])
    page = [
        "# Commands",
        "",
        "Every command with all of its options, as `zerogap COMMAND --help` prints it. What all commands share, such as output folders, exit codes and `--json`, is on [the page of the command](../command.md).",
        "",
        "```text",
        text,
        "```",
    ]
    for name, _ in subcommands(text):
        page += commands_section(command, [name])
    return "\n".join(page) + "\n"


def commands_section(command: str, words: list[str]) -> list[str]:
    text = help_of(command, words)
    lines = ["", f"{'#' * (len(words) + 1)} zerogap {' '.join(words)}", "", "```text", text, "```"]
    for name, _ in subcommands(text):
        lines += commands_section(command, [*words, name])
    return lines


def python_page() -> str:
    import zerogap as zg

    stub = ast.parse((Path(zg.__file__).parent / "_zerogap.pyi").read_text(encoding="utf-8"))
    classes = [node for node in stub.body if isinstance(node, ast.ClassDef) and node.name in zg.__all__]
    functions: dict[str, list[ast.FunctionDef]] = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef) and node.name in zg.__all__:
            functions.setdefault(node.name, []).append(node)
    page = [
        "# Python",
        "",
        "All names of `import zerogap as zg`. Lengths are metres, angles radians, quaternions (x, y, z, w); a text with a unit, such as `\"5 cm\"` or `\"30 deg\"`, may stand for a number.",
        "",
        "",
        *kinds(stub),
        "",
        "## Functions",
    ]
    for name, nodes in sorted(functions.items()):
        page += entry(f"zg.{name}", nodes, getattr(zg, name), 3)
    page += ["", "## Classes"]
    for node in sorted(classes, key=lambda node: node.name):
        item = getattr(zg, node.name)
        made = [member for member in node.body if isinstance(member, ast.FunctionDef) and member.name in ("__new__", "__init__")]
        page += entry(f"zg.{node.name}", made, item, 3)
        page += members(node, item)
    page += ["", "## Generated parts", "", "The module `zg.parts`: each function returns a mesh."]
    for name, item in sorted(vars(zg.parts).items()):
        if inspect.isfunction(item) and not name.startswith("_"):
            page += ["", f"### zg.parts.{name}", "", "```python", f"{name}{inspect.signature(item)}", "```", "", *docstring(item)]
    return "\n".join(page) + "\n"


def kinds(stub: ast.Module) -> list[str]:
    """Returns a table of what the words in signatures stand for."""
    rows = [
        f"| `{node.target.id.lstrip('_')}` | `{_cell(_shown(node.value))}` |"
        for node in stub.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None and ast.unparse(node.annotation) == "TypeAlias"
    ]
    return ["## Kinds of arguments", "", "| in signatures | stands for |", "|---|---|", *rows]


def _shown(node: ast.AST) -> str:
    """Returns an annotation as it is written, with public names."""
    return re.sub(r"\b_(?=[A-Z])", "", ast.unparse(node))


def _cell(text: str) -> str:
    """Returns a text as it may stand in a table."""
    return text.replace("|", "\\|")


def entry(title: str, nodes: list[ast.FunctionDef], item: object, level: int) -> list[str]:
    lines = ["", f"{'#' * level} {title}", ""]
    if nodes:
        lines += ["```python", *(signature(title.rpartition(".")[2], node) for node in nodes), "```", ""]
    return lines + docstring(item)


def members(node: ast.ClassDef, item: object) -> list[str]:
    """Returns a table of attributes, then the methods of a class."""
    attributes, methods = [], {}
    for member in node.body:
        if not isinstance(member, ast.FunctionDef) or member.name.startswith("_"):
            continue
        words = [ast.unparse(word) for word in member.decorator_list]
        if "property" in words:
            about = " ".join((inspect.getdoc(getattr(item, member.name, None)) or "").split())
            kind = _shown(member.returns) if member.returns else ""
            attributes.append(f"| `{member.name}` | `{_cell(kind)}` | {_cell(about)} |")
        elif not any(word.endswith(".setter") for word in words):
            methods.setdefault(member.name, []).append(member)
    lines = []
    if attributes:
        lines += ["", "| attribute | type | |", "|---|---|---|", *attributes]
    for name, nodes in methods.items():
        lines += entry(f"{node.name}.{name}", nodes, getattr(item, name, None), 4)
    return lines


def signature(name: str, node: ast.FunctionDef) -> str:
    """Returns a call as it is written, one argument a line where it is long."""
    arguments = [argument for argument in _arguments(node.args) if argument not in ("self", "cls")]
    returns = f" -> {_shown(node.returns)}" if node.returns and node.name not in ("__new__", "__init__") else ""
    short = f"{name}({', '.join(arguments)}){returns}"
    return short if len(short) <= 100 else f"{name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){returns}"


def _arguments(args: ast.arguments) -> list[str]:
    def one(arg: ast.arg, default: ast.expr | None) -> str:
        text = arg.arg + (f": {_shown(arg.annotation)}" if arg.annotation else "")
        return text if default is None else f"{text} = {ast.unparse(default)}"

    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    words = [one(arg, default) for arg, default in zip(plain, defaults, strict=True)]
    if args.posonlyargs:
        words.insert(len(args.posonlyargs), "/")
    if args.vararg:
        words.append(f"*{args.vararg.arg}")
    elif args.kwonlyargs:
        words.append("*")
    words += [one(arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return words + ([f"**{args.kwarg.arg}"] if args.kwarg else [])


def docstring(item: object) -> list[str]:
    """Returns a docstring as Markdown: its examples become code."""
    # Roles of reStructuredText are names to a reader of Markdown.
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", inspect.getdoc(item) or "")
    lines, code = [], False
    for line in text.splitlines():
        is_code = line.startswith((">>>", "...")) or (code and line.strip() != "")
        if is_code != code:
            lines.append("```pycon" if is_code else "```")
            code = is_code
        lines.append(line if is_code else line.replace("<", "&lt;"))
    return [*lines, "```"] if code else lines


def write(path: Path, text: str) -> None:
    """Writes a page where it has changed, so that Sphinx reads it again only then."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def pages(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "reference"
    command = os.environ.get(COMMAND)
    if command is None:
        log.warning("%s does not say where the command is: build the site with `cargo xtask docs`", COMMAND)
        return
    write(folder / "commands.md", commands_page(command))
    write(folder / "python.md", python_page())


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", pages)
    return {"parallel_read_safe": True}
