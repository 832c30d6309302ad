// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "devices/emulator/driver/state.h"

namespace assay::emulator {

/// The PTX of an image: text ended by NUL, or the best of a fat binary.
ImageText text_of_image(const void* image, Target target);

/// Loads the PTX of an image into a context; the log is as load_module has it.
abi::Result load_text(Driver& driver, abi::ContextObject& context, const char* call, const ImageText& image,
                      abi::ModuleObject** module, std::string& log);

/// Loads an image into a context. `log` receives the sentence for the JIT's error
/// log.
abi::Result load_module(Driver& driver, abi::ContextObject& context, const char* call, const void* image,
                        abi::ModuleObject** module, std::string& log);

/// The function of that name, made on first use; null if the module has no such kernel.
abi::FunctionObject* find_function(abi::ModuleObject& module, std::string_view name);

/// The module that the library has in a context, loaded on first use.
abi::Result library_module(Driver& driver, abi::ContextObject& context, abi::LibraryObject& library,
                           abi::ModuleObject** module);

/// A function handle, or the function that a kernel handle has in the context: launches and queries take
/// both.
abi::Result resolve_function(Driver& driver, abi::ContextObject& context, abi::Function handle,
                             abi::FunctionObject** function);

}  // namespace assay::emulator
