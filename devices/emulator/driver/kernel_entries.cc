// SPDX-License-Identifier: Apache-2.0
// Kernels of libraries, and what is asked of functions by newer names.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/modules.h"
#include "devices/emulator/driver/settings.h"

namespace assay::emulator {
namespace {

abi::Function as_function(abi::Kernel kernel) {
  return reinterpret_cast<abi::Function>(kernel);
}

abi::Result with_library(const char* call, abi::Library library, auto f) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) -> abi::Result {
    if (!driver.libraries.knows(library)) return abi::invalid_handle;
    abi::ModuleObject* module = nullptr;
    if (const abi::Result result = library_module(driver, context, *library, &module); result != abi::success)
      return result;
    return f(*module);
  });
}

/// The library that has a kernel handle, or null.
abi::Library library_of(Driver& driver, abi::Kernel kernel) {
  for (const auto& [handle, library] : driver.libraries.all())
    for (const auto& [name, known] : library->kernels)
      if (known.get() == kernel) return handle;
  return nullptr;
}

}  // namespace

abi::Result cuModuleLoadFatBinary(abi::Module* module, const void* image) {
  return cuModuleLoadData(module, image);
}
abi::Result cuModuleGetLoadingMode(int* mode) {
  if (mode == nullptr) return abi::invalid_value;
  *mode = 2;  // CU_MODULE_LAZY_LOADING
  return abi::success;
}

abi::Result cuLibraryLoadFromFile(abi::Library* library, const char* path, abi::JitOption* options,
                                  void** values, unsigned count, int* library_options, void** library_values,
                                  unsigned library_count) {
  if (path == nullptr) return abi::invalid_value;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return in_driver("cuLibraryLoadFromFile", [&](Driver& driver) {
      driver.note("cuLibraryLoadFromFile", "cannot read '" + std::string(path) + "'");
      return abi::file_not_found;
    });
  }
  return cuLibraryLoadData(library, text.str().c_str(), options, values, count, library_options,
                           library_values, library_count);
}

abi::Result cuLibraryGetGlobal(abi::DevicePtr* address, size_t* bytes, abi::Library library,
                               const char* name) {
  return with_library("cuLibraryGetGlobal", library, [&](abi::ModuleObject& module) {
    return cuModuleGetGlobal_v2(address, bytes, &module, name);
  });
}
abi::Result cuLibraryGetManaged(abi::DevicePtr* address, size_t* bytes, abi::Library library,
                                const char* name) {
  return cuLibraryGetGlobal(address, bytes, library, name);
}
abi::Result cuLibraryGetKernelCount(unsigned* count, abi::Library library) {
  return with_library("cuLibraryGetKernelCount", library, [&](abi::ModuleObject& module) {
    if (count == nullptr) return abi::invalid_value;
    *count = static_cast<unsigned>(module.module->kernel_names().size());
    return abi::success;
  });
}
abi::Result cuLibraryEnumerateKernels(abi::Kernel* kernels, unsigned count, abi::Library library) {
  return with_library("cuLibraryEnumerateKernels", library, [&](abi::ModuleObject& module) {
    if (kernels == nullptr) return abi::invalid_value;
    unsigned i = 0;
    for (const std::string& name : module.module->kernel_names())
      if (i < count)
        if (const abi::Result result = cuLibraryGetKernel(&kernels[i++], library, name.c_str());
            result != abi::success)
          return result;
    return abi::success;
  });
}

abi::Result cuKernelGetAttribute(int* value, int attribute, abi::Kernel kernel, abi::Device) {
  return cuFuncGetAttribute(value, attribute, as_function(kernel));
}
abi::Result cuKernelSetAttribute(int attribute, int value, abi::Kernel kernel, abi::Device) {
  return cuFuncSetAttribute(as_function(kernel), attribute, value);
}
abi::Result cuKernelSetCacheConfig(abi::Kernel kernel, int config, abi::Device) {
  return cuFuncSetCacheConfig(as_function(kernel), config);
}
abi::Result cuKernelGetName(const char** name, abi::Kernel kernel) {
  return cuFuncGetName(name, as_function(kernel));
}
abi::Result cuKernelGetLibrary(abi::Library* library, abi::Kernel kernel) {
  return in_driver("cuKernelGetLibrary", [&](Driver& driver) {
    if (library == nullptr) return abi::invalid_value;
    *library = library_of(driver, kernel);
    return *library == nullptr ? abi::invalid_handle : abi::success;
  });
}
abi::Result cuKernelGetParamInfo(abi::Kernel kernel, size_t index, size_t* offset, size_t* size) {
  return cuFuncGetParamInfo(as_function(kernel), index, offset, size);
}

abi::Result cuFuncLoad(abi::Function function) {
  const char* name = nullptr;
  return cuFuncGetName(&name, function);
}
abi::Result cuFuncIsLoaded(int* state, abi::Function function) {
  if (state == nullptr) return abi::invalid_value;
  *state = 1;  // CU_FUNCTION_LOADING_STATE_LOADED
  return cuFuncLoad(function);
}

abi::Result cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, abi::Function function, int blocks,
                                                    int threads) {
  if (bytes == nullptr || blocks <= 0 || threads <= 0) return abi::invalid_value;
  int fixed = 0;
  if (const abi::Result result = cuFuncGetAttribute(&fixed, abi::function_static_shared, function);
      result != abi::success)
    return result;
  return in_driver("cuOccupancyAvailableDynamicSMemPerBlock", [&](Driver& driver) {
    const Target target = driver.settings().target;
    const size_t each = facts_of(target).shared_bytes / static_cast<size_t>(blocks);
    const size_t used = static_cast<size_t>(fixed) + shared_reserved_per_block;
    *bytes = each > used ? std::min(each - used, shared_of_cta(target) - static_cast<size_t>(fixed)) : 0;
    return abi::success;
  });
}

/// The size of a block that keeps the most threads on a multiprocessor, and how many of them fill the device.
abi::Result cuOccupancyMaxPotentialBlockSize(int* grid, int* block, abi::Function function,
                                             size_t (*shared_of)(int), size_t shared, int limit) {
  if (grid == nullptr || block == nullptr || limit < 0) return abi::invalid_value;
  int most = 0;
  if (const abi::Result result = cuFuncGetAttribute(&most, abi::function_max_threads, function);
      result != abi::success)
    return result;
  if (limit != 0) most = std::min(most, limit);
  int best_threads = 0;
  *grid = *block = 0;
  for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = 0;
    const size_t dynamic = shared_of != nullptr ? shared_of(threads) : shared;
    if (const abi::Result result =
            cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, dynamic);
        result != abi::success)
      return result;
    if (blocks * threads <= best_threads) continue;
    best_threads = blocks * threads;
    *block = threads;
    *grid = blocks * static_cast<int>(multiprocessor_count);
  }
  return abi::success;
}

}  // namespace assay::emulator
