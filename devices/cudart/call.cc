// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/call.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace assay::cudart {
namespace {

/// How often the primary context was reset: threads that saw an older one set theirs anew.
std::atomic<unsigned> generation{1};

Error set_up(const DriverTable& driver) {
  if (driver.cuInit(0) != abi::success) return initialization_error;
  abi::Context context = nullptr;
  if (const auto result = driver.cuCtxGetCurrent(&context); result != abi::success) return result;
  // The program's own, or the primary one; unless that was reset.
  unsigned flags = 0;
  if (context != nullptr && driver.cuCtxGetFlags(&flags) != abi::context_is_destroyed) return success;
  if (const auto result = driver.cuDevicePrimaryCtxRetain(&context, 0); result != abi::success) return result;
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

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

void tell(const char* kind, std::string_view call, std::string_view sentence) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  const std::string line = std::string("{\"kind\":\"") + kind + "\",\"kernel\":" + quoted(call) +
                           ",\"line\":0,\"thread\":\"\",\"message\":" + quoted(sentence) + "}\n";
  if (!said.insert(line).second) return;
  const char* path = std::getenv("ASSAY_EMULATOR_REPORT");
  const int file =
      path == nullptr || *path == '\0' ? -1 : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    std::fprintf(stderr, "assay: %.*s: %.*s\n", static_cast<int>(call.size()), call.data(),
                 static_cast<int>(sentence.size()), sentence.data());
    return;
  }
  [[maybe_unused]] const ssize_t written = write(file, line.data(), line.size());
  close(file);
}

}  // namespace

void report_unsupported(std::string_view call, std::string_view sentence) {
  tell("unsupported", call, sentence);
}

void report_absent(std::string_view function) {
  const auto has = [&](std::string_view word) { return function.find(word) != function.npos; };
  if (has("Array") || has("Texture") || has("Surface"))
    return tell(
        "absent", function,
        "CUDA arrays, textures and surfaces are not emulated; the program would have to use linear memory "
        "(it returned cudaErrorNotSupported)");
  tell("absent", function,
       "this function of the CUDA runtime is not emulated; it returned cudaErrorNotSupported");
}

}  // namespace assay::cudart
