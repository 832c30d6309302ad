// SPDX-License-Identifier: Apache-2.0
// What is known of a function, and how many of its blocks and clusters fit.
#include <algorithm>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/modules.h"
#include "devices/emulator/driver/settings.h"

namespace assay::emulator {

namespace {

abi::Result with_function(const char* call, abi::Function handle, auto f) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) -> abi::Result {
    abi::FunctionObject* function = nullptr;
    if (const abi::Result result = resolve_function(driver, context, handle, &function);
        result != abi::success)
      return result;
    return f(driver, *function);
  });
}

int default_dynamic_shared(const abi::FunctionObject& function) {
  const size_t fixed = function.kernel->static_shared_bytes();
  return static_cast<int>(shared_per_block - std::min(shared_per_block, fixed));
}

int active_blocks(const Driver& driver, const abi::FunctionObject& function, uint64_t threads,
                  uint64_t dynamic_shared) {
  if (threads > function.kernel->max_threads()) return 0;
  const uint64_t shared = function.kernel->static_shared_bytes() + dynamic_shared;
  if (shared > shared_of_cta(driver.settings().target)) return 0;
  return static_cast<int>(
      resident_ctas(driver.settings().target, threads, function.kernel->registers(), shared));
}

abi::Result occupancy(const char* call, int* blocks, abi::Function handle, int threads,
                      size_t dynamic_shared) {
  return with_function(call, handle, [&](Driver& driver, abi::FunctionObject& function) {
    if (blocks == nullptr || threads <= 0) return abi::invalid_value;
    *blocks = active_blocks(driver, function, static_cast<uint64_t>(threads), dynamic_shared);
    return abi::success;
  });
}

}  // namespace

abi::Result cuFuncGetAttribute(int* value, int attribute, abi::Function handle) {
  return with_function("cuFuncGetAttribute", handle, [&](Driver& driver, abi::FunctionObject& function) {
    if (value == nullptr) return abi::invalid_value;
    const Kernel& kernel = *function.kernel;
    const auto cluster = kernel.required_cluster();
    const Target target = driver.settings().target;
    switch (attribute) {
      case abi::function_max_threads:
        *value = static_cast<int>(kernel.max_threads());
        break;
      case abi::function_static_shared:
        *value = static_cast<int>(kernel.static_shared_bytes());
        break;
      case abi::function_const_bytes:
      case abi::function_local_bytes:
      case abi::function_cache_mode_ca:
        *value = 0;
        break;
      case abi::function_registers:
        *value = static_cast<int>(kernel.registers());
        break;
      case abi::function_ptx_version:
      case abi::function_binary_version:
        *value = device_attribute(75, target) * 10 + device_attribute(76, target);
        break;
      case abi::function_max_dynamic_shared:
        *value =
            function.max_dynamic_shared != 0 ? function.max_dynamic_shared : default_dynamic_shared(function);
        break;
      case abi::function_carveout:
        *value = function.carveout;
        break;
      case abi::function_cluster_must_be_set:
        *value = 0;
        break;
      case abi::function_cluster_width:
        *value = static_cast<int>(cluster[0]);
        break;
      case abi::function_cluster_height:
        *value = static_cast<int>(cluster[1]);
        break;
      case abi::function_cluster_depth:
        *value = static_cast<int>(cluster[2]);
        break;
      case abi::function_non_portable_cluster:
        *value = function.non_portable_cluster;
        break;
      case abi::function_cluster_policy:
        *value = function.cluster_policy;
        break;
      default:
        return abi::invalid_value;
    }
    return abi::success;
  });
}

