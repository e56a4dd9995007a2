"""The stub lists the keywords that the tables of settings have: names, words, and what cannot be left out."""

import ast
from pathlib import Path

import pytest

import zerogap as zg

STUB = Path(zg.__file__).parent / "_zerogap.pyi"


def functions() -> dict[str, list[ast.FunctionDef]]:
    """Functions of the stub by name, each with its overloads; a class stands for how it is made."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in ast.parse(STUB.read_text()).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for one in inner:
            if isinstance(one, ast.FunctionDef):
                name = one.name if inner == [node] else f"{node.name}.{one.name}"  # type: ignore[union-attr,attr-defined]
                found.setdefault(name.removesuffix(".__new__"), []).append(one)
    return found


def words(annotation: ast.expr | None) -> set[str]:
    """The words of every Literal in an annotation."""
    literals = [node for node in ast.walk(annotation) if isinstance(node, ast.Subscript)] if annotation else []
    named = [node for node in literals if isinstance(node.value, ast.Name) and node.value.id == "Literal"]
    texts = [node for literal in named for node in ast.walk(literal.slice) if isinstance(node, ast.Constant)]
    return {str(node.value) for node in texts}


@pytest.mark.parametrize("function", zg.settings())
def test_the_stub_has_the_keywords_that_the_tables_have(function: str) -> None:
    settings = {setting["name"]: setting for setting in zg.settings()[function]}
    # Of overloads, the one with keywords.
    node = max(functions()[function], key=lambda node: len(node.args.kwonlyargs))
    keywords = dict(zip([a.arg for a in node.args.kwonlyargs], zip(node.args.kwonlyargs, node.args.kw_defaults)))
    assert set(settings) <= set(keywords), f"{function} lacks {sorted(set(settings) - set(keywords))}"
    if function in ("World", "World.pair", "World.dof", "World.set_motor", "World.servo", "simulate"):
        # The effort of a run is no setting of its method.
        effort = {"max_wall", "max_events"} if function == "simulate" else set()
        assert set(keywords) == set(settings) | effort, f"{function} has no {sorted(set(keywords) - set(settings) - effort)}"
    for name, setting in settings.items():
        argument, default = keywords[name]
        assert (default is None) == setting["needed"], name
        assert words(argument.annotation) == set(setting["words"]), name


def test_a_setting_that_is_none_counts_as_left_out() -> None:
    world = zg.World(**{setting["name"]: None for setting in zg.settings()["World"]})
    world.pair("steel", "steel", **{setting["name"]: None for setting in zg.settings()["World.pair"]})
    assert world.poses.shape == (0, 7)


def test_every_setting_of_a_world_is_refused_with_a_method_that_does_not_use_it() -> None:
    values = {"contact": "hertz", "impact": "newton", "integrator": "radau"}
    for setting in zg.settings()["World"]:
        methods = setting["used_with"].get("method", ["events", "stepping", "silvia"])
        for method in {"events", "stepping", "silvia"} - set(methods):
            value = values.get(setting["name"], 1)
            with pytest.raises(ValueError, match=f"'{setting['name']}' has no meaning for method = \"{method}\""):
                zg.World(**{"method": method, setting["name"]: value})


@pytest.mark.parametrize("method", ["events", "stepping", "silvia"])
@pytest.mark.parametrize("contact", ["hunt-crossley", "hertz", "linear", "kelvin-voigt", "modia3d", "rigid"])
def test_a_pair_takes_what_the_method_and_the_contact_law_use_and_nothing_else(method: str, contact: str) -> None:
    numbers = {"linear": {"stiffness": 1e5}, "kelvin-voigt": {"stiffness": 1e5, "damping": 10.0}}
    if method != "events" and contact != "rigid":
        pytest.skip("contacts of steps are rigid")
    world = zg.World(method=method, contact=contact, **numbers.get(contact, {}))
    for setting in zg.settings()["World.pair"]:
        # Contact models are chosen for events alone.
        chosen = {"method": method, "contact": contact} if method == "events" else {"method": method}
        used_with = {key: words for key, words in setting["used_with"].items() if key in chosen}
        unused = [key for key, words in used_with.items() if chosen[key] not in words]
        # These two go together.
        directed = {"friction_across": 0.75, "friction_direction": (1, 0, 0)}
        given = directed if setting["name"] in directed else {setting["name"]: 0.75}
        if unused:
            # Of several that are unused, the first is named.
            message = f"'{next(iter(given))}' has no meaning for {unused[0]} = \"{chosen[unused[0]]}\""
            with pytest.raises(ValueError, match=message):
                world.pair("steel", "steel", **given)
        else:
            world.pair("steel", "steel", **given)


def test_a_run_overrides_the_method_of_a_scene() -> None:
    coarse = zg.simulate("bouncing-ball", until=0.5, rtol=1e-3, max_step="50 ms")
    fine = zg.simulate("bouncing-ball", until=0.5, rtol="1e-9", max_step=1e-3)
    assert fine.info["steps"] > 2 * coarse.info["steps"]
    with pytest.raises(TypeError, match="unexpected keyword argument 'gravity'"):
        zg.simulate("bouncing-ball", until=0.5, gravity=(0, 0, 0))  # type: ignore[call-overload]
