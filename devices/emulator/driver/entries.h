// SPDX-License-Identifier: Apache-2.0
/// Entry points of entries.h by subject.
#pragma once

#include "devices/emulator/driver/abi.h"

#define ASSAY_DRIVER_ENTRIES_OF_MEMORY(X)                                                    \
  X(cuMemAllocManaged, abi::DevicePtr*, size_t, unsigned)                                    \
  X(cuMemAllocPitch_v2, abi::DevicePtr*, size_t*, size_t, size_t, unsigned)                  \
  X(cuMemPrefetchAsync_v2, abi::DevicePtr, size_t, abi::MemLocation, unsigned, abi::Stream)  \
  X(cuMemAdvise_v2, abi::DevicePtr, size_t, int, abi::MemLocation)                           \
  X(cuStreamAttachMemAsync, abi::Stream, abi::DevicePtr, size_t, unsigned)                   \
  X(cuPointerGetAttributes, unsigned, abi::PointerAttribute*, void**, abi::DevicePtr)        \
  X(cuDeviceGetDefaultMemPool, abi::MemoryPool*, abi::Device)                                \
  X(cuDeviceGetMemPool, abi::MemoryPool*, abi::Device)                                       \
  X(cuDeviceSetMemPool, abi::Device, abi::MemoryPool)                                        \
  X(cuMemPoolCreate, abi::MemoryPool*, const abi::MemPoolProps*)                             \
  X(cuMemPoolDestroy, abi::MemoryPool)                                                       \
  X(cuMemPoolTrimTo, abi::MemoryPool, size_t)                                                \
  X(cuMemPoolSetAttribute, abi::MemoryPool, int, void*)                                      \
  X(cuMemPoolGetAttribute, abi::MemoryPool, int, void*)                                      \
  X(cuMemPoolSetAccess, abi::MemoryPool, const void*, size_t)                                \
  X(cuMemAllocFromPoolAsync, abi::DevicePtr*, size_t, abi::MemoryPool, abi::Stream)          \
  X(cuMemcpy2D_v2, const abi::Memcpy2d*)                                                     \
  X(cuMemcpy2DUnaligned_v2, const abi::Memcpy2d*)                                            \
  X(cuMemcpy2DAsync_v2, const abi::Memcpy2d*, abi::Stream)                                   \
  X(cuMemcpy3D_v2, const abi::Memcpy3d*)                                                     \
  X(cuMemcpy3DAsync_v2, const abi::Memcpy3d*, abi::Stream)                                   \
  X(cuMemsetD2D8_v2, abi::DevicePtr, size_t, unsigned char, size_t, size_t)                  \
  X(cuMemsetD2D16_v2, abi::DevicePtr, size_t, unsigned short, size_t, size_t)                \
  X(cuMemsetD2D32_v2, abi::DevicePtr, size_t, unsigned, size_t, size_t)                      \
  X(cuMemsetD2D8Async, abi::DevicePtr, size_t, unsigned char, size_t, size_t, abi::Stream)   \
  X(cuMemsetD2D16Async, abi::DevicePtr, size_t, unsigned short, size_t, size_t, abi::Stream) \
  X(cuMemsetD2D32Async, abi::DevicePtr, size_t, unsigned, size_t, size_t, abi::Stream)

