"""Measurements against known answers: typed rows, the same numbers every time, and what is refused."""

import signal
import threading

import pytest
import zerogap as zg


def test_rows_say_what_was_measured_and_what_is_required() -> None:
    rows = zg.verify("tables", count=500)
    assert rows and all(row.passed and row.group == "tables" for row in rows)
    assert {row.count for row in rows if row.case.startswith("Table I,")} == {500}
    largest = next(row for row in rows if row.name == "largest error")
    assert 0 < largest.value <= largest.at_most == 2.7e-15
    assert largest.expected is None and largest.tolerance is None and largest.unit == "m"
    assert largest.published == {"libccd (GJK and EPA)": 0.608937, "Moby (separating axes)": 2.66454e-15}
    assert "largest error" in repr(largest) and "<= 2.7e-15: holds" in repr(largest)
    told = next(row for row in rows if row.name == "poses in overlap")
    assert told.at_most is None and told.published == {} and 0 < told.value < 500
    assert largest.case.startswith("Table I") and {row.case for row in rows} >= {largest.case}


def test_the_same_count_gives_the_same_numbers_but_for_times() -> None:
    one, two = zg.verify("tables", count=300), zg.verify("tables", count=300)
    numbers = [[(row.case, row.name, row.value) for row in rows if not row.is_timing] for rows in (one, two)]
    assert numbers[0] == numbers[1]
    times = [row for row in one if row.is_timing]
    assert times and all(row.value > 0 and row.at_most is None and row.expected is None for row in times)
    assert next(row for row in times if row.name == "time per iteration").published == {"Moby, 2.7 GHz": 1.3e-3}


def test_worlds_that_go_by_steps_do_what_they_must() -> None:
    rows = zg.verify("stepping")
    assert rows and all(row.passed and row.group == "stepping" and row.count == 1 for row in rows)
    tower = next(row for row in rows if row.name == "drift of the topmost box")
    assert 0 <= tower.value <= tower.at_most == 1e-6
    squared = next(row for row in rows if "RaiSim" in row.published and row.unit == "m²")
    assert squared.value < squared.published["RaiSim"] == 1.35e-4


def test_worlds_do_what_closed_forms_say() -> None:
    rows = zg.verify("events")
    assert rows and all(row.passed and row.group == "events" and row.count == 1 for row in rows)
    first = next(row for row in rows if row.name == "impact 1")
    assert first.expected == pytest.approx((2 / 9.81) ** 0.5, abs=1e-15) and first.tolerance == 1e-9
    assert abs(first.value - first.expected) <= first.tolerance and first.at_most is None
    assert "0.451523641 ± 1e-9: holds" in repr(first)
    steps = next(row for row in rows if "Drake CENIC, 1e-5" in row.published)
    assert steps.value < steps.published["Drake CENIC, 1e-5"] == 229


def test_unknown_groups_and_empty_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="no group 'tabels' to verify: the groups are tables"):
        zg.verify("tabels")
    with pytest.raises(ValueError, match="'events' has no random cases"):
        zg.verify("events", count=5)
    with pytest.raises(ValueError, match="at least one case"):
        zg.verify(count=0)
    with pytest.raises(OverflowError):
        zg.verify(count=-1)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to threads are POSIX")
def test_a_long_run_can_be_interrupted(sigint_raises: None) -> None:
    main = threading.main_thread().ident
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        zg.verify("tables", count=10**12)
    timer.join()
