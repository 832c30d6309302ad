// SPDX-License-Identifier: Apache-2.0
// Modules and libraries: PTX text in, functions and variables out.
#include <cstring>
#include <fstream>
#include <sstream>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/jit_logs.h"
#include "devices/emulator/driver/modules.h"

namespace assay::emulator {

namespace {

abi::Result load(const char* call, abi::Module* module, const void* image, const JitLogs& logs) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) {
    std::string log;
    const abi::Result result = load_module(driver, context, call, image, module, log);
    logs.write(log);
    return result;
  });
}

abi::Result with_module(const char* call, abi::Module module, auto f) {
  const auto has = [&](const abi::ContextObject& context) { return context.modules.knows(module); };
  return in_context_of(call, has, [&](Driver& driver, abi::ContextObject& context) -> abi::Result {
    if (!context.modules.knows(module)) return abi::invalid_handle;
    return f(driver, *module);
  });
}

}  // namespace

abi::Result cuModuleLoadData(abi::Module* module, const void* image) {
  return load("cuModuleLoadData", module, image, JitLogs());
}

abi::Result cuModuleLoadDataEx(abi::Module* module, const void* image, unsigned count,
                               abi::JitOption* options, void** values) {
  if (count != 0 && (options == nullptr || values == nullptr)) return abi::invalid_value;
  return load("cuModuleLoadDataEx", module, image, JitLogs(count, options, values));
}

abi::Result cuModuleLoad(abi::Module* module, const char* path) {
  if (path == nullptr) return abi::invalid_value;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return in_context("cuModuleLoad", [&](Driver& driver, abi::ContextObject&) {
      driver.note("cuModuleLoad", "cannot read '" + std::string(path) + "'");
      return abi::file_not_found;
    });
  }
  return load("cuModuleLoad", module, text.str().c_str(), JitLogs());
}

abi::Result cuModuleUnload(abi::Module module) {
  return with_module("cuModuleUnload", module, [&](Driver& driver, abi::ModuleObject& object) {
    for (const auto& [handle, library] : driver.libraries.all())
      std::erase_if(library->modules, [&](const auto& entry) { return entry.second == module; });
    object.context->modules.remove(module);
    return abi::success;
  });
}

abi::Result cuModuleGetFunction(abi::Function* function, abi::Module module, const char* name) {
  return with_module("cuModuleGetFunction", module, [&](Driver&, abi::ModuleObject& object) {
    if (function == nullptr || name == nullptr) return abi::invalid_value;
    *function = find_function(object, name);
    return *function == nullptr ? abi::not_found : abi::success;
  });
}

abi::Result cuModuleGetGlobal_v2(abi::DevicePtr* address, size_t* bytes, abi::Module module,
                                 const char* name) {
  return with_module("cuModuleGetGlobal", module, [&](Driver&, abi::ModuleObject& object) {
    if (name == nullptr || (address == nullptr && bytes == nullptr)) return abi::invalid_value;
    const auto variable = object.module->find_variable(name);
    if (!variable) return abi::not_found;
    if (address != nullptr) *address = variable->first;
    if (bytes != nullptr) *bytes = variable->second;
    return abi::success;
  });
}

abi::Result cuModuleGetFunctionCount(unsigned* count, abi::Module module) {
  return with_module("cuModuleGetFunctionCount", module, [&](Driver&, abi::ModuleObject& object) {
    if (count == nullptr) return abi::invalid_value;
    *count = static_cast<unsigned>(object.module->kernel_names().size());
    return abi::success;
  });
}

abi::Result cuModuleEnumerateFunctions(abi::Function* functions, unsigned count, abi::Module module) {
  return with_module("cuModuleEnumerateFunctions", module, [&](Driver&, abi::ModuleObject& object) {
    if (functions == nullptr) return abi::invalid_value;
    unsigned i = 0;
    for (const std::string& name : object.module->kernel_names())
      if (i < count) functions[i++] = find_function(object, name);
    return abi::success;
  });
}

/// The code is copied and not looked at before a context uses it. Library options are storage hints.
abi::Result cuLibraryLoadData(abi::Library* library, const void* code, abi::JitOption*, void**, unsigned,
                              int*, void**, unsigned) {
  return in_driver("cuLibraryLoadData", [&](Driver& driver) {
    if (library == nullptr || code == nullptr) return abi::invalid_value;
    auto object = std::make_unique<abi::LibraryObject>();
    object->image = text_of_image(code, driver.settings().target);
    *library = driver.libraries.add(std::move(object));
    return abi::success;
  });
}

abi::Result cuLibraryUnload(abi::Library library) {
  return in_driver("cuLibraryUnload", [&](Driver& driver) {
    if (!driver.libraries.knows(library)) return abi::invalid_handle;
    for (const auto& [context, module] : library->modules) context->modules.remove(module);
    driver.libraries.remove(library);
    return abi::success;
  });
}

abi::Result cuLibraryGetKernel(abi::Kernel* kernel, abi::Library library, const char* name) {
  return in_context("cuLibraryGetKernel", [&](Driver& driver, abi::ContextObject& context) {
    if (!driver.libraries.knows(library)) return abi::invalid_handle;
    if (kernel == nullptr || name == nullptr) return abi::invalid_value;
    abi::ModuleObject* module = nullptr;
    if (const abi::Result result = library_module(driver, context, *library, &module); result != abi::success)
      return result;
    if (find_function(*module, name) == nullptr) return abi::not_found;
    auto& known = library->kernels[name];
    if (!known) known = std::make_unique<abi::KernelObject>(abi::KernelObject{library, name});
    *kernel = known.get();
    return abi::success;
  });
}

abi::Result cuLibraryGetModule(abi::Module* module, abi::Library library) {
  return in_context("cuLibraryGetModule", [&](Driver& driver, abi::ContextObject& context) {
    if (!driver.libraries.knows(library)) return abi::invalid_handle;
    if (module == nullptr) return abi::invalid_value;
    return library_module(driver, context, *library, module);
  });
}

abi::Result cuKernelGetFunction(abi::Function* function, abi::Kernel kernel) {
  return in_context("cuKernelGetFunction", [&](Driver& driver, abi::ContextObject& context) {
    if (function == nullptr) return abi::invalid_value;
    return resolve_function(driver, context, reinterpret_cast<abi::Function>(kernel), function);
  });
}

}  // namespace assay::emulator