#define ASSAY_DRIVER_ENTRIES_OF_GRAPHS(X)                                                                   \
  X(cuStreamBeginCapture_v2, abi::Stream, int)                                                              \
  X(cuStreamEndCapture, abi::Stream, abi::Graph*)                                                           \
  X(cuStreamIsCapturing, abi::Stream, int*)                                                                 \
  X(cuStreamGetCaptureInfo_v3, abi::Stream, int*, uint64_t*, abi::Graph*, const abi::GraphNode**,           \
    const void**, size_t*)                                                                                  \
  X(cuThreadExchangeStreamCaptureMode, int*)                                                                \
  X(cuGraphCreate, abi::Graph*, unsigned)                                                                   \
  X(cuGraphDestroy, abi::Graph)                                                                             \
  X(cuGraphClone, abi::Graph*, abi::Graph)                                                                  \
  X(cuGraphAddKernelNode_v2, abi::GraphNode*, abi::Graph, const abi::GraphNode*, size_t,                    \
    const abi::KernelNodeParams*)                                                                           \
  X(cuGraphAddMemcpyNode, abi::GraphNode*, abi::Graph, const abi::GraphNode*, size_t, const abi::Memcpy3d*, \
    abi::Context)                                                                                           \
  X(cuGraphAddMemsetNode, abi::GraphNode*, abi::Graph, const abi::GraphNode*, size_t,                       \
    const abi::MemsetNodeParams*, abi::Context)                                                             \
  X(cuGraphAddHostNode, abi::GraphNode*, abi::Graph, const abi::GraphNode*, size_t,                         \
    const abi::HostNodeParams*)                                                                             \
  X(cuGraphAddChildGraphNode, abi::GraphNode*, abi::Graph, const abi::GraphNode*, size_t, abi::Graph)       \
  X(cuGraphAddEmptyNode, abi::GraphNode*, abi::Graph, const abi::GraphNode*, size_t)                        \
  X(cuGraphKernelNodeSetParams_v2, abi::GraphNode, const abi::KernelNodeParams*)                            \
  X(cuGraphAddDependencies_v2, abi::Graph, const abi::GraphNode*, const abi::GraphNode*, const void*,       \
    size_t)                                                                                                 \
  X(cuGraphNodeGetType, abi::GraphNode, int*)                                                               \
  X(cuGraphGetNodes, abi::Graph, abi::GraphNode*, size_t*)                                                  \
  X(cuGraphGetRootNodes, abi::Graph, abi::GraphNode*, size_t*)                                              \
  X(cuGraphInstantiateWithFlags, abi::GraphExec*, abi::Graph, unsigned long long)                           \
  X(cuGraphInstantiateWithParams, abi::GraphExec*, abi::Graph, abi::GraphInstantiateParams*)                \
  X(cuGraphExecKernelNodeSetParams_v2, abi::GraphExec, abi::GraphNode, const abi::KernelNodeParams*)        \
  X(cuGraphExecUpdate_v2, abi::GraphExec, abi::Graph, abi::GraphExecUpdateInfo*)                            \
  X(cuGraphUpload, abi::GraphExec, abi::Stream)                                                             \
  X(cuGraphLaunch, abi::GraphExec, abi::Stream)                                                             \
  X(cuGraphExecDestroy, abi::GraphExec)

#define ASSAY_DRIVER_ENTRIES_OF_KERNELS(X)                                                              \
  X(cuModuleLoadFatBinary, abi::Module*, const void*)                                                   \
  X(cuModuleGetLoadingMode, int*)                                                                       \
  X(cuLibraryLoadFromFile, abi::Library*, const char*, abi::JitOption*, void**, unsigned, int*, void**, \
    unsigned)                                                                                           \
  X(cuLibraryGetGlobal, abi::DevicePtr*, size_t*, abi::Library, const char*)                            \
  X(cuLibraryGetManaged, abi::DevicePtr*, size_t*, abi::Library, const char*)                           \
  X(cuLibraryGetKernelCount, unsigned*, abi::Library)                                                   \
  X(cuLibraryEnumerateKernels, abi::Kernel*, unsigned, abi::Library)                                    \
  X(cuKernelGetAttribute, int*, int, abi::Kernel, abi::Device)                                          \
  X(cuKernelSetAttribute, int, int, abi::Kernel, abi::Device)                                           \
  X(cuKernelSetCacheConfig, abi::Kernel, int, abi::Device)                                              \
  X(cuKernelGetName, const char**, abi::Kernel)                                                         \
  X(cuKernelGetLibrary, abi::Library*, abi::Kernel)                                                     \
  X(cuKernelGetParamInfo, abi::Kernel, size_t, size_t*, size_t*)                                        \
  X(cuFuncLoad, abi::Function)                                                                          \
  X(cuFuncIsLoaded, int*, abi::Function)                                                                \
  X(cuOccupancyAvailableDynamicSMemPerBlock, size_t*, abi::Function, int, int)                          \
  X(cuOccupancyMaxPotentialBlockSize, int*, int*, abi::Function, size_t (*)(int), size_t, int)          \
  X(cuStreamAddCallback, abi::Stream, void (*)(abi::Stream, abi::Result, void*), void*, unsigned)       \
  X(cuStreamGetId, abi::Stream, unsigned long long*)                                                    \
  X(cuStreamGetAttribute, abi::Stream, int, void*)                                                      \
  X(cuStreamSetAttribute, abi::Stream, int, const void*)                                                \
  X(cuStreamCopyAttributes, abi::Stream, abi::Stream)                                                   \
  X(cuCtxGetId, abi::Context, unsigned long long*)                                                      \
  X(cuCtxResetPersistingL2Cache)                                                                        \
  X(cuDeviceCanAccessPeer, int*, abi::Device, abi::Device)                                              \
  X(cuDeviceGetP2PAttribute, int*, int, abi::Device, abi::Device)

