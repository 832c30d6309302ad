// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/report.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace assay::cudart {
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
