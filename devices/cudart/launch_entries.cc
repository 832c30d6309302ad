// SPDX-License-Identifier: Apache-2.0
// Registration and launches.
#include <vector>

#include "devices/cudart/registry.h"

namespace assay::cudart {
namespace {

struct Call {
  Dim3 grid, block;
  size_t shared_bytes;
  Stream stream;
};
std::vector<Call>& calls() {
  thread_local std::vector<Call> stack;
  return stack;
}

driver::LaunchConfig config_of(const Call& call) {
  return {call.grid.x,
          call.grid.y,
          call.grid.z,
          call.block.x,
          call.block.y,
          call.block.z,
          static_cast<unsigned>(call.shared_bytes),
          call.stream,
          nullptr,
          0};
}

/// The runtime has an error of its own for a grid or block that the driver calls an invalid value.
Error launch(const DriverTable& driver, const driver::LaunchConfig& config, driver::Kernel kernel,
             void** args) {
  const uint64_t threads = uint64_t{config.block_x} * config.block_y * config.block_z;
  const uint64_t blocks = uint64_t{config.grid_x} * config.grid_y * config.grid_z;
  if (threads == 0 || threads > 1024 || blocks == 0) return invalid_configuration;
  return driver.cuLaunchKernelEx(&config, as_function(kernel), args, nullptr);
}

Error launch_host(const driver::LaunchConfig& config, const void* host, void** args) {
  return with_driver([&](const DriverTable& driver) -> Error {
    driver::Kernel kernel = nullptr;
    if (const Error error = find_kernel(driver, host, kernel); error != success) return error;
    return launch(driver, config, kernel, args);
  });
}

}  // namespace

ASSAY_RUNTIME void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(add_binary(wrapper));
}
ASSAY_RUNTIME void __cudaRegisterFatBinaryEnd(void**) {}
ASSAY_RUNTIME void __cudaUnregisterFatBinary(void** binary) {
  remove_binary(reinterpret_cast<Binary*>(binary));
}
ASSAY_RUNTIME void __cudaRegisterFunction(void** binary, const char* host, char*, const char* name, int,
                                          void*, void*, void*, void*, int*) {
  add_function(reinterpret_cast<Binary*>(binary), host, name);
}
ASSAY_RUNTIME void __cudaRegisterVar(void** binary, char* host, char*, const char* name, int, size_t bytes,
                                     int, int) {
  add_variable(reinterpret_cast<Binary*>(binary), host, name, bytes);
}
ASSAY_RUNTIME void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}
ASSAY_RUNTIME void __cudaRegisterManagedVar(void** binary, void** host, char*, const char* name, int, size_t,
                                            int, int) {
  add_managed(reinterpret_cast<Binary*>(binary), host, name);
}
ASSAY_RUNTIME void __cudaRegisterUnifiedTable(void*, void*) {}
/// Called before the host looks at a managed variable.
ASSAY_RUNTIME char __cudaInitModule(void**) {
  return with_driver([](const DriverTable& driver) { return load_managed(driver); }) == success;
}

ASSAY_RUNTIME unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared_bytes,
                                                   Stream stream) {
  calls().push_back({grid, block, shared_bytes, stream});
  return 0;
}
ASSAY_RUNTIME Error __cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared_bytes, void* stream) {
  if (calls().empty()) return remember(missing_configuration);
  const Call call = calls().back();
  calls().pop_back();
  *grid = call.grid;
  *block = call.block;
  *shared_bytes = call.shared_bytes;
  *static_cast<Stream*>(stream) = call.stream;
  return success;
}
ASSAY_RUNTIME Error __cudaGetKernel(driver::Kernel* kernel, const void* host) {
  return with_driver([&](const DriverTable& driver) { return find_kernel(driver, host, *kernel); });
}
ASSAY_RUNTIME Error __cudaLaunchKernel(driver::Kernel kernel, Dim3 grid, Dim3 block, void** args,
                                       size_t shared_bytes, Stream stream) {
  return with_driver([&](const DriverTable& driver) -> Error {
    if (kernel == nullptr) return invalid_device_function;
    return launch(driver, config_of({grid, block, shared_bytes, stream}), kernel, args);
  });
}

ASSAY_RUNTIME Error cudaLaunchKernel(const void* host, Dim3 grid, Dim3 block, void** args,
                                     size_t shared_bytes, Stream stream) {
  return launch_host(config_of({grid, block, shared_bytes, stream}), host, args);
}
ASSAY_RUNTIME Error cudaLaunchCooperativeKernel(const void* host, Dim3 grid, Dim3 block, void** args,
                                                size_t shared_bytes, Stream stream) {
  driver::LaunchAttribute attribute{};
  attribute.id = driver::attribute_cooperative;
  attribute.value.cooperative = 1;
  driver::LaunchConfig config = config_of({grid, block, shared_bytes, stream});
  config.attributes = &attribute;
  config.attribute_count = 1;
  return launch_host(config, host, args);
}
ASSAY_RUNTIME Error cudaLaunchKernelExC(const LaunchConfig* given, const void* host, void** args) {
  if (given == nullptr) return remember(invalid_value);
  driver::LaunchConfig config = config_of({given->grid, given->block, given->shared_bytes, given->stream});
  config.attributes = given->attributes;
  config.attribute_count = given->attribute_count;
  return launch_host(config, host, args);
}

ASSAY_RUNTIME Error cudaGetKernel(driver::Kernel* kernel, const void* host) {
  if (kernel == nullptr) return remember(invalid_value);
  return __cudaGetKernel(kernel, host);
}
ASSAY_RUNTIME Error cudaGetFuncBySymbol(driver::Function* function, const void* host) {
  return with_driver([&](const DriverTable& driver) -> Error {
    driver::Kernel kernel = nullptr;
    if (function == nullptr) return invalid_value;
    if (const Error error = find_kernel(driver, host, kernel); error != success) return error;
    return driver.cuKernelGetFunction(function, kernel);
  });
}

}  // namespace assay::cudart
