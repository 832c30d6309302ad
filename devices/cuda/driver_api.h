// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace assay::cuda {

// The types of the CUDA Driver API as this program uses them, from its public documentation. Handles are
// opaque pointers, enumerations are int. driver_api_check.cc holds them against cuda.h where that exists.
using Result = int;
using Ordinal = int;
using DeviceAddress = uint64_t;
using Context = void*;
using ModuleHandle = void*;
using Function = void*;
using Stream = void*;
using Event = void*;

struct Uuid {
  unsigned char bytes[16];
};

struct alignas(128) TensorMap {
  uint64_t words[16];
};

struct LaunchAttribute {
  int id;
  char pad[4];
  union alignas(8) {
    char bytes[64];
    uint32_t cluster_dim[3];
  } value;
};

struct LaunchConfig {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamic_shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  uint32_t attribute_count;
};

inline constexpr int attribute_multiprocessor_count = 16;
inline constexpr int attribute_max_shared_per_block_optin = 97;
inline constexpr int attribute_capability_major = 75;
inline constexpr int attribute_capability_minor = 76;
inline constexpr int attribute_tensor_map_access = 127;
inline constexpr int attribute_clock_rate = 13;
inline constexpr int attribute_memory_clock_rate = 36;
inline constexpr int attribute_ecc_enabled = 32;
inline constexpr int attribute_l2_bytes = 38;
inline constexpr int function_static_shared = 1;
inline constexpr int function_max_dynamic_shared = 8;
inline constexpr int function_non_portable_cluster = 14;
inline constexpr int launch_cluster_dimension = 4;
inline constexpr unsigned context_blocking_sync = 4;
inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned event_blocking_sync = 1;
inline constexpr unsigned host_register_portable = 1;
inline constexpr unsigned host_register_device_map = 2;

/// Every entry point: member, exported name, name it falls back to, type.
#define ASSAY_DRIVER_CALLS(X)                                                                                \
  X(init, "cuInit", "cuInit", Result(unsigned))                                                              \
  X(driver_version, "cuDriverGetVersion", "cuDriverGetVersion", Result(int*))                                \
  X(device_count, "cuDeviceGetCount", "cuDeviceGetCount", Result(int*))                                      \
  X(device_get, "cuDeviceGet", "cuDeviceGet", Result(Ordinal*, int))                                         \
  X(device_name, "cuDeviceGetName", "cuDeviceGetName", Result(char*, int, Ordinal))                          \
  X(device_uuid, "cuDeviceGetUuid_v2", "cuDeviceGetUuid", Result(Uuid*, Ordinal))                            \
  X(device_total_memory, "cuDeviceTotalMem_v2", "cuDeviceTotalMem", Result(size_t*, Ordinal))                \
  X(device_attribute, "cuDeviceGetAttribute", "cuDeviceGetAttribute", Result(int*, int, Ordinal))            \
  X(context_flags, "cuDevicePrimaryCtxSetFlags_v2", "cuDevicePrimaryCtxSetFlags", Result(Ordinal, unsigned)) \
  X(context_retain, "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain", Result(Context*, Ordinal))       \
  X(context_set_current, "cuCtxSetCurrent", "cuCtxSetCurrent", Result(Context))                              \
  X(module_load, "cuModuleLoadData", "cuModuleLoadData", Result(ModuleHandle*, const void*))                 \
  X(module_unload, "cuModuleUnload", "cuModuleUnload", Result(ModuleHandle))                                 \
  X(module_function, "cuModuleGetFunction", "cuModuleGetFunction",                                           \
    Result(Function*, ModuleHandle, const char*))                                                            \
  X(module_global, "cuModuleGetGlobal_v2", "cuModuleGetGlobal",                                              \
    Result(DeviceAddress*, size_t*, ModuleHandle, const char*))                                              \
  X(function_attribute, "cuFuncGetAttribute", "cuFuncGetAttribute", Result(int*, int, Function))             \
  X(function_set_attribute, "cuFuncSetAttribute", "cuFuncSetAttribute", Result(Function, int, int))          \
  X(max_active_clusters, "cuOccupancyMaxActiveClusters", "cuOccupancyMaxActiveClusters",                     \
    Result(int*, Function, const LaunchConfig*))                                                             \
  X(memory_allocate, "cuMemAlloc_v2", "cuMemAlloc", Result(DeviceAddress*, size_t))                          \
  X(memory_free, "cuMemFree_v2", "cuMemFree", Result(DeviceAddress))                                         \
  X(host_register, "cuMemHostRegister_v2", "cuMemHostRegister", Result(void*, size_t, unsigned))             \
  X(host_device_address, "cuMemHostGetDevicePointer_v2", "cuMemHostGetDevicePointer",                        \
    Result(DeviceAddress*, void*, unsigned))                                                                 \
  X(copy_to_device, "cuMemcpyHtoDAsync_v2", "cuMemcpyHtoDAsync",                                             \
    Result(DeviceAddress, const void*, size_t, Stream))                                                      \
  X(copy_to_host, "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoHAsync", Result(void*, DeviceAddress, size_t, Stream)) \
  X(fill_bytes, "cuMemsetD8Async", "cuMemsetD8Async", Result(DeviceAddress, unsigned char, size_t, Stream))  \
  X(stream_create, "cuStreamCreate", "cuStreamCreate", Result(Stream*, unsigned))                            \
  X(stream_synchronize, "cuStreamSynchronize", "cuStreamSynchronize", Result(Stream))                        \
  X(event_create, "cuEventCreate", "cuEventCreate", Result(Event*, unsigned))                                \
  X(event_record, "cuEventRecord", "cuEventRecord", Result(Event, Stream))                                   \
  X(event_synchronize, "cuEventSynchronize", "cuEventSynchronize", Result(Event))                            \
  X(event_elapsed, "cuEventElapsedTime_v2", "cuEventElapsedTime", Result(float*, Event, Event))              \
  X(launch, "cuLaunchKernelEx", "cuLaunchKernelEx", Result(const LaunchConfig*, Function, void**, void**))   \
  X(encode_tiled, "cuTensorMapEncodeTiled", "cuTensorMapEncodeTiled",                                        \
    Result(TensorMap*, int, uint32_t, void*, const uint64_t*, const uint64_t*, const uint32_t*,              \
           const uint32_t*, int, int, int, int))                                                             \
  X(encode_im2col, "cuTensorMapEncodeIm2col", "cuTensorMapEncodeIm2col",                                     \
    Result(TensorMap*, int, uint32_t, void*, const uint64_t*, const uint64_t*, const int*, const int*,       \
           uint32_t, uint32_t, const uint32_t*, int, int, int, int))                                         \
  X(replace_address, "cuTensorMapReplaceAddress", "cuTensorMapReplaceAddress", Result(TensorMap*, void*))    \
  X(error_name, "cuGetErrorName", "cuGetErrorName", Result(Result, const char**))                            \
  X(error_string, "cuGetErrorString", "cuGetErrorString", Result(Result, const char**))

