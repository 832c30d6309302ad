// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "devices/cudart/abi.h"

namespace assay::cudart {

/// The driver's entry points, by the names that its library exports. Nothing else of the driver is used.
struct DriverTable {
#define ASSAY_MEMBER(name, ...) abi::Result (*name)(__VA_ARGS__);
  ASSAY_DRIVER_ENTRIES(ASSAY_MEMBER)
#undef ASSAY_MEMBER
};

/// The driver that this process has as libcuda.so.1, opened once. Null, after one sentence on stderr, if
/// there is none or if it lacks an entry point.
const DriverTable* driver_table();

/// The error that cudaGetLastError of this thread gives.
Error& last_error();

/// Opens the driver and sees to it that a context is current on this thread: the primary one where none is.
Error make_ready();

/// Keeps an error for cudaGetLastError, and gives it back.
inline Error remember(Error error) {
  if (error != success && error != not_ready) last_error() = error;
  return error;
}

/// Runs the body of an entry point with the driver's table and a current context.
template <typename F>
Error with_driver(F f) {
  if (const Error error = make_ready(); error != success) return remember(error);
  return remember(static_cast<Error>(f(*driver_table())));
}

/// A call of the runtime that is one of the driver, in a current context.
#define ASSAY_FORWARD(name, parameters, call)                                   \
  ASSAY_RUNTIME Error name parameters {                                         \
    return with_driver([&](const DriverTable& driver) { return driver.call; }); \
  }

inline abi::DevicePtr address_of(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// Forgets that contexts are set up, after cudaDeviceReset.
void forget_context();

/// Tells once that something is not supported: a line of kind "unsupported" in the file that
/// ASSAY_EMULATOR_REPORT names (devices/emulator/driver/extra.h), else a line on stderr.
void report_unsupported(std::string_view call, std::string_view sentence);

/// The same for a function of the public API that the stand-in does not have; kind "absent".
void report_absent(std::string_view function);

/// Sets which sides of a copy the driver is to check as device memory; false for no cudaMemcpyKind.
bool set_kind(abi::Memcpy3d& copy, int kind);
/// After set_kind.
void set_bases(abi::Memcpy3d& copy, void* to, const void* from);
/// The runtime's record of a copy as the driver's. CUDA arrays are refused in a sentence.
Error convert(const Copy3d* copy, abi::Memcpy3d& volume);

}  // namespace assay::cudart

/// What a program registers when it starts: fat binaries, the host functions that stand for kernels, the host
/// variables that stand for device variables. Code is loaded when it is first needed.
namespace assay::cudart {

struct Binary;

/// The handle is what the program gets from __cudaRegisterFatBinary.
Binary* add_binary(const void* wrapper);
void add_function(Binary* binary, const void* host, const char* device_name);
void add_variable(Binary* binary, const void* host, const char* device_name, size_t bytes);
/// The host variable is a pointer, which is to hold the address of managed memory once the code is loaded.
void add_managed(Binary* binary, void** host, const char* device_name);
void remove_binary(Binary* binary);

/// Loads what has managed variables, before the host looks at one.
Error load_managed(const DriverTable& driver);

/// The kernel that a host function stands for, or the one that is named by itself: cudaKernel_t.
Error find_kernel(const DriverTable& driver, const void* host, abi::Kernel& kernel);
inline abi::Function as_function(abi::Kernel kernel) {
  return reinterpret_cast<abi::Function>(kernel);
}

/// Address and size of the device variable that a host variable stands for.
Error find_variable(const DriverTable& driver, const void* host, abi::DevicePtr& address, size_t& bytes);

/// After cudaDeviceReset. Libraries and kernels stay: programs keep handles of kernels for ever.
void forget_places();

}  // namespace assay::cudart
