#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
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
  void initialise(const Variable& variable);
  Memory& memory_;
  std::vector<std::unique_ptr<std::byte[], void (*)(void*)>> blocks_;
  Addresses addresses_;
  std::map<std::string, std::pair<uint64_t, size_t>, std::less<>> named_;
};

}  // namespace assay::emulator::ptx
