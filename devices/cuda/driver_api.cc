#include "devices/cuda/driver_api.h"

#include <dlfcn.h>

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

}  // namespace assay::cuda
