"""Bodies and fixed shapes collide by the words of scene files, meshes too, and mean the same."""

import numpy as np
import pytest

import zerogap as zg

# A bracket that is not convex: an L of 40 by 30 by 10 mm.
CORNERS = [(0, 0), (40, 0), (40, 10), (10, 10), (10, 30), (0, 30)]


def bracket() -> zg.Mesh:
    bottom, top = ([(x * 1e-3, y * 1e-3, z) for x, y in CORNERS] for z in (0.0, 0.01))
    cap = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    sides = [t for k in range(6) for t in ((k, (k + 1) % 6, 6 + (k + 1) % 6), (k, 6 + (k + 1) % 6, 6 + k))]
    triangles = [(a, c, b) for a, b, c in cap] + [(6 + a, 6 + b, 6 + c) for a, b, c in cap] + sides
    return zg.Mesh(np.array(bottom + top), np.array(triangles))


@pytest.fixture
def file(tmp_path):
    bracket().save(tmp_path / "bracket.obj")
    return tmp_path / "scene.toml"


SCENE = """
[world]
{world}
[[fixed]]
shape = "box:1,1,0.02"
position = [0, 0, -0.01]
[[bodies]]
name = "bracket"
shape = "bracket.obj"
position = [0, 0, 0.0005]
scale = 1
{keys}
"""


@pytest.mark.parametrize(
    ("keys", "words", "world"),
    [
        ("", {}, {}),
        ('collision = "auto"', {"collision": "auto"}, {}),
        ('collision = "hull"', {"collision": "hull"}, {"contact": "rigid"}),
        ('collision = "pieces"', {"collision": "pieces"}, {"contact": "rigid"}),
        ('collision = "pieces"\npieces = 2', {"collision": "pieces", "pieces": 2}, {}),
        ('collision = "mesh"', {"collision": "mesh"}, {}),
        ('collision = "oriented"', {"collision": "oriented"}, {}),
        ('collision = "quasi-lmd"', {"collision": "quasi-lmd"}, {"method": "stepping"}),
        ('collision = "quasi-lmd"\nangular_tolerance = "3 deg"\ndilation = "30 um"\ninflate = true', {"collision": "quasi-lmd", "angular_tolerance": "3 deg", "dilation": "30 um", "inflate": True}, {"method": "stepping"}),
    ],
)
def test_a_mesh_collides_as_in_a_scene(file, keys, words, world):
    file.write_text(SCENE.format(world="\n".join(f'{key} = "{word}"' for key, word in world.items()), keys=keys))
    of_scene = zg.load(file).world()
    built = zg.World(**world)
    built.fixed(zg.box((1, 1, 0.02)), name="box:1,1,0.02", pose=zg.pose((0, 0, -0.01)))
    built.body("bracket", zg.mesh(file.parent / "bracket.obj", scale=1, repair=True), pose=zg.pose((0, 0, 0.0005)), **words)
    for one in (of_scene, built):
        one.advance_to(0.05)
    assert built.hash == of_scene.hash
    assert [(e.kind, e.t) for e in built.events] == [(e.kind, e.t) for e in of_scene.events]


def ground() -> zg.Mesh:
    places = [(0.1 * i, 0.1 * j, 0.02 * ((i * j) % 3)) for j in range(-5, 6) for i in range(-5, 6)]
    cells = [11 * j + i for j in range(10) for i in range(10)]
    return zg.Mesh(np.array(places), np.array([t for k in cells for t in ((k, k + 1, k + 12), (k, k + 12, k + 11))]))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ('sides = "one"', {"sides": "one"}),
        ('sides = "one"\nmax_depth = "20 cm"', {"sides": "one", "max_depth": "20 cm"}),
        ('sides = "two"\nthickness = "4 mm"', {"sides": "two", "thickness": "4 mm"}),
    ],
)
def test_an_open_mesh_collides_as_in_a_scene(tmp_path, keys, words):
    ground().save(tmp_path / "ground.obj")
    text = (
        f'[world]\nmethod = "stepping"\n[[fixed]]\nshape = "ground.obj"\nscale = 1\ncollision = "mesh"\n{keys}\n'
        '[[bodies]]\nname = "ball"\nshape = "sphere:0.05"\nposition = [0, 0, 0.2]\n'
    )
    (tmp_path / "scene.toml").write_text(text)
    of_scene = zg.load(tmp_path / "scene.toml").world()
    built = zg.World(method="stepping")
    built.fixed(zg.mesh(tmp_path / "ground.obj", scale=1, repair=True), name="ground.obj", collision="mesh", **words)
    built.body("ball", zg.sphere(0.05), pose=zg.pose((0, 0, 0.2)))
    for world in (of_scene, built):
        world.advance_to(0.5)
        assert 0.04 < world.poses[0, 2] < 0.15
    assert built.hash == of_scene.hash


def test_what_an_open_mesh_lacks_is_asked_for():
    with pytest.raises(ValueError, match="sides = \"two\" needs 'thickness'"):
        zg.World().fixed(ground(), collision="mesh", sides="two")
    with pytest.raises(ValueError, match="the surface has no border"):
        zg.World().fixed(bracket(), collision="mesh", sides="two", thickness=1e-3)
    with pytest.raises(ValueError, match="'sides' has no meaning for collision = \"hull\""):
        zg.World().fixed(ground(), collision="hull", sides="one")


