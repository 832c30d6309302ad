// SPDX-License-Identifier: Apache-2.0
// Managed memory and memory pools. All memory lies where both sides see it, so hints and pools only keep
// books.
#include <cstring>

#include "devices/emulator/driver/call.h"

namespace assay::emulator {
namespace {

/// CUmemPool_attribute: 1 to 3 reuse policies, 4 the release threshold, 5 to 8 what is reserved and used.
constexpr int first_word = 4, last_attribute_of_pool = 8;

abi::MemoryPool default_pool(abi::ContextObject& context) {
  if (context.default_pool == nullptr)
    context.current_pool = context.default_pool = context.pools.add(std::make_unique<abi::PoolObject>());
  return context.default_pool;
}

abi::Result give_pool(const char* call, abi::MemoryPool* pool, abi::Device device, bool is_default) {
  return in_context(call, [&](Driver&, abi::ContextObject& context) {
    if (device != 0) return abi::invalid_device;
    if (pool == nullptr) return abi::invalid_value;
    *pool = default_pool(context);
    if (!is_default) *pool = context.current_pool;
    return abi::success;
  });
}

abi::Result with_pool(const char* call, abi::MemoryPool pool, auto f) {
  return in_context(call, [&](Driver&, abi::ContextObject& context) -> abi::Result {
    if (!context.pools.knows(pool)) return abi::invalid_value;
    return f(context);
  });
}

/// A hint on memory that the context has.
abi::Result hint(const char* call, abi::DevicePtr address, size_t bytes, abi::Stream stream = nullptr) {
  return in_context(call, [&](Driver&, abi::ContextObject& context) {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    return context.gpu->memory().find(address, bytes) == nullptr ? abi::invalid_value : abi::success;
  });
}

}  // namespace

abi::Result cuMemAllocManaged(abi::DevicePtr* address, size_t bytes, unsigned flags) {
  if (flags != 1 && flags != 2 && flags != 4) return abi::invalid_value;
  return in_context("cuMemAllocManaged", [&](Driver&, abi::ContextObject& context) {
    const abi::Result result = cuMemAlloc_v2(address, bytes);
    if (result != abi::success) return result;
    context.managed.insert(*address);
    // No other allocation lies in its pages.
    constexpr uint64_t page = StreamHistory::page;
    context.gpu->streams().add_host(*address / page * page, (*address + bytes + page - 1) / page * page);
    return result;
  });
}

abi::Result cuMemAllocPitch_v2(abi::DevicePtr* address, size_t* pitch, size_t width, size_t height,
                               unsigned element_bytes) {
  constexpr size_t alignment = 512;
  if (pitch == nullptr || width == 0 || height == 0) return abi::invalid_value;
  if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) return abi::invalid_value;
  *pitch = (width + alignment - 1) / alignment * alignment;
  return cuMemAlloc_v2(address, *pitch * height);
}

abi::Result cuMemPrefetchAsync_v2(abi::DevicePtr address, size_t bytes, abi::MemLocation, unsigned,
                                  abi::Stream stream) {
  return hint("cuMemPrefetchAsync", address, bytes, stream);
}
abi::Result cuMemAdvise_v2(abi::DevicePtr address, size_t bytes, int, abi::MemLocation) {
  return hint("cuMemAdvise", address, bytes);
}
abi::Result cuStreamAttachMemAsync(abi::Stream stream, abi::DevicePtr address, size_t, unsigned) {
  return hint("cuStreamAttachMemAsync", address, 1, stream);
}

abi::Result cuDeviceGetDefaultMemPool(abi::MemoryPool* pool, abi::Device device) {
  return give_pool("cuDeviceGetDefaultMemPool", pool, device, true);
}
abi::Result cuDeviceGetMemPool(abi::MemoryPool* pool, abi::Device device) {
  return give_pool("cuDeviceGetMemPool", pool, device, false);
}
abi::Result cuDeviceSetMemPool(abi::Device device, abi::MemoryPool pool) {
  return with_pool("cuDeviceSetMemPool", pool, [&](abi::ContextObject& context) {
    if (device != 0) return abi::invalid_device;
    context.current_pool = pool;
    return abi::success;
  });
}

abi::Result cuMemPoolCreate(abi::MemoryPool* pool, const abi::MemPoolProps* props) {
  return in_context("cuMemPoolCreate", [&](Driver& driver, abi::ContextObject& context) {
    if (pool == nullptr || props == nullptr) return abi::invalid_value;
    if (props->handle_types != 0) {
      driver.note_unsupported("cuMemPoolCreate",
                              "pools whose memory other processes may import are not emulated");
      return abi::not_supported;
    }
    *pool = context.pools.add(std::make_unique<abi::PoolObject>());
    return abi::success;
  });
}
abi::Result cuMemPoolDestroy(abi::MemoryPool pool) {
  return with_pool("cuMemPoolDestroy", pool, [&](abi::ContextObject& context) {
    if (pool == context.default_pool) return abi::invalid_value;
    if (pool == context.current_pool) context.current_pool = default_pool(context);
    context.pools.remove(pool);
    return abi::success;
  });
}
abi::Result cuMemPoolTrimTo(abi::MemoryPool pool, size_t) {
  return with_pool("cuMemPoolTrimTo", pool, [](abi::ContextObject&) { return abi::success; });
}
abi::Result cuMemPoolSetAttribute(abi::MemoryPool pool, int attribute, void* value) {
  return with_pool("cuMemPoolSetAttribute", pool, [&](abi::ContextObject&) {
    if (value == nullptr || attribute < 1 || attribute > last_attribute_of_pool) return abi::invalid_value;
    uint64_t word = 0;
    std::memcpy(&word, value, attribute < first_word ? 4 : 8);
    pool->attributes[attribute] = word;
    return abi::success;
  });
}
abi::Result cuMemPoolGetAttribute(abi::MemoryPool pool, int attribute, void* value) {
  return with_pool("cuMemPoolGetAttribute", pool, [&](abi::ContextObject&) {
    if (value == nullptr || attribute < 1 || attribute > last_attribute_of_pool) return abi::invalid_value;
    const auto found = pool->attributes.find(attribute);
    // The reuse policies are on by default.
    const uint64_t word = found == pool->attributes.end() ? attribute < first_word : found->second;
    std::memcpy(value, &word, attribute < first_word ? 4 : 8);
    return abi::success;
  });
}
abi::Result cuMemPoolSetAccess(abi::MemoryPool pool, const void*, size_t) {
  return with_pool("cuMemPoolSetAccess", pool, [](abi::ContextObject&) { return abi::success; });
}
abi::Result cuMemAllocFromPoolAsync(abi::DevicePtr* address, size_t bytes, abi::MemoryPool pool,
                                    abi::Stream stream) {
  return with_pool("cuMemAllocFromPoolAsync", pool,
                   [&](abi::ContextObject&) { return cuMemAllocAsync(address, bytes, stream); });
}

}  // namespace assay::emulator
