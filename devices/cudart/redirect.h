// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace assay::cudart {

/// A function in the symbol table of an ELF file.
struct Symbol {
  uint64_t address;  ///< as linked
  uint64_t bytes;
};

/// What an ELF file says of the runtime in it.
struct ElfFile {
  std::map<std::string, Symbol> functions;  ///< cuda* and __cuda*, defined here
  bool has_fat_binary = false;              ///< section .nv_fatbin
  bool needs_runtime = false;               ///< libcudart.so.* is among the libraries that it needs
  bool has_symbols = false;                 ///< a .symtab: not stripped
};

/// Reads the symbol table of an ELF file of this machine's class. Empty where it is none.
ElfFile read_elf(const std::string& path);

/// Writes a jump to `target` over the first bytes of a function. False: there is no room, or memory cannot be
/// written.
bool redirect_function(void* function, uint64_t bytes, void* target);

/// Redirects the public runtime functions that are linked into the program and into the libraries that are
/// loaded with it. Called once, before the program's own constructors.
void redirect_static_runtimes();

}  // namespace assay::cudart
