#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numba-cuda: Python that becomes PTX. Where it does not find nvJitLink, which makes machine code alone, the driver links it."""
import math

from cuda import pathfinder

load = pathfinder.load_nvidia_dynamic_lib


def load_but_for_the_linker(name):
    if name == "nvJitLink":
        raise pathfinder.DynamicLibNotFoundError(name)
    return load(name)


pathfinder.load_nvidia_dynamic_lib = load_but_for_the_linker

import numpy as np
from numba import config, cuda, float32, int32

from checked import kernel, main, real, small

config.CUDA_LOW_OCCUPANCY_WARNINGS = False
TILE = 16


@cuda.jit
def saxpy_kernel(out, x, y, a):
    at = cuda.grid(1)
    if at < out.size:
        out[at] = a * x[at] + y[at]


@kernel
def saxpy():
    x, y, out = real(1000), real(1000, seed=2), np.zeros(1000, np.float32)
    saxpy_kernel[8, 128](out, x, y, np.float32(2))
    return out, 2 * x + y, 1e-6


@cuda.jit
def sums_kernel(out, x):
    part = cuda.shared.array(128, int32)
    me = cuda.threadIdx.x
    part[me] = x[cuda.grid(1)]
    cuda.syncthreads()
    step = 64
    while step:
        if me < step:
            part[me] += part[me + step]
        cuda.syncthreads()
        step //= 2
    if me == 0:
        out[cuda.blockIdx.x] = part[0]


@kernel
def block_sums():
    x, out = small(1024, kind=np.int32), np.zeros(8, np.int32)
    sums_kernel[8, 128](out, x)
    return out, x.reshape(8, 128).sum(1)


@cuda.jit
def matmul_kernel(c, a, b):
    left, right = cuda.shared.array((TILE, TILE), float32), cuda.shared.array((TILE, TILE), float32)
    row, column = cuda.threadIdx.y, cuda.threadIdx.x
    i, j = cuda.blockIdx.y * TILE + row, cuda.blockIdx.x * TILE + column
    total = float32(0)
    for k in range(0, a.shape[1], TILE):
        left[row, column] = a[i, k + column]
        right[row, column] = b[k + row, j]
        cuda.syncthreads()
        for at in range(TILE):
            total += left[row, at] * right[at, column]
        cuda.syncthreads()
    c[i, j] = total


@kernel
def matmul_in_tiles():
    a, b, c = real(64, 48), real(48, 32, seed=2), np.zeros((64, 32), np.float32)
    matmul_kernel[(2, 4), (TILE, TILE)](c, a, b)
    return c, a @ b, 1e-4


@cuda.jit
def scan_kernel(out, x):
    value = x[cuda.threadIdx.x]
    for step in range(5):
        other = cuda.shfl_up_sync(0xffffffff, value, 1 << step)
        if cuda.laneid >= 1 << step:
            value += other
    out[cuda.threadIdx.x] = value


@kernel
def warp_scan():
    x, out = small(32, kind=np.int32), np.zeros(32, np.int32)
    scan_kernel[1, 32](out, x)
    return out, np.cumsum(x)


@cuda.jit
def count_kernel(counts, x):
    at = cuda.grid(1)
    if at < x.size:
        cuda.atomic.add(counts, x[at], 1)


@kernel
def histogram():
    x, counts = np.arange(1000, dtype=np.int32) ** 2 % 16, np.zeros(16, np.int32)
    count_kernel[8, 128](counts, x.astype(np.int32))
    return counts, np.bincount(x, minlength=16)


@cuda.jit
def norm_kernel(out, x):
    row = cuda.grid(1)
    if row < x.shape[0]:
        total = float32(0)
        for at in range(x.shape[1]):
            total += x[row, at] * x[row, at]
        for at in range(x.shape[1]):
            out[row, at] = x[row, at] / math.sqrt(total)


@kernel
def row_norms():
    x, out = real(100, 24), np.zeros((100, 24), np.float32)
    norm_kernel[4, 32](out, x)
    return out, x / np.sqrt((x * x).sum(1, keepdims=True)), 1e-5


if __name__ == "__main__":
    main()
