// SPDX-License-Identifier: Apache-2.0
// Names that stand for others, and names that are absent.

#include <dlfcn.h>
#include <cstddef>
#include <string>

#include "devices/cudart/abi.h"
#include "devices/cudart/call.h"

namespace assay::cudart {

// Whatever the parameters are, a jump leaves them where they are.
#if defined(__x86_64__)
#define ASSAY_JUMP "jmp "
#elif defined(__aarch64__)
#define ASSAY_JUMP "b "
#else
#error "no jump to another function is known for this machine"
#endif
#define ASSAY_PER_THREAD(name, plain)                                                                    \
  asm(".pushsection .text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" ASSAY_JUMP #plain \
      "@PLT\n.size " #name ", .-" #name "\n.popsection");
#include "devices/cudart/per_thread.inc"
#undef ASSAY_PER_THREAD

#define ASSAY_ABSENT(name)     \
  ASSAY_RUNTIME Error name() { \
    report_absent(#name);      \
    return not_supported;      \
  }
#include "devices/cudart/absent.inc"
#undef ASSAY_ABSENT

// Errors, versions, entry points of the driver.

namespace {

struct ErrorRow {
  int number;
  const char *name, *words;
};
constexpr ErrorRow errors[] = {
#include "devices/cudart/errors.inc"
};
constexpr ErrorRow unknown_error{-1, "unrecognized error code", "unrecognized error code"};

const ErrorRow& row_of(Error error) {
  for (const ErrorRow& row : errors)
    if (row.number == error) return row;
  return unknown_error;
}

/// An error of a kernel stays: every call gives it.
Error sticky() {
  abi::Context context = nullptr;
  const DriverTable* driver = driver_table();
  if (driver == nullptr || driver->cuCtxGetCurrent(&context) != abi::success || context == nullptr)
    return success;
  // A call that waits for nothing: who asks for an error has not waited for the device.
  int least = 0, greatest = 0;
  const auto result = driver->cuCtxGetStreamPriorityRange(&least, &greatest);
  return result == abi::success || result == abi::invalid_context || result == abi::context_is_destroyed
             ? static_cast<Error>(success)
             : static_cast<Error>(result);
}

constexpr int runtime_version = 13000;

Error entry_point(const char* symbol, void** entry, unsigned version, unsigned long long flags, int* status) {
  if (symbol == nullptr || entry == nullptr) return remember(invalid_value);
  return with_driver([&](const DriverTable& driver) {
    abi::ProcAddressStatus found = abi::proc_not_found;
    *entry = nullptr;
    const auto result = driver.cuGetProcAddress_v2(symbol, entry, static_cast<int>(version), flags, &found);
    if (status != nullptr) *status = found;
    // With a place for the status, a name that is not there is no error.
    return result == abi::not_found && status != nullptr ? abi::success : result;
  });
}

}  // namespace

ASSAY_RUNTIME Error cudaGetLastError() {
  const Error error = last_error();
  last_error() = success;
  return error != success ? error : sticky();
}
ASSAY_RUNTIME Error cudaPeekAtLastError() {
  return last_error() != success ? last_error() : sticky();
}
ASSAY_RUNTIME const char* cudaGetErrorName(Error error) {
  return row_of(error).name;
}
ASSAY_RUNTIME const char* cudaGetErrorString(Error error) {
  return row_of(error).words;
}

ASSAY_RUNTIME Error cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remember(invalid_value);
  *version = runtime_version;
  return success;
}
ASSAY_RUNTIME Error cudaDriverGetVersion(int* version) {
  if (version == nullptr) return remember(invalid_value);
  *version = 0;
  const DriverTable* driver = driver_table();
  return driver == nullptr ? static_cast<Error>(success)
                           : static_cast<Error>(driver->cuDriverGetVersion(version));
}

ASSAY_RUNTIME Error cudaGetDriverEntryPoint(const char* symbol, void** entry, unsigned long long flags,
                                            int* status) {
  return entry_point(symbol, entry, runtime_version, flags, status);
}
ASSAY_RUNTIME Error cudaGetDriverEntryPointByVersion(const char* symbol, void** entry, unsigned version,
                                                     unsigned long long flags, int* status) {
  return entry_point(symbol, entry, version, flags, status);
}

ASSAY_RUNTIME Error cudaProfilerStart() {
  return success;
}
ASSAY_RUNTIME Error cudaProfilerStop() {
  return success;
}

}  // namespace assay::cudart

// NVRTC, asked for a real architecture, makes machine code and PTX. Programs fetch the former and hand it to
// cuModuleLoadData, which the emulator cannot run: they are given the PTX of the same compilation. The
// stand-in is loaded before libnvrtc, so these two are found first by whoever links it.

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
