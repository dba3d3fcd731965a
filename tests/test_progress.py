"""Progress: nothing for what is quick, each phase from the first on, a line now and then where nobody watches."""

from __future__ import annotations

import io
import signal

import pytest

from tnp_migrate.text.progress import Progress, ticking


class Terminal(io.StringIO):
    """A stream that is watched."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Seconds that pass when they are told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["pipe", "terminal"])
def test_nothing_is_said_of_what_is_quick(stream: io.StringIO, clock: Clock) -> None:
    progress = Progress(stream, clock)
    clock.now += 0.9
    for done in range(50):
        progress("reading", done, 50)
    progress.clear()
    assert stream.getvalue() == ""


def test_pipe_gets_a_line_every_ten_seconds(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress(stream, clock)
    for second in range(1, 36):
        clock.now += 1
        if second == 5:
            progress("reading", 7, 190)
        if second == 12:
            progress("analysing", 0, 190)
        if second == 25:
            progress("translating", 40, 190)
        progress.tick()
    progress.clear()
    assert stream.getvalue().splitlines() == [
        "tnp-migrate 1 of 4: reading 7 of 190 files, 10 s",
        "tnp-migrate 2 of 4: analysing 190 files, 20 s",
        "tnp-migrate 3 of 4: translating 40 of 190 files, 30 s",
    ]


def test_terminal_has_one_line_without_colour_which_is_removed(clock: Clock) -> None:
    stream = Terminal()
    progress = Progress(stream, clock)
    for _ in range(2):
        clock.now += 1
        progress("writing", 0, 3)
    progress.clear()
    assert stream.getvalue() == (
        "\rtnp-migrate 4 of 4: writing 3 files, 1 s\x1b[K\rtnp-migrate 4 of 4: writing 3 files, 2 s\x1b[K\r\x1b[K"
    )


def test_reader_that_has_gone_away_stops_nothing(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress(stream, clock)
    stream.close()
    clock.now += 10
    progress("reading", 1, 2)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such clock")
def test_clock_asks_within_a_phase_and_is_given_back() -> None:
    asked = []

    class Asked(Progress):
        def tick(self) -> None:
            asked.append(1)

    before = signal.getsignal(signal.SIGALRM)
    with ticking(Asked(io.StringIO())):
        assert signal.getsignal(signal.SIGALRM) is not before
        signal.raise_signal(signal.SIGALRM)
        assert asked == [1]
        assert signal.getitimer(signal.ITIMER_REAL)[1] == 1
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
