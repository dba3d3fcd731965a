"""What is made only to be drawn stays NumPy's, and drawing what a variable has gives it no second holder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tnp_migrate import migrate_text

_HEAD = (
    "import numpy as np\nfrom scipy.stats import mstats\n"
    "import matplotlib.pyplot as plt\nfrom matplotlib.animation import FuncAnimation\n\n\n"
)
_UPDATE = "def update(*args):\n    global m\n    m *= 0.5\n    {}\n\n\nm = np.zeros((3, 4))\nfig = plt.figure()\n{}\n"


def translated(text: str) -> str:
    return migrate_text(text).texts.get(Path("-"), b"").decode()


def is_island(text: str) -> bool:
    return "@tnh.island" in translated(_HEAD + text)


@pytest.mark.parametrize(
    "body",
    [
        "z = np.ma.array(z * 2, mask=m)\n    plt.imshow(z)",
        "plt.imshow(np.ma.masked_where(m, z * 2))",
        "fig, ax = plt.subplots()\n    w = np.ma.masked_invalid(z)\n    ax.pcolormesh(w)\n    ax.contour(w)",
        "for i in range(3):\n        w = z * i\n        w = np.ma.masked_invalid(w)\n        plt.imshow(w)",
        "t = np.arange('2020-01', '2020-03', dtype='datetime64[D]')\n    plt.plot(t, np.ones(60))",
    ],
)
def test_drawn_alone_is_no_reason_for_an_island(body: str) -> None:
    assert not is_island(f"def f(z, m):\n    {body}\n    return np.sin(m)\n")


@pytest.mark.parametrize(
    "body",
    [
        "w = np.ma.array(z, mask=m)\n    plt.imshow(w)\n    return w.sum()",
        "w = np.ma.array(z, mask=m)\n    plt.imshow(w)\n    return w",
        "w = np.ma.array(z, mask=m)\n    v = w if m.any() else z\n    plt.imshow(v)\n    return v * 2",
        "w = np.ma.array(z, mask=m)\n    return lambda: plt.imshow(w)",
        "w = np.ma.array(z, mask=m)\n    show(w)\n    return m",
        "w = np.ma.array(z, mask=m)\n    return np.mean(mstats.zscore(w))",
        "w = np.ma.array(z, mask=m)\n    plt.imshow(w + 1)\n    return m",
    ],
)
def test_computed_with_is_a_reason(body: str) -> None:
    assert is_island(f"def show(w):\n    pass\n\n\ndef f(z, m):\n    {body}\n")


@pytest.mark.parametrize(
    ("inside", "after"),
    [
        ("im.set_data(m)", "im = plt.imshow(m)\nanimation = FuncAnimation(fig, update, interval=10)"),
        ("im.set_data(m)", "im = plt.imshow(np.ones((3, 4)))\nanimation = FuncAnimation(fig, update)"),
        ("im.set_data(m.T)", "im = plt.imshow(m.T)\nfig.canvas.mpl_connect('button_press_event', update)"),
        ("pass", "im = plt.imshow(m)\nanimation = FuncAnimation(fig, update, interval=10)"),
    ],
)
def test_drawing_a_variable_that_a_callback_writes_to(inside: str, after: str) -> None:
    assert not is_island(_UPDATE.format(inside, after))


@pytest.mark.parametrize(
    ("inside", "after"),
    [
        ("pass", "animation = FuncAnimation(fig, update, fargs=(m, update))"),
        ("pass", "keep = [m]\nanimation = FuncAnimation(fig, update)"),
        ("pass", "plt.imshow(m, picker=lambda *a: m)\nkeep = m\nanimation = FuncAnimation(fig, update)"),
    ],
)
def test_other_holders_beside(inside: str, after: str) -> None:
    assert is_island(_UPDATE.format(inside, after))


def test_operator_in_place_on_a_global_alone() -> None:
    text = "def update():\n    global m\n    m *= 0.5\n\n\nm = np.zeros(3)\nupdate()\n"
    assert "m = tnh.in_place(m, m * 0.5)" in translated("import numpy as np\n\n\n" + text)
