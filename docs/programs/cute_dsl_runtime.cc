// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime that kernels of the CuTe DSL call, in place of the one that is linked into its own
// library: NVIDIA's archive of wrappers, this file and the shared runtime (which `assay check` replaces);
// compilers.py links it with --wrap=cudaLibraryLoadData. The DSL makes machine code alone and can keep the
// PTX that it came from: this hands over the PTX of CUTE_DSL_DUMP_DIR that has a kernel of the machine code.
#include <cuda_runtime_api.h>
#include <string.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace {

/// Empty: there is none.
std::string ptx_of(const void* code) {
  const char* folder = std::getenv("CUTE_DSL_DUMP_DIR");
  if (folder == nullptr || memcmp(code, "\x50\xed\x55\xba", 4) != 0) return {};
  uint64_t size = 0;  // of a fat binary, behind its head of 16 bytes
  memcpy(&size, static_cast<const char*>(code) + 8, 8);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const size_t at = text.find(".entry ");
    if (at == text.npos) continue;
    const std::string name = ".text." + text.substr(at + 7, text.find_first_of(" (\n", at + 7) - at - 7);
    if (memmem(code, size, name.c_str(), name.size() + 1) != nullptr) return text;
  }
  return {};
}

}  // namespace

extern "C" {
decltype(cudaLibraryLoadData) __real_cudaLibraryLoadData;
cudaError_t __wrap_cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options,
                                       void** values, unsigned count, cudaLibraryOption* more,
                                       void** more_values, unsigned more_count) {
  static std::map<const void*, std::string> kept;  // the driver may read it later
  std::string& text = kept[code] = ptx_of(code);
  return __real_cudaLibraryLoadData(library, text.empty() ? code : text.c_str(), options, values, count, more,
                                    more_values, more_count);
}
}
