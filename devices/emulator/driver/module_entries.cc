// SPDX-License-Identifier: Apache-2.0
// Modules and libraries: PTX text in, functions and variables out.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/modules.h"
#include "devices/emulator/driver/state.h"
#include "devices/emulator/ptx/parser.h"

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

// cuLink*: PTX texts in, one PTX text out, which the loader of modules takes as it takes others.

namespace {

/// CUjitInputType: what carries PTX, and why the others do not.
constexpr int input_cubin = 0, input_ptx = 1, input_fat_binary = 2, input_object = 3, input_library = 4;

const char* why_refused(int type) {
  switch (type) {
    case input_cubin:
      return "a cubin is machine code, which is not emulated; link the PTX that it was made of";
    case input_object:
      return "host objects are not taken apart here; link the PTX that was compiled into them (nvcc -ptx "
             "-rdc=true)";
    case input_library:
      return "libraries of device code are not taken apart here; link the PTX of the functions that are "
             "needed";
    default:
      return "intermediate code for link-time optimisation is not compiled here; link PTX";
  }
}

abi::Result with_state(const char* call, abi::LinkState state, auto f) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) -> abi::Result {
    if (!context.links.knows(state)) return abi::invalid_handle;
    return f(driver, *state);
  });
}

abi::Result add(Driver& driver, abi::LinkObject& state, const char* call, int type, const std::string& data,
                const std::string& name) {
  const auto refuse = [&](abi::Result result, const std::string& sentence) {
    state.logs.write(sentence);
    driver.note_unsupported(call, sentence);
    return result;
  };
  if (type < input_cubin || type > input_library + 1) return abi::invalid_value;
  if (type != input_ptx && type != input_fat_binary) return refuse(abi::not_supported, why_refused(type));
  const ImageText image = text_of_image(data.c_str(), driver.settings().target);
  if (image.result != abi::success) return refuse(image.result, image.wrong);
  state.inputs.push_back({name, image.text});
  return abi::success;
}

std::string name_or(const char* name, const abi::LinkObject& state) {
  return name != nullptr && *name != '\0' ? name : "input " + std::to_string(state.inputs.size() + 1);
}

}  // namespace

abi::Result cuLinkCreate_v2(unsigned count, abi::JitOption* options, void** values, abi::LinkState* state) {
  return in_context("cuLinkCreate", [&](Driver&, abi::ContextObject& context) {
    if (state == nullptr || (count != 0 && (options == nullptr || values == nullptr)))
      return abi::invalid_value;
    auto object = std::make_unique<abi::LinkObject>();
    object->logs = JitLogs(count, options, values);
    *state = context.links.add(std::move(object));
    return abi::success;
  });
}

abi::Result cuLinkAddData_v2(abi::LinkState state, int type, void* data, size_t bytes, const char* name,
                             unsigned, abi::JitOption*, void**) {
  return with_state("cuLinkAddData", state, [&](Driver& driver, abi::LinkObject& object) {
    if (data == nullptr || object.is_complete) return abi::invalid_value;
    return add(driver, object, "cuLinkAddData", type, std::string(static_cast<const char*>(data), bytes),
               name_or(name, object));
  });
}

abi::Result cuLinkAddFile_v2(abi::LinkState state, int type, const char* path, unsigned, abi::JitOption*,
                             void**) {
  return with_state("cuLinkAddFile", state, [&](Driver& driver, abi::LinkObject& object) {
    if (path == nullptr || object.is_complete) return abi::invalid_value;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
      driver.note("cuLinkAddFile", "cannot read '" + std::string(path) + "'");
      return abi::file_not_found;
    }
    return add(driver, object, "cuLinkAddFile", type, text.str(), path);
  });
}

abi::Result cuLinkComplete(abi::LinkState state, void** image, size_t* bytes) {
  return with_state("cuLinkComplete", state, [&](Driver& driver, abi::LinkObject& object) {
    if (image == nullptr || object.is_complete) return abi::invalid_value;
    try {
      object.image = ptx::link(object.inputs);
    } catch (const ptx::SyntaxError& error) {
      const std::string sentence =
          (error.line == 0 ? "" : "line " + std::to_string(error.line) + " of ") + error.message;
      object.logs.write(sentence);
      driver.note("cuLinkComplete", sentence);
      return abi::invalid_ptx;
    }
    object.is_complete = true;
    object.logs.write("");
    *image = object.image.data();
    if (bytes != nullptr) *bytes = object.image.size() + 1;
    return abi::success;
  });
}

abi::Result cuLinkDestroy(abi::LinkState state) {
  const auto has = [&](const abi::ContextObject& context) { return context.links.knows(state); };
  return in_context_of("cuLinkDestroy", has, [&](Driver&, abi::ContextObject& context) {
    return context.links.remove(state) ? abi::success : abi::invalid_handle;
  });
}

namespace {

void copy(const std::string& text, char* out, unsigned bytes) {
  if (out == nullptr || bytes == 0) return;
  const size_t length = std::min<size_t>(text.size(), bytes - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

}  // namespace

JitLogs::JitLogs(unsigned count, const abi::JitOption* options, void** values) {
  for (unsigned i = 0; i < count; ++i) {
    const auto size = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
    if (options[i] == abi::jit_error_log) error_ = static_cast<char*>(values[i]);
    if (options[i] == abi::jit_error_log_size) error_bytes_ = size;
    if (options[i] == abi::jit_info_log) info_ = static_cast<char*>(values[i]);
    if (options[i] == abi::jit_info_log_size) info_bytes_ = size;
  }
}

void JitLogs::write(const std::string& error) const {
  copy(error, error_, error_bytes_);
  copy("", info_, info_bytes_);
}

}  // namespace assay::emulator
