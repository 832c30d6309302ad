// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "devices/cudart/redirect.h"

namespace assay::cudart {
namespace {

/// Reads records at offsets that may lie outside of the file.
class Bytes {
 public:
  explicit Bytes(const std::string& text) : text_(text) {}
  template <typename T>
  bool read(uint64_t offset, T& value) const {
    if (offset > text_.size() || text_.size() - offset < sizeof value) return false;
    std::memcpy(&value, text_.data() + offset, sizeof value);
    return true;
  }
  std::string_view name(uint64_t offset) const {
    return offset < text_.size() ? std::string_view(text_.c_str() + offset) : std::string_view{};
  }

 private:
  const std::string& text_;
};

bool is_runtime_name(std::string_view name) {
  if (name.starts_with("__")) name.remove_prefix(2);
  return name.starts_with("cuda") && name.size() > 4 && name[4] >= 'A' && name[4] <= 'Z';
}

void read_symbols(const Bytes& bytes, const ElfW(Shdr) & table, const ElfW(Shdr) & strings, ElfFile& file) {
  file.has_symbols = true;
  for (uint64_t at = 0; at + sizeof(ElfW(Sym)) <= table.sh_size; at += sizeof(ElfW(Sym))) {
    ElfW(Sym) symbol;
    if (!bytes.read(table.sh_offset + at, symbol)) return;
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    const std::string_view name = bytes.name(strings.sh_offset + symbol.st_name);
    if (is_runtime_name(name)) file.functions[std::string(name)] = {symbol.st_value, symbol.st_size};
  }
}

void read_needs(const Bytes& bytes, const ElfW(Shdr) & table, const ElfW(Shdr) & strings, ElfFile& file) {
  for (uint64_t at = 0; at + sizeof(ElfW(Dyn)) <= table.sh_size; at += sizeof(ElfW(Dyn))) {
    ElfW(Dyn) entry;
    if (!bytes.read(table.sh_offset + at, entry) || entry.d_tag == DT_NULL) return;
    if (entry.d_tag == DT_NEEDED &&
        bytes.name(strings.sh_offset + entry.d_un.d_val).starts_with("libcudart.so"))
      file.needs_runtime = true;
  }
}

}  // namespace

ElfFile read_elf(const std::string& path) {
  ElfFile file;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream read;
  if (!stream || !(read << stream.rdbuf())) return file;
  const std::string text = read.str();
  const Bytes bytes(text);
  ElfW(Ehdr) header;
  if (!bytes.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return file;
  const auto section = [&](uint64_t index, ElfW(Shdr) & out) {
    return index < header.e_shnum && bytes.read(header.e_shoff + index * header.e_shentsize, out);
  };
  ElfW(Shdr) names;
  if (!section(header.e_shstrndx, names)) return file;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) one, strings;
    if (!section(i, one)) return file;
    if (bytes.name(names.sh_offset + one.sh_name) == ".nv_fatbin") file.has_fat_binary = true;
    if (!section(one.sh_link, strings)) continue;
    if (one.sh_type == SHT_SYMTAB) read_symbols(bytes, one, strings, file);
    if (one.sh_type == SHT_DYNAMIC) read_needs(bytes, one, strings, file);
  }
  return file;
}

}  // namespace assay::cudart
