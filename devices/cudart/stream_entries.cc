// SPDX-License-Identifier: Apache-2.0
// Streams and events.

#include "devices/cudart/call.h"

namespace assay::cudart {

ASSAY_FORWARD(cudaStreamCreateWithPriority, (Stream * stream, unsigned flags, int priority),
              cuStreamCreateWithPriority(stream, flags, priority))
ASSAY_FORWARD(cudaStreamCreateWithFlags, (Stream * stream, unsigned flags), cuStreamCreate(stream, flags))
ASSAY_RUNTIME Error cudaStreamCreate(Stream* stream) {
  return cudaStreamCreateWithFlags(stream, 0);
}
ASSAY_FORWARD(cudaStreamDestroy, (Stream stream), cuStreamDestroy_v2(stream))
ASSAY_FORWARD(cudaStreamSynchronize, (Stream stream), cuStreamSynchronize(stream))
ASSAY_FORWARD(cudaStreamQuery, (Stream stream), cuStreamQuery(stream))
ASSAY_FORWARD(cudaStreamWaitEvent, (Stream stream, Event event, unsigned flags),
              cuStreamWaitEvent(stream, event, flags))
ASSAY_FORWARD(cudaStreamGetFlags, (Stream stream, unsigned* flags), cuStreamGetFlags(stream, flags))
ASSAY_FORWARD(cudaStreamGetPriority, (Stream stream, int* priority), cuStreamGetPriority(stream, priority))
ASSAY_FORWARD(cudaStreamGetId, (Stream stream, unsigned long long* id), cuStreamGetId(stream, id))
ASSAY_RUNTIME Error cudaStreamGetDevice(Stream stream, int* device) {
  return with_driver([&](const DriverTable& driver) -> Error {
    unsigned flags = 0;
    if (device == nullptr) return invalid_value;
    *device = 0;
    return driver.cuStreamGetFlags(stream, &flags);
  });
}
ASSAY_FORWARD(cudaStreamGetAttribute, (Stream stream, int attribute, void* value),
              cuStreamGetAttribute(stream, attribute, value))
ASSAY_FORWARD(cudaStreamSetAttribute, (Stream stream, int attribute, const void* value),
              cuStreamSetAttribute(stream, attribute, value))
ASSAY_FORWARD(cudaStreamCopyAttributes, (Stream to, Stream from), cuStreamCopyAttributes(to, from))
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

ASSAY_FORWARD(cudaEventCreateWithFlags, (Event * event, unsigned flags), cuEventCreate(event, flags))
ASSAY_RUNTIME Error cudaEventCreate(Event* event) {
  return cudaEventCreateWithFlags(event, 0);
}
ASSAY_FORWARD(cudaEventRecordWithFlags, (Event event, Stream stream, unsigned flags),
              cuEventRecordWithFlags(event, stream, flags))
ASSAY_FORWARD(cudaEventRecord, (Event event, Stream stream), cuEventRecord(event, stream))
ASSAY_FORWARD(cudaEventQuery, (Event event), cuEventQuery(event))
ASSAY_FORWARD(cudaEventSynchronize, (Event event), cuEventSynchronize(event))
ASSAY_FORWARD(cudaEventDestroy, (Event event), cuEventDestroy_v2(event))
ASSAY_FORWARD(cudaEventElapsedTime, (float* milliseconds, Event from, Event to),
              cuEventElapsedTime(milliseconds, from, to))

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

ASSAY_FORWARD(cudaStreamBeginCapture, (Stream stream, int mode), cuStreamBeginCapture_v2(stream, mode))
ASSAY_FORWARD(cudaStreamEndCapture, (Stream stream, abi::Graph* graph), cuStreamEndCapture(stream, graph))
ASSAY_FORWARD(cudaStreamIsCapturing, (Stream stream, int* status), cuStreamIsCapturing(stream, status))
ASSAY_FORWARD(cudaStreamGetCaptureInfo,
              (Stream stream, int* status, uint64_t* id, abi::Graph* graph, const abi::GraphNode** after,
               const void** edges, size_t* count),
              cuStreamGetCaptureInfo_v3(stream, status, id, graph, after, edges, count))
ASSAY_FORWARD(cudaThreadExchangeStreamCaptureMode, (int* mode), cuThreadExchangeStreamCaptureMode(mode))

ASSAY_FORWARD(cudaGraphCreate, (abi::Graph * graph, unsigned flags), cuGraphCreate(graph, flags))
ASSAY_FORWARD(cudaGraphDestroy, (abi::Graph graph), cuGraphDestroy(graph))
ASSAY_FORWARD(cudaGraphClone, (abi::Graph * clone, abi::Graph graph), cuGraphClone(clone, graph))

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
ASSAY_FORWARD(cudaGraphAddMemsetNode,
              (abi::GraphNode * node, abi::Graph graph, const abi::GraphNode* after, size_t count,
               const abi::MemsetNodeParams* set),
              cuGraphAddMemsetNode(node, graph, after, count, set, nullptr))
ASSAY_FORWARD(cudaGraphAddHostNode,
              (abi::GraphNode * node, abi::Graph graph, const abi::GraphNode* after, size_t count,
               const abi::HostNodeParams* params),
              cuGraphAddHostNode(node, graph, after, count, params))
ASSAY_FORWARD(cudaGraphAddEmptyNode,
              (abi::GraphNode * node, abi::Graph graph, const abi::GraphNode* after, size_t count),
              cuGraphAddEmptyNode(node, graph, after, count))
ASSAY_FORWARD(cudaGraphAddChildGraphNode,
              (abi::GraphNode * node, abi::Graph graph, const abi::GraphNode* after, size_t count,
               abi::Graph child),
              cuGraphAddChildGraphNode(node, graph, after, count, child))
ASSAY_FORWARD(cudaGraphAddDependencies,
              (abi::Graph graph, const abi::GraphNode* from, const abi::GraphNode* to, const void* edges,
               size_t count),
              cuGraphAddDependencies_v2(graph, from, to, edges, count))
ASSAY_FORWARD(cudaGraphNodeGetType, (abi::GraphNode node, int* type), cuGraphNodeGetType(node, type))
ASSAY_FORWARD(cudaGraphGetNodes, (abi::Graph graph, abi::GraphNode* nodes, size_t* count),
              cuGraphGetNodes(graph, nodes, count))
ASSAY_FORWARD(cudaGraphGetRootNodes, (abi::Graph graph, abi::GraphNode* nodes, size_t* count),
              cuGraphGetRootNodes(graph, nodes, count))

ASSAY_FORWARD(cudaGraphInstantiateWithFlags,
              (abi::GraphExec * exec, abi::Graph graph, unsigned long long flags),
              cuGraphInstantiateWithFlags(exec, graph, flags))
ASSAY_RUNTIME Error cudaGraphInstantiate(abi::GraphExec* exec, abi::Graph graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
ASSAY_FORWARD(cudaGraphInstantiateWithParams,
              (abi::GraphExec * exec, abi::Graph graph, abi::GraphInstantiateParams* params),
              cuGraphInstantiateWithParams(exec, graph, params))
ASSAY_FORWARD(cudaGraphExecUpdate, (abi::GraphExec exec, abi::Graph graph, abi::GraphExecUpdateInfo* info),
              cuGraphExecUpdate_v2(exec, graph, info))
ASSAY_FORWARD(cudaGraphUpload, (abi::GraphExec exec, Stream stream), cuGraphUpload(exec, stream))
ASSAY_FORWARD(cudaGraphLaunch, (abi::GraphExec exec, Stream stream), cuGraphLaunch(exec, stream))
ASSAY_FORWARD(cudaGraphExecDestroy, (abi::GraphExec exec), cuGraphExecDestroy(exec))

}  // namespace assay::cudart
