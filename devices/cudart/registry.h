// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "devices/cudart/call.h"

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
Error find_kernel(const DriverTable& driver, const void* host, driver::Kernel& kernel);
inline driver::Function as_function(driver::Kernel kernel) {
  return reinterpret_cast<driver::Function>(kernel);
}

/// Address and size of the device variable that a host variable stands for.
Error find_variable(const DriverTable& driver, const void* host, driver::DevicePtr& address, size_t& bytes);

/// After cudaDeviceReset. Libraries and kernels stay: programs keep handles of kernels for ever.
void forget_places();

}  // namespace assay::cudart
