// SPDX-License-Identifier: Apache-2.0
// A graph that two streams capture, one made node by node, new parameters, an update.
#include "check.h"

__global__ void add(int* to, int what) {
  to[threadIdx.x] += what;
}

constexpr int n = 64;

// The second node is added first and made to wait.
void node_by_node(int* data, cudaStream_t stream) {
  int host[n];
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  int what = 7;
  void* arguments[] = {&data, &what};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(n);
  kernel.kernelParams = arguments;
  cudaGraphNode_t add_node, set_node, copy_node;
  CHECK(cudaGraphAddKernelNode(&add_node, graph, nullptr, 0, &kernel));
  cudaMemsetParams set{};
  set.dst = data;
  set.value = 2;
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  CHECK(cudaGraphAddMemsetNode(&set_node, graph, nullptr, 0, &set));
  CHECK(cudaGraphAddDependencies(graph, &set_node, &add_node, nullptr, 1));
  CHECK(cudaGraphAddMemcpyNode1D(&copy_node, graph, &add_node, 1, host, data, sizeof host,
                                 cudaMemcpyDeviceToHost));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(host[3] == 9);
  what = 30;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, add_node, &kernel));
  CHECK(cudaGraphLaunch(exec, stream));
  EXPECT(host[3] == 32);
  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, clone, &info));
  CHECK(cudaGraphLaunch(exec, stream));
  EXPECT(host[3] == 9);
  cudaGraph_t empty;
  CHECK(cudaGraphCreate(&empty, 0));
  EXPECT(cudaGraphExecUpdate(exec, empty, &info) == cudaErrorGraphExecUpdateFailure);
}

int main() {
  int *data, host[n];
  CHECK(cudaMalloc(&data, sizeof host));
  CHECK(cudaMemset(data, 0, sizeof host));
  cudaStream_t first, second;
  cudaEvent_t forked, joined;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaEventCreate(&joined));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  add<<<1, n, 0, first>>>(data, 1);
  CHECK(cudaEventRecord(forked, first));
  CHECK(cudaStreamWaitEvent(second, forked));
  add<<<1, n, 0, second>>>(data, 10);
  CHECK(cudaEventRecord(joined, second));
  CHECK(cudaStreamWaitEvent(first, joined));
  CHECK(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, first));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(first, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  CHECK(cudaStreamEndCapture(first, &graph));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 3);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[5] == 0);  // captured, not run
  for (int i = 1; i <= 3; ++i) {
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    EXPECT(host[0] == 11 * i && host[n - 1] == 11 * i);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  node_by_node(data, first);
  return passed();
}
