// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/call.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace assay::cudart {

struct Binary {
  const void* wrapper;
  abi::Library library = nullptr;  ///< null: not loaded
  bool is_placed = false;          ///< the managed variables have addresses
  std::vector<std::pair<void**, std::string>> managed;
};

namespace {

struct Function {
  Binary* binary;
  std::string name;
  abi::Kernel kernel = nullptr;
};
struct Variable {
  Binary* binary;
  std::string name;
  size_t bytes;
};

struct Registry {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<Binary>> binaries;
  std::map<const void*, Function> functions;
  std::map<const void*, Variable> variables;
};

/// Never destroyed: programs unregister while they end.
Registry& registry() {
  static Registry* const one = new Registry;
  return *one;
}

Error load(const DriverTable& driver, Binary& binary) {
  if (binary.library == nullptr) {
    const auto result =
        driver.cuLibraryLoadData(&binary.library, binary.wrapper, nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (result != abi::success) {
      binary.library = nullptr;
      return result;
    }
  }
  if (binary.is_placed) return success;
  for (const auto& [host, name] : binary.managed) {
    abi::DevicePtr address = 0;
    if (const auto found = driver.cuLibraryGetManaged(&address, nullptr, binary.library, name.c_str());
        found != abi::success)
      return found;
    *host = reinterpret_cast<void*>(address);
  }
  binary.is_placed = true;
  return success;
}

}  // namespace

Binary* add_binary(const void* wrapper) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.binaries.push_back(std::make_unique<Binary>(Binary{wrapper}));
  return all.binaries.back().get();
}

void add_function(Binary* binary, const void* host, const char* device_name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.functions[host] = {binary, device_name};
}

void add_variable(Binary* binary, const void* host, const char* device_name, size_t bytes) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.variables[host] = {binary, device_name, bytes};
}

void add_managed(Binary* binary, void** host, const char* device_name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  binary->managed.emplace_back(host, device_name);
}

void remove_binary(Binary* binary) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.functions, [binary](const auto& entry) { return entry.second.binary == binary; });
  std::erase_if(all.variables, [binary](const auto& entry) { return entry.second.binary == binary; });
  // Its library stays: the driver is gone before some programs are.
  std::erase_if(all.binaries, [binary](const auto& one) { return one.get() == binary; });
}

Error load_managed(const DriverTable& driver) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const auto& binary : all.binaries)
    if (!binary->managed.empty())
      if (const Error error = load(driver, *binary); error != success) return error;
  return success;
}

Error find_kernel(const DriverTable& driver, const void* host, abi::Kernel& kernel) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.functions.find(host);
  if (found == all.functions.end()) {
    abi::Library library = nullptr;
    kernel = static_cast<abi::Kernel>(const_cast<void*>(host));
    return host != nullptr && driver.cuKernelGetLibrary(&library, kernel) == abi::success
               ? static_cast<Error>(success)
               : static_cast<Error>(invalid_device_function);
  }
  Function& function = found->second;
  if (function.kernel == nullptr) {
    if (const Error error = load(driver, *function.binary); error != success) return error;
    const auto result =
        driver.cuLibraryGetKernel(&function.kernel, function.binary->library, function.name.c_str());
    if (result == abi::not_found) return invalid_device_function;
    if (result != abi::success) return result;
  }
  kernel = function.kernel;
  return success;
}

Error find_variable(const DriverTable& driver, const void* host, abi::DevicePtr& address, size_t& bytes) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  // A managed variable is known by the pointer that stands for it.
  for (const auto& binary : all.binaries)
    for (const auto& [pointer, name] : binary->managed)
      if (pointer == host) {
        if (const Error error = load(driver, *binary); error != success) return error;
        return driver.cuLibraryGetManaged(&address, &bytes, binary->library, name.c_str());
      }
  const auto found = all.variables.find(host);
  if (found == all.variables.end()) return invalid_symbol;
  const Variable& variable = found->second;
  if (const Error error = load(driver, *variable.binary); error != success) return error;
  const auto result =
      driver.cuLibraryGetGlobal(&address, &bytes, variable.binary->library, variable.name.c_str());
  return result == abi::not_found ? static_cast<Error>(invalid_symbol) : static_cast<Error>(result);
}

void forget_places() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const auto& binary : all.binaries) binary->is_placed = false;
}

// Registration and launches.

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

abi::LaunchConfig config_of(const Call& call) {
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
Error launch(const DriverTable& driver, const abi::LaunchConfig& config, abi::Kernel kernel, void** args) {
  const uint64_t threads = uint64_t{config.block_x} * config.block_y * config.block_z;
  const uint64_t blocks = uint64_t{config.grid_x} * config.grid_y * config.grid_z;
  if (threads == 0 || threads > 1024 || blocks == 0) return invalid_configuration;
  return driver.cuLaunchKernelEx(&config, as_function(kernel), args, nullptr);
}

Error launch_host(const abi::LaunchConfig& config, const void* host, void** args) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::Kernel kernel = nullptr;
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
ASSAY_RUNTIME Error __cudaGetKernel(abi::Kernel* kernel, const void* host) {
  return with_driver([&](const DriverTable& driver) { return find_kernel(driver, host, *kernel); });
}
ASSAY_RUNTIME Error __cudaLaunchKernel(abi::Kernel kernel, Dim3 grid, Dim3 block, void** args,
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
  abi::LaunchAttribute attribute{};
  attribute.id = abi::attribute_cooperative;
  attribute.value.cooperative = 1;
  abi::LaunchConfig config = config_of({grid, block, shared_bytes, stream});
  config.attributes = &attribute;
  config.attribute_count = 1;
  return launch_host(config, host, args);
}
ASSAY_RUNTIME Error cudaLaunchKernelExC(const LaunchConfig* given, const void* host, void** args) {
  if (given == nullptr) return remember(invalid_value);
  abi::LaunchConfig config = config_of({given->grid, given->block, given->shared_bytes, given->stream});
  config.attributes = given->attributes;
  config.attribute_count = given->attribute_count;
  return launch_host(config, host, args);
}

ASSAY_RUNTIME Error cudaGetKernel(abi::Kernel* kernel, const void* host) {
  if (kernel == nullptr) return remember(invalid_value);
  return __cudaGetKernel(kernel, host);
}
ASSAY_RUNTIME Error cudaGetFuncBySymbol(abi::Function* function, const void* host) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::Kernel kernel = nullptr;
    if (function == nullptr) return invalid_value;
    if (const Error error = find_kernel(driver, host, kernel); error != success) return error;
    return driver.cuKernelGetFunction(function, kernel);
  });
}

}  // namespace assay::cudart
