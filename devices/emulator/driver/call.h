// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <mutex>
#include <new>
#include <string>

#include "devices/emulator/driver/entries.h"
#include "devices/emulator/driver/state.h"

namespace assay::emulator {

/// Runs the body of an entry point under the driver's one lock, after cuInit; nothing escapes it but a code.
template <typename F>
abi::Result in_driver(const char* call, F f) {
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  driver.release_host();
  const struct Watch {
    Driver& driver;
    ~Watch() { driver.watch_host(); }
  } watch{driver};
  if (!driver.is_initialised()) return abi::not_initialized;
  try {
    return f(driver);
  } catch (const std::bad_alloc&) {
    return abi::out_of_memory;
  } catch (const std::exception& error) {
    driver.note(call, std::string("the emulator failed: ") + error.what());
    return abi::unknown;
  }
}

/// As in_driver, for calls that take a device ordinal: there is one device, 0.
template <typename F>
abi::Result on_device(const char* call, abi::Device device, F f) {
  return in_driver(call, [&](Driver& driver) -> abi::Result {
    if (device != 0) return abi::invalid_device;
    return f(driver);
  });
}

/// The context that is current on this thread, if a call may use it.
inline abi::Result find_current(Driver& driver, abi::ContextObject*& context) {
  const auto& stack = Driver::current_stack();
  if (stack.empty() || stack.back() == nullptr) return abi::invalid_context;
  if (!driver.knows(stack.back()) || !stack.back()->gpu) return abi::context_is_destroyed;
  context = stack.back();
  return abi::success;
}

/// As in_driver, with the current context; after a kernel failed there, its error is all that comes back.
template <typename F>
abi::Result in_context(const char* call, F f) {
  return in_driver(call, [&](Driver& driver) -> abi::Result {
    abi::ContextObject* context = nullptr;
    if (const abi::Result result = find_current(driver, context); result != abi::success) return result;
    if (context->sticky != abi::success) return context->sticky;
    return f(driver, *context);
  });
}

/// As in_context, for calls that take a handle: where no context is current, in that which has it, as an H100
/// with driver 580 does.
template <typename Has, typename F>
abi::Result in_context_of(const char* call, Has has, F f) {
  if (!Driver::current_stack().empty()) return in_context(call, f);
  return in_driver(call, [&](Driver& driver) -> abi::Result {
    abi::ContextObject* const context = driver.find_context(has);
    if (context == nullptr) return abi::invalid_context;
    if (context->sticky != abi::success) return context->sticky;
    return f(driver, *context);
  });
}

/// Does a node's work; what is no kernel begins when all kernels in front of it have ended.
abi::Result do_work(Driver& driver, abi::ContextObject& context, abi::GraphNodeType type,
                    const abi::Work& work);
/// Does the work now, or, where the stream captures, when its graph is launched.
abi::Result in_stream(Driver& driver, abi::ContextObject& context, abi::Stream stream,
                      abi::GraphNodeType type, abi::Work work, const std::string& kernel = {});

/// As the order of streams knows it: the null stream by one name.
inline uint64_t number_of(abi::Stream stream) {
  return stream == abi::stream_legacy ? 0 : reinterpret_cast<uint64_t>(stream);
}

/// Streams that may be given where one is asked for: null, the two special values, a stream of the context.
inline bool is_stream(const abi::ContextObject& context, abi::Stream stream) {
  return stream == nullptr || stream == abi::stream_legacy || stream == abi::stream_per_thread ||
         context.streams.knows(stream);
}

/// A launch with its parameters, checked and not yet run.
struct PreparedLaunch {
  abi::Work work;
  std::string kernel;  ///< its name
};

/// Checks a launch as the call does, and copies its parameters.
abi::Result prepare_launch(Driver& driver, abi::ContextObject& context, const abi::LaunchConfig& config,
                           abi::Function handle, void** params, void** extra, PreparedLaunch& prepared);

}  // namespace assay::emulator
