// SPDX-License-Identifier: Apache-2.0
// What is known of kernels, and how many of their blocks fit. Libraries.
#include <cstring>

#include "devices/cudart/call.h"

namespace assay::cudart {
namespace {

template <typename F>
Error with_kernel(const void* host, F f) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::Kernel kernel = nullptr;
    if (const Error error = find_kernel(driver, host, kernel); error != success) return error;
    return f(driver, as_function(kernel));
  });
}

abi::LaunchConfig converted(const LaunchConfig& config) {
  return {config.grid.x,
          config.grid.y,
          config.grid.z,
          config.block.x,
          config.block.y,
          config.block.z,
          static_cast<unsigned>(config.shared_bytes),
          config.stream,
          config.attributes,
          config.attribute_count};
}

}  // namespace

ASSAY_RUNTIME Error cudaFuncGetAttributes(FunctionAttributes* attributes, const void* host) {
  if (attributes == nullptr) return remember(invalid_value);
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) -> Error {
    const auto get = [&](int attribute) {
      int value = 0;
      driver.cuFuncGetAttribute(&value, attribute, function);
      return value;
    };
    std::memset(attributes, 0, sizeof *attributes);
    attributes->shared_bytes = static_cast<size_t>(get(abi::function_static_shared));
    attributes->const_bytes = static_cast<size_t>(get(abi::function_const_bytes));
    attributes->local_bytes = static_cast<size_t>(get(abi::function_local_bytes));
    attributes->max_threads = get(abi::function_max_threads);
    attributes->registers = get(abi::function_registers);
    attributes->ptx_version = get(abi::function_ptx_version);
    attributes->binary_version = get(abi::function_binary_version);
    attributes->cache_mode_ca = get(abi::function_cache_mode_ca);
    attributes->max_dynamic_shared = get(abi::function_max_dynamic_shared);
    attributes->carveout = get(abi::function_carveout);
    attributes->cluster_must_be_set = get(abi::function_cluster_must_be_set);
    attributes->cluster_width = get(abi::function_cluster_width);
    attributes->cluster_height = get(abi::function_cluster_height);
    attributes->cluster_depth = get(abi::function_cluster_depth);
    attributes->cluster_policy = get(abi::function_cluster_policy);
    attributes->non_portable_cluster = get(abi::function_non_portable_cluster);
    return success;
  });
}
ASSAY_RUNTIME Error cudaFuncSetAttribute(const void* host, int attribute, int value) {
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    return driver.cuFuncSetAttribute(function, attribute, value);
  });
}
ASSAY_RUNTIME Error cudaFuncSetCacheConfig(const void* host, int config) {
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    return driver.cuFuncSetCacheConfig(function, config);
  });
}
ASSAY_RUNTIME Error cudaFuncSetSharedMemConfig(const void*, int) {
  return success;
}
ASSAY_RUNTIME Error cudaFuncGetName(const char** name, const void* host) {
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    return driver.cuFuncGetName(name, function);
  });
}
ASSAY_RUNTIME Error cudaFuncGetParamInfo(const void* host, size_t index, size_t* offset, size_t* size) {
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    return driver.cuFuncGetParamInfo(function, index, offset, size);
  });
}

ASSAY_RUNTIME Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host,
                                                                           int threads, size_t shared,
                                                                           unsigned flags) {
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    return driver.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared,
                                                                       flags);
  });
}
ASSAY_RUNTIME Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int threads,
                                                                  size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared, 0);
}
ASSAY_RUNTIME Error cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* host, int blocks,
                                                              int threads) {
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    return driver.cuOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads);
  });
}
ASSAY_RUNTIME Error cudaOccupancyMaxPotentialClusterSize(int* size, const void* host,
                                                         const LaunchConfig* config) {
  if (config == nullptr) return remember(invalid_value);
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    const abi::LaunchConfig given = converted(*config);
    return driver.cuOccupancyMaxPotentialClusterSize(size, function, &given);
  });
}
ASSAY_RUNTIME Error cudaOccupancyMaxActiveClusters(int* clusters, const void* host,
                                                   const LaunchConfig* config) {
  if (config == nullptr) return remember(invalid_value);
  return with_kernel(host, [&](const DriverTable& driver, abi::Function function) {
    const abi::LaunchConfig given = converted(*config);
    return driver.cuOccupancyMaxActiveClusters(clusters, function, &given);
  });
}

ASSAY_FORWARD(cudaLibraryLoadData,
              (abi::Library * library, const void* code, abi::JitOption* options, void** values,
               unsigned count, int* library_options, void** library_values, unsigned library_count),
              cuLibraryLoadData(library, code, options, values, count, library_options, library_values,
                                library_count))
ASSAY_FORWARD(cudaLibraryLoadFromFile,
              (abi::Library * library, const char* path, abi::JitOption* options, void** values,
               unsigned count, int* library_options, void** library_values, unsigned library_count),
              cuLibraryLoadFromFile(library, path, options, values, count, library_options, library_values,
                                    library_count))
ASSAY_FORWARD(cudaLibraryUnload, (abi::Library library), cuLibraryUnload(library))
ASSAY_FORWARD(cudaLibraryGetKernel, (abi::Kernel * kernel, abi::Library library, const char* name),
              cuLibraryGetKernel(kernel, library, name))
ASSAY_FORWARD(cudaLibraryGetKernelCount, (unsigned* count, abi::Library library),
              cuLibraryGetKernelCount(count, library))
ASSAY_FORWARD(cudaLibraryEnumerateKernels, (abi::Kernel * kernels, unsigned count, abi::Library library),
              cuLibraryEnumerateKernels(kernels, count, library))
ASSAY_FORWARD(cudaLibraryGetGlobal,
              (abi::DevicePtr * address, size_t* bytes, abi::Library library, const char* name),
              cuLibraryGetGlobal(address, bytes, library, name))
ASSAY_FORWARD(cudaLibraryGetManaged,
              (abi::DevicePtr * address, size_t* bytes, abi::Library library, const char* name),
              cuLibraryGetManaged(address, bytes, library, name))
ASSAY_FORWARD(cudaKernelSetAttributeForDevice, (abi::Kernel kernel, int attribute, int value, int device),
              cuKernelSetAttribute(attribute, value, kernel, device))

}  // namespace assay::cudart
