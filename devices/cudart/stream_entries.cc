// SPDX-License-Identifier: Apache-2.0
// Streams and events.

#include "devices/cudart/call.h"

namespace assay::cudart {

ASSAY_RUNTIME Error cudaStreamCreateWithPriority(Stream* stream, unsigned flags, int priority) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamCreateWithPriority(stream, flags, priority); });
}
ASSAY_RUNTIME Error cudaStreamCreateWithFlags(Stream* stream, unsigned flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamCreate(stream, flags); });
}
ASSAY_RUNTIME Error cudaStreamCreate(Stream* stream) {
  return cudaStreamCreateWithFlags(stream, 0);
}
ASSAY_RUNTIME Error cudaStreamDestroy(Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamDestroy_v2(stream); });
}
ASSAY_RUNTIME Error cudaStreamSynchronize(Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamSynchronize(stream); });
}
ASSAY_RUNTIME Error cudaStreamQuery(Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamQuery(stream); });
}
ASSAY_RUNTIME Error cudaStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamWaitEvent(stream, event, flags); });
}
ASSAY_RUNTIME Error cudaStreamGetFlags(Stream stream, unsigned* flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamGetFlags(stream, flags); });
}
ASSAY_RUNTIME Error cudaStreamGetPriority(Stream stream, int* priority) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamGetPriority(stream, priority); });
}
ASSAY_RUNTIME Error cudaStreamGetId(Stream stream, unsigned long long* id) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamGetId(stream, id); });
}
ASSAY_RUNTIME Error cudaStreamGetDevice(Stream stream, int* device) {
  return with_driver([&](const DriverTable& driver) -> Error {
    unsigned flags = 0;
    if (device == nullptr) return invalid_value;
    *device = 0;
    return driver.cuStreamGetFlags(stream, &flags);
  });
}
ASSAY_RUNTIME Error cudaStreamGetAttribute(Stream stream, int attribute, void* value) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamGetAttribute(stream, attribute, value); });
}
ASSAY_RUNTIME Error cudaStreamSetAttribute(Stream stream, int attribute, const void* value) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamSetAttribute(stream, attribute, value); });
}
ASSAY_RUNTIME Error cudaStreamCopyAttributes(Stream to, Stream from) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamCopyAttributes(to, from); });
}
ASSAY_RUNTIME Error cudaLaunchHostFunc(Stream stream, void (*function)(void*), void* data) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuLaunchHostFunc(stream, function, data); });
}
ASSAY_RUNTIME Error cudaStreamAddCallback(Stream stream, void (*callback)(Stream, Error, void*), void* data,
                                          unsigned flags) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuStreamAddCallback(
        stream, reinterpret_cast<void (*)(abi::Stream, abi::Result, void*)>(callback), data, flags);
  });
}

ASSAY_RUNTIME Error cudaEventCreateWithFlags(Event* event, unsigned flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventCreate(event, flags); });
}
ASSAY_RUNTIME Error cudaEventCreate(Event* event) {
  return cudaEventCreateWithFlags(event, 0);
}
ASSAY_RUNTIME Error cudaEventRecordWithFlags(Event event, Stream stream, unsigned flags) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuEventRecordWithFlags(event, stream, flags); });
}
ASSAY_RUNTIME Error cudaEventRecord(Event event, Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventRecord(event, stream); });
}
ASSAY_RUNTIME Error cudaEventQuery(Event event) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventQuery(event); });
}
ASSAY_RUNTIME Error cudaEventSynchronize(Event event) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventSynchronize(event); });
}
ASSAY_RUNTIME Error cudaEventDestroy(Event event) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventDestroy_v2(event); });
}
ASSAY_RUNTIME Error cudaEventElapsedTime(float* milliseconds, Event from, Event to) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuEventElapsedTime(milliseconds, from, to); });
}

// Graphs: capture, nodes, instantiation, launch, update.

namespace {

Error convert(const DriverTable& driver, const KernelNodeParams* params, abi::KernelNodeParams& out) {
  if (params == nullptr) return invalid_value;
  abi::Kernel kernel = nullptr;
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
ASSAY_RUNTIME Error cudaStreamEndCapture(Stream stream, abi::Graph* graph) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamEndCapture(stream, graph); });
}
ASSAY_RUNTIME Error cudaStreamIsCapturing(Stream stream, int* status) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamIsCapturing(stream, status); });
}
ASSAY_RUNTIME Error cudaStreamGetCaptureInfo(Stream stream, int* status, uint64_t* id, abi::Graph* graph,
                                             const abi::GraphNode** after, const void** edges,
                                             size_t* count) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuStreamGetCaptureInfo_v3(stream, status, id, graph, after, edges, count);
  });
}
ASSAY_RUNTIME Error cudaThreadExchangeStreamCaptureMode(int* mode) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuThreadExchangeStreamCaptureMode(mode); });
}

ASSAY_RUNTIME Error cudaGraphCreate(abi::Graph* graph, unsigned flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphCreate(graph, flags); });
}
ASSAY_RUNTIME Error cudaGraphDestroy(abi::Graph graph) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphDestroy(graph); });
}
ASSAY_RUNTIME Error cudaGraphClone(abi::Graph* clone, abi::Graph graph) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphClone(clone, graph); });
}