abi::Result cuFuncSetAttribute(abi::Function handle, int attribute, int value) {
  return with_function("cuFuncSetAttribute", handle, [&](Driver& driver, abi::FunctionObject& function) {
    const int64_t largest =
        int64_t{shared_of_cta(driver.settings().target)} - function.kernel->static_shared_bytes();
    switch (attribute) {
      case abi::function_max_dynamic_shared:
        if (value < 0 || value > largest) {
          driver.note("cuFuncSetAttribute", "dynamic shared memory of " + std::to_string(value) +
                                                " bytes; expected 0 to " + std::to_string(largest));
          return abi::invalid_value;
        }
        function.max_dynamic_shared = value;
        return abi::success;
      case abi::function_carveout:
        if (value < -1 || value > 100) return abi::invalid_value;
        function.carveout = value;
        return abi::success;
      case abi::function_non_portable_cluster:
        if (value != 0 && value != 1) return abi::invalid_value;
        function.non_portable_cluster = value != 0;
        return abi::success;
      case abi::function_cluster_policy:
        if (value < 0 || value > 2) return abi::invalid_value;
        function.cluster_policy = value;
        return abi::success;
      default:
        return abi::invalid_value;
    }
  });
}

abi::Result cuFuncSetCacheConfig(abi::Function handle, int config) {
  return with_function("cuFuncSetCacheConfig", handle, [&](Driver&, abi::FunctionObject& function) {
    if (config < 0 || config > 3) return abi::invalid_value;
    function.cache_config = config;
    return abi::success;
  });
}

abi::Result cuFuncGetModule(abi::Module* module, abi::Function handle) {
  return with_function("cuFuncGetModule", handle, [&](Driver&, abi::FunctionObject& function) {
    if (module == nullptr) return abi::invalid_value;
    *module = function.module;
    return abi::success;
  });
}

abi::Result cuFuncGetName(const char** name, abi::Function handle) {
  return with_function("cuFuncGetName", handle, [&](Driver&, abi::FunctionObject& function) {
    if (name == nullptr) return abi::invalid_value;
    *name = function.kernel->name().c_str();
    return abi::success;
  });
}

abi::Result cuFuncGetParamInfo(abi::Function handle, size_t index, size_t* offset, size_t* size) {
  return with_function("cuFuncGetParamInfo", handle, [&](Driver&, abi::FunctionObject& function) {
    const auto& params = function.kernel->params();
    if (offset == nullptr || index >= params.size()) return abi::invalid_value;
    *offset = params[index].offset;
    if (size != nullptr) *size = params[index].size;
    return abi::success;
  });
}

abi::Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, abi::Function handle, int threads,
                                                        size_t dynamic_shared) {
  return occupancy("cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks, handle, threads, dynamic_shared);
}
abi::Result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, abi::Function handle,
                                                                 int threads, size_t dynamic_shared,
                                                                 unsigned flags) {
  if (flags > 1) return abi::invalid_value;
  return occupancy("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, handle, threads,
                   dynamic_shared);
}

abi::Result cuOccupancyMaxPotentialClusterSize(int* size, abi::Function handle,
                                               const abi::LaunchConfig* config) {
  return with_function("cuOccupancyMaxPotentialClusterSize", handle,
                       [&](Driver&, abi::FunctionObject& function) {
                         if (size == nullptr || config == nullptr) return abi::invalid_value;
                         *size = function.non_portable_cluster ? max_non_portable_cluster : max_cluster;
                         return abi::success;
                       });
}

abi::Result cuOccupancyMaxActiveClusters(int* clusters, abi::Function handle,
                                         const abi::LaunchConfig* config) {
  return with_function(
      "cuOccupancyMaxActiveClusters", handle, [&](Driver& driver, abi::FunctionObject& function) {
        if (clusters == nullptr || config == nullptr) return abi::invalid_value;
        const uint64_t threads = uint64_t{config->block_x} * config->block_y * config->block_z;
        const auto required = function.kernel->required_cluster();
        uint64_t ctas = std::max<uint64_t>(1, uint64_t{required[0]} * required[1] * required[2]);
        for (unsigned i = 0; config->attributes != nullptr && i < config->attribute_count; ++i)
          if (config->attributes[i].id == abi::attribute_cluster_dimension) {
            const auto& cluster = config->attributes[i].value.cluster;
            ctas = uint64_t{cluster.x} * cluster.y * cluster.z;
          }
        if (threads == 0 || ctas == 0) return abi::invalid_value;
        const uint64_t blocks =
            static_cast<uint64_t>(active_blocks(driver, function, threads, config->shared_bytes));
        *clusters = static_cast<int>(multiprocessor_count * blocks / ctas);
        return abi::success;
      });
}

}  // namespace assay::emulator
