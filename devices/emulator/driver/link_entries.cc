// SPDX-License-Identifier: Apache-2.0
// cuLink*: PTX texts in, one PTX text out, which the loader of modules takes as it takes others.
#include <cstring>
#include <fstream>
#include <sstream>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/modules.h"
#include "devices/emulator/ptx/lexer.h"

namespace assay::emulator {
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

}  // namespace assay::emulator
