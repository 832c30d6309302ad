// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/modules.h"

#include <cstring>

namespace assay::emulator {

ImageText text_of_image(const void* image, Target target) {
  ImageText found;
  const char* text = static_cast<const char*>(image);
  // Up to four bytes are looked at: text shorter than that ends before.
  uint32_t magic = 0;
  if (strnlen(text, sizeof magic) == sizeof magic) std::memcpy(&magic, text, sizeof magic);
  constexpr uint32_t elf = 0x464c457f;
  if (magic == elf) {
    found.wrong = "the image is a cubin: " + needs_ptx("", target);
  } else if (magic != 0 && is_fat_binary(image)) {
    found.text = choose_ptx(image, target, found.wrong);
  } else {
    found.text = text;
  }
  if (!found.wrong.empty()) found.result = abi::no_binary_for_gpu;
  return found;
}

abi::Result load_module(Driver& driver, abi::ContextObject& context, const char* call, const void* image,
                        abi::ModuleObject** module, std::string& log) {
  if (module == nullptr || image == nullptr) return abi::invalid_value;
  const ImageText found = text_of_image(image, driver.settings().target);
  return load_text(driver, context, call, found, module, log);
}

abi::Result load_text(Driver& driver, abi::ContextObject& context, const char* call, const ImageText& image,
                      abi::ModuleObject** module, std::string& log) {
  if (image.result != abi::success) {
    log = image.wrong;
    driver.note_unsupported(call, log);
    return image.result;
  }
  const char* text = image.text.c_str();
  if (std::strstr(text, ".version") == nullptr) {
    log = "the image is not PTX text: it has no .version directive";
    driver.note(call, log);
    return abi::invalid_image;
  }
  auto loaded = context.gpu->load(text);
  if (const Diagnostic* wrong = std::get_if<Diagnostic>(&loaded)) {
    driver.note(*wrong);
    log = "line " + std::to_string(wrong->line) + ": " + wrong->message;
    return result_of(wrong->kind);
  }
  auto object = std::make_unique<abi::ModuleObject>();
  object->context = &context;
  object->module = std::move(std::get<std::unique_ptr<Module>>(loaded));
  *module = context.modules.add(std::move(object));
  return abi::success;
}

abi::FunctionObject* find_function(abi::ModuleObject& module, std::string_view name) {
  if (const auto known = module.functions.find(name); known != module.functions.end())
    return known->second.get();
  Kernel* kernel = module.module->find_kernel(name);
  if (kernel == nullptr) return nullptr;
  auto function = std::make_unique<abi::FunctionObject>();
  function->module = &module;
  function->kernel = kernel;
  return module.functions.emplace(std::string(name), std::move(function)).first->second.get();
}

abi::Result library_module(Driver& driver, abi::ContextObject& context, abi::LibraryObject& library,
                           abi::ModuleObject** module) {
  if (const auto known = library.modules.find(&context); known != library.modules.end()) {
    *module = known->second;
    return abi::success;
  }
  std::string log;
  const abi::Result result = load_text(driver, context, "cuLibraryLoadData", library.image, module, log);
  if (result == abi::success) library.modules[&context] = *module;
  return result;
}

abi::Result resolve_function(Driver& driver, abi::ContextObject& context, abi::Function handle,
                             abi::FunctionObject** function) {
  if (handle == nullptr) return abi::invalid_handle;
  if (driver.knows(handle)) {
    *function = handle;
    return handle->module->context == &context ? abi::success : abi::invalid_handle;
  }
  const auto* kernel = reinterpret_cast<const abi::KernelObject*>(handle);
  for (const auto& [key, library] : driver.libraries.all())
    for (const auto& [name, known] : library->kernels)
      if (known.get() == kernel) {
        abi::ModuleObject* module = nullptr;
        if (const abi::Result result = library_module(driver, context, *library, &module);
            result != abi::success)
          return result;
        *function = find_function(*module, name);
        return *function == nullptr ? abi::not_found : abi::success;
      }
  return abi::invalid_handle;
}

}  // namespace assay::emulator
