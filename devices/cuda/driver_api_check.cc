// SPDX-License-Identifier: Apache-2.0
// Holds driver_api.h against the toolkit's own header. The build compiles this with the toolkit's include
// folder where there is one; without it there is nothing to compare with.
#include "devices/cuda/driver_api.h"

#if __has_include(<cuda.h>)
#include <cuda.h>

#include <cstddef>
#include <type_traits>

namespace assay::cuda {
namespace {

/// Same number of parameters; each the same size and alike in being a pointer.
template <typename A, typename B>
constexpr bool alike = sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B>;
template <>
constexpr bool alike<DeviceAddress, CUdeviceptr> = sizeof(CUdeviceptr) == 8;

template <typename Ours, typename Theirs>
struct same_call : std::false_type {};
template <typename R, typename... Ours, typename S, typename... Theirs>
struct same_call<R (*)(Ours...), S (*)(Theirs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs))
      return alike<R, S> && (alike<Ours, Theirs> && ...);
    else
      return false;
  }();
};

#define ASSAY_SAME(member, function)                                             \
  static_assert(same_call<decltype(Driver::member), decltype(&function)>::value, \
                #function " differs from cuda.h")
ASSAY_SAME(init, cuInit);
ASSAY_SAME(driver_version, cuDriverGetVersion);
ASSAY_SAME(device_count, cuDeviceGetCount);
ASSAY_SAME(device_get, cuDeviceGet);
ASSAY_SAME(device_name, cuDeviceGetName);
ASSAY_SAME(device_uuid, cuDeviceGetUuid);
ASSAY_SAME(device_total_memory, cuDeviceTotalMem);
ASSAY_SAME(device_attribute, cuDeviceGetAttribute);
ASSAY_SAME(context_flags, cuDevicePrimaryCtxSetFlags);
ASSAY_SAME(context_retain, cuDevicePrimaryCtxRetain);
ASSAY_SAME(context_set_current, cuCtxSetCurrent);
ASSAY_SAME(module_load, cuModuleLoadData);
ASSAY_SAME(module_unload, cuModuleUnload);
ASSAY_SAME(module_function, cuModuleGetFunction);
ASSAY_SAME(module_global, cuModuleGetGlobal);
ASSAY_SAME(function_attribute, cuFuncGetAttribute);
ASSAY_SAME(function_set_attribute, cuFuncSetAttribute);
ASSAY_SAME(memory_allocate, cuMemAlloc);
ASSAY_SAME(memory_free, cuMemFree);
ASSAY_SAME(host_register, cuMemHostRegister);
ASSAY_SAME(host_device_address, cuMemHostGetDevicePointer);
ASSAY_SAME(copy_to_device, cuMemcpyHtoDAsync);
ASSAY_SAME(copy_to_host, cuMemcpyDtoHAsync);
ASSAY_SAME(fill_bytes, cuMemsetD8Async);
ASSAY_SAME(stream_create, cuStreamCreate);
ASSAY_SAME(stream_synchronize, cuStreamSynchronize);
ASSAY_SAME(event_create, cuEventCreate);
ASSAY_SAME(event_record, cuEventRecord);
ASSAY_SAME(event_synchronize, cuEventSynchronize);
ASSAY_SAME(event_elapsed, cuEventElapsedTime);
ASSAY_SAME(launch, cuLaunchKernelEx);
ASSAY_SAME(encode_tiled, cuTensorMapEncodeTiled);
ASSAY_SAME(encode_im2col, cuTensorMapEncodeIm2col);
#if CUDA_VERSION >= 12080
ASSAY_SAME(encode_im2col_wide, cuTensorMapEncodeIm2colWide);
#endif
ASSAY_SAME(error_name, cuGetErrorName);
ASSAY_SAME(error_string, cuGetErrorString);
#undef ASSAY_SAME

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) >= 64);
static_assert(sizeof(Uuid) == sizeof(CUuuid));
static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(LaunchConfig, block) == offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(LaunchConfig, dynamic_shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));

static_assert(attribute_multiprocessor_count == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(attribute_max_shared_per_block_optin == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(attribute_capability_major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(attribute_capability_minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(attribute_tensor_map_access == CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED);
static_assert(attribute_clock_rate == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
static_assert(attribute_memory_clock_rate == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
static_assert(attribute_ecc_enabled == CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
static_assert(attribute_l2_bytes == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(function_static_shared == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
static_assert(out_of_memory == CUDA_ERROR_OUT_OF_MEMORY && invalid_image == CUDA_ERROR_INVALID_IMAGE &&
              no_binary_for_gpu == CUDA_ERROR_NO_BINARY_FOR_GPU &&
              unsupported_ptx_version == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(function_max_dynamic_shared == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(function_non_portable_cluster == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
static_assert(launch_cluster_dimension == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
static_assert(context_blocking_sync == CU_CTX_SCHED_BLOCKING_SYNC);
static_assert(stream_non_blocking == CU_STREAM_NON_BLOCKING);
static_assert(event_blocking_sync == CU_EVENT_BLOCKING_SYNC);
static_assert(host_register_portable == CU_MEMHOSTREGISTER_PORTABLE);
static_assert(host_register_device_map == CU_MEMHOSTREGISTER_DEVICEMAP);
static_assert(launch_timeout == CUDA_ERROR_LAUNCH_TIMEOUT);

}  // namespace
}  // namespace assay::cuda
#endif
