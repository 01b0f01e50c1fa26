"""Whatever arrays and numbers come, a kernel takes them or raises: nothing is read or written elsewhere.

The sanitizers' run of these tests is what would see a byte beyond an array; see ``make sanitize``.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import each
from tests.kernels.calls import CALLS, KERNELS, sound_call
from tests.lengths import by_length

from deniable.kernels import _kernels

REFUSED = (TypeError, ValueError, OverflowError)
OTHER = {"u": np.float32, "i": np.complex128, "f": np.int32}


def is_taken(name: str, call: list[Any]) -> bool:
    """Whether a kernel takes these arguments; it must refuse them otherwise, in one of four ways."""
    try:
        getattr(_kernels, name)(*call)
    except (*REFUSED, MemoryError):
        return False
    return True


def test_every_kernel_is_called_here() -> None:
    assert sorted(CALLS) == KERNELS


WRAPPED = {
    "count_blocks": "count_by_block", "count_cohorts": "count_by_cohort", "count_runs": "count_packed",
    "count_values": "histogram", "recurrence_zeros": "common_zeros",
}  # fmt: skip


NOT_TWINS = {"test_bindings.py", "test_secrets.py", "test_targets.py", "test_building.py", "test_wheels.py"}
"""Tests of how kernels are called and made, not of what they compute."""


def test_every_kernel_is_called_among_the_twins() -> None:
    """By its name or its wrapper's, in a test of what it computes."""
    files = [*Path(__file__).parents[1].glob("test_*.py"), *Path(__file__).parent.glob("test_*.py")]
    texts = [file.read_text(encoding="utf-8") for file in files if file.name not in NOT_TWINS]
    called = set(re.findall(r"(?<![.\w])(?<!def )(?:_kernels\.)?(\w+)\(", "".join(texts)))
    assert [name for name in KERNELS if WRAPPED.get(name, name) not in called] == []


@each("name", KERNELS)
@each("people", [1, 40, 333])
def test_sound_calls_are_taken(name: str, people: int) -> None:
    assert is_taken(name, sound_call(name, people=people))


@each("name", KERNELS)
def test_a_byte_order_may_be_named_if_it_is_the_machine_s(name: str) -> None:
    """As that of arrays that another process sent."""
    assert is_taken(name, [pickle.loads(pickle.dumps(each)) for each in sound_call(name)])


def of_other_type(array: Any) -> Any:
    return array.astype(OTHER[array.dtype.kind])


def of_foreign_order(array: Any) -> Any:
    return array.astype(array.dtype.newbyteorder()) if array.itemsize > 1 else array.astype(np.bool_)


def apart(array: Any) -> Any:
    """The same numbers, every other place of a longer array."""
    wider = np.zeros((*array.shape[:-1], 2 * array.shape[-1] + 2), array.dtype)
    wider[..., 1:-1:2] = array
    return wider[..., 1:-1:2]


def not_aligned(array: Any) -> Any:
    """The same numbers a byte further; of bytes, a list of them."""
    if array.itemsize == 1:
        return array.tolist()
    room = np.zeros(array.nbytes + 1, np.uint8)
    moved = room[1:].view(array.dtype).reshape(array.shape)
    moved[...] = array
    return moved


def of_more_dimensions(array: Any) -> Any:
    return array[None]


WRONG: list[Callable[[Any], Any]] = [
    of_other_type, of_foreign_order, apart, not_aligned, of_more_dimensions, lambda array: array.ravel()[0],
    lambda array: None, lambda array: array.tolist(),
]  # fmt: skip


@each("name", KERNELS)
def test_arrays_of_another_kind_are_refused(name: str) -> None:
    """By each array in turn; nothing is written then."""
    for k, argument in enumerate(sound_call(name)):
        for wrong in WRONG:
            if isinstance(argument, np.ndarray) and argument.size > 1:
                call = sound_call(name)
                kept = [np.copy(each) for each in call]
                call[k] = wrong(call[k])
                with pytest.raises(REFUSED):
                    getattr(_kernels, name)(*call)
                assert all(np.array_equal(a, b) for j, (a, b) in enumerate(zip(call, kept, strict=True)) if j != k)