def test_a_mesh_weighs_the_same_whatever_of_it_collides():
    solid = bracket().shape().mass_properties(7850)
    momenta = []
    for words in ({}, {"collision": "pieces"}, {"collision": "mesh"}):
        world = zg.World(gravity=(0, 0, 0))
        world.body("bracket", bracket(), velocity=(1, 0, 0), angular_velocity=(0, 0, 1), **words)
        momenta.append(np.concatenate(world.momentum))
    density = momenta[0][0] / solid.mass
    for momentum in momenta[1:]:
        assert momentum == pytest.approx(momenta[0], rel=1e-12, abs=1e-15)
    assert density == pytest.approx(momenta[2][0] / solid.mass)


def test_meshes_stand_where_shapes_do():
    world = zg.World(contact="rigid")
    world.fixed(bracket(), collision="pieces", pieces=2, pose=zg.pose((1, 0, 0)))
    world.body("both", [bracket(), (zg.sphere("1 cm"), zg.pose((0, 0, "5 cm")))], pose=zg.pose((3, 0, 0)))
    own = {"shape": bracket(), "pose": zg.pose((0, 0, 0.1)), "collision": "pieces", "pieces": 2}
    world.body("own", [own, bracket()], pose=zg.pose((5, 0, 0)))
    world.body("open", bracket(), joint="fixed")
    world.advance_to("10 ms")
    assert world.poses[1, 2] == pytest.approx(-0.5 * 9.81 * 1e-4, rel=1e-6)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"collision": "exact"}, '.collision. is "exact": it must be auto, hull, pieces, mesh, quasi-lmd, oriented'),
        ({"collision": "hull"}, 'is no mesh: "hull", "pieces" and "mesh" are for meshes'),
        ({"pieces": 3}, ".pieces. has no meaning for collision = .auto."),
        ({"angular_tolerance": "5 deg"}, '.angular_tolerance. has no meaning for collision = "auto": leave it out; it is used with collision = "quasi-lmd"'),
        ({"collision": "oriented", "inflate": True}, '.inflate. has no meaning for collision = "oriented"'),
    ],
)
def test_words_that_a_shape_cannot_use_are_refused_by_name(words, message):
    for add in (lambda w: w.fixed(zg.sphere(1), **words), lambda w: w.body("a", zg.sphere(1), **words)):
        with pytest.raises(ValueError, match=message):
            add(zg.World())
    with pytest.raises(ValueError, match="'pieces' has no meaning for collision = \"auto\""):
        zg.World().fixed(bracket(), pieces=3)
    with pytest.raises(ValueError, match="'pieces' is 0: it must be 1 or more"):
        zg.World().fixed(bracket(), collision="pieces", pieces=0)
    with pytest.raises(TypeError, match="shape must be a shape, a mesh or a complex, not str"):
        zg.World().fixed("box:1,2,3")


@pytest.mark.parametrize(
    "settings",
    [{"contact": "hertz"}, {"contact": "rigid", "impact": "newton"}, {"rtol": 1e-5}, {"atol": 1e-9}, {"max_step": 0.1}, {"zero_functions": 3}],
)
@pytest.mark.parametrize("method", ["stepping", "silvia"])
def test_a_setting_that_the_method_does_not_use_is_refused_by_name(method, settings):
    if method == "stepping" and ("rtol" in settings or "max_step" in settings):
        pytest.skip("steps may follow their error")
    with pytest.raises(ValueError, match=f"'{list(settings)[-1]}' has no meaning for method = \"{method}\""):
        zg.World(method=method, **settings)


def test_stepping_has_a_step_or_a_tolerance():
    world = zg.World(method="stepping", rtol=1e-5)
    world.pair("steel", "steel", friction=0.3, restitution=0.8)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1.1)))
    run = zg.simulate(world, until=0.6, every=0.1)
    fall = (2 / 9.81) ** 0.5
    flight = 0.6 - fall
    assert abs(run["ball"].xyz[-1, 2] - (0.1 + 0.8 * 9.81 * fall * flight - 0.5 * 9.81 * flight**2)) < 1e-5
    assert run.info["steps"] < 40 and run.info["rejected"] > 0 and run.info["unresolved"] == 0
    with pytest.raises(ValueError, match="'rtol' and 'step' exclude each other"):
        zg.World(method="stepping", rtol=1e-5, step=1e-3)
    with pytest.raises(ValueError, match="'max_step' has no effect"):
        zg.World(method="stepping", max_step=1e-2)


def test_a_method_from_outside_warns_once_of_the_keys_that_it_does_not_use(tmp_path):
    file = tmp_path / "scene.toml"
    file.write_text(
        '[world]\ncontact = "hertz"\nrtol = 1e-7\n[[pairs]]\nmaterials = ["steel", "steel"]\nfriction = 0.2\n'
        '[[bodies]]\nname = "ball"\nshape = "sphere:1"\n'
    )
    with pytest.warns(UserWarning, match="""method "silvia" does not use 'contact' of .world., 'rtol' of .world., 'friction' of ..pairs..""") as warned:
        zg.simulate(file, until=0.1, method="silvia")
    assert len(warned) == 1
    with pytest.warns(UserWarning, match="""method "stepping" does not use 'contact' of .world., 'rtol' of .world.$"""):
        zg.simulate(file, until=0.1, method="stepping")
    zg.simulate(file, until=0.1, method="events")
