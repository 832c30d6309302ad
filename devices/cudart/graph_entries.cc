// SPDX-License-Identifier: Apache-2.0
// Graphs: capture, nodes, instantiation, launch, update.
#include "devices/cudart/call.h"
#include "devices/cudart/registry.h"

namespace assay::cudart {
namespace {

Error convert(const DriverTable& driver, const KernelNodeParams* params, driver::KernelNodeParams& out) {
  if (params == nullptr) return invalid_value;
  driver::Kernel kernel = nullptr;
  if (const Error error = find_kernel(driver, params->function, kernel); error != success) return error;
  out = {nullptr,         params->grid.x,  params->grid.y,  params->grid.z,
         params->block.x, params->block.y, params->block.z, params->shared_bytes,
         params->params,  params->extra,   kernel,          nullptr};
  return success;
}

}  // namespace

ASSAY_RUNTIME Error cudaStreamBeginCapture(Stream stream, int mode) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamBeginCapture_v2(stream, mode); });
}
ASSAY_RUNTIME Error cudaStreamEndCapture(Stream stream, driver::Graph* graph) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamEndCapture(stream, graph); });
}
ASSAY_RUNTIME Error cudaStreamIsCapturing(Stream stream, int* status) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamIsCapturing(stream, status); });
}
ASSAY_RUNTIME Error cudaStreamGetCaptureInfo(Stream stream, int* status, uint64_t* id, driver::Graph* graph,
                                             const driver::GraphNode** after, const void** edges,
                                             size_t* count) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuStreamGetCaptureInfo_v3(stream, status, id, graph, after, edges, count);
  });
}
ASSAY_RUNTIME Error cudaThreadExchangeStreamCaptureMode(int* mode) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuThreadExchangeStreamCaptureMode(mode); });
}

ASSAY_RUNTIME Error cudaGraphCreate(driver::Graph* graph, unsigned flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphCreate(graph, flags); });
}
ASSAY_RUNTIME Error cudaGraphDestroy(driver::Graph graph) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphDestroy(graph); });
}
ASSAY_RUNTIME Error cudaGraphClone(driver::Graph* clone, driver::Graph graph) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphClone(clone, graph); });
}

ASSAY_RUNTIME Error cudaGraphAddKernelNode(driver::GraphNode* node, driver::Graph graph,
                                           const driver::GraphNode* after, size_t count,
                                           const KernelNodeParams* params) {
  return with_driver([&](const DriverTable& driver) -> Error {
    driver::KernelNodeParams given;
    if (const Error error = convert(driver, params, given); error != success) return error;
    return driver.cuGraphAddKernelNode_v2(node, graph, after, count, &given);
  });
}
ASSAY_RUNTIME Error cudaGraphKernelNodeSetParams(driver::GraphNode node, const KernelNodeParams* params) {
  return with_driver([&](const DriverTable& driver) -> Error {
    driver::KernelNodeParams given;
    if (const Error error = convert(driver, params, given); error != success) return error;
    return driver.cuGraphKernelNodeSetParams_v2(node, &given);
  });
}
ASSAY_RUNTIME Error cudaGraphExecKernelNodeSetParams(driver::GraphExec exec, driver::GraphNode node,
                                                     const KernelNodeParams* params) {
  return with_driver([&](const DriverTable& driver) -> Error {
    driver::KernelNodeParams given;
    if (const Error error = convert(driver, params, given); error != success) return error;
    return driver.cuGraphExecKernelNodeSetParams_v2(exec, node, &given);
  });
}
ASSAY_RUNTIME Error cudaGraphAddMemcpyNode(driver::GraphNode* node, driver::Graph graph,
                                           const driver::GraphNode* after, size_t count, const Copy3d* copy) {
  return with_driver([&](const DriverTable& driver) -> Error {
    driver::Memcpy3d volume{};
    if (const Error error = convert(copy, volume); error != success) return error;
    return driver.cuGraphAddMemcpyNode(node, graph, after, count, &volume, nullptr);
  });
}
ASSAY_RUNTIME Error cudaGraphAddMemcpyNode1D(driver::GraphNode* node, driver::Graph graph,
                                             const driver::GraphNode* after, size_t count, void* to,
                                             const void* from, size_t bytes, int kind) {
  driver::Memcpy3d row{};
  if (!set_kind(row, kind)) return remember(invalid_memcpy_direction);
  set_bases(row, to, from);
  row.width = bytes;
  row.height = row.depth = 1;
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddMemcpyNode(node, graph, after, count, &row, nullptr);
  });
}
ASSAY_RUNTIME Error cudaGraphAddMemsetNode(driver::GraphNode* node, driver::Graph graph,
                                           const driver::GraphNode* after, size_t count,
                                           const driver::MemsetNodeParams* set) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddMemsetNode(node, graph, after, count, set, nullptr);
  });
}
ASSAY_RUNTIME Error cudaGraphAddHostNode(driver::GraphNode* node, driver::Graph graph,
                                         const driver::GraphNode* after, size_t count,
                                         const driver::HostNodeParams* params) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddHostNode(node, graph, after, count, params);
  });
}
ASSAY_RUNTIME Error cudaGraphAddEmptyNode(driver::GraphNode* node, driver::Graph graph,
                                          const driver::GraphNode* after, size_t count) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphAddEmptyNode(node, graph, after, count); });
}
ASSAY_RUNTIME Error cudaGraphAddChildGraphNode(driver::GraphNode* node, driver::Graph graph,
                                               const driver::GraphNode* after, size_t count,
                                               driver::Graph child) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddChildGraphNode(node, graph, after, count, child);
  });
}
ASSAY_RUNTIME Error cudaGraphAddDependencies(driver::Graph graph, const driver::GraphNode* from,
                                             const driver::GraphNode* to, const void* edges, size_t count) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddDependencies_v2(graph, from, to, edges, count);
  });
}
ASSAY_RUNTIME Error cudaGraphNodeGetType(driver::GraphNode node, int* type) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphNodeGetType(node, type); });
}
ASSAY_RUNTIME Error cudaGraphGetNodes(driver::Graph graph, driver::GraphNode* nodes, size_t* count) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphGetNodes(graph, nodes, count); });
}
ASSAY_RUNTIME Error cudaGraphGetRootNodes(driver::Graph graph, driver::GraphNode* nodes, size_t* count) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphGetRootNodes(graph, nodes, count); });
}

ASSAY_RUNTIME Error cudaGraphInstantiateWithFlags(driver::GraphExec* exec, driver::Graph graph,
                                                  unsigned long long flags) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphInstantiateWithFlags(exec, graph, flags); });
}
ASSAY_RUNTIME Error cudaGraphInstantiate(driver::GraphExec* exec, driver::Graph graph,
                                         unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
ASSAY_RUNTIME Error cudaGraphInstantiateWithParams(driver::GraphExec* exec, driver::Graph graph,
                                                   driver::GraphInstantiateParams* params) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphInstantiateWithParams(exec, graph, params); });
}
ASSAY_RUNTIME Error cudaGraphExecUpdate(driver::GraphExec exec, driver::Graph graph,
                                        driver::GraphExecUpdateInfo* info) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphExecUpdate_v2(exec, graph, info); });
}
ASSAY_RUNTIME Error cudaGraphUpload(driver::GraphExec exec, Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphUpload(exec, stream); });
}
ASSAY_RUNTIME Error cudaGraphLaunch(driver::GraphExec exec, Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphLaunch(exec, stream); });
}
ASSAY_RUNTIME Error cudaGraphExecDestroy(driver::GraphExec exec) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphExecDestroy(exec); });
}

}  // namespace assay::cudart
