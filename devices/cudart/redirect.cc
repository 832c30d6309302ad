// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/redirect.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "devices/cudart/report.h"

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

}  // namespace assay::cudart
