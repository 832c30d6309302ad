// SPDX-License-Identifier: Apache-2.0
// Launches as they were before CUDA 4: block, shared memory and parameters are set of a function, which
// cuLaunch and its kin then take. Deprecated, and still there in 13.
#include <cstring>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/modules.h"

namespace assay::emulator {
namespace {

template <typename Change>
abi::Result change(const char* call, abi::Function handle, Change apply) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) {
    abi::FunctionObject* function = nullptr;
    const abi::Result result = resolve_function(driver, context, handle, &function);
    return result == abi::success ? apply(function->old_launch) : result;
  });
}

abi::Result set_params(const char* call, abi::Function handle, int offset, const void* from, size_t size) {
  return change(call, handle, [&](abi::OldLaunch& launch) {
    constexpr size_t most = 32764;
    if (offset < 0 || from == nullptr || static_cast<size_t>(offset) + size > most) return abi::invalid_value;
    if (launch.params.size() < static_cast<size_t>(offset) + size) launch.params.resize(offset + size);
    std::memcpy(launch.params.data() + offset, from, size);
    return abi::success;
  });
}

}  // namespace

abi::Result cuFuncSetBlockShape(abi::Function function, int x, int y, int z) {
  return change("cuFuncSetBlockShape", function, [&](abi::OldLaunch& launch) {
    if (x <= 0 || y <= 0 || z <= 0 || int64_t{x} * y * z > 1024) return abi::invalid_value;
    launch.block = {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
    return abi::success;
  });
}

abi::Result cuFuncSetSharedSize(abi::Function function, unsigned bytes) {
  return change("cuFuncSetSharedSize", function, [&](abi::OldLaunch& launch) {
    launch.shared_bytes = bytes;
    return abi::success;
  });
}

abi::Result cuParamSetSize(abi::Function function, unsigned bytes) {
  return change("cuParamSetSize", function, [&](abi::OldLaunch& launch) {
    launch.params.resize(bytes);
    return abi::success;
  });
}

abi::Result cuParamSeti(abi::Function function, int offset, unsigned value) {
  return set_params("cuParamSeti", function, offset, &value, sizeof value);
}
abi::Result cuParamSetf(abi::Function function, int offset, float value) {
  return set_params("cuParamSetf", function, offset, &value, sizeof value);
}
abi::Result cuParamSetv(abi::Function function, int offset, void* from, unsigned bytes) {
  return set_params("cuParamSetv", function, offset, from, bytes);
}

abi::Result cuLaunchGridAsync(abi::Function function, int width, int height, abi::Stream stream) {
  abi::OldLaunch launch;
  const abi::Result result = change("cuLaunchGridAsync", function, [&](const abi::OldLaunch& set) {
    launch = set;
    return width > 0 && height > 0 ? abi::success : abi::invalid_value;
  });
  if (result != abi::success) return result;
  size_t size = launch.params.size();
  void* extra[] = {reinterpret_cast<void*>(abi::param_buffer), launch.params.data(),
                   reinterpret_cast<void*>(abi::param_buffer_size), &size,
                   reinterpret_cast<void*>(abi::param_end)};
  return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                        launch.block[0], launch.block[1], launch.block[2], launch.shared_bytes, stream,
                        nullptr, extra);
}
abi::Result cuLaunchGrid(abi::Function function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
abi::Result cuLaunch(abi::Function function) {
  return cuLaunchGridAsync(function, 1, 1, nullptr);
}

}  // namespace assay::emulator
