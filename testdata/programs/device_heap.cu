// SPDX-License-Identifier: Apache-2.0
// malloc and free of kernels: lists that live from launch to launch, a heap that is full, and its limit.
#include "check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void build(Node** lists, int length) {
  Node* first = nullptr;
  for (int i = 0; i < length; ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = static_cast<int>(threadIdx.x) * 100 + i;
    node->next = first;
    first = node;
  }
  lists[threadIdx.x] = first;
}

__global__ void sum_and_free(Node** lists, int* sums) {
  int sum = 0;
  for (Node* node = lists[threadIdx.x]; node != nullptr;) {
    Node* next = node->next;
    sum += node->value;
    free(node);
    node = next;
  }
  sums[threadIdx.x] = sum;
}

/// How many pieces there are, and whether all come back once they are freed.
__global__ void fill(size_t piece, int* counts) {
  for (int round = 0; round < 2; ++round) {
    void* last = nullptr;
    int count = 0;
    for (void* one; (one = malloc(piece)) != nullptr; ++count) {
      *static_cast<void**>(one) = last;
      last = one;
    }
    counts[round] = count;
    while (last != nullptr) {
      void* before = *static_cast<void**>(last);
      free(last);
      last = before;
    }
  }
  free(nullptr);
}

int main() {
  constexpr size_t heap = 1 << 20;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap));
  Node** lists;
  int *sums, host[64];
  CHECK(cudaMalloc(&lists, 64 * sizeof *lists));
  CHECK(cudaMalloc(&sums, sizeof host));
  build<<<1, 64>>>(lists, 10);
  sum_and_free<<<1, 64>>>(lists, sums);
  CHECK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDefault));
  for (int i = 0; i < 64; ++i) EXPECT(host[i] == 1000 * i + 45);
  fill<<<1, 1>>>(4096, sums);
  CHECK(cudaMemcpy(host, sums, 2 * sizeof(int), cudaMemcpyDefault));
  EXPECT(host[0] > 200 && host[0] <= static_cast<int>(heap / 4096));
  EXPECT(host[1] == host[0]);
  EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * heap) == cudaErrorInvalidValue);
  size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  EXPECT(limit == heap);
  return passed();
}
