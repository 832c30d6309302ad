// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Entry points of entries.h by subject.

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
