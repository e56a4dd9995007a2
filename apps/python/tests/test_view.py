"""Worlds shown on a page: a client that talks to the server as a browser does pulls bodies of a world that Python steps."""

import base64
import json
import os
import re
import socket
import struct
import threading
import time

import numpy as np
import pytest

import zerogap as zg


class Page:
    """A client over a WebSocket, as far as these tests need one."""

    def __init__(self, url):
        host, port, self.token = re.fullmatch(r"http://([\d.]+):(\d+)/#token=(\w+)", url).groups()
        self.stream = socket.create_connection((host, int(port)), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            (
                f"GET /socket HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\nConnection: Upgrade\r\n"
                f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
            ).encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.stream.recv(1)
        assert answer.startswith(b"HTTP/1.1 101"), answer
        self.send({"token": self.token})

    def send(self, message):
        data = json.dumps(message).encode()
        assert len(data) < 65536
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
        self.stream.sendall(b"\x81" + size + b"\0\0\0\0" + data)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.stream.recv(count - len(data))
            assert part, "the server has closed"
            data += part
        return data

    def message(self):
        """The kind and the bytes of the next message."""
        kind, size = self.exactly(2)
        size &= 0x7F
        if size == 126:
            (size,) = struct.unpack(">H", self.exactly(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self.exactly(8))
        return kind & 0xF, self.exactly(size)

    def said(self, kind):
        while True:
            opcode, data = self.message()
            if opcode == 1 and json.loads(data)["say"] == kind:
                return json.loads(data)

    def picture(self):
        """Flags and poses of the next picture."""
        while True:
            opcode, data = self.message()
            if opcode == 2 and struct.unpack_from("<I", data)[0] == 1:
                bodies, _, flags = struct.unpack_from("<III", data, 20)
                return flags, np.frombuffer(data, np.float32, 7 * bodies, 32 + 4 * 15).reshape(-1, 7)

    def close(self):
        self.stream.close()


def floating():
    world = zg.World(gravity=(0, 0, 0), method="stepping")
    world.body("box", zg.box((0.1, 0.1, 0.1)))
    return world


def test_a_page_pulls_a_body_of_a_world_that_python_steps(capsys):
    world = floating()
    with zg.view(world, browser=False) as view:
        assert capsys.readouterr().out == view.url + "\n"
        assert view.url.split("=")[1] not in repr(view)
        page = Page(view.url)

        def steps(count):
            for _ in range(count):
                world.step()
                view.sync()

        hello = []
        asking = threading.Thread(target=lambda: hello.append(page.said("hello")))
        asking.start()
        while asking.is_alive():
            steps(1)
        assert hello[0]["bodies"] == ["box"] and not hello[0]["past"]
        page.send({"do": "hand", "input": "pull", "body": 0, "at": [0, 0, 0], "to": [0.2, 0, 0]})
        start = time.monotonic()
        while world.poses[0, 0] < 0.1:
            steps(1)
            assert time.monotonic() - start < 30
        page.send({"do": "hand", "input": "release"})
        start = time.monotonic()
        while True:
            before = world.velocities[0, :3].copy()
            steps(1)
            if (world.velocities[0, :3] == before).all():
                break
            assert time.monotonic() - start < 30
        page.close()
    assert not view.running
    with pytest.raises(RuntimeError, match="closed"):
        view.sync()
    # What the hand did has ended; the world goes on.
    speed = world.velocities[0, :3].copy()
    world.step(100)
    np.testing.assert_array_equal(world.velocities[0, :3], speed)


def test_time_waits_while_the_page_has_paused_it():
    world = floating()
    with zg.view(world, browser=False) as view:
        page = Page(view.url)
        # The first picture may be there before the socket is.
        for _ in range(20):
            world.step()
            view.sync()
            time.sleep(0.005)
        page.send({"do": "pause"})
        time.sleep(0.3)

        def play():
            time.sleep(0.3)
            page.send({"do": "play"})

        playing = threading.Thread(target=play)
        playing.start()
        start = time.monotonic()
        view.sync()
        assert time.monotonic() - start > 0.2
        playing.join()
        page.close()


def test_watching_changes_no_bit():
    alone, watched = floating(), floating()
    for world in (alone, watched):
        world.set_force("box", (1.0, 0.2, 0.0), (0.0, 0.1, 0.0))
    with zg.view(watched, browser=False) as view:
        for _ in range(200):
            watched.step()
            view.sync()
    alone.step(200)
    assert alone.hash == watched.hash


def test_a_scene_runs_by_itself_until_its_page_is_closed(capfd):
    errors = []

    def watch():
        try:
            zg.view("newtons-cradle", browser=False)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    watching = threading.Thread(target=watch)
    watching.start()
    url = ""
    start = time.monotonic()
    while not url.startswith("http"):
        time.sleep(0.05)
        url += capfd.readouterr().out
        assert time.monotonic() - start < 30
    page = Page(url.strip())
    assert page.said("hello")["scene"] == "newtons-cradle"
    page.picture()
    page.close()
    watching.join(30)
    assert not watching.is_alive() and not errors


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(TypeError, match="world or a scene"):
        zg.view(3, browser=False)
    with pytest.raises(ValueError, match="landing"):
        zg.view("skid-landing", browser=False)


def test_runs_and_worlds_show_themselves_in_notebooks():
    world = floating()
    page = world._repr_html_()
    assert page.startswith("<iframe") and "srcdoc=" in page and "&quot;box&quot;" in page
    assert "http://" not in page.split("srcdoc=")[0]
    run = zg.simulate(world, until=0.1)
    assert len(run._repr_html_()) > len(page)
    # Nothing leaves the attribute that it stands in.
    assert run._repr_html_().count('"') == page.count('"')
