# SPDX-License-Identifier: Apache-2.0
"""Kernels with a comparison of their own, in NumPy: what the files of this folder have in common.

A file runs the kernels that are named as arguments, else all, and says of each "passed NAME" or "failed NAME: why"."""
import sys
import traceback

import numpy as np

KERNELS = {}


def kernel(function):
    """A function that runs a kernel and returns what it made, what NumPy makes, and the tolerance (none: every bit)."""
    KERNELS[function.__name__] = function
    return function


def small(*shape, seed=1, kind=np.float16, most=4):
    """Small integers: their products and sums are exact."""
    return np.random.default_rng(seed).integers(-most, most + 1, shape).astype(kind)


def real(*shape, seed=1, kind=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(kind)


def main():
    wrong = 0
    for name in sys.argv[1:] or KERNELS:
        try:
            got, expected, *tolerance = KERNELS[name]()
            got, expected = np.asarray(got), np.asarray(expected)
            if got.shape != expected.shape:
                raise AssertionError(f"shape {got.shape} instead of {expected.shape}")
            near = np.isclose(got, expected, rtol=0, atol=tolerance[0]) if tolerance else got == expected
            if not near.all():
                at = tuple(int(place) for place in np.argwhere(~near)[0])
                raise AssertionError(f"{int((~near).sum())} of {near.size} elements, first {at}: {got[at]} instead of {expected[at]}")
            print(f"passed {name}", flush=True)
        except Exception as error:
            wrong += 1
            lines = [line for line in str(error).splitlines() if line.strip()] or [""]
            print(f"failed {name}: {type(error).__name__}: {lines[0][:200]}", flush=True)
            traceback.print_exc()
    sys.exit(1 if wrong else 0)