ASSAY_RUNTIME Error cudaGraphAddKernelNode(abi::GraphNode* node, abi::Graph graph,
                                           const abi::GraphNode* after, size_t count,
                                           const KernelNodeParams* params) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::KernelNodeParams given;
    if (const Error error = convert(driver, params, given); error != success) return error;
    return driver.cuGraphAddKernelNode_v2(node, graph, after, count, &given);
  });
}
ASSAY_RUNTIME Error cudaGraphKernelNodeSetParams(abi::GraphNode node, const KernelNodeParams* params) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::KernelNodeParams given;
    if (const Error error = convert(driver, params, given); error != success) return error;
    return driver.cuGraphKernelNodeSetParams_v2(node, &given);
  });
}
ASSAY_RUNTIME Error cudaGraphExecKernelNodeSetParams(abi::GraphExec exec, abi::GraphNode node,
                                                     const KernelNodeParams* params) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::KernelNodeParams given;
    if (const Error error = convert(driver, params, given); error != success) return error;
    return driver.cuGraphExecKernelNodeSetParams_v2(exec, node, &given);
  });
}
ASSAY_RUNTIME Error cudaGraphAddMemcpyNode(abi::GraphNode* node, abi::Graph graph,
                                           const abi::GraphNode* after, size_t count, const Copy3d* copy) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::Memcpy3d volume{};
    if (const Error error = convert(copy, volume); error != success) return error;
    return driver.cuGraphAddMemcpyNode(node, graph, after, count, &volume, nullptr);
  });
}
ASSAY_RUNTIME Error cudaGraphAddMemcpyNode1D(abi::GraphNode* node, abi::Graph graph,
                                             const abi::GraphNode* after, size_t count, void* to,
                                             const void* from, size_t bytes, int kind) {
  abi::Memcpy3d row{};
  if (!set_kind(row, kind)) return remember(invalid_memcpy_direction);
  set_bases(row, to, from);
  row.width = bytes;
  row.height = row.depth = 1;
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddMemcpyNode(node, graph, after, count, &row, nullptr);
  });
}
ASSAY_RUNTIME Error cudaGraphAddMemsetNode(abi::GraphNode* node, abi::Graph graph,
                                           const abi::GraphNode* after, size_t count,
                                           const abi::MemsetNodeParams* set) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddMemsetNode(node, graph, after, count, set, nullptr);
  });
}
ASSAY_RUNTIME Error cudaGraphAddHostNode(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                                         size_t count, const abi::HostNodeParams* params) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddHostNode(node, graph, after, count, params);
  });
}
ASSAY_RUNTIME Error cudaGraphAddEmptyNode(abi::GraphNode* node, abi::Graph graph, const abi::GraphNode* after,
                                          size_t count) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphAddEmptyNode(node, graph, after, count); });
}
ASSAY_RUNTIME Error cudaGraphAddChildGraphNode(abi::GraphNode* node, abi::Graph graph,
                                               const abi::GraphNode* after, size_t count, abi::Graph child) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddChildGraphNode(node, graph, after, count, child);
  });
}
ASSAY_RUNTIME Error cudaGraphAddDependencies(abi::Graph graph, const abi::GraphNode* from,
                                             const abi::GraphNode* to, const void* edges, size_t count) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuGraphAddDependencies_v2(graph, from, to, edges, count);
  });
}
ASSAY_RUNTIME Error cudaGraphNodeGetType(abi::GraphNode node, int* type) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphNodeGetType(node, type); });
}
ASSAY_RUNTIME Error cudaGraphGetNodes(abi::Graph graph, abi::GraphNode* nodes, size_t* count) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphGetNodes(graph, nodes, count); });
}
ASSAY_RUNTIME Error cudaGraphGetRootNodes(abi::Graph graph, abi::GraphNode* nodes, size_t* count) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphGetRootNodes(graph, nodes, count); });
}

ASSAY_RUNTIME Error cudaGraphInstantiateWithFlags(abi::GraphExec* exec, abi::Graph graph,
                                                  unsigned long long flags) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphInstantiateWithFlags(exec, graph, flags); });
}
ASSAY_RUNTIME Error cudaGraphInstantiate(abi::GraphExec* exec, abi::Graph graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
ASSAY_RUNTIME Error cudaGraphInstantiateWithParams(abi::GraphExec* exec, abi::Graph graph,
                                                   abi::GraphInstantiateParams* params) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphInstantiateWithParams(exec, graph, params); });
}
ASSAY_RUNTIME Error cudaGraphExecUpdate(abi::GraphExec exec, abi::Graph graph,
                                        abi::GraphExecUpdateInfo* info) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuGraphExecUpdate_v2(exec, graph, info); });
}
ASSAY_RUNTIME Error cudaGraphUpload(abi::GraphExec exec, Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphUpload(exec, stream); });
}
ASSAY_RUNTIME Error cudaGraphLaunch(abi::GraphExec exec, Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphLaunch(exec, stream); });
}
ASSAY_RUNTIME Error cudaGraphExecDestroy(abi::GraphExec exec) {
  return with_driver([&](const DriverTable& driver) { return driver.cuGraphExecDestroy(exec); });
}

}  // namespace assay::cudart
