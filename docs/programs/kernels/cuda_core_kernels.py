#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cuda.core: CUDA C++ that NVRTC compiles to PTX, loaded and launched from Python."""
import numpy as np
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
from cuda.bindings import driver

from checked import kernel, main, real, small

device = Device()
device.set_current()
stream = device.create_stream()
ARCH = "sm_{}{}{}".format(*device.compute_capability, "a")


def run(code, name, grid, block, *arguments):
    """The first argument is an array for what the kernel makes; arrays are copied there and that one back."""
    buffers, words = [], []
    for one in arguments:
        if isinstance(one, np.ndarray):
            buffers.append(device.allocate(one.nbytes, stream=stream))
            driver.cuMemcpyHtoD(int(buffers[-1].handle), one.ctypes.data, one.nbytes)
            one = buffers[-1]
        words.append(one)
    program = Program('extern "C" ' + code, "c++", ProgramOptions(arch=ARCH, std="c++17"))
    stream.sync()
    launch(stream, LaunchConfig(grid=grid, block=block), program.compile("ptx").get_kernel(name), *words)
    stream.sync()
    driver.cuMemcpyDtoH(arguments[0].ctypes.data, int(buffers[0].handle), arguments[0].nbytes)
    return arguments[0]


@kernel
def saxpy():
    x, y = real(1000), real(1000, seed=2)
    got = run("""__global__ void saxpy(float* out, const float* x, const float* y, float a, unsigned n) {
      const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) out[i] = a * x[i] + y[i];
    }""", "saxpy", 8, 128, np.zeros(1000, np.float32), x, y, np.float32(2), np.uint32(1000))
    return got, 2 * x + y, 1e-6


@kernel
def block_sums():
    x = small(1024, kind=np.int32)
    got = run("""__global__ void sums(int* out, const int* x) {
      __shared__ int part[128];
      part[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x];
      __syncthreads();
      for (int step = 64; step; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
      }
      if (threadIdx.x == 0) out[blockIdx.x] = part[0];
    }""", "sums", 8, 128, np.zeros(8, np.int32), x)
    return got, x.reshape(8, 128).sum(1)


@kernel
def matmul_in_tiles():
    a, b = small(64, 64, kind=np.float32), small(64, 64, seed=2, kind=np.float32)
    got = run("""__global__ void matmul(float* c, const float* a, const float* b) {
      __shared__ float left[16][16], right[16][16];
      const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
      float sum = 0;
      for (int k = 0; k < 64; k += 16) {
        left[y][x] = a[row * 64 + k + x];
        right[y][x] = b[(k + y) * 64 + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += left[y][i] * right[i][x];
        __syncthreads();
      }
      c[row * 64 + column] = sum;
    }""", "matmul", (4, 4), (16, 16), np.zeros((64, 64), np.float32), a, b)
    return got, a @ b


@kernel
def warp_scan():
    x = small(32, kind=np.int32)
    got = run("""__global__ void scan(int* out, const int* x) {
      int sum = x[threadIdx.x];
      for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(~0u, sum, step);
        if (threadIdx.x >= step) sum += before;
      }
      out[threadIdx.x] = sum;
    }""", "scan", 1, 32, np.zeros(32, np.int32), x)
    return got, np.cumsum(x)


@kernel
def bulk_copy():
    """A copy by the TMA that an mbarrier waits for."""
    x = small(256, kind=np.int32)
    got = run("""__global__ void copy(int* out, const int* x) {
      __shared__ alignas(16) int tile[256];
      __shared__ unsigned long long bar;
      const unsigned at = __cvta_generic_to_shared(&bar), to = __cvta_generic_to_shared(tile);
      if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(at) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(at) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                     ::"r"(to), "l"(x), "r"(at) : "memory");
      }
      __syncthreads();
      asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again; }" ::"r"(at) : "memory");
      out[threadIdx.x] = tile[255 - threadIdx.x];
    }""", "copy", 1, 256, np.zeros(256, np.int32), x)
    return got, x[::-1]


if __name__ == "__main__":
    main()
