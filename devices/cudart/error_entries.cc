// SPDX-License-Identifier: Apache-2.0
// Errors, versions, entry points of the driver.
#include <cstring>

#include "devices/cudart/call.h"
#include "devices/cudart/report.h"

namespace assay::cudart {
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
  driver::Context context = nullptr;
  const DriverTable* driver = driver_table();
  if (driver == nullptr || driver->cuCtxGetCurrent(&context) != driver::success || context == nullptr)
    return success;
  const auto result = driver->cuCtxSynchronize();
  return result == driver::success || result == driver::invalid_context ||
                 result == driver::context_is_destroyed
             ? static_cast<Error>(success)
             : static_cast<Error>(result);
}

constexpr int runtime_version = 13000;

Error entry_point(const char* symbol, void** entry, unsigned version, unsigned long long flags, int* status) {
  if (symbol == nullptr || entry == nullptr) return remember(invalid_value);
  return with_driver([&](const DriverTable& driver) {
    driver::ProcAddressStatus found = driver::proc_not_found;
    *entry = nullptr;
    const auto result = driver.cuGetProcAddress_v2(symbol, entry, static_cast<int>(version), flags, &found);
    if (status != nullptr) *status = found;
    // With a place for the status, a name that is not there is no error.
    return result == driver::not_found && status != nullptr ? driver::success : result;
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