/// A CUDA driver: libcuda.so.1, or the emulator. Loaded once in the process that owns the device, never
/// unloaded.
struct Driver {
#define ASSAY_MEMBER(member, symbol, fallback, ...) std::add_pointer_t<__VA_ARGS__> member = nullptr;
  ASSAY_DRIVER_CALLS(ASSAY_MEMBER)
#undef ASSAY_MEMBER
  /// Null under drivers older than it (before CUDA 12.8).
  Result (*encode_im2col_wide)(TensorMap*, int, uint32_t, void*, const uint64_t*, const uint64_t*, int, int,
                               uint32_t, uint32_t, const uint32_t*, int, int, int, int, int) = nullptr;
  /// Exports of the emulator alone, or null (devices/emulator/driver/extra.h says what they do).
  int (*take_notes)(char*, size_t) = nullptr;
  int (*take_breaches)(char*, size_t) = nullptr;
  /// The library exports one of those: it is the emulator, or stands in front of it.
  bool exports_emulator = false;

  /// Opens a shared library and finds every entry point. Throws std::runtime_error with one sentence.
  static Driver load(const std::string& library);

  /// "CUDA_ERROR_ILLEGAL_ADDRESS (700)".
  std::string describe(Result) const;
};

/// A driver call that failed.
struct DriverFailure : std::runtime_error {
  DriverFailure(const Driver&, Result, const char* call);
  Result result;
};

/// Throws DriverFailure unless the result is 0. `call` names it in the message.
inline void check(const Driver& driver, Result result, const char* call) {
  if (result != 0) throw DriverFailure(driver, result, call);
}

/// Whether the result says that the context is dead: only a new process can go on.
bool is_sticky(Result);

/// Whether the result says that a legal kernel or launch is refused: the device is to blame, not this
/// program.
bool is_refusal_of_code(Result);

/// CUDA_ERROR_OUT_OF_MEMORY.
inline constexpr Result out_of_memory = 2;

/// CUDA_ERROR_NOT_INITIALIZED and CUDA_ERROR_INVALID_CONTEXT: what cuTensorMapEncode* answer where there is
/// no context (H200).
inline constexpr Result not_initialized = 3, invalid_context = 201;

/// CUDA_ERROR_INVALID_IMAGE and CUDA_ERROR_NO_BINARY_FOR_GPU: the machine code is for another GPU.
inline constexpr Result invalid_image = 200, no_binary_for_gpu = 209, unsupported_ptx_version = 222;

/// CUDA_ERROR_LAUNCH_TIMEOUT: the device itself ended a launch that did not end.
inline constexpr Result launch_timeout = 702;

}  // namespace assay::cuda
