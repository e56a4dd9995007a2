"""How searches end."""

from enum import IntEnum


class GapStatus(IntEnum):
    """How a search for a gap ended: the codes of ``Gaps.status``. The bounds are true in every case.

    >>> import zerogap as zg
    >>> zg.GapStatus(0).name
    'EXACT'
    """

    EXACT = 0
    """The bounds meet to rounding."""
    CONVERGED = 1
    """The bounds meet to the tolerance that was asked for."""
    FARTHER = 2
    """The bodies are farther apart than the cutoff; ``lower`` is beyond it, and the search ended there."""
    LIMITED = 3
    """The step limit came first; the bounds show how far the search got."""
    LOCAL_DEPTH = 4
    """Meshes or compounds overlap: the gap is less the depth of the deepest part, and the shortest separating translation lies between the bounds."""
    DEPTH_UNKNOWN = 5
    """The surfaces cross and no part has a known depth: the shortest separating translation lies between the bounds."""
