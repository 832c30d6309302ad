// SPDX-License-Identifier: Apache-2.0
// NVRTC, asked for a real architecture, makes machine code and PTX. Programs fetch the former and hand it to
// cuModuleLoadData, which the emulator cannot run: they are given the PTX of the same compilation. The
// stand-in is loaded before libnvrtc, so these two are found first by whoever links it.
#include <dlfcn.h>

#include <cstddef>
#include <string>

#include "devices/cudart/abi.h"
#include "devices/cudart/report.h"

namespace {

using Program = struct _nvrtcProgram*;
constexpr int nvrtc_error_internal_error = 11;

template <class Out>
int ask_library(const char* asked, const char* instead, Program program, Out* out) {
  const auto function = reinterpret_cast<int (*)(Program, Out*)>(dlsym(RTLD_NEXT, instead));
  if (function != nullptr) return function(program, out);
  assay::cudart::report_unsupported(asked, std::string("no NVRTC library with ") + instead + " is loaded");
  return nvrtc_error_internal_error;
}

}  // namespace

/// Bytes of the PTX of `program`; nvrtcResult.
ASSAY_RUNTIME int nvrtcGetCUBINSize(Program program, size_t* bytes) {
  return ask_library("nvrtcGetCUBINSize", "nvrtcGetPTXSize", program, bytes);
}

/// The PTX of `program`; nvrtcResult.
ASSAY_RUNTIME int nvrtcGetCUBIN(Program program, char* image) {
  return ask_library("nvrtcGetCUBIN", "nvrtcGetPTX", program, image);
}
