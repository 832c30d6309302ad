// SPDX-License-Identifier: Apache-2.0
// Launches. They run to their end before the call returns; what went wrong is told by the next call, as on a
// GPU.

#include <bit>
#include <cstring>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/modules.h"
#include "devices/emulator/driver/settings.h"

namespace assay::emulator {

namespace {

/// Lays the parameters out as the PTX declares them; empty and false if there are none to be had.
bool gather_params(const Kernel& kernel, void** params, void** extra, std::vector<std::byte>& out) {
  out.assign(kernel.param_bytes(), std::byte{0});
  if (params != nullptr) {
    const auto& declared = kernel.params();
    for (size_t i = 0; i < declared.size(); ++i) {
      if (params[i] == nullptr) return false;
      std::memcpy(out.data() + declared[i].offset, params[i], declared[i].size);
    }
    return true;
  }
  if (extra == nullptr) return out.empty();
  const void* buffer = nullptr;
  size_t size = 0;
  for (int i = 0; i < 4 && reinterpret_cast<uintptr_t>(extra[i]) != abi::param_end; i += 2) {
    if (reinterpret_cast<uintptr_t>(extra[i]) == abi::param_buffer) buffer = extra[i + 1];
    if (reinterpret_cast<uintptr_t>(extra[i]) == abi::param_buffer_size && extra[i + 1] != nullptr)
      std::memcpy(&size, extra[i + 1], sizeof size);
  }
  if (buffer == nullptr || size < out.size()) return out.empty();
  std::memcpy(out.data(), buffer, out.size());
  return true;
}

/// Attributes that ask for something; hints are passed over.
abi::Result read_attributes(const abi::LaunchConfig& config, LaunchConfig& launch, bool& is_cooperative) {
  if (config.attribute_count != 0 && config.attributes == nullptr) return abi::invalid_value;
  for (unsigned i = 0; i < config.attribute_count; ++i) {
    const abi::LaunchAttribute& attribute = config.attributes[i];
    if (attribute.id == abi::attribute_cooperative) is_cooperative = attribute.value.cooperative != 0;
    if (attribute.id == abi::attribute_programmatic_stream_serialization)
      launch.begins_early = attribute.value.bytes[0] != 0;
    if (attribute.id == abi::attribute_cluster_dimension)
      launch.cluster = {attribute.value.cluster.x, attribute.value.cluster.y, attribute.value.cluster.z};
  }
  return abi::success;
}

abi::Result check_cluster(const abi::FunctionObject& function, LaunchConfig& launch) {
  const auto required = function.kernel->required_cluster();
  const bool is_given = launch.cluster[0] != 0 || launch.cluster[1] != 0 || launch.cluster[2] != 0;
  if (required[0] != 0) {
    if (is_given && launch.cluster != required) return abi::invalid_cluster_size;
    launch.cluster = required;
  } else if (!is_given) {
    return abi::success;
  }
  uint64_t ctas = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch.cluster[i] == 0) return abi::invalid_cluster_size;
    if (launch.grid[i] % launch.cluster[i] != 0) return abi::invalid_value;
    ctas *= launch.cluster[i];
  }
  const int largest = function.non_portable_cluster ? max_non_portable_cluster : max_cluster;
  return ctas <= static_cast<uint64_t>(largest) ? abi::success : abi::invalid_cluster_size;
}

abi::Result check_shape(const abi::FunctionObject& function, const LaunchConfig& launch) {
  const uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const uint64_t blocks_in_plane = uint64_t{launch.grid[1]} * launch.grid[2];
  if (threads == 0 || blocks_in_plane == 0 || launch.grid[0] == 0) return abi::invalid_value;
  if (launch.block[0] > 1024 || launch.block[1] > 1024 || launch.block[2] > 64 || threads > 1024 ||
      launch.grid[0] > 0x7fffffffu || launch.grid[1] > 65535 || launch.grid[2] > 65535)
    return abi::invalid_value;
  if (threads > function.kernel->max_threads()) return abi::launch_out_of_resources;
  const uint64_t fixed = function.kernel->static_shared_bytes();
  const uint64_t allowed = function.max_dynamic_shared != 0
                               ? static_cast<uint64_t>(function.max_dynamic_shared)
                           : fixed < shared_per_block ? shared_per_block - fixed
                                                      : 0;
  return launch.dynamic_shared_bytes <= allowed ? abi::success : abi::invalid_value;
}

/// A kernel that is not known is refused by the call; one that fails is told by the next call.
abi::Result run(Driver& driver, abi::ContextObject& context, const abi::FunctionObject& function,
                const LaunchConfig& launch) {
  const Module& module = *function.module->module;
  const Diagnostic* refusal = function.kernel->refusal();
  if (refusal != nullptr && refusal->kind != Diagnostic::Kind::illegal_instruction) {
    driver.note_refusal(*refusal, module.place(refusal->line));
    return abi::not_supported;
  }
  // The last line of a process may never be written.
  if (std::has_single_bit(++driver.launches)) driver.report_launches("launches");
  const uint64_t before = context.gpu->instructions_executed();
  const auto wrong = context.gpu->launch(launch);
  driver.report_size(function.kernel->name(), context.gpu->instructions_executed() - before);
  const bool has_breaches = driver.report_breaches(context, &module);
  if (const auto explored = context.gpu->take_exploration()) {
    for (const Diagnostic& one : explored->failures) driver.note(one, module);
    for (const uint32_t line : explored->synchronised)
      driver.note_synchronisation(explored->kernel, line, module.place(line));
    driver.report.add(json_line(*explored));
  }
  if (wrong || has_breaches) driver.report_timeline(context, function.kernel->name());
  if (wrong) {
    driver.note(*wrong, module);
    context.sticky = result_of(wrong->kind);
  }
  return abi::success;
}

