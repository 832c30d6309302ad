// SPDX-License-Identifier: Apache-2.0
// Products of the nvcuda::wmma fragments in every shape and type, compared with sums of the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <vector>

#include "check.h"

using namespace nvcuda;

template <typename T>
struct Stored {
  using type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
  using type = float;
};

template <int M, int N, int K, typename T, typename D, typename LayoutA, typename LayoutB>
__global__ void multiply(const typename Stored<T>::type* a, const typename Stored<T>::type* b, const D* c,
                         D* d, int lda, int ldb) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, D> fc, fd;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, M, wmma::mem_col_major);
}

template <int M, int N, int K, typename T, typename D, typename LayoutA, typename LayoutB>
void check() {
  using S = typename Stored<T>::type;
  constexpr bool a_rows = std::is_same<LayoutA, wmma::row_major>::value;
  constexpr bool b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  constexpr int pad = 16;  // more than a row: the stride counts
  const int lda = (a_rows ? K : M) + pad, ldb = (b_rows ? N : K) + pad;
  S *a, *b;
  D *c, *d;
  CHECK(cudaMallocManaged(&a, sizeof(S) * lda * 64));
  CHECK(cudaMallocManaged(&b, sizeof(S) * ldb * 64));
  CHECK(cudaMallocManaged(&c, sizeof(D) * M * N));
  CHECK(cudaMallocManaged(&d, sizeof(D) * M * N));
  const auto left = [](int m, int k) { return (m * 3 + k * 5) % 7; };
  const auto right = [](int k, int n) { return (k * 2 + n * 3) % 5; };
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      a[a_rows ? m * lda + k : k * lda + m] = static_cast<S>(static_cast<float>(left(m, k)));
  for (int k = 0; k < K; ++k)
    for (int n = 0; n < N; ++n)
      b[b_rows ? k * ldb + n : n * ldb + k] = static_cast<S>(static_cast<float>(right(k, n)));
  for (int i = 0; i < M * N; ++i) c[i] = static_cast<D>(static_cast<float>(i % 11));
  multiply<M, N, K, T, D, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, lda, ldb);
  CHECK(cudaDeviceSynchronize());
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      int sum = 2 * ((m * N + n) % 11);
      for (int k = 0; k < K; ++k) sum += left(m, k) * right(k, n);
      EXPECT(static_cast<float>(d[n * M + m]) == static_cast<float>(sum));
    }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  CHECK(cudaFree(d));
}

template <int M, int N, int K, typename T, typename D>
void check_layouts() {
  check<M, N, K, T, D, wmma::row_major, wmma::col_major>();
  check<M, N, K, T, D, wmma::col_major, wmma::row_major>();
  check<M, N, K, T, D, wmma::row_major, wmma::row_major>();
}

template <typename T, typename D>
void check_shapes() {
  check_layouts<16, 16, 16, T, D>();
  check_layouts<8, 32, 16, T, D>();
  check_layouts<32, 8, 16, T, D>();
}

int main() {
  check_shapes<__half, float>();
  check_shapes<__half, __half>();
  check_shapes<__nv_bfloat16, float>();
  check_shapes<signed char, int>();
  check_shapes<unsigned char, int>();
  check_layouts<16, 16, 8, wmma::precision::tf32, float>();
  check_layouts<8, 8, 4, double, double>();
  return passed();
}