/// Every exported entry point of the driver: X(name, parameter types...), all of them returning abi::Result.
/// The names are those that cuda.h maps to, so a host that asks by dlsym finds what it was compiled against.
#define ASSAY_DRIVER_ENTRIES(X)                                                                           \
  X(cuInit, unsigned)                                                                                     \
  X(cuDriverGetVersion, int*)                                                                             \
  X(cuGetErrorName, abi::Result, const char**)                                                            \
  X(cuGetErrorString, abi::Result, const char**)                                                          \
  X(cuGetProcAddress, const char*, void**, int, uint64_t)                                                 \
  X(cuGetProcAddress_v2, const char*, void**, int, uint64_t, abi::ProcAddressStatus*)                     \
  X(cuDeviceGet, abi::Device*, int)                                                                       \
  X(cuDeviceGetCount, int*)                                                                               \
  X(cuDeviceGetName, char*, int, abi::Device)                                                             \
  X(cuDeviceGetUuid, abi::Uuid*, abi::Device)                                                             \
  X(cuDeviceGetUuid_v2, abi::Uuid*, abi::Device)                                                          \
  X(cuDeviceGetAttribute, int*, int, abi::Device)                                                         \
  X(cuDeviceTotalMem_v2, size_t*, abi::Device)                                                            \
  X(cuDeviceComputeCapability, int*, int*, abi::Device)                                                   \
  X(cuDeviceGetPCIBusId, char*, int, abi::Device)                                                         \
  X(cuDeviceGetByPCIBusId, abi::Device*, const char*)                                                     \
  X(cuDevicePrimaryCtxRetain, abi::Context*, abi::Device)                                                 \
  X(cuDevicePrimaryCtxRelease_v2, abi::Device)                                                            \
  X(cuDevicePrimaryCtxReset_v2, abi::Device)                                                              \
  X(cuDevicePrimaryCtxSetFlags_v2, abi::Device, unsigned)                                                 \
  X(cuDevicePrimaryCtxGetState, abi::Device, unsigned*, int*)                                             \
  X(cuCtxCreate_v2, abi::Context*, unsigned, abi::Device)                                                 \
  X(cuCtxCreate_v3, abi::Context*, void*, int, unsigned, abi::Device)                                     \
  X(cuCtxCreate_v4, abi::Context*, void*, unsigned, abi::Device)                                          \
  X(cuCtxAttach, abi::Context*, unsigned)                                                                 \
  X(cuCtxDetach, abi::Context)                                                                            \
  X(cuCtxDestroy_v2, abi::Context)                                                                        \
  X(cuCtxPushCurrent_v2, abi::Context)                                                                    \
  X(cuCtxPopCurrent_v2, abi::Context*)                                                                    \
  X(cuCtxSetCurrent, abi::Context)                                                                        \
  X(cuCtxGetCurrent, abi::Context*)                                                                       \
  X(cuCtxGetDevice, abi::Device*)                                                                         \
  X(cuCtxGetDevice_v2, abi::Device*, abi::Context)                                                        \
  X(cuCtxGetFlags, unsigned*)                                                                             \
  X(cuCtxGetApiVersion, abi::Context, unsigned*)                                                          \
  X(cuCtxSynchronize)                                                                                     \
  X(cuCtxSynchronize_v2, abi::Context)                                                                    \
  X(cuProfilerStart)                                                                                      \
  X(cuProfilerStop)                                                                                       \
  X(cuCtxGetLimit, size_t*, int)                                                                          \
  X(cuCtxSetLimit, int, size_t)                                                                           \
  X(cuCtxGetCacheConfig, int*)                                                                            \
  X(cuCtxSetCacheConfig, int)                                                                             \
  X(cuCtxGetStreamPriorityRange, int*, int*)                                                              \
  X(cuModuleLoad, abi::Module*, const char*)                                                              \
  X(cuModuleLoadData, abi::Module*, const void*)                                                          \
  X(cuModuleLoadDataEx, abi::Module*, const void*, unsigned, abi::JitOption*, void**)                     \
  X(cuModuleUnload, abi::Module)                                                                          \
  X(cuModuleGetFunction, abi::Function*, abi::Module, const char*)                                        \
  X(cuModuleGetGlobal_v2, abi::DevicePtr*, size_t*, abi::Module, const char*)                             \
  X(cuModuleGetFunctionCount, unsigned*, abi::Module)                                                     \
  X(cuModuleEnumerateFunctions, abi::Function*, unsigned, abi::Module)                                    \
  X(cuLinkCreate_v2, unsigned, abi::JitOption*, void**, abi::LinkState*)                                  \
  X(cuLinkAddData_v2, abi::LinkState, int, void*, size_t, const char*, unsigned, abi::JitOption*, void**) \
  X(cuLinkAddFile_v2, abi::LinkState, int, const char*, unsigned, abi::JitOption*, void**)                \
  X(cuLinkComplete, abi::LinkState, void**, size_t*)                                                      \
  X(cuLinkDestroy, abi::LinkState)                                                                        \
  X(cuLibraryLoadData, abi::Library*, const void*, abi::JitOption*, void**, unsigned, int*, void**,       \
    unsigned)                                                                                             \
  X(cuLibraryUnload, abi::Library)                                                                        \
  X(cuLibraryGetKernel, abi::Kernel*, abi::Library, const char*)                                          \
  X(cuLibraryGetModule, abi::Module*, abi::Library)                                                       \
  X(cuKernelGetFunction, abi::Function*, abi::Kernel)                                                     \
  X(cuFuncGetAttribute, int*, int, abi::Function)                                                         \
  X(cuFuncSetAttribute, abi::Function, int, int)                                                          \
  X(cuFuncSetCacheConfig, abi::Function, int)                                                             \
  X(cuFuncGetModule, abi::Module*, abi::Function)                                                         \
  X(cuFuncGetName, const char**, abi::Function)                                                           \
  X(cuFuncGetParamInfo, abi::Function, size_t, size_t*, size_t*)                                          \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, int*, abi::Function, int, size_t)                        \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int*, abi::Function, int, size_t, unsigned)     \
  X(cuOccupancyMaxPotentialClusterSize, int*, abi::Function, const abi::LaunchConfig*)                    \
  X(cuOccupancyMaxActiveClusters, int*, abi::Function, const abi::LaunchConfig*)                          \
  X(cuMemGetInfo_v2, size_t*, size_t*)                                                                    \
  X(cuMemAlloc_v2, abi::DevicePtr*, size_t)                                                               \
  X(cuMemFree_v2, abi::DevicePtr)                                                                         \
  X(cuMemAllocAsync, abi::DevicePtr*, size_t, abi::Stream)                                                \
  X(cuMemFreeAsync, abi::DevicePtr, abi::Stream)                                                          \
  X(cuMemGetAddressRange_v2, abi::DevicePtr*, size_t*, abi::DevicePtr)                                    \
  X(cuMemAllocHost_v2, void**, size_t)                                                                    \
  X(cuMemHostAlloc, void**, size_t, unsigned)                                                             \
  X(cuMemFreeHost, void*)                                                                                 \
  X(cuMemHostRegister_v2, void*, size_t, unsigned)                                                        \
  X(cuMemHostUnregister, void*)                                                                           \
  X(cuMemHostGetDevicePointer_v2, abi::DevicePtr*, void*, unsigned)                                       \
  X(cuMemHostGetFlags, unsigned*, void*)                                                                  \
  X(cuPointerGetAttribute, void*, abi::PointerAttribute, abi::DevicePtr)                                  \
  X(cuMemcpy, abi::DevicePtr, abi::DevicePtr, size_t)                                                     \
  X(cuMemcpyAsync, abi::DevicePtr, abi::DevicePtr, size_t, abi::Stream)                                   \
  X(cuMemcpyHtoD_v2, abi::DevicePtr, const void*, size_t)                                                 \
  X(cuMemcpyDtoH_v2, void*, abi::DevicePtr, size_t)                                                       \
  X(cuMemcpyDtoD_v2, abi::DevicePtr, abi::DevicePtr, size_t)                                              \
  X(cuMemcpyHtoDAsync_v2, abi::DevicePtr, const void*, size_t, abi::Stream)                               \
  X(cuMemcpyDtoHAsync_v2, void*, abi::DevicePtr, size_t, abi::Stream)                                     \
  X(cuMemcpyDtoDAsync_v2, abi::DevicePtr, abi::DevicePtr, size_t, abi::Stream)                            \
  X(cuMemsetD8_v2, abi::DevicePtr, unsigned char, size_t)                                                 \
  X(cuMemsetD16_v2, abi::DevicePtr, unsigned short, size_t)                                               \
  X(cuMemsetD32_v2, abi::DevicePtr, unsigned, size_t)                                                     \
  X(cuMemsetD8Async, abi::DevicePtr, unsigned char, size_t, abi::Stream)                                  \
  X(cuMemsetD16Async, abi::DevicePtr, unsigned short, size_t, abi::Stream)                                \
  X(cuMemsetD32Async, abi::DevicePtr, unsigned, size_t, abi::Stream)                                      \
  X(cuStreamCreate, abi::Stream*, unsigned)                                                               \
  X(cuStreamCreateWithPriority, abi::Stream*, unsigned, int)                                              \
  X(cuStreamDestroy_v2, abi::Stream)                                                                      \
  X(cuStreamSynchronize, abi::Stream)                                                                     \
  X(cuStreamQuery, abi::Stream)                                                                           \
  X(cuStreamWaitEvent, abi::Stream, abi::Event, unsigned)                                                 \
  X(cuStreamGetFlags, abi::Stream, unsigned*)                                                             \
  X(cuStreamGetPriority, abi::Stream, int*)                                                               \
  X(cuStreamGetCtx, abi::Stream, abi::Context*)                                                           \
  X(cuLaunchHostFunc, abi::Stream, void (*)(void*), void*)                                                \
  X(cuEventCreate, abi::Event*, unsigned)                                                                 \
  X(cuEventDestroy_v2, abi::Event)                                                                        \
  X(cuEventRecord, abi::Event, abi::Stream)                                                               \
  X(cuEventRecordWithFlags, abi::Event, abi::Stream, unsigned)                                            \
  X(cuEventQuery, abi::Event)                                                                             \
  X(cuEventSynchronize, abi::Event)                                                                       \
  X(cuEventElapsedTime, float*, abi::Event, abi::Event)                                                   \
  X(cuEventElapsedTime_v2, float*, abi::Event, abi::Event)                                                \
  X(cuFuncSetBlockShape, abi::Function, int, int, int)                                                    \
  X(cuFuncSetSharedSize, abi::Function, unsigned)                                                         \
  X(cuParamSetSize, abi::Function, unsigned)                                                              \
  X(cuParamSeti, abi::Function, int, unsigned)                                                            \
  X(cuParamSetf, abi::Function, int, float)                                                               \
  X(cuParamSetv, abi::Function, int, void*, unsigned)                                                     \
  X(cuLaunch, abi::Function)                                                                              \
  X(cuLaunchGrid, abi::Function, int, int)                                                                \
  X(cuLaunchGridAsync, abi::Function, int, int, abi::Stream)                                              \
  X(cuLaunchKernel, abi::Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,  \
    abi::Stream, void**, void**)                                                                          \
  X(cuLaunchKernelEx, const abi::LaunchConfig*, abi::Function, void**, void**)                            \
  X(cuLaunchCooperativeKernel, abi::Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
    unsigned, abi::Stream, void**)                                                                        \
  ASSAY_DRIVER_ENTRIES_OF_MEMORY(X)                                                                       \
  ASSAY_DRIVER_ENTRIES_OF_GRAPHS(X)                                                                       \
  ASSAY_DRIVER_ENTRIES_OF_KERNELS(X)                                                                      \
  X(cuTensorMapEncodeTiled, abi::TensorMap*, int, uint32_t, void*, const uint64_t*, const uint64_t*,      \
    const uint32_t*, const uint32_t*, int, int, int, int)                                                 \
  X(cuTensorMapEncodeIm2col, abi::TensorMap*, int, uint32_t, void*, const uint64_t*, const uint64_t*,     \
    const int*, const int*, uint32_t, uint32_t, const uint32_t*, int, int, int, int)                      \
  X(cuTensorMapEncodeIm2colWide, abi::TensorMap*, int, uint32_t, void*, const uint64_t*, const uint64_t*, \
    int, int, uint32_t, uint32_t, const uint32_t*, int, int, int, int, int)                               \
  X(cuTensorMapReplaceAddress, abi::TensorMap*, void*)

#define ASSAY_DRIVER_EXPORT extern "C" __attribute__((visibility("default")))

// abi_test.cc includes cuda.h, which declares the same names with types of its own. The functions have C
// linkage: the namespace is no part of their names.
#ifndef ASSAY_NO_DRIVER_PROTOTYPES
namespace assay::emulator {
#define ASSAY_DECLARE(name, ...) ASSAY_DRIVER_EXPORT abi::Result name(__VA_ARGS__);
ASSAY_DRIVER_ENTRIES(ASSAY_DECLARE)
#undef ASSAY_DECLARE
}  // namespace assay::emulator
#endif
