// SPDX-License-Identifier: Apache-2.0
// Streams that capture: what they are given goes into a graph.
#include <algorithm>

#include "devices/emulator/driver/call.h"

namespace assay::emulator {
namespace {

bool captures(const abi::ContextObject& context, abi::Stream stream) {
  return context.streams.knows(stream) && stream->capture != nullptr;
}

abi::Result with_capture(const char* call, abi::Stream stream, auto f) {
  return in_context(call, [&](Driver&, abi::ContextObject& context) -> abi::Result {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    return f(context);
  });
}

}  // namespace

abi::Result in_stream(Driver& driver, abi::ContextObject& context, abi::Stream stream,
                      abi::GraphNodeType type, abi::Work work, const std::string& kernel) {
  if (!captures(context, stream)) return work(driver, context);
  auto node = std::make_unique<abi::NodeObject>();
  node->graph = stream->capture;
  node->type = type;
  node->work = std::move(work);
  node->kernel = kernel;
  // One order for all of it is stricter than what the streams ask for.
  if (!stream->capture->nodes.empty()) node->after.push_back(stream->capture->nodes.back().get());
  stream->capture->nodes.push_back(std::move(node));
  return abi::success;
}

abi::Result cuStreamBeginCapture_v2(abi::Stream stream, int mode) {
  return with_capture("cuStreamBeginCapture", stream, [&](abi::ContextObject& context) {
    if (mode < 0 || mode > 2) return abi::invalid_value;
    // The null stream cannot capture.
    if (!context.streams.knows(stream) || stream->capture != nullptr) return abi::invalid_value;
    stream->capture = context.graphs.add(std::make_unique<abi::GraphObject>());
    stream->began_capture = true;
    return abi::success;
  });
}

abi::Result cuStreamEndCapture(abi::Stream stream, abi::Graph* graph) {
  return with_capture("cuStreamEndCapture", stream, [&](abi::ContextObject& context) {
    if (graph == nullptr) return abi::invalid_value;
    if (!captures(context, stream) || !stream->began_capture) return abi::stream_capture_unmatched;
    *graph = stream->capture;
    for (const auto& [handle, other] : context.streams.all())
      if (other->capture == *graph) {
        other->capture = nullptr;
        other->began_capture = false;
      }
    for (const auto& [handle, event] : context.events.all())
      if (event->capture == *graph) event->capture = nullptr;
    return abi::success;
  });
}

abi::Result cuStreamIsCapturing(abi::Stream stream, int* status) {
  return with_capture("cuStreamIsCapturing", stream, [&](abi::ContextObject& context) {
    if (status == nullptr) return abi::invalid_value;
    *status = captures(context, stream);
    return abi::success;
  });
}

abi::Result cuStreamGetCaptureInfo_v3(abi::Stream stream, int* status, uint64_t* id, abi::Graph* graph,
                                      const abi::GraphNode** after, const void** edges, size_t* count) {
  return with_capture("cuStreamGetCaptureInfo", stream, [&](abi::ContextObject& context) {
    if (status == nullptr) return abi::invalid_value;
    *status = captures(context, stream);
    if (*status == 0) return abi::success;
    if (id != nullptr) *id = reinterpret_cast<uintptr_t>(stream->capture);
    if (graph != nullptr) *graph = stream->capture;
    if (after != nullptr) *after = nullptr;
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = 0;
    return abi::success;
  });
}

abi::Result cuThreadExchangeStreamCaptureMode(int* mode) {
  thread_local int now = 0;
  if (mode == nullptr || *mode < 0 || *mode > 2) return abi::invalid_value;
  std::swap(*mode, now);
  return abi::success;
}

}  // namespace assay::emulator
