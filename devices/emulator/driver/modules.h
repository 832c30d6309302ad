// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/driver/state.h"
#include "devices/emulator/gpu.h"

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

/// One image inside a fat binary.
struct FatEntry {
  bool is_ptx = false;        ///< PTX text, not machine code
  uint32_t architecture = 0;  ///< 100 for sm_100
  bool is_specific = false;   ///< of one architecture alone, sm_100a
  bool is_family = false;     ///< of a family, sm_100f
  uint32_t flags = 0;
  const std::byte* payload = nullptr;  ///< as stored
  size_t stored_bytes = 0;             ///< of the payload
  size_t text_bytes = 0;               ///< once decompressed; 0: stored as it is
};

/// Whether the bytes begin a fat binary: its 24-byte wrapper or its first container. At least four bytes are
/// read.
bool is_fat_binary(const void* image);

/// The entries of a fat binary as nvcc, nvlink and fatbinary make it: containers of a 16-byte header, each
/// entry with a header of its own. An empty container is passed over. Empty and `wrong` a sentence: the bytes
/// are none. Layout: observed of CUDA 13.0's tools.
std::vector<FatEntry> read_fat_binary(const void* image, std::string& wrong);

/// PTX text of an entry, decompressed (zstd by the system's libzstd.so.1, LZ4 here). `wrong`: why not.
std::string text_of(const FatEntry& entry, std::string& wrong);

/// The PTX of a fat binary that a device of this target may load, newest architecture first; empty and
/// `wrong` one sentence where there is none: which compiler flag embeds it.
std::string choose_ptx(const void* image, Target target, std::string& wrong);

/// The sentence for machine code where PTX is needed. `holds`: what there is, "sm_90a and sm_100a".
std::string needs_ptx(std::string_view holds, Target target);

/// Decodes one LZ4 block of at most `limit` bytes of text; nothing where it is malformed or longer.
/// Format: lz4_Block_format.md of the LZ4 project.
std::optional<std::string> decode_lz4_block(std::span<const std::byte> block, size_t limit);

}  // namespace assay::emulator
