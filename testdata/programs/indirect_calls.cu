// SPDX-License-Identifier: Apache-2.0
// Calls through pointers: a table of functions in device memory, virtual functions, recursion through a
// pointer, and different functions in the lanes of a warp.
#include "check.h"

using Operation = int (*)(int, int);

__device__ __noinline__ int add(int a, int b) {
  return a + b;
}
__device__ __noinline__ int multiply(int a, int b) {
  return a * b;
}
__device__ __noinline__ int factorial(int n, int so_far);

__device__ Operation table[3] = {add, multiply, factorial};

__device__ __noinline__ int factorial(int n, int so_far) {
  return n <= 1 ? so_far : table[2](n - 1, so_far * n);
}

struct Shape {
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
struct Strip : Shape {
  int length;
  __device__ explicit Strip(int length) : length(length) {}
  __device__ int area() const override { return 2 * length; }
};

__device__ __noinline__ int area_of(const Shape& shape) {
  return shape.area();
}

__global__ void run(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = table[i % 3](i % 3 == 2 ? 5 : i, i % 3 == 2 ? 1 : 7);
  const Square square(i);
  const Strip strip(i);
  const Shape* shapes[] = {&square, &strip};
  out[32 + i] = area_of(*shapes[i % 2]);
}

int main() {
  int *out, host[64];
  CHECK(cudaMalloc(&out, sizeof host));
  run<<<1, 32>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault));
  for (int i = 0; i < 32; ++i) {
    EXPECT(host[i] == (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i * 7 : 120));
    EXPECT(host[32 + i] == (i % 2 == 0 ? i * i : 2 * i));
  }
  return passed();
}
