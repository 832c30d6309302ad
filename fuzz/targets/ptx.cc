// SPDX-License-Identifier: Apache-2.0
// Any text as a PTX module: the front end gives a module, or a diagnostic with a place and a sentence; it
// never crashes and never takes long.
#include <algorithm>
#include <string_view>

#include "devices/emulator/gpu.h"
#include "fuzz/target.h"
#include "fuzz/text_mutator.h"

namespace assay::fuzz {
namespace {

emulator::Target target_of(std::string_view text) {
  const size_t at = text.find(".target");
  const std::string_view found = at == text.npos ? "" : text.substr(at, 20);
  for (const spec::Arch arch : spec::all_archs)
    if (found.find(spec::name(arch)) != found.npos) return arch;
  return spec::Arch::sm_100;
}

void check(std::string_view text) {
  emulator::Settings settings;
  settings.target = target_of(text);
  const auto gpu = emulator::Gpu::create(settings);
  const auto loaded = gpu->load(text);
  if (const auto* refused = std::get_if<emulator::Diagnostic>(&loaded)) {
    using Kind = emulator::Diagnostic::Kind;
    const auto lines = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require(!refused->message.empty(), "a module is refused with a sentence");
    require(refused->line <= lines, "a diagnostic names a line of the text");
    require(refused->kind == Kind::syntax || refused->kind == Kind::unsupported_target ||
                refused->kind == Kind::unknown_instruction,
            "loading ends in a kind of error that loading has");
    hit_cell(static_cast<uint32_t>(refused->kind));
    remember_refused(reinterpret_cast<const uint8_t*>(text.data()), text.size(), refused->line);
    return;
  }
  ++counts().past_parser;
  emulator::Module& module = *std::get<0>(loaded);
  for (const std::string& name : module.kernel_names()) {
    emulator::Kernel* kernel = module.find_kernel(name);
    require(kernel != nullptr && kernel->name() == name, "every kernel that is named can be found");
    for (const emulator::ParamDeclaration& param : kernel->params())
      require(uint64_t{param.offset} + param.size <= kernel->param_bytes(),
              "parameters lie in the parameter block");
  }
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++assay::fuzz::counts().inputs;
  assay::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_ptx(data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  return assay::fuzz::cross_ptx(one, one_size, other, other_size, out, max_size, seed);
}
