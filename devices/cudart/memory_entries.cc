// SPDX-License-Identifier: Apache-2.0
// Device, host and managed memory; pools; what a pointer points to.
#include <cstring>

#include "devices/cudart/call.h"

namespace assay::cudart {
namespace {

abi::DevicePtr* as_device(void** pointer) {
  return reinterpret_cast<abi::DevicePtr*>(pointer);
}

/// An allocation of no bytes is none, and no error.
template <typename F>
Error allocate(void** pointer, size_t bytes, F f) {
  return with_driver([&](const DriverTable& driver) -> Error {
    if (pointer == nullptr) return invalid_value;
    *pointer = nullptr;
    return bytes == 0 ? success : static_cast<Error>(f(driver));
  });
}

}  // namespace

ASSAY_RUNTIME Error cudaMalloc(void** pointer, size_t bytes) {
  return allocate(pointer, bytes,
                  [&](const DriverTable& driver) { return driver.cuMemAlloc_v2(as_device(pointer), bytes); });
}
ASSAY_FORWARD(cudaFree, (void* pointer), cuMemFree_v2(address_of(pointer)))
ASSAY_RUNTIME Error cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return allocate(pointer, bytes, [&](const DriverTable& driver) {
    return driver.cuMemAllocManaged(as_device(pointer), bytes, flags);
  });
}
ASSAY_RUNTIME Error cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return allocate(pointer, width * height, [&](const DriverTable& driver) {
    return driver.cuMemAllocPitch_v2(as_device(pointer), pitch, width, height, 4);
  });
}
ASSAY_RUNTIME Error cudaMalloc3D(PitchedPointer* pitched, Extent extent) {
  if (pitched == nullptr) return remember(invalid_value);
  *pitched = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pitched->pointer, &pitched->pitch, extent.width, extent.height * extent.depth);
}

ASSAY_RUNTIME Error cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return allocate(pointer, bytes,
                  [&](const DriverTable& driver) { return driver.cuMemHostAlloc(pointer, bytes, flags); });
}
ASSAY_RUNTIME Error cudaMallocHost(void** pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, 0);
}
ASSAY_RUNTIME Error cudaFreeHost(void* pointer) {
  return with_driver([&](const DriverTable& driver) {
    return pointer == nullptr ? abi::success : driver.cuMemFreeHost(pointer);
  });
}
ASSAY_FORWARD(cudaHostRegister, (void* pointer, size_t bytes, unsigned flags),
              cuMemHostRegister_v2(pointer, bytes, flags))
ASSAY_FORWARD(cudaHostUnregister, (void* pointer), cuMemHostUnregister(pointer))
ASSAY_FORWARD(cudaHostGetDevicePointer, (void** device, void* host, unsigned flags),
              cuMemHostGetDevicePointer_v2(as_device(device), host, flags))
ASSAY_FORWARD(cudaHostGetFlags, (unsigned* flags, void* host), cuMemHostGetFlags(flags, host))

ASSAY_FORWARD(cudaMemGetInfo, (size_t * free_bytes, size_t* total), cuMemGetInfo_v2(free_bytes, total))

ASSAY_RUNTIME Error cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return with_driver([&](const DriverTable& driver) -> Error {
    if (attributes == nullptr) return invalid_value;
    std::memset(attributes, 0, sizeof *attributes);
    unsigned type = 0;
    bool is_managed = false;
    void* words[] = {&type, &is_managed, &attributes->device_pointer, &attributes->host_pointer};
    abi::PointerAttribute wanted[] = {abi::pointer_memory_type, abi::pointer_is_managed,
                                      abi::pointer_device_pointer, abi::pointer_host_pointer};
    const auto result = driver.cuPointerGetAttributes(4, wanted, words, address_of(pointer));
    // Memory that nobody registered is the host's, and no error.
    attributes->type = is_managed ? 3 : static_cast<int>(type);
    if (type == 0) {
      attributes->device = -2;
      attributes->host_pointer = const_cast<void*>(pointer);
    }
    return result;
  });
}