/// All CTAs of a cooperative launch are resident at once. cooperative_groups finds a barrier in the second
/// word of the workspace.
abi::Result prepare_grid(Driver& driver, abi::ContextObject& context, const abi::FunctionObject& function,
                         LaunchConfig& launch) {
  const uint64_t threads = uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const uint64_t ctas = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const uint64_t shared = function.kernel->static_shared_bytes() + uint64_t{launch.dynamic_shared_bytes};
  const uint64_t most = uint64_t{multiprocessor_count} * resident_ctas(driver.settings().target, threads,
                                                                       function.kernel->registers(), shared);
  if (ctas > most) {
    driver.note("cuLaunchCooperativeKernel", "a cooperative launch of " + std::to_string(ctas) + " CTAs of " +
                                                 function.kernel->name() + "; the emulated device holds " +
                                                 std::to_string(most) + " of them at once");
    return abi::cooperative_launch_too_large;
  }
  constexpr size_t workspace_bytes = 256;
  if (context.grid_workspace == 0) {
    context.grid_workspace = context.gpu->memory().allocate(workspace_bytes);
    if (context.grid_workspace == 0) return abi::out_of_memory;
    std::memset(context.gpu->memory().find(context.grid_workspace, workspace_bytes), 0, workspace_bytes);
  }
  launch.grid_workspace = context.grid_workspace;
  return abi::success;
}

}  // namespace

abi::Result prepare_launch(Driver& driver, abi::ContextObject& context, const abi::LaunchConfig& config,
                           abi::Function handle, void** params, void** extra, PreparedLaunch& prepared) {
  abi::FunctionObject* function = nullptr;
  if (const abi::Result result = resolve_function(driver, context, handle, &function); result != abi::success)
    return result;
  if (!is_stream(context, config.stream)) return abi::invalid_handle;
  if (params != nullptr && extra != nullptr) return abi::invalid_value;
  LaunchConfig launch{function->kernel,
                      {config.grid_x, config.grid_y, config.grid_z},
                      {config.block_x, config.block_y, config.block_z},
                      {0, 0, 0},
                      config.shared_bytes,
                      {},
                      launch_limits(context)};
  launch.stream = reinterpret_cast<uint64_t>(config.stream);
  bool is_cooperative = false;
  for (const abi::Result result :
       {read_attributes(config, launch, is_cooperative), check_shape(*function, launch)})
    if (result != abi::success) return result;
  if (const abi::Result result = check_cluster(*function, launch); result != abi::success) return result;
  std::vector<std::byte> buffer;
  if (!gather_params(*function->kernel, params, extra, buffer)) {
    driver.note("cuLaunchKernel", "kernel " + function->kernel->name() + " takes " +
                                      std::to_string(function->kernel->params().size()) +
                                      " parameters; not all were given");
    return abi::invalid_value;
  }
  if (is_cooperative)
    if (const abi::Result result = prepare_grid(driver, context, *function, launch); result != abi::success)
      return result;
  // The kernel reads its parameters as they are now, whenever it runs.
  prepared.kernel = function->kernel->name();
  prepared.work = [handle, launch, buffer](Driver& driver, abi::ContextObject& context) {
    abi::FunctionObject* function = nullptr;
    if (const abi::Result result = resolve_function(driver, context, handle, &function);
        result != abi::success)
      return result;
    LaunchConfig now = launch;
    now.kernel = function->kernel;
    now.params = buffer;
    return run(driver, context, *function, now);
  };
  return abi::success;
}

namespace {

abi::Result launch_in(Driver& driver, abi::ContextObject& context, const abi::LaunchConfig& config,
                      abi::Function handle, void** params, void** extra) {
  PreparedLaunch prepared;
  if (const abi::Result result = prepare_launch(driver, context, config, handle, params, extra, prepared);
      result != abi::success)
    return result;
  return in_stream(driver, context, config.stream, abi::node_kernel, std::move(prepared.work),
                   prepared.kernel);
}

}  // namespace

abi::Result cuLaunchKernelEx(const abi::LaunchConfig* config, abi::Function function, void** params,
                             void** extra) {
  return in_context("cuLaunchKernelEx", [&](Driver& driver, abi::ContextObject& context) {
    if (config == nullptr) return abi::invalid_value;
    return launch_in(driver, context, *config, function, params, extra);
  });
}

abi::Result cuLaunchKernel(abi::Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                           unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                           abi::Stream stream, void** params, void** extra) {
  return in_context("cuLaunchKernel", [&](Driver& driver, abi::ContextObject& context) {
    const abi::LaunchConfig config{grid_x,  grid_y,       grid_z, block_x, block_y,
                                   block_z, shared_bytes, stream, nullptr, 0};
    return launch_in(driver, context, config, function, params, extra);
  });
}

abi::Result cuLaunchCooperativeKernel(abi::Function function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                      unsigned shared_bytes, abi::Stream stream, void** params) {
  return in_context("cuLaunchCooperativeKernel", [&](Driver& driver, abi::ContextObject& context) {
    abi::LaunchAttribute attribute{};
    attribute.id = abi::attribute_cooperative;
    attribute.value.cooperative = 1;
    const abi::LaunchConfig config{grid_x,  grid_y,       grid_z, block_x,    block_y,
                                   block_z, shared_bytes, stream, &attribute, 1};
    return launch_in(driver, context, config, function, params, nullptr);
  });
}

// Launches as they were before CUDA 4: block, shared memory and parameters are set of a function, which
// cuLaunch and its kin then take. Deprecated, and still there in 13.

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
