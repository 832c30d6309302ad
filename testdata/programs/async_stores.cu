// SPDX-License-Identifier: Apache-2.0
// st.async and red.async into the other CTA of a cluster, with an mbarrier that counts their bytes; st.bulk.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ unsigned peer_address(const void* local, unsigned rank) {
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(local)), peer;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(peer) : "r"(address), "r"(rank));
  return peer;
}

__global__ void __cluster_dims__(2) exchange(int* out) {
  __shared__ alignas(16) int stored[128];
  __shared__ int sum;
  __shared__ alignas(8) unsigned long long barrier;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), i = threadIdx.x;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (i == 0) {
    sum = 1000;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(own));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(own), "r"(32u * 16 + 32u * 4)
                 : "memory");
  }
  cluster.sync();
  const unsigned to = peer_address(&stored[4 * i], rank ^ 1), bar = peer_address(&barrier, rank ^ 1);
  const int value = static_cast<int>(100 * rank + i + 1);
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
      "r"(value), "r"(value + 1), "r"(value + 2), "r"(value + 3), "r"(bar)
      : "memory");
  asm volatile(
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32 [%0], %1, [%2];" ::"r"(
          peer_address(&sum, rank ^ 1)),
      "r"(static_cast<int>(i)), "r"(bar)
      : "memory");
  asm volatile(
      "{\n\t.reg .pred p;\n"
      "again:\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
      "\t@!p bra again;\n\t}" ::"r"(own)
      : "memory");
  out[blockIdx.x * 33 + i] = stored[4 * i] + stored[4 * i + 3];
  if (i == 0) out[blockIdx.x * 33 + 32] = sum;
  cluster.sync();
#if __CUDA_ARCH__ >= 1000
  // Zeroes all but the first and the last words.
  if (i == 0)
    asm volatile("st.bulk.weak.shared::cta [%0], %1, 0;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(stored + 2))),
                 "l"(496ull)
                 : "memory");
  __syncthreads();
  for (unsigned k = i; k < 128; k += 32) {
    const bool is_kept = k < 2 || k >= 126;
    if ((stored[k] == 0) == is_kept) out[blockIdx.x * 33 + i] = -1;
  }
#endif
}

int main() {
  int *out, host[66];
  CHECK(cudaMalloc(&out, sizeof host));
  exchange<<<2, 32>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault));
  for (int cta = 0; cta < 2; ++cta) {
    for (int i = 0; i < 32; ++i) EXPECT(host[cta * 33 + i] == 2 * (100 * (1 - cta) + i + 1) + 3);
    EXPECT(host[cta * 33 + 32] == 1000 + 31 * 32 / 2);
  }
  return passed();
}
