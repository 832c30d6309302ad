// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/registry.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace assay::cudart {

struct Binary {
  const void* wrapper;
  driver::Library library = nullptr;  ///< null: not loaded
  bool is_placed = false;             ///< the managed variables have addresses
  std::vector<std::pair<void**, std::string>> managed;
};

namespace {

struct Function {
  Binary* binary;
  std::string name;
  driver::Kernel kernel = nullptr;
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
    if (result != driver::success) {
      binary.library = nullptr;
      return result;
    }
  }
  if (binary.is_placed) return success;
  for (const auto& [host, name] : binary.managed) {
    driver::DevicePtr address = 0;
    if (const auto found = driver.cuLibraryGetManaged(&address, nullptr, binary.library, name.c_str());
        found != driver::success)
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

Error find_kernel(const DriverTable& driver, const void* host, driver::Kernel& kernel) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.functions.find(host);
  if (found == all.functions.end()) {
    driver::Library library = nullptr;
    kernel = static_cast<driver::Kernel>(const_cast<void*>(host));
    return host != nullptr && driver.cuKernelGetLibrary(&library, kernel) == driver::success
               ? static_cast<Error>(success)
               : static_cast<Error>(invalid_device_function);
  }
  Function& function = found->second;
  if (function.kernel == nullptr) {
    if (const Error error = load(driver, *function.binary); error != success) return error;
    const auto result =
        driver.cuLibraryGetKernel(&function.kernel, function.binary->library, function.name.c_str());
    if (result == driver::not_found) return invalid_device_function;
    if (result != driver::success) return result;
  }
  kernel = function.kernel;
  return success;
}

Error find_variable(const DriverTable& driver, const void* host, driver::DevicePtr& address, size_t& bytes) {
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
  return result == driver::not_found ? static_cast<Error>(invalid_symbol) : static_cast<Error>(result);
}

void forget_places() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const auto& binary : all.binaries) binary->is_placed = false;
}

}  // namespace assay::cudart
