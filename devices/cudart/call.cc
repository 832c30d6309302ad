// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/call.h"

#include <dlfcn.h>
#include <atomic>
#include <string>

#include "devices/cudart/report.h"

namespace assay::cudart {
namespace {

/// How often the primary context was reset: threads that saw an older one set theirs anew.
std::atomic<unsigned> generation{1};

Error set_up(const DriverTable& driver) {
  if (driver.cuInit(0) != driver::success) return initialization_error;
  driver::Context context = nullptr;
  if (const auto result = driver.cuCtxGetCurrent(&context); result != driver::success) return result;
  // The program's own, or the primary one; unless that was reset.
  unsigned flags = 0;
  if (context != nullptr && driver.cuCtxGetFlags(&flags) != driver::context_is_destroyed) return success;
  if (const auto result = driver.cuDevicePrimaryCtxRetain(&context, 0); result != driver::success)
    return result;
  return driver.cuCtxSetCurrent(context);
}

}  // namespace

Error& last_error() {
  thread_local Error error = success;
  return error;
}

Error make_ready() {
  thread_local unsigned seen = 0;
  const DriverTable* driver = driver_table();
  if (driver == nullptr) return insufficient_driver;
  if (seen == generation) return success;
  const Error error = set_up(*driver);
  if (error == success) seen = generation;
  return error;
}

void forget_context() {
  ++generation;
}

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
