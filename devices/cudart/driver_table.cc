// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/driver_table.h"

#include <dlfcn.h>

#include <string>

#include "devices/cudart/report.h"

namespace assay::cudart {
namespace {

bool open_driver(DriverTable& table) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    report_unsupported("libcuda.so.1", std::string("there is no CUDA driver: ") + dlerror());
    return false;
  }
  const char* absent = nullptr;
#define ASSAY_FIND(name, ...)                                                 \
  table.name = reinterpret_cast<decltype(table.name)>(dlsym(library, #name)); \
  if (table.name == nullptr) absent = #name;
  ASSAY_DRIVER_ENTRIES(ASSAY_FIND)
#undef ASSAY_FIND
  if (absent != nullptr)
    report_unsupported("libcuda.so.1", std::string("the CUDA driver has no entry point ") + absent);
  return absent == nullptr;
}

}  // namespace

const DriverTable* driver_table() {
  static DriverTable table;
  static const bool is_open = open_driver(table);
  return is_open ? &table : nullptr;
}

}  // namespace assay::cudart
