// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/redirect.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstring>
#include <string_view>

#include "devices/cudart/call.h"

namespace assay::cudart {
namespace {

#if defined(__x86_64__)
// jmp *0(%rip), and the address behind it.
constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
#elif defined(__aarch64__)
// ldr x16, #8; br x16, and the address behind them.
constexpr unsigned char jump[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6};
#endif
constexpr size_t patch_bytes = sizeof jump + sizeof(void*);

/// The stand-in's function of that name; null: it is no function of the public API.
void* own_function(const char* name) {
  static void* const self = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&redirect_function), &info);
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  void* found = self == nullptr ? nullptr : dlsym(self, name);
  // Only what the stand-in itself defines: the program's own may be found behind it.
  Dl_info mine{}, its{};
  if (found == nullptr || dladdr(found, &its) == 0 ||
      dladdr(reinterpret_cast<void*>(&redirect_function), &mine) == 0 || its.dli_fbase != mine.dli_fbase)
    return nullptr;
  return found;
}

void redirect_object(const std::string& path, uint64_t bias, bool is_program) {
  const ElfFile file = read_elf(path);
  if (!file.has_fat_binary) return;
  size_t redirected = 0;
  for (const auto& [name, symbol] : file.functions)
    if (void* target = own_function(name.c_str()))
      redirected += redirect_function(reinterpret_cast<void*>(bias + symbol.address), symbol.bytes, target);
  if (redirected != 0 || file.needs_runtime) return;
  const std::string what = is_program ? "the program" : "the library";
  report_unsupported(path, !file.has_symbols
                               ? what +
                                     " is stripped and has the CUDA runtime linked in, so that its calls "
                                     "cannot be redirected; do not strip it, or link with nvcc -cudart shared"
                               : what +
                                     " has a CUDA runtime whose functions are hidden; link with nvcc "
                                     "-cudart shared");
}

int visit(dl_phdr_info* info, size_t, void* count) {
  const bool is_program = (*static_cast<int*>(count))++ == 0;
  std::string path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  if (is_program) {
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
    path = length <= 0 ? "" : std::string(self, static_cast<size_t>(length));
  }
  if (!path.empty() && path[0] == '/') redirect_object(path, info->dlpi_addr, is_program);
  return 0;
}

__attribute__((constructor)) void begin() {
  redirect_static_runtimes();
}

}  // namespace

bool redirect_function(void* function, uint64_t bytes, void* target) {
  if (bytes < patch_bytes) return false;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t at = reinterpret_cast<uintptr_t>(function);
  const uintptr_t begin = at / page * page, end = (at + patch_bytes + page - 1) / page * page;
  if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  std::memcpy(function, jump, sizeof jump);
  std::memcpy(static_cast<char*>(function) + sizeof jump, &target, sizeof target);
  __builtin___clear_cache(static_cast<char*>(function), static_cast<char*>(function) + patch_bytes);
  return mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_EXEC) == 0;
}

void redirect_static_runtimes() {
  int count = 0;
  dl_iterate_phdr(visit, &count);
}

namespace {

/// A file, mapped, since programs have hundreds of megabytes and few pages of them are looked at. Reads at
/// offsets that may lie outside of it.
class Bytes {
 public:
  explicit Bytes(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat what {};
    if (fstat(file, &what) == 0 && what.st_size > 0) {
      void* const mapped = mmap(nullptr, static_cast<size_t>(what.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) text_ = {static_cast<const char*>(mapped), static_cast<size_t>(what.st_size)};
    }
    close(file);
  }
  ~Bytes() {
    if (!text_.empty()) munmap(const_cast<char*>(text_.data()), text_.size());
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  template <typename T>
  bool read(uint64_t offset, T& value) const {
    if (offset > text_.size() || text_.size() - offset < sizeof value) return false;
    std::memcpy(&value, text_.data() + offset, sizeof value);
    return true;
  }
  std::string_view name(uint64_t offset) const {
    if (offset >= text_.size()) return {};
    const std::string_view rest = text_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

 private:
  std::string_view text_;
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
  const Bytes bytes(path.c_str());
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