ASSAY_RUNTIME Error cudaMallocAsync(void** pointer, size_t bytes, Stream stream) {
  return allocate(pointer, bytes, [&](const DriverTable& driver) {
    return driver.cuMemAllocAsync(as_device(pointer), bytes, stream);
  });
}
ASSAY_FORWARD(cudaFreeAsync, (void* pointer, Stream stream), cuMemFreeAsync(address_of(pointer), stream))
ASSAY_RUNTIME Error cudaMallocFromPoolAsync(void** pointer, size_t bytes, abi::MemoryPool pool,
                                            Stream stream) {
  return allocate(pointer, bytes, [&](const DriverTable& driver) {
    return driver.cuMemAllocFromPoolAsync(as_device(pointer), bytes, pool, stream);
  });
}
ASSAY_FORWARD(cudaDeviceGetDefaultMemPool, (abi::MemoryPool * pool, int device),
              cuDeviceGetDefaultMemPool(pool, device))
ASSAY_FORWARD(cudaDeviceGetMemPool, (abi::MemoryPool * pool, int device), cuDeviceGetMemPool(pool, device))
ASSAY_FORWARD(cudaDeviceSetMemPool, (int device, abi::MemoryPool pool), cuDeviceSetMemPool(device, pool))
ASSAY_FORWARD(cudaMemPoolCreate, (abi::MemoryPool * pool, const abi::MemPoolProps* props),
              cuMemPoolCreate(pool, props))
ASSAY_FORWARD(cudaMemPoolDestroy, (abi::MemoryPool pool), cuMemPoolDestroy(pool))
ASSAY_FORWARD(cudaMemPoolTrimTo, (abi::MemoryPool pool, size_t bytes), cuMemPoolTrimTo(pool, bytes))
ASSAY_FORWARD(cudaMemPoolSetAttribute, (abi::MemoryPool pool, int attribute, void* value),
              cuMemPoolSetAttribute(pool, attribute, value))
ASSAY_FORWARD(cudaMemPoolGetAttribute, (abi::MemoryPool pool, int attribute, void* value),
              cuMemPoolGetAttribute(pool, attribute, value))
ASSAY_FORWARD(cudaMemPoolSetAccess, (abi::MemoryPool pool, const void* list, size_t count),
              cuMemPoolSetAccess(pool, list, count))

ASSAY_FORWARD(cudaMemPrefetchAsync,
              (const void* pointer, size_t bytes, abi::MemLocation location, unsigned flags, Stream stream),
              cuMemPrefetchAsync_v2(address_of(pointer), bytes, location, flags, stream))
ASSAY_FORWARD(cudaMemAdvise, (const void* pointer, size_t bytes, int advice, abi::MemLocation location),
              cuMemAdvise_v2(address_of(pointer), bytes, advice, location))
ASSAY_FORWARD(cudaStreamAttachMemAsync, (Stream stream, void* pointer, size_t bytes, unsigned flags),
              cuStreamAttachMemAsync(stream, address_of(pointer), bytes, flags))

ASSAY_RUNTIME Error cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::DevicePtr address = 0;
    size_t bytes = 0;
    if (pointer == nullptr) return invalid_value;
    if (const Error error = find_variable(driver, symbol, address, bytes); error != success) return error;
    *pointer = reinterpret_cast<void*>(address);
    return success;
  });
}
ASSAY_RUNTIME Error cudaGetSymbolSize(size_t* size, const void* symbol) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::DevicePtr address = 0;
    if (size == nullptr) return invalid_value;
    return find_variable(driver, symbol, address, *size);
  });
}

/// How the bits of an element of a CUDA array are shared out; no array comes of it here.
struct ChannelFormat {
  int x, y, z, w, kind;
};
ASSAY_RUNTIME ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}

}  // namespace assay::cudart
