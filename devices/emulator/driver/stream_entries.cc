// SPDX-License-Identifier: Apache-2.0
// Streams and events. Work is done when a call returns, so waiting never waits.

#include <algorithm>
#include <cstring>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/machine/stream_history.h"

namespace assay::emulator {

namespace {

abi::Result with_stream(const char* call, abi::Stream stream, auto f) {
  const auto has = [&](const abi::ContextObject& context) { return context.streams.knows(stream); };
  return in_context_of(call, has, [&](Driver&, abi::ContextObject& context) -> abi::Result {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    return f(context);
  });
}
abi::Result with_event(const char* call, abi::Event event, auto f) {
  const auto has = [&](const abi::ContextObject& context) { return context.events.knows(event); };
  return in_context_of(call, has, [&](Driver&, abi::ContextObject& context) -> abi::Result {
    if (!context.events.knows(event)) return abi::invalid_handle;
    return f(context);
  });
}

/// For calls that come back when work has ended, and those that tell the caller so.
abi::Result waited(abi::ContextObject& context, const StreamHistory::Seen& what) {
  context.gpu->streams().host_waits(what);
  context.gpu->launches_ended();
  return abi::success;
}

abi::Result wait_for_stream(const char* call, abi::Stream stream) {
  return with_stream(call, stream, [&](abi::ContextObject& context) {
    return waited(context, context.gpu->streams().given(number_of(stream)));
  });
}

abi::Result wait_for_event(const char* call, abi::Event event) {
  return with_event(call, event, [&](abi::ContextObject& context) { return waited(context, event->given); });
}

abi::Result create_stream(const char* call, abi::Stream* stream, unsigned flags, int priority) {
  return in_context(call, [&](Driver&, abi::ContextObject& context) {
    if (stream == nullptr || flags > 1) return abi::invalid_value;
    *stream = context.streams.add(std::make_unique<abi::StreamObject>(
        abi::StreamObject{&context, flags, std::min(0, std::max(-5, priority))}));
    context.gpu->streams().add_stream(number_of(*stream), flags == 0);
    return abi::success;
  });
}

abi::Result record(const char* call, abi::Event event, abi::Stream stream) {
  return with_event(call, event, [&](abi::ContextObject& context) {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    // In a stream that captures it marks a place in the graph, and is not an event that anybody may ask.
    event->capture = context.streams.knows(stream) ? stream->capture : nullptr;
    if (event->capture != nullptr) return abi::success;
    event->is_recorded = true;
    event->given = context.gpu->streams().given(number_of(stream));
    event->recorded = std::chrono::steady_clock::now();
    return abi::success;
  });
}

abi::Result elapsed(float* milliseconds, abi::Event from, abi::Event to) {
  return with_event("cuEventElapsedTime", from, [&](abi::ContextObject& context) {
    if (milliseconds == nullptr) return abi::invalid_value;
    if (!context.events.knows(to) || !from->is_recorded || !to->is_recorded) return abi::invalid_handle;
    if (((from->flags | to->flags) & abi::event_disable_timing) != 0) return abi::invalid_handle;
    *milliseconds = std::chrono::duration<float, std::milli>(to->recorded - from->recorded).count();
    return waited(context, to->given);
  });
}

}  // namespace

abi::Result cuStreamCreate(abi::Stream* stream, unsigned flags) {
  return create_stream("cuStreamCreate", stream, flags, 0);
}
abi::Result cuStreamCreateWithPriority(abi::Stream* stream, unsigned flags, int priority) {
  return create_stream("cuStreamCreateWithPriority", stream, flags, priority);
}

abi::Result cuStreamDestroy_v2(abi::Stream stream) {
  const auto has = [&](const abi::ContextObject& context) { return context.streams.knows(stream); };
  return in_context_of("cuStreamDestroy", has, [&](Driver&, abi::ContextObject& context) {
    return context.streams.remove(stream) ? abi::success : abi::invalid_handle;
  });
}

abi::Result cuStreamSynchronize(abi::Stream stream) {
  return wait_for_stream("cuStreamSynchronize", stream);
}
abi::Result cuStreamQuery(abi::Stream stream) {
  return wait_for_stream("cuStreamQuery", stream);
}

abi::Result cuStreamWaitEvent(abi::Stream stream, abi::Event event, unsigned flags) {
  return with_stream("cuStreamWaitEvent", stream, [&](abi::ContextObject& context) {
    if (!context.events.knows(event)) return abi::invalid_handle;
    context.gpu->launches_ended();  // what comes behind it is no dependent of the kernel in front
    context.gpu->streams().waits(number_of(stream), event->given);
    // Work behind a captured event goes into the same graph.
    if (event->capture != nullptr && context.graphs.knows(event->capture) && context.streams.knows(stream))
      stream->capture = event->capture;
    return flags > 1 ? abi::invalid_value : abi::success;
  });
}

abi::Result cuStreamGetFlags(abi::Stream stream, unsigned* flags) {
  return with_stream("cuStreamGetFlags", stream, [&](abi::ContextObject& context) {
    if (flags == nullptr) return abi::invalid_value;
    *flags = context.streams.knows(stream) ? stream->flags : 0;
    return abi::success;
  });
}
abi::Result cuStreamGetPriority(abi::Stream stream, int* priority) {
  return with_stream("cuStreamGetPriority", stream, [&](abi::ContextObject& context) {
    if (priority == nullptr) return abi::invalid_value;
    *priority = context.streams.knows(stream) ? stream->priority : 0;
    return abi::success;
  });
}
abi::Result cuStreamGetCtx(abi::Stream stream, abi::Context* context) {
  return with_stream("cuStreamGetCtx", stream, [&](abi::ContextObject& current) {
    if (context == nullptr) return abi::invalid_value;
    *context = &current;
    return abi::success;
  });
}

/// The function may not call the driver on a GPU either; one that does is served.
abi::Result cuLaunchHostFunc(abi::Stream stream, void (*function)(void*), void* data) {
  return in_context("cuLaunchHostFunc", [&](Driver& driver, abi::ContextObject& context) {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    if (function == nullptr) return abi::invalid_value;
    return in_stream(driver, context, stream, abi::node_host, [=](Driver&, abi::ContextObject& in) {
      // What it does may tell the host.
      in.gpu->streams().host_waits(in.gpu->streams().given(number_of(stream)));
      function(data);
      return abi::success;
    });
  });
}

abi::Result cuStreamAddCallback(abi::Stream stream, void (*callback)(abi::Stream, abi::Result, void*),
                                void* data, unsigned flags) {
  return with_stream("cuStreamAddCallback", stream, [&](abi::ContextObject& context) {
    if (callback == nullptr || flags != 0) return abi::invalid_value;
    context.gpu->streams().host_waits(context.gpu->streams().given(number_of(stream)));
    callback(stream, abi::success, data);
    return abi::success;
  });
}

abi::Result cuStreamGetId(abi::Stream stream, unsigned long long* id) {
  return with_stream("cuStreamGetId", stream, [&](abi::ContextObject&) {
    if (id == nullptr) return abi::invalid_value;
    *id = reinterpret_cast<uintptr_t>(stream);
    return abi::success;
  });
}
/// Attributes of a stream are hints; what is asked for is "none".
abi::Result cuStreamGetAttribute(abi::Stream stream, int, void* value) {
  return with_stream("cuStreamGetAttribute", stream, [&](abi::ContextObject&) {
    if (value == nullptr) return abi::invalid_value;
    std::memset(value, 0, 64);
    return abi::success;
  });
}
abi::Result cuStreamSetAttribute(abi::Stream stream, int, const void* value) {
  return with_stream("cuStreamSetAttribute", stream, [&](abi::ContextObject&) {
    return value == nullptr ? abi::invalid_value : abi::success;
  });
}
abi::Result cuStreamCopyAttributes(abi::Stream to, abi::Stream from) {
  return with_stream("cuStreamCopyAttributes", to, [&](abi::ContextObject& context) {
    return is_stream(context, from) ? abi::success : abi::invalid_handle;
  });
}

abi::Result cuEventCreate(abi::Event* event, unsigned flags) {
  return in_context("cuEventCreate", [&](Driver&, abi::ContextObject& context) {
    if (event == nullptr || flags > 7) return abi::invalid_value;
    *event =
        context.events.add(std::make_unique<abi::EventObject>(abi::EventObject{&context, flags, false, {}}));
    return abi::success;
  });
}

abi::Result cuEventDestroy_v2(abi::Event event) {
  return with_event("cuEventDestroy", event, [&](abi::ContextObject& context) {
    context.events.remove(event);
    return abi::success;
  });
}

abi::Result cuEventRecord(abi::Event event, abi::Stream stream) {
  return record("cuEventRecord", event, stream);
}
abi::Result cuEventRecordWithFlags(abi::Event event, abi::Stream stream, unsigned flags) {
  return flags > 1 ? abi::invalid_value : record("cuEventRecordWithFlags", event, stream);
}

abi::Result cuEventQuery(abi::Event event) {
  return wait_for_event("cuEventQuery", event);
}
abi::Result cuEventSynchronize(abi::Event event) {
  return wait_for_event("cuEventSynchronize", event);
}

abi::Result cuEventElapsedTime(float* milliseconds, abi::Event from, abi::Event to) {
  return elapsed(milliseconds, from, to);
}
abi::Result cuEventElapsedTime_v2(float* milliseconds, abi::Event from, abi::Event to) {
  return elapsed(milliseconds, from, to);
}

// Streams that capture: what they are given goes into a graph.

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

abi::Result do_work(Driver& driver, abi::ContextObject& context, abi::GraphNodeType type,
                    const abi::Work& work) {
  if (type != abi::node_kernel) context.gpu->launches_ended();
  return work ? work(driver, context) : abi::success;
}

abi::Result in_stream(Driver& driver, abi::ContextObject& context, abi::Stream stream,
                      abi::GraphNodeType type, abi::Work work, const std::string& kernel) {
  if (!captures(context, stream)) {
    context.gpu->streams().begin(number_of(stream));
    const abi::Result result = do_work(driver, context, type, work);
    if (context.gpu) context.gpu->streams().end();
    return result;
  }
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
