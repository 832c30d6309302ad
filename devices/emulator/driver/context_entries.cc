// SPDX-License-Identifier: Apache-2.0
// Primary and other contexts, the stack of current ones, limits.
#include <cstring>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/settings.h"
#include "devices/emulator/machine/stream_history.h"

namespace assay::emulator {

namespace {

/// CU_CTX_*: scheduling 0..2 or 4, map host, resize local memory, coredump bits, synchronous memory
/// operations.
constexpr unsigned context_flags = 0xff;

abi::Result create(const char* call, abi::Context* context, unsigned flags, abi::Device device) {
  return on_device(call, device, [&](Driver& driver) {
    if (context == nullptr || (flags & ~context_flags) != 0) return abi::invalid_value;
    *context = driver.create_context(flags);
    Driver::current_stack().push_back(*context);
    return abi::success;
  });
}

}  // namespace

abi::Result cuDevicePrimaryCtxRetain(abi::Context* context, abi::Device device) {
  return on_device("cuDevicePrimaryCtxRetain", device, [&](Driver& driver) {
    if (context == nullptr) return abi::invalid_value;
    driver.primary().flags = driver.primary_flags;
    driver.activate(driver.primary());
    ++driver.primary_uses;
    *context = &driver.primary();
    return abi::success;
  });
}

abi::Result cuDevicePrimaryCtxRelease_v2(abi::Device device) {
  return on_device("cuDevicePrimaryCtxRelease", device, [&](Driver& driver) {
    if (driver.primary_uses == 0) return abi::invalid_context;
    if (--driver.primary_uses == 0) driver.reset_primary();
    return abi::success;
  });
}

abi::Result cuDevicePrimaryCtxReset_v2(abi::Device device) {
  return on_device("cuDevicePrimaryCtxReset", device, [&](Driver& driver) {
    driver.reset_primary();
    return abi::success;
  });
}

abi::Result cuDevicePrimaryCtxSetFlags_v2(abi::Device device, unsigned flags) {
  return on_device("cuDevicePrimaryCtxSetFlags", device, [&](Driver& driver) {
    if ((flags & ~context_flags) != 0) return abi::invalid_value;
    driver.primary_flags = driver.primary().flags = flags;
    return abi::success;
  });
}

abi::Result cuDevicePrimaryCtxGetState(abi::Device device, unsigned* flags, int* active) {
  return on_device("cuDevicePrimaryCtxGetState", device, [&](Driver& driver) {
    if (flags == nullptr || active == nullptr) return abi::invalid_value;
    *flags = driver.primary_flags;
    *active = driver.primary().gpu != nullptr;
    return abi::success;
  });
}

abi::Result cuCtxCreate_v2(abi::Context* context, unsigned flags, abi::Device device) {
  return create("cuCtxCreate", context, flags, device);
}
abi::Result cuCtxCreate_v3(abi::Context* context, void*, int affinities, unsigned flags, abi::Device device) {
  if (affinities != 0) return abi::not_supported;
  return create("cuCtxCreate", context, flags, device);
}
abi::Result cuCtxCreate_v4(abi::Context* context, void* params, unsigned flags, abi::Device device) {
  // CUctxCreateParams: affinities, their number, a CIG parameter. All zero asks for an ordinary context.
  constexpr size_t words = 3;
  for (size_t i = 0; params != nullptr && i < words; ++i) {
    uint64_t word;
    std::memcpy(&word, static_cast<const std::byte*>(params) + i * sizeof word, sizeof word);
    if (word != 0) return abi::not_supported;
  }
  return create("cuCtxCreate", context, flags, device);
}

abi::Result cuCtxDestroy_v2(abi::Context context) {
  return in_driver("cuCtxDestroy", [&](Driver& driver) {
    if (context == nullptr) return abi::invalid_value;
    if (context == &driver.primary() || !driver.destroy_context(context)) return abi::invalid_context;
    auto& stack = Driver::current_stack();
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    return abi::success;
  });
}

abi::Result cuCtxAttach(abi::Context* context, unsigned flags) {
  return in_context("cuCtxAttach", [&](Driver&, abi::ContextObject& current) {
    if (context == nullptr || flags != 0) return abi::invalid_value;
    ++current.uses;
    *context = &current;
    return abi::success;
  });
}

abi::Result cuCtxDetach(abi::Context context) {
  bool is_last = false;
  const abi::Result result = in_driver("cuCtxDetach", [&](Driver& driver) -> abi::Result {
    abi::ContextObject* current = nullptr;
    if (const abi::Result found = find_current(driver, current); found != abi::success) return found;
    if (context != current) return abi::invalid_context;
    is_last = current != &driver.primary() && --current->uses == 0;
    return abi::success;
  });
  return is_last ? cuCtxDestroy_v2(context) : result;
}

abi::Result cuCtxPushCurrent_v2(abi::Context context) {
  return in_driver("cuCtxPushCurrent", [&](Driver& driver) {
    if (context == nullptr) return abi::invalid_value;
    if (!driver.knows(context)) return abi::invalid_context;
    Driver::current_stack().push_back(context);
    return abi::success;
  });
}

abi::Result cuCtxPopCurrent_v2(abi::Context* context) {
  return in_driver("cuCtxPopCurrent", [&](Driver&) {
    auto& stack = Driver::current_stack();
    if (stack.empty()) return abi::invalid_context;
    if (context != nullptr) *context = stack.back();
    stack.pop_back();
    return abi::success;
  });
}

abi::Result cuCtxSetCurrent(abi::Context context) {
  return in_driver("cuCtxSetCurrent", [&](Driver& driver) {
    auto& stack = Driver::current_stack();
    if (context != nullptr && !driver.knows(context)) return abi::invalid_context;
    if (!stack.empty()) stack.pop_back();
    if (context != nullptr) stack.push_back(context);
    return abi::success;
  });
}

abi::Result cuCtxGetCurrent(abi::Context* context) {
  return in_driver("cuCtxGetCurrent", [&](Driver&) {
    if (context == nullptr) return abi::invalid_value;
    const auto& stack = Driver::current_stack();
    *context = stack.empty() ? nullptr : stack.back();
    return abi::success;
  });
}

abi::Result cuCtxGetDevice(abi::Device* device) {
  return in_driver("cuCtxGetDevice", [&](Driver& driver) {
    if (device == nullptr) return abi::invalid_value;
    // Of a primary context that was reset too: an H100 with driver 580.
    const auto& stack = Driver::current_stack();
    if (stack.empty() || !driver.knows(stack.back())) return abi::invalid_context;
    *device = 0;
    return abi::success;
  });
}

/// Programs from before CUDA 13 that look up the newest version of a name give no context here: an H100 with
/// driver 580 takes any word for one.
abi::Result cuCtxGetDevice_v2(abi::Device* device, abi::Context context) {
  if (context == nullptr) return cuCtxGetDevice(device);
  return in_driver("cuCtxGetDevice_v2", [&](Driver&) {
    if (device == nullptr) return abi::invalid_value;
    *device = 0;
    return abi::success;
  });
}

abi::Result cuCtxGetFlags(unsigned* flags) {
  return in_context("cuCtxGetFlags", [&](Driver&, abi::ContextObject& context) {
    if (flags == nullptr) return abi::invalid_value;
    *flags = context.flags;
    return abi::success;
  });
}

abi::Result cuCtxGetApiVersion(abi::Context context, unsigned* version) {
  return in_driver("cuCtxGetApiVersion", [&](Driver& driver) {
    if (version == nullptr) return abi::invalid_value;
    if (context != nullptr && !driver.knows(context)) return abi::invalid_context;
    *version = 3020;
    return abi::success;
  });
}

abi::Result cuCtxSynchronize() {
  return in_context("cuCtxSynchronize", [](Driver&, abi::ContextObject& context) {
    context.gpu->launches_ended();
    context.gpu->streams().host_waits_for_all();
    return abi::success;
  });
}

/// There too; a tolerant device takes a word that is no context for the current one.
abi::Result cuCtxSynchronize_v2(abi::Context context) {
  return in_driver("cuCtxSynchronize_v2", [&](Driver& driver) -> abi::Result {
    if (!driver.knows(context)) {
      if (context != nullptr && !driver.settings().tolerant) return abi::context_is_destroyed;
      if (const abi::Result result = find_current(driver, context); result != abi::success) return result;
    }
    if (context->gpu) {
      context->gpu->launches_ended();
      context->gpu->streams().host_waits_for_all();
    }
    return context->sticky;
  });
}

// No profiler is attached.
abi::Result cuProfilerStart() {
  return in_context("cuProfilerStart", [](Driver&, abi::ContextObject&) { return abi::success; });
}
abi::Result cuProfilerStop() {
  return in_context("cuProfilerStop", [](Driver&, abi::ContextObject&) { return abi::success; });
}

abi::Result cuCtxGetLimit(size_t* value, int limit) {
  return in_context("cuCtxGetLimit", [&](Driver&, abi::ContextObject& context) {
    if (value == nullptr) return abi::invalid_value;
    const std::optional<size_t> now = limit_of(context, limit);
    if (!now) return abi::unsupported_limit;
    *value = *now;
    return abi::success;
  });
}
abi::Result cuCtxSetLimit(int limit, size_t value) {
  return in_context("cuCtxSetLimit", [&](Driver&, abi::ContextObject& context) {
    const LimitRow* row = find_limit(limit);
    if (row == nullptr) return abi::unsupported_limit;
    if (!row->can_be_set) return abi::not_permitted;
    if (value > row->highest) return abi::invalid_value;
    if (limit == heap_limit && context.gpu && context.gpu->has_heap()) return abi::invalid_value;
    context.limits[limit] =
        std::clamp((value + row->step - 1) / row->step * row->step, row->least, row->most);
    return abi::success;
  });
}

abi::Result cuCtxGetCacheConfig(int* config) {
  return in_context("cuCtxGetCacheConfig", [&](Driver&, abi::ContextObject& context) {
    if (config == nullptr) return abi::invalid_value;
    *config = context.cache_config;
    return abi::success;
  });
}
abi::Result cuCtxSetCacheConfig(int config) {
  return in_context("cuCtxSetCacheConfig", [&](Driver&, abi::ContextObject& context) {
    if (config < 0 || config > 3) return abi::invalid_value;
    context.cache_config = config;
    return abi::success;
  });
}

abi::Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context("cuCtxGetStreamPriorityRange", [&](Driver&, abi::ContextObject&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return abi::success;
  });
}

abi::Result cuCtxGetId(abi::Context context, unsigned long long* id) {
  return in_driver("cuCtxGetId", [&](Driver& driver) {
    if (id == nullptr) return abi::invalid_value;
    if (context != nullptr && !driver.knows(context)) return abi::context_is_destroyed;
    *id = reinterpret_cast<uintptr_t>(context);
    return abi::success;
  });
}
abi::Result cuCtxResetPersistingL2Cache() {
  return in_context("cuCtxResetPersistingL2Cache", [](Driver&, abi::ContextObject&) { return abi::success; });
}

}  // namespace assay::emulator
