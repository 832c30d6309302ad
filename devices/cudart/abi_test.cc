// SPDX-License-Identifier: Apache-2.0
// Our own runtime types against the toolkit's, where there is one.
#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#elif __has_include(</usr/local/cuda/include/cuda_runtime_api.h>)
#include </usr/local/cuda/include/cuda_runtime_api.h>
#endif

#include <gtest/gtest.h>

#include <cstddef>

#include "devices/cudart/abi.h"

namespace assay::cudart {
namespace {

#ifdef CUDART_VERSION

#define ASSAY_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
#define ASSAY_PLACE(ours, member, theirs, their_member) \
  static_assert(offsetof(ours, member) == offsetof(theirs, their_member))
ASSAY_SIZE(DeviceProperties, cudaDeviceProp);
ASSAY_PLACE(DeviceProperties, total_memory, cudaDeviceProp, totalGlobalMem);
ASSAY_PLACE(DeviceProperties, major, cudaDeviceProp, major);
ASSAY_PLACE(DeviceProperties, multiprocessors, cudaDeviceProp, multiProcessorCount);
ASSAY_PLACE(DeviceProperties, surface_alignment, cudaDeviceProp, surfaceAlignment);
ASSAY_PLACE(DeviceProperties, l2_bytes, cudaDeviceProp, l2CacheSize);
ASSAY_PLACE(DeviceProperties, shared_per_multiprocessor, cudaDeviceProp, sharedMemPerMultiprocessor);
ASSAY_PLACE(DeviceProperties, managed_memory, cudaDeviceProp, managedMemory);
ASSAY_PLACE(DeviceProperties, cooperative_launch, cudaDeviceProp, cooperativeLaunch);
ASSAY_PLACE(DeviceProperties, shared_per_block_optin, cudaDeviceProp, sharedMemPerBlockOptin);
ASSAY_PLACE(DeviceProperties, blocks_per_multiprocessor, cudaDeviceProp, maxBlocksPerMultiProcessor);
ASSAY_PLACE(DeviceProperties, memory_pools, cudaDeviceProp, memoryPoolsSupported);
ASSAY_PLACE(DeviceProperties, cluster_launch, cudaDeviceProp, clusterLaunch);
ASSAY_SIZE(FunctionAttributes, cudaFuncAttributes);
ASSAY_PLACE(FunctionAttributes, registers, cudaFuncAttributes, numRegs);
ASSAY_PLACE(FunctionAttributes, max_dynamic_shared, cudaFuncAttributes, maxDynamicSharedSizeBytes);
ASSAY_PLACE(FunctionAttributes, non_portable_cluster, cudaFuncAttributes, nonPortableClusterSizeAllowed);
ASSAY_SIZE(PointerAttributes, cudaPointerAttributes);
ASSAY_PLACE(PointerAttributes, host_pointer, cudaPointerAttributes, hostPointer);
ASSAY_SIZE(LaunchConfig, cudaLaunchConfig_t);
ASSAY_PLACE(LaunchConfig, attributes, cudaLaunchConfig_t, attrs);
ASSAY_SIZE(abi::LaunchAttribute, cudaLaunchAttribute);
ASSAY_SIZE(Copy3d, cudaMemcpy3DParms);
ASSAY_PLACE(Copy3d, extent, cudaMemcpy3DParms, extent);
ASSAY_PLACE(Copy3d, kind, cudaMemcpy3DParms, kind);
ASSAY_SIZE(KernelNodeParams, cudaKernelNodeParams);
ASSAY_PLACE(KernelNodeParams, params, cudaKernelNodeParams, kernelParams);
ASSAY_SIZE(abi::MemsetNodeParams, cudaMemsetParams);
ASSAY_PLACE(abi::MemsetNodeParams, width, cudaMemsetParams, width);
ASSAY_SIZE(abi::HostNodeParams, cudaHostNodeParams);
ASSAY_SIZE(abi::MemPoolProps, cudaMemPoolProps);
ASSAY_SIZE(abi::MemLocation, cudaMemLocation);
ASSAY_SIZE(abi::GraphInstantiateParams, cudaGraphInstantiateParams);
ASSAY_SIZE(abi::GraphExecUpdateInfo, cudaGraphExecUpdateResultInfo);
ASSAY_SIZE(Dim3, dim3);
ASSAY_SIZE(Extent, cudaExtent);
ASSAY_SIZE(PitchedPointer, cudaPitchedPtr);

#define ASSAY_VALUE(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))
ASSAY_VALUE(invalid_value, cudaErrorInvalidValue);
ASSAY_VALUE(memory_allocation, cudaErrorMemoryAllocation);
ASSAY_VALUE(initialization_error, cudaErrorInitializationError);
ASSAY_VALUE(invalid_configuration, cudaErrorInvalidConfiguration);
ASSAY_VALUE(invalid_pitch, cudaErrorInvalidPitchValue);
ASSAY_VALUE(invalid_symbol, cudaErrorInvalidSymbol);
ASSAY_VALUE(invalid_memcpy_direction, cudaErrorInvalidMemcpyDirection);
ASSAY_VALUE(insufficient_driver, cudaErrorInsufficientDriver);
ASSAY_VALUE(missing_configuration, cudaErrorMissingConfiguration);
ASSAY_VALUE(invalid_device_function, cudaErrorInvalidDeviceFunction);
ASSAY_VALUE(invalid_device, cudaErrorInvalidDevice);
ASSAY_VALUE(symbol_not_found, cudaErrorSymbolNotFound);
ASSAY_VALUE(not_ready, cudaErrorNotReady);
ASSAY_VALUE(peer_access_not_enabled, cudaErrorPeerAccessNotEnabled);
ASSAY_VALUE(not_supported, cudaErrorNotSupported);
// Errors of the driver are handed on by number.
ASSAY_VALUE(abi::illegal_address, cudaErrorIllegalAddress);
ASSAY_VALUE(abi::assert_failed, cudaErrorAssert);
ASSAY_VALUE(abi::no_binary_for_gpu, cudaErrorNoKernelImageForDevice);
ASSAY_VALUE(abi::cooperative_launch_too_large, cudaErrorCooperativeLaunchTooLarge);
ASSAY_VALUE(abi::graph_exec_update_failure, cudaErrorGraphExecUpdateFailure);

TEST(CudartAbi, MatchesTheToolkit) {
  EXPECT_EQ(CUDART_VERSION / 1000, 13);
}

#else

TEST(CudartAbi, MatchesTheToolkit) {
  GTEST_SKIP() << "there is no cuda_runtime_api.h to compare with";
}

#endif

}  // namespace
}  // namespace assay::cudart
