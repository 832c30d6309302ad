// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/fault_library.h"

#include <dlfcn.h>

#include <mutex>

#include "devices/emulator/driver/notes.h"

namespace assay::emulator {
namespace {

/// Of the folder that this code was loaded from.
std::string library_path() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&library_path), &self) == 0 || self.dli_fname == nullptr)
    return {};
  const std::string file = self.dli_fname;
  return file.substr(0, file.rfind('/') + 1) + "libassay_faults.so";
}

/// Empty, or why the library's rows are not there.
std::string load_library() {
  const std::string path = library_path();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return dlerror();
  auto* const entry = reinterpret_cast<FaultLibraryEntry*>(dlsym(library, fault_library_entry));
  if (entry == nullptr) return path + " does not export " + fault_library_entry;
  size_t count = 0;
  const Fault* const* rows = entry(sizeof(Fault), &count);
  if (rows == nullptr) return path + " was built from other sources than the emulator";
  for (size_t i = 0; i < count; ++i) add_fault(*rows[i]);
  return {};
}

/// Once, and not at all where rows are linked in.
const std::string& why_none() {
  static std::once_flag once;
  static std::string why;
  std::call_once(once, [] {
    if (all_faults().empty()) why = load_library();
  });
  return why;
}

}  // namespace

std::string check_fault(std::string_view name) {
  const std::string& why = why_none();
  if (find_fault(name) != nullptr) return {};
  if (!why.empty()) return "faults are unavailable: " + why;
  std::string text = "no fault named '" + std::string(name) + "'; there are:";
  for (const Fault* row : all_faults())
    text += (row == all_faults().front() ? " " : ", ") + std::string(row->name);
  return text;
}

std::string described_faults() {
  why_none();
  std::string text;
  for (const Fault* row : all_faults()) text += json_line(*row) + "\n";
  return text;
}

}  // namespace assay::emulator