@each("name", KERNELS)
def test_the_number_of_arguments_is_checked(name: str) -> None:
    call = sound_call(name)
    for wrong in ([], call[:-1], [*call, 0]):
        with pytest.raises(TypeError, match=f"{name} takes {len(call)} arguments"):
            getattr(_kernels, name)(*wrong)


def written(name: str) -> list[int]:
    """Which arguments a kernel writes: those that a call changes."""
    before, after = sound_call(name), sound_call(name)
    getattr(_kernels, name)(*after)
    pairs = enumerate(zip(before, after, strict=True))
    return [k for k, (a, b) in pairs if isinstance(a, np.ndarray) and not np.array_equal(a, b)]


@each("name", KERNELS)
def test_arrays_that_are_written_must_be_writable(name: str) -> None:
    """And all others may be read-only."""
    call = sound_call(name)
    for k, argument in enumerate(call):
        if isinstance(argument, np.ndarray):
            argument.flags.writeable = k in written(name) or name == "count_runs"
    getattr(_kernels, name)(*call)
    for k in written(name):
        call = sound_call(name)
        call[k].flags.writeable = False
        with pytest.raises(TypeError, match="one that cannot be written"):
            getattr(_kernels, name)(*call)


@each("n", [1, 7, 16, 33])
def test_an_index_outside_is_refused_wherever_it_stands(n: int) -> None:
    """Of rows of 16 bits, and of tables of 20 symbols."""
    for place in range(n):
        for wrong in (0, 15, 16, -1, (1 << 63) - 1, -(1 << 63)):
            values = np.full(n, 15)
            values[place] = wrong
            assert is_taken("flip_own", [np.zeros((n, 2), np.uint8), values, 0]) == (0 <= wrong < 16)
        for symbol in (0, 19, 20, 65535):
            table = np.full((n, 1, 1), 19, np.uint16)
            table[place] = symbol
            assert is_taken("mass", [table, np.ones(n), 0, np.zeros((1, 20))]) == (symbol < 20)


def test_a_recurrence_has_fewer_rows_than_a_degree_can_be() -> None:
    """Which is how often its terms are written over: nobody waits for 2^62 rows."""
    call = sound_call("recurrence_zeros", people=3)
    for rows in (-1, 0, 63, 64, 1 << 62):
        call[3] = rows
        assert is_taken("recurrence_zeros", call) == (0 <= rows < 64)


NUMBERS = st.one_of(
    st.sampled_from([0, 1, -1, 2, 63, 64, 1 << 16, 1 << 31, 1 << 53, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64]),
    st.integers(-(1 << 65), 1 << 65),
    st.sampled_from([0.5, float("nan"), float("inf"), None, "1"]),
)


@pytest.mark.soak
@pytest.mark.parametrize("name", KERNELS)
@settings(max_examples=by_length(20, 60), deadline=None)
@given(data=st.data())
def test_hostile_lengths_and_numbers_are_refused_or_taken(name: str, data: st.DataObject) -> None:
    """One or two arguments are cut, emptied, lengthened, filled with large integers, or another number."""
    call = sound_call(name, people=data.draw(st.sampled_from([1, 3, 40])))
    for k in data.draw(st.sets(st.integers(0, len(call) - 1), min_size=1, max_size=2)):
        if isinstance(call[k], np.ndarray):
            call[k] = data.draw(hostile(call[k]))
        else:
            call[k] = data.draw(NUMBERS)
    assert is_taken(name, call) in {True, False}


def hostile(array: Any) -> st.SearchStrategy[Any]:
    """The array with another length of one axis, or with other contents."""
    cut = st.integers(0, array.ndim - 1).flatmap(
        lambda axis: st.integers(0, array.shape[axis] + 3).map(lambda size: resized(array, axis, size))
    )
    return st.one_of(cut, st.sampled_from([filled(array, number) for number in (0, 1, 77, 1 << 40, -1)]))


def resized(array: Any, axis: int, size: int) -> Any:
    """As long as that along an axis: cut, or filled up with what stands first."""
    shape = list(array.shape)
    shape[axis] = size
    found = np.zeros(shape, array.dtype)
    both = tuple(slice(min(a, b)) for a, b in zip(shape, array.shape, strict=True))
    found[both] = array[both]
    return found


def filled(array: Any, number: int) -> Any:
    """The same shape, full of a number, as far as its type can hold it."""
    return np.full_like(array, np.array(number).astype(array.dtype))
