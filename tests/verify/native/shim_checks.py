"""Tensors through the C interface. Runs inside graphmend-host (see ../test_native.py)."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from pathlib import Path

import _graphmend_native as native
import numpy
import pytest
import torch

sys.path.append(str(Path(__file__).resolve().parents[3] / "src" / "verify"))

from graphmend_verify import tensors

DTYPES = [
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
    torch.float8_e4m3fn,
    torch.uint16,
]
dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: str(d).removeprefix("torch."))


def numbers(dtype: torch.dtype, *shape: int) -> torch.Tensor:
    return torch.arange(math.prod(shape), dtype=torch.float64).reshape(shape).to(dtype)


def nan_with_payload(payload: int) -> torch.Tensor:
    return torch.tensor([0x7FC00000 | payload], dtype=torch.int32).view(torch.float32)


VIEWS = {
    "plain": lambda t: t,
    "transposed": lambda t: t.t(),
    "stepped": lambda t: t[:, ::2],
    "offset": lambda t: t[1:, 1:],
    "expanded": lambda t: t[:1].expand(3, -1),
    "overlapping": lambda t: t.flatten().as_strided((3, 3), (1, 1)),
    "scalar": lambda t: t[1, 1],
    "empty": lambda t: t[:0],
    "empty inside": lambda t: t[:, :0].t(),
}
views = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


@dtypes
def test_describe(dtype: torch.dtype) -> None:
    assert native.describe(numbers(dtype, 2, 3).t()) == {
        "shape": (3, 2),
        "strides": (1, 3),
        "dtype": str(dtype),
        "device": "cpu",
        "requires_grad": False,
    }


def test_describe_special() -> None:
    assert native.describe(torch.tensor(1.0, requires_grad=True)) == {
        "shape": (),
        "strides": (),
        "dtype": "torch.float32",
        "device": "cpu",
        "requires_grad": True,
    }
    assert native.describe(torch.empty(2, device="meta"))["device"] == "meta"
    assert native.describe(torch.eye(2).to_sparse())["strides"] is None


@dtypes
@views
def test_a_view_has_the_bytes_of_its_copy(dtype: torch.dtype, view, tmp_path) -> None:
    tensor = view(numbers(dtype, 4, 6))
    copy = tensor.clone(memory_format=torch.contiguous_format)
    assert native.bits_equal(tensor, copy)
    assert native.checksum(tensor) == native.checksum(copy)
    native.save(tensor, tmp_path / "tensor")
    back = native.load(tmp_path / "tensor")
    assert (back.dtype, back.shape, back.stride()) == (tensor.dtype, tensor.shape, tensor.stride())
    assert native.bits_equal(tensor, back)


@dtypes
def test_one_element_counts(dtype: torch.dtype) -> None:
    a = numbers(dtype, 3, 3)
    b = a.clone()
    b.view(-1)[8] = 0
    assert not native.bits_equal(a, b)
    assert native.checksum(a) != native.checksum(b)


def test_bits_tell_apart_what_compares_equal() -> None:
    zero, minus = torch.tensor([0.0]), torch.tensor([-0.0])
    assert torch.equal(zero, minus) and not native.bits_equal(zero, minus)
    one, other = nan_with_payload(1), nan_with_payload(2)
    assert native.bits_equal(one, nan_with_payload(1)) and not native.bits_equal(one, other)
    assert native.checksum(one) != native.checksum(other)
    assert not native.bits_equal(torch.zeros(2), torch.zeros(2, dtype=torch.int32))
    assert not native.bits_equal(torch.zeros(2, 3), torch.zeros(3, 2))
    assert native.bits_equal(torch.zeros(0, 3), torch.zeros(0, 3))
    assert not native.bits_equal(torch.zeros(0, 3), torch.zeros(3, 0))


def test_lazy_conjugates_and_negatives() -> None:
    z = torch.tensor([1 + 2j, 3 - 4j])
    assert z.conj().is_conj() and native.bits_equal(z.conj(), z.conj().resolve_conj())
    imaginary = z.conj().imag
    assert imaginary.is_neg() and native.checksum(imaginary) == native.checksum(torch.tensor([-2.0, 4.0]))


def test_checksum_is_equal_across_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import _graphmend_native as n, torch; print(n.checksum(torch.arange(1000.0).view(10, 100).t()))")
    done = subprocess.run([os.readlink("/proc/self/exe"), script], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == str(native.checksum(torch.arange(1000.0).view(10, 100).t())), done.stderr


def test_close() -> None:
    a, b = torch.tensor([1.0, 100.0]), torch.tensor([1.0, 101.0])
    assert native.close(a, a, 0, 0) == (True, 0.0, 0.0)
    good, absolute, relative = native.close(a, b, 0.0, 0.5)
    assert (good, absolute) == (False, 1.0) and relative == pytest.approx(1 / 101)
    assert native.close(a, b, 0.01, 0.0)[0] and native.close(a, b, 0.0, 1.0)[0]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_close_at_the_edges(dtype: torch.dtype) -> None:
    nan, infinity = math.nan, math.inf
    edges = torch.tensor([nan, infinity, -infinity, 0.0], dtype=dtype)
    assert native.close(edges, edges.clone(), 0, 0) == (True, 0.0, 0.0)
    assert native.close(torch.tensor(0.0, dtype=dtype), torch.tensor(-0.0, dtype=dtype), 0, 0)[0]
    for other in (
        [1.0, infinity, -infinity, 0.0],
        [nan, -infinity, -infinity, 0.0],
        [nan, infinity, -infinity, infinity],
    ):
        assert native.close(edges, torch.tensor(other, dtype=dtype), 1.0, 1e30) == (False, infinity, infinity)


def test_close_of_other_kinds() -> None:
    assert native.close(torch.zeros(2), torch.zeros(3), 1, 1)[0] is False
    assert native.close(torch.zeros(2), torch.zeros(2, dtype=torch.float64), 1, 1)[0] is False
    big = torch.tensor([2**53, 7])
    assert native.close(big, big + torch.tensor([1, 0]), 1, 1)[0] is False
    assert native.close(torch.tensor([True]), torch.tensor([False]), 1, 1)[0] is False
    z = torch.tensor([1 + 1j])
    assert native.close(z, z + 0.5j, 0, 0.5)[:2] == (True, 0.5)
    assert native.close(torch.zeros(0), torch.zeros(0), 0, 0) == (True, 0.0, 0.0)


def test_grad() -> None:
    x = torch.ones(2, requires_grad=True)
    assert native.grad(x) is None
    (x * 3).sum().backward()
    assert native.grad(x) is x.grad
    assert native.grad(torch.ones(1)) is None


def test_seed_reaches_every_generator() -> None:
    def draw() -> tuple[float, float, float]:
        return torch.rand(()).item(), random.random(), numpy.random.rand()

    native.seed(7)
    first = draw()
    assert draw() != first
    native.seed(7)
    assert draw() == first
    torch.manual_seed(7)
    assert torch.rand(()).item() == first[0]
    native.seed(2**64 - 1)
    with pytest.raises(OverflowError):
        native.seed(-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: native.describe(3),
        lambda: native.bits_equal(torch.zeros(1), None),
        lambda: native.checksum("x"),
        lambda: native.close(torch.zeros(1), torch.zeros(1)),
        lambda: native.save([], "/dev/null"),
    ],
)
def test_what_is_no_tensor(call) -> None:
    with pytest.raises(TypeError):
        call()


def test_tensors_without_bytes() -> None:
    with pytest.raises(RuntimeError, match="meta device has no data"):
        native.checksum(torch.empty(2, device="meta"))
    with pytest.raises(RuntimeError, match="not strided"):
        native.bits_equal(torch.eye(2).to_sparse(), torch.eye(2).to_sparse())


def test_files_that_are_wrong(tmp_path) -> None:
    path = tmp_path / "tensor"
    with pytest.raises(RuntimeError, match="cannot open"):
        native.load(path)
    with pytest.raises(RuntimeError, match="cannot write"):
        native.save(torch.zeros(1), tmp_path / "no" / "folder")
    path.write_bytes(b"\x80\x04 pickle")
    with pytest.raises(RuntimeError, match="not a tensor's file"):
        native.load(path)
    native.save(torch.zeros(5), path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(RuntimeError, match="ends too early"):
        native.load(path)
    path.write_bytes(b"graphmend tensor torch.float3 0\n0000")
    with pytest.raises(RuntimeError, match="no dtype is called torch.float3"):
        native.load(path)


# ---------------------------------------------------------------- what stands in where there is no host

PAIRS = [
    (numbers(torch.float32, 2, 3), numbers(torch.float32, 2, 3) + 0.25),
    (numbers(torch.float32, 2, 3).t(), numbers(torch.float32, 2, 3).t().contiguous()),
    (numbers(torch.bfloat16, 4), numbers(torch.bfloat16, 4) * 1.5),
    (numbers(torch.int64, 4), numbers(torch.int64, 4) + 1),
    (torch.tensor([2**53]), torch.tensor([2**53 + 1])),
    (numbers(torch.complex64, 4), numbers(torch.complex64, 4) + 0.5j),
    (torch.tensor([1.0, math.nan]), torch.tensor([1.0, math.nan])),
    (torch.tensor([1.0, math.nan]), torch.tensor([1.0, 2.0])),
    (torch.tensor(math.inf), torch.tensor(-math.inf)),
    (torch.tensor(0.0), torch.tensor(-0.0)),
    (nan_with_payload(1), nan_with_payload(2)),
    (torch.zeros(0, 3), torch.zeros(0, 3)),
    (torch.zeros(2), torch.zeros(3)),
    (torch.zeros(2), torch.zeros(2, dtype=torch.float64)),
]


@pytest.mark.parametrize("a, b", PAIRS)
def test_torch_says_the_same(a: torch.Tensor, b: torch.Tensor) -> None:
    assert tensors.bits_equal is native.bits_equal and tensors.close is native.close
    assert tensors._bits_equal(a, b) == native.bits_equal(a, b)
    assert (tensors._checksum(a) == tensors._checksum(b)) == (native.checksum(a) == native.checksum(b))
    for rtol, atol in ((0.0, 0.0), (0.3, 0.0), (0.0, 0.5)):
        close, *errors = native.close(a, b, rtol, atol)
        assert tensors._close(a, b, rtol, atol) == (close, *map(pytest.approx, errors))
