#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Triton: kernels as its users write them."""
import numpy as np
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from checked import kernel, main, real, small

triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))


def gpu(array):
    return torch.from_numpy(np.ascontiguousarray(array)).cuda()


def empty(*shape, kind=torch.float32):
    return torch.empty(shape, dtype=kind, device="cuda")


@triton.jit
def add_kernel(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@kernel
def vector_add():
    x, y, out = real(1000), real(1000, seed=2), empty(1000)
    add_kernel[(4,)](gpu(x), gpu(y), out, 1000, 256)
    return out.cpu(), x + y


@triton.jit
def softmax_kernel(x, out, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    values = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + i, values / tl.sum(values, axis=0), mask=i < columns)


@kernel
def softmax():
    x, out = real(8, 300), empty(8, 300)
    softmax_kernel[(8,)](gpu(x), out, 300, 512)
    e = np.exp(x - x.max(1, keepdims=True))
    return out.cpu(), e / e.sum(1, keepdims=True), 1e-6


@triton.jit
def norm_kernel(x, weight, bias, out, N: tl.constexpr, centred: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    values = tl.load(x + row * N + i)
    if centred:
        values -= tl.sum(values, axis=0) / N
    scale = tl.rsqrt(tl.sum(values * values, axis=0) / N + 1e-5)
    tl.store(out + row * N + i, values * scale * tl.load(weight + i) + tl.load(bias + i))


def norm_of(centred):
    x, weight, bias, out = real(6, 256), real(256, seed=2), real(256, seed=3), empty(6, 256)
    norm_kernel[(6,)](gpu(x), gpu(weight), gpu(bias), out, 256, centred)
    y = x - x.mean(1, keepdims=True) if centred else x
    return out.cpu(), y / np.sqrt((y * y).mean(1, keepdims=True) + 1e-5) * weight + bias, 1e-5


@kernel
def layer_norm():
    return norm_of(True)


@kernel
def rms_norm():
    return norm_of(False)


@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, precision: tl.constexpr, kind: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=kind)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + k + inner[None, :], mask=k + inner[None, :] < K, other=0.0)
        right = tl.load(b + (k + inner[:, None]) * N + columns[None, :], mask=k + inner[:, None] < K, other=0.0)
        sums = tl.dot(left, right, sums, input_precision=precision, out_dtype=kind)
    tl.store(c + rows[:, None] * N + columns[None, :], sums)


