// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/driver_api.h"

#include <dlfcn.h>

#include <algorithm>

namespace assay::cuda {

Driver Driver::load(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = dlerror();
    throw std::runtime_error(why ? why : library + ": cannot be loaded");
  }
  Driver driver;
  const auto find = [&](const char* symbol, const char* fallback) {
    void* address = dlsym(handle, symbol);
    if (!address) address = dlsym(handle, fallback);
    if (!address) throw std::runtime_error(library + ": has no entry point " + symbol);
    return address;
  };
#define ASSAY_FIND(member, symbol, fallback, ...) \
  driver.member = reinterpret_cast<decltype(driver.member)>(find(symbol, fallback));
  ASSAY_DRIVER_CALLS(ASSAY_FIND)
#undef ASSAY_FIND
  driver.encode_im2col_wide =
      reinterpret_cast<decltype(driver.encode_im2col_wide)>(dlsym(handle, "cuTensorMapEncodeIm2colWide"));
  driver.take_notes = reinterpret_cast<int (*)(char*, size_t)>(dlsym(handle, "assay_emulator_take_notes"));
  driver.take_breaches =
      reinterpret_cast<int (*)(char*, size_t)>(dlsym(handle, "assay_emulator_take_breaches"));
  for (const char* symbol :
       {"assay_emulator_take_notes", "assay_emulator_take_breaches", "assay_emulator_describe_faults"})
    driver.exports_emulator |= dlsym(handle, symbol) != nullptr;
  return driver;
}

std::string Driver::describe(Result result) const {
  const char* name = nullptr;
  if (error_name(result, &name) != 0 || !name) name = "unknown error";
  return std::string(name) + " (" + std::to_string(result) + ")";
}

DriverFailure::DriverFailure(const Driver& driver, Result result, const char* call)
    : std::runtime_error(std::string(call) + " failed: " + driver.describe(result)), result(result) {}

bool is_sticky(Result result) {
  // Driver API, CUresult: errors after which "the context cannot be used" or the process "must be
  // terminated".
  switch (result) {
    case 214:  // ECC_UNCORRECTABLE
    case 220:  // NVLINK_UNCORRECTABLE
    case 700:  // ILLEGAL_ADDRESS
    case 702:  // LAUNCH_TIMEOUT
    case 709:  // CONTEXT_IS_DESTROYED
    case 710:  // ASSERT
    case 714:  // HARDWARE_STACK_ERROR
    case 715:  // ILLEGAL_INSTRUCTION
    case 716:  // MISALIGNED_ADDRESS
    case 717:  // INVALID_ADDRESS_SPACE
    case 718:  // INVALID_PC
    case 719:  // LAUNCH_FAILED
    case 721:  // TENSOR_MEMORY_LEAK
      return true;
  }
  return false;
}

namespace {

/// What a driver says of code or of a launch that it does not take (Driver API, CUresult), and why that is
/// its own failure. Modules were assembled for exactly this compute capability when the program was built
/// (find_image()), by ptxas or as text that ptxas takes; launches ask for what the device's attributes grant.
///
/// Whatever is not here is on our side, or nobody's: memory (2), other users of the GPU (46), our contexts,
/// handles, arguments and names (1, 3, 4, 201, 400, 500), a driver that is older than the PTX (222) or has no
/// compiler (221, 223), the operating system (304), and what says nothing (999).
struct Refusal {
  Result code;
  std::string_view of_what;
};
constexpr Refusal refusals[] = {
    {98, "INVALID_DEVICE_FUNCTION: a kernel of a module that was loaded is not for this device"},
    {200, "INVALID_IMAGE: the PTX, behind machine code that was refused too"},
    {209, "NO_BINARY_FOR_GPU: the same; both are for this compute capability"},
    {218, "INVALID_PTX: a spelling that ptxas takes"},
    {701, "LAUNCH_OUT_OF_RESOURCES: registers and shared memory are within the device's attributes"},
    {801, "NOT_SUPPORTED: what the documents have for this compute capability"},
};

}  // namespace

bool is_refusal_of_code(Result result) {
  return std::ranges::any_of(refusals, [result](const Refusal& one) { return one.code == result; });
}

}  // namespace assay::cuda
