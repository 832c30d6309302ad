// SPDX-License-Identifier: Apache-2.0
// Our own driver types against cuda.h, where there is one.
#if __has_include(<cuda.h>)
#define __CUDA_API_VERSION_INTERNAL  // every name as it is exported, none redirected
#include <cuda.h>
#elif __has_include(</usr/local/cuda/include/cuda.h>)
#define __CUDA_API_VERSION_INTERNAL
#include </usr/local/cuda/include/cuda.h>
#endif

#include <gtest/gtest.h>

#include <type_traits>

#define ASSAY_NO_DRIVER_PROTOTYPES
#include "devices/emulator/driver/entries.h"

#ifdef CUDA_VERSION
// As cudaProfiler.h has them, which finds cuda.h on the include path alone.
extern "C" CUresult CUDAAPI cuProfilerStart(void);
extern "C" CUresult CUDAAPI cuProfilerStop(void);
#endif

namespace assay::emulator {
namespace {

#ifdef CUDA_VERSION

/// Two parameter types are passed alike: same size, and pointer for pointer.
template <typename A, typename B>
constexpr bool passed_alike() {
  return sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B> &&
         std::is_floating_point_v<A> == std::is_floating_point_v<B>;
}
template <typename A, typename B>
struct SameShape : std::false_type {};
template <typename R, typename... As, typename Q, typename... Bs>
struct SameShape<R(As...), Q(Bs...)> {
  static constexpr bool parameters() {
    if constexpr (sizeof...(As) == sizeof...(Bs))
      return (passed_alike<As, Bs>() && ...);
    else
      return false;
  }
  static constexpr bool value = sizeof(R) == sizeof(Q) && parameters();
};

#define ASSAY_COMPARE(name, ...) \
  static_assert(SameShape<decltype(::name), abi::Result(__VA_ARGS__)>::value, #name " differs from cuda.h");
ASSAY_DRIVER_ENTRIES(ASSAY_COMPARE)
#undef ASSAY_COMPARE

static_assert(sizeof(abi::LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(abi::LaunchConfig, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(abi::LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(abi::LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(abi::LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(abi::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(abi::LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(sizeof(abi::TensorMap) == sizeof(CUtensorMap) &&
              alignof(abi::TensorMap) == alignof(CUtensorMap));
static_assert(sizeof(abi::Uuid) == sizeof(CUuuid));

#define ASSAY_VALUE(ours, theirs) static_assert(static_cast<int>(abi::ours) == static_cast<int>(theirs))
ASSAY_VALUE(invalid_value, CUDA_ERROR_INVALID_VALUE);
ASSAY_VALUE(out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
ASSAY_VALUE(not_initialized, CUDA_ERROR_NOT_INITIALIZED);
ASSAY_VALUE(invalid_device, CUDA_ERROR_INVALID_DEVICE);
ASSAY_VALUE(invalid_image, CUDA_ERROR_INVALID_IMAGE);
ASSAY_VALUE(invalid_context, CUDA_ERROR_INVALID_CONTEXT);
ASSAY_VALUE(no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
ASSAY_VALUE(unsupported_limit, CUDA_ERROR_UNSUPPORTED_LIMIT);
ASSAY_VALUE(invalid_ptx, CUDA_ERROR_INVALID_PTX);
ASSAY_VALUE(unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
ASSAY_VALUE(file_not_found, CUDA_ERROR_FILE_NOT_FOUND);
ASSAY_VALUE(invalid_handle, CUDA_ERROR_INVALID_HANDLE);
ASSAY_VALUE(not_found, CUDA_ERROR_NOT_FOUND);
ASSAY_VALUE(not_ready, CUDA_ERROR_NOT_READY);
ASSAY_VALUE(illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS);
ASSAY_VALUE(launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
ASSAY_VALUE(launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT);
ASSAY_VALUE(primary_context_active, CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE);
ASSAY_VALUE(context_is_destroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
ASSAY_VALUE(assert_failed, CUDA_ERROR_ASSERT);
ASSAY_VALUE(host_memory_already_registered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
ASSAY_VALUE(host_memory_not_registered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
ASSAY_VALUE(illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
ASSAY_VALUE(misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS);
ASSAY_VALUE(launch_failed, CUDA_ERROR_LAUNCH_FAILED);
ASSAY_VALUE(not_permitted, CUDA_ERROR_NOT_PERMITTED);
ASSAY_VALUE(not_supported, CUDA_ERROR_NOT_SUPPORTED);
ASSAY_VALUE(invalid_cluster_size, CUDA_ERROR_INVALID_CLUSTER_SIZE);
ASSAY_VALUE(attribute_cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
ASSAY_VALUE(attribute_cluster_dimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
ASSAY_VALUE(function_max_dynamic_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
ASSAY_VALUE(function_cluster_width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
ASSAY_VALUE(function_non_portable_cluster, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
ASSAY_VALUE(pointer_memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
ASSAY_VALUE(pointer_range_size, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
ASSAY_VALUE(memory_device, CU_MEMORYTYPE_DEVICE);
ASSAY_VALUE(jit_error_log, CU_JIT_ERROR_LOG_BUFFER);
ASSAY_VALUE(jit_error_log_size, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
ASSAY_VALUE(proc_version_too_old, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
#undef ASSAY_VALUE
static_assert(CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT == abi::param_buffer);
static_assert(CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT == abi::param_buffer_size);

TEST(DriverAbi, AgreesWithCudaHeader) {
  // The comparison is the compilation of this file; what is left is that the header is the version it speaks
  // of.
  EXPECT_GE(CUDA_VERSION, 13000);
}

#else

TEST(DriverAbi, AgreesWithCudaHeader) {
  GTEST_SKIP() << "declined: no cuda.h here to compare with";
}

#endif

}  // namespace
}  // namespace assay::emulator