def matmul_of(a, b, left, right, kind=tl.float32, precision="ieee", block=(64, 64, 64), into=torch.float32, warps=4):
    """a, b: what NumPy multiplies; left, right: the same on the device."""
    M, K, N = *a.shape, b.shape[1]
    c = empty(M, N, kind=into)
    matmul_kernel[(M // block[0], N // block[1])](left, right, c, M, N, K, *block, precision, kind, num_warps=warps)
    return c.cpu(), a.astype(np.float32) @ b.astype(np.float32)


@kernel
def matmul_f16():
    a, b = small(128, 192), small(192, 128, seed=2)
    return matmul_of(a, b, gpu(a), gpu(b), block=(128, 128, 64))


@kernel
def matmul_f16_eight_warps():
    a, b = small(256, 128), small(128, 128, seed=2)
    return matmul_of(a, b, gpu(a), gpu(b), block=(256, 128, 64), warps=8)


@kernel
def matmul_odd_k():
    a, b = small(64, 100), small(100, 64, seed=2)
    return matmul_of(a, b, gpu(a), gpu(b), block=(64, 64, 32))


@kernel
def matmul_bf16():
    a, b = small(128, 128), small(128, 64, seed=2)
    return matmul_of(a, b, torch.from_numpy(a).bfloat16().cuda(), torch.from_numpy(b).bfloat16().cuda())


@kernel
def matmul_fp8():
    a, b = small(128, 128), small(128, 64, seed=2)
    to = lambda x: torch.from_numpy(x).to(torch.float8_e4m3fn).cuda()
    return matmul_of(a, b, to(a), to(b))


@kernel
def matmul_tf32():
    a, b = small(128, 64, kind=np.float32), small(64, 64, seed=2, kind=np.float32)
    return matmul_of(a, b, gpu(a), gpu(b), precision="tf32")


@kernel
def matmul_f32():
    a, b = small(32, 64, kind=np.float32), small(64, 32, seed=2, kind=np.float32)
    return matmul_of(a, b, gpu(a), gpu(b), block=(32, 32, 32))


@kernel
def matmul_i8():
    a, b = small(64, 128, kind=np.int8), small(128, 64, seed=2, kind=np.int8)
    got, expected = matmul_of(a, b, gpu(a), gpu(b), kind=tl.int32, into=torch.int32)
    return got, expected.astype(np.int32)


@triton.jit
def described_kernel(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        sums = tl.dot(a.load([m, k]), b.load([k, n]), sums)
    c.store([m, n], sums.to(tl.float16))


@kernel
def matmul_tensor_maps():
    """Descriptors of the host: TMA loads and stores."""
    a, b, c = small(128, 256), small(256, 128, seed=2), empty(128, 128, kind=torch.float16)
    maps = [TensorDescriptor.from_tensor(*pair) for pair in ((gpu(a), [128, 64]), (gpu(b), [64, 64]), (c, [128, 64]))]
    described_kernel[(1, 2)](*maps, 256, 128, 64, 64)
    return c.cpu(), (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)


@triton.jit
def persistent_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PROGRAMS: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    for tile in tl.range(tl.program_id(0), M // BM * (N // BN), PROGRAMS, flatten=True):
        m, n = tile // (N // BN) * BM, tile % (N // BN) * BN
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            sums = tl.dot(left.load([m, k]), right.load([k, n]), sums)
        out.store([m, n], sums.to(tl.float16))


@kernel
def matmul_persistent():
    """Descriptors made by the kernel, in global memory."""
    a, b, c = small(256, 128), small(128, 128, seed=2), empty(256, 128, kind=torch.float16)
    persistent_kernel[(2,)](gpu(a), gpu(b), c, 256, 128, 128, 128, 64, 64, 2)
    return c.cpu(), (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)


@triton.jit
def scaled_kernel(a, scale_a, b, scale_b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k, s = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K), tl.arange(0, K // 32)
    left = tl.load(a + m[:, None] * K + k[None, :])
    right = tl.load(b + k[:, None] * N + n[None, :])
    sums = tl.dot_scaled(left, tl.load(scale_a + m[:, None] * (K // 32) + s[None, :]), "e4m3",
                         right, tl.load(scale_b + n[:, None] * (K // 32) + s[None, :]), "e4m3")
    tl.store(c + m[:, None] * N + n[None, :], sums)


@kernel
def matmul_mxfp8():
    """A scale of e8m0 for each 32 elements along K."""
    a, b = small(128, 128), small(128, 128, seed=2)
    scale_a, scale_b = (np.random.default_rng(seed).integers(125, 130, (128, 4)).astype(np.uint8) for seed in (3, 4))
    to = lambda x: torch.from_numpy(x).to(torch.float8_e4m3fn).cuda()
    c = empty(128, 128)
    scaled_kernel[(1,)](to(a), gpu(scale_a), to(b), gpu(scale_b), c, 128, 128, 128)
    factor = lambda scale: np.repeat(np.exp2(scale.astype(np.float32) - 127), 32, axis=1)
    return c.cpu(), (a * factor(scale_a)) @ (b * factor(scale_b).T)


@triton.jit
def attention_kernel(q, k, v, out, S, scale, D: tl.constexpr, B: tl.constexpr):
    rows, d = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * D + d[None, :])
    top = tl.full((B,), -float("inf"), tl.float32)
    total = tl.zeros((B,), tl.float32)
    sums = tl.zeros((B, D), tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * B, B):
        columns = start + tl.arange(0, B)
        keys = tl.load(k + columns[None, :] * D + d[:, None])
        scores = tl.dot(queries, keys) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -float("inf"))
        highest = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - highest[:, None])
        shrink = tl.exp(top - highest)
        total = total * shrink + tl.sum(weights, 1)
        values = tl.load(v + columns[:, None] * D + d[None, :])
        sums = tl.dot(weights.to(tl.float16), values, sums * shrink[:, None])
        top = highest
    tl.store(out + rows[:, None] * D + d[None, :], sums / total[:, None])


@kernel
def attention_causal():
    q, k, v = (real(128, 64, seed=seed, kind=np.float16) for seed in (1, 2, 3))
    out = empty(128, 64)
    attention_kernel[(2,)](gpu(q), gpu(k), gpu(v), out, 128, 0.125, 64, 64)
    scores = np.where(np.tri(128, dtype=bool), q.astype(np.float32) @ k.astype(np.float32).T * 0.125, -np.inf)
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return out.cpu(), weights / weights.sum(1, keepdims=True) @ v.astype(np.float32), 5e-3


@triton.jit
def scan_kernel(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.cumsum(tl.load(x + i), 0))


@kernel
def cumulative_sum():
    x, out = small(1024, kind=np.int32), empty(1024, kind=torch.int32)
    scan_kernel[(1,)](gpu(x), out, 1024)
    return out.cpu(), np.cumsum(x, dtype=np.int32)


@triton.jit
def atomic_sum_kernel(x, out, B: tl.constexpr):
    tl.atomic_add(out, tl.sum(tl.load(x + tl.program_id(0) * B + tl.arange(0, B)), 0))


@kernel
def atomic_sum():
    x, out = small(4096, kind=np.float32), gpu(np.zeros(1, np.float32))
    atomic_sum_kernel[(8,)](gpu(x), out, 512)
    return out.cpu(), x.sum(keepdims=True)


@triton.jit
def histogram_kernel(x, out, B: tl.constexpr, BINS: tl.constexpr):
    counts = tl.histogram(tl.load(x + tl.program_id(0) * B + tl.arange(0, B)), BINS)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


@kernel
def histogram():
    x = np.random.default_rng(1).integers(0, 64, 1024).astype(np.int32)
    out = gpu(np.zeros(64, np.int32))
    histogram_kernel[(2,)](gpu(x), out, 512, 64)
    return out.cpu(), np.bincount(x, minlength=64)


@triton.jit
def sort_kernel(x, out, R: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, R)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + i, tl.sort(tl.load(x + i)))


@kernel
def sort():
    x, out = real(4, 256), empty(4, 256)
    sort_kernel[(1,)](gpu(x), out, 4, 256)
    return out.cpu(), np.sort(x, axis=1)


@triton.jit
def transpose_kernel(x, out, M, N, B: tl.constexpr):
    m, n = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    tile = tl.load(x + m[:, None] * N + n[None, :])
    tl.store(out + n[:, None] * M + m[None, :], tl.trans(tile))


@kernel
def transpose():
    x, out = real(128, 64), empty(64, 128)
    transpose_kernel[(4, 2)](gpu(x), out, 128, 64, 32)
    return out.cpu(), x.T


@triton.jit
def argmax_kernel(x, out, N: tl.constexpr):
    row = tl.program_id(0)
    tl.store(out + row, tl.argmax(tl.load(x + row * N + tl.arange(0, N)), 0))


@kernel
def argmax():
    x, out = real(8, 512), empty(8, kind=torch.int32)
    argmax_kernel[(8,)](gpu(x), out, 512)
    return out.cpu(), x.argmax(1)


@triton.jit
def dropout_kernel(x, out, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.where(tl.rand(seed, i) > 0.5, tl.load(x + i) * 2, 0.0))


@kernel
def dropout():
    """What is kept is doubled, and about half is kept."""
    x, out = real(2048), empty(2048)
    dropout_kernel[(2,)](gpu(x), out, 7, 1024)
    got = out.cpu().numpy()
    return np.append(got, 900 < (got != 0).sum() < 1150), np.append(np.where(got != 0, 2 * x, 0), True)


@triton.jit
def gather_kernel(table, index, out, D: tl.constexpr):
    row = tl.load(index + tl.program_id(0))
    d = tl.arange(0, D)
    tl.store(out + tl.program_id(0) * D + d, tl.load(table + row * D + d))


@kernel
def embedding():
    table, index, out = real(32, 128), np.arange(16, dtype=np.int64) * 7 % 32, empty(16, 128)
    gather_kernel[(16,)](gpu(table), gpu(index), out, 128)
    return out.cpu(), table[index]


@triton.jit
def entropy_kernel(logits, labels, out, N: tl.constexpr):
    row = tl.program_id(0)
    values = tl.load(logits + row * N + tl.arange(0, N))
    top = tl.max(values, 0)
    chosen = tl.load(logits + row * N + tl.load(labels + row))
    tl.store(out + row, tl.log(tl.sum(tl.exp(values - top), 0)) + top - chosen)


@kernel
def cross_entropy():
    x, labels, out = real(8, 128), np.arange(8, dtype=np.int32) * 11, empty(8)
    entropy_kernel[(8,)](gpu(x), gpu(labels), out, 128)
    return out.cpu(), np.log(np.exp(x).sum(1)) - x[np.arange(8), labels], 1e-5


@triton.jit
def lock_kernel(x, out, lock, B: tl.constexpr):
    i = tl.arange(0, B)
    values = tl.load(x + tl.program_id(0) * B + i)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out + i, tl.load(out + i) + values)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@kernel
def sum_under_a_lock():
    x, out, lock = small(4, 256, kind=np.float32), gpu(np.zeros(256, np.float32)), gpu(np.zeros(1, np.int32))
    lock_kernel[(4,)](gpu(x), out, lock, 256)
    return out.cpu(), x.sum(0)


if __name__ == "__main__":
    main()
