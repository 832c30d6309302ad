// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/ptx/lower.h"

namespace assay::emulator::ptx {

/// The variables of a module in the global and const spaces, placed and initialised. Kernels see each as a
/// range of its own, so that running off one is an error.
class Variables {
 public:
  /// Throws SyntaxError.
  Variables(const ModuleSyntax& module, Memory& memory);
  ~Variables();
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  const Addresses& addresses() const { return addresses_; }
  /// Address and size by plain name.
  const std::map<std::string, std::pair<uint64_t, size_t>, std::less<>>& named() const { return named_; }

 private:
  /// Zeroed memory for a variable, or 0.
  uint64_t place(const Variable& variable);
  void initialise(const ModuleSyntax& module, const Variable& variable);
  struct OwnPages {
    OwnPages(Memory& memory, uint64_t address) : memory(memory), address(address) {}
    ~OwnPages() { memory.release(address); }
    Memory& memory;
    uint64_t address;
  };
  Memory& memory_;
  std::vector<std::unique_ptr<std::byte[], void (*)(void*)>> blocks_;
  std::vector<std::unique_ptr<OwnPages>> own_;
  std::vector<std::pair<uint64_t, size_t>> mapped_;  ///< small variables: address, bytes
  Addresses addresses_;
  std::map<std::string, std::pair<uint64_t, size_t>, std::less<>> named_;
};

/// Why a module with this .target cannot be loaded on the device, or an empty string. `sm_XXa` loads on
/// exactly that architecture, `sm_XXf` on later ones of its family, plain `sm_XX` on every later one (ptx,
/// .target).
std::string target_mismatch(std::string_view module_target, Target device);

/// A PTX text that is linked with others, and what to call it in errors.
struct LinkInput {
  std::string name, text;
};

/// One text with what all of them define: what .extern declares in one is what another defines, names without
/// linkage stay a text's own, of .weak and .common definitions the first counts. Line information is kept of
/// the first text alone. Throws SyntaxError where a text is not PTX, a name is defined twice or targets
/// differ.
std::string link(const std::vector<LinkInput>& inputs);

}  // namespace assay::emulator::ptx
