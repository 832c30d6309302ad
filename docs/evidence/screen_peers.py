# SPDX-License-Identifier: Apache-2.0
"""Rates that a screen's loads are held against: cuBLAS products of 8192 x 8192 x 8192 and a copy on the device.

    python3 docs/evidence/screen_peers.py bf16 5      # or e4m3, copy; seconds

Needs PyTorch with CUDA; nothing of the build needs this file."""
import sys
import time

import torch

N, COPIED = 8192, 2 << 30


def rate(work, amount, seconds):
    """amount a call over at least so many seconds, per second."""
    work()
    torch.cuda.synchronize()
    calls, start = 0, time.time()
    while time.time() - start < seconds:
        for _ in range(20):
            work()
        torch.cuda.synchronize()
        calls += 20
    return amount * calls / (time.time() - start)


def main(what, seconds):
    if what == "copy":
        source = torch.randint(256, (COPIED,), device="cuda", dtype=torch.uint8)
        target = torch.empty_like(source)
        print(f"copy {rate(lambda: target.copy_(source), 2 * COPIED, seconds) * 1e-12:.3f} TB/s read and written")
        return
    a, b = (torch.randn(N, N, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    work = lambda: a @ b  # noqa: E731
    if what == "e4m3":
        x, y = a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn).t().contiguous().t()
        one = torch.ones((), device="cuda")
        work = lambda: torch._scaled_mm(x, y, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)  # noqa: E731
    print(f"cuBLAS {what} {rate(work, 2 * N**3, seconds) * 1e-12:.0f} TFLOP/s")


main(sys.argv[1], float(sys.argv[2]))
