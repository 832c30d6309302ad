// SPDX-License-Identifier: Apache-2.0
// Device memory, host memory that kernels see, what a pointer points to.
#include <cstdlib>
#include <cstring>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/settings.h"
#include "devices/emulator/machine/stream_history.h"

namespace assay::emulator {

namespace {

/// Whether a context has pinned or registered memory that begins there.
auto has_block(const void* address) {
  return [address](const abi::ContextObject& context) {
    return context.host_blocks.contains(reinterpret_cast<uintptr_t>(address));
  };
}

size_t used_bytes(const abi::ContextObject& context) {
  size_t used = 0;
  for (const auto& [address, bytes] : context.allocations) used += bytes;
  return used;
}

abi::Result allocate(abi::ContextObject& context, abi::DevicePtr* address, size_t bytes) {
  if (address == nullptr || bytes == 0) return abi::invalid_value;
  if (bytes > device_memory_bytes - used_bytes(context)) return abi::out_of_memory;
  const uint64_t found = context.gpu->memory().allocate(bytes);
  if (found == 0) return abi::out_of_memory;
  context.allocations[found] = bytes;
  *address = found;
  return abi::success;
}

abi::Result release(abi::ContextObject& context, abi::DevicePtr address) {
  if (address == 0) return abi::success;
  const auto found = context.allocations.find(address);
  if (found == context.allocations.end()) return abi::invalid_value;
  const size_t bytes = found->second;
  context.allocations.erase(found);
  context.managed.erase(address);
  context.gpu->launches_ended();  // the call waits for them
  context.gpu->streams().remove_host(address, bytes);
  return context.gpu->memory().release(address) ? abi::success : abi::invalid_value;
}

template <typename Map>
auto find_holding(Map& map, uint64_t address, auto bytes_of) {
  auto it = map.upper_bound(address);
  if (it == map.begin()) return map.end();
  --it;
  return address - it->first < bytes_of(it->second) ? it : map.end();
}
auto find_allocation(abi::ContextObject& context, uint64_t address) {
  return find_holding(context.allocations, address, [](size_t bytes) { return bytes; });
}
auto find_host_block(abi::ContextObject& context, uint64_t address) {
  return find_holding(context.host_blocks, address, [](const abi::HostBlock& block) { return block.bytes; });
}

/// The calls come back when all work has ended.
void forget_host(abi::ContextObject& context, std::map<uint64_t, abi::HostBlock>::iterator block) {
  context.gpu->streams().host_waits_for_all();
  context.gpu->streams().remove_host(block->first, block->second.bytes);
  context.gpu->memory().unmap_host(reinterpret_cast<void*>(block->first));
  context.host_blocks.erase(block);
}

abi::Result allocate_host(const char* call, void** address, size_t bytes, unsigned flags) {
  return in_context(call, [&](Driver&, abi::ContextObject& context) {
    if (address == nullptr || bytes == 0 || flags > 7) return abi::invalid_value;
    const size_t rounded = (bytes + 4095) / 4096 * 4096;
    void* block = rounded < bytes ? nullptr : std::aligned_alloc(4096, rounded);
    if (block == nullptr) return abi::out_of_memory;
    context.gpu->memory().map_host(block, bytes);
    const auto begin = reinterpret_cast<uintptr_t>(block);
    context.gpu->streams().add_host(begin, begin + rounded);
    context.host_blocks[begin] = {bytes, flags, true};
    *address = block;
    return abi::success;
  });
}

}  // namespace

abi::Result cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  return in_context("cuMemGetInfo", [&](Driver&, abi::ContextObject& context) {
    if (free_bytes == nullptr || total == nullptr) return abi::invalid_value;
    *total = device_memory_bytes;
    *free_bytes = device_memory_bytes - used_bytes(context);
    return abi::success;
  });
}

abi::Result cuMemAlloc_v2(abi::DevicePtr* address, size_t bytes) {
  return in_context("cuMemAlloc",
                    [&](Driver&, abi::ContextObject& context) { return allocate(context, address, bytes); });
}
abi::Result cuMemFree_v2(abi::DevicePtr address) {
  return in_context_of(
      "cuMemFree", [&](const abi::ContextObject& context) { return context.allocations.contains(address); },
      [&](Driver&, abi::ContextObject& context) {
        context.gpu->streams().host_waits_for_all();
        return release(context, address);
      });
}
abi::Result cuMemAllocAsync(abi::DevicePtr* address, size_t bytes, abi::Stream stream) {
  return in_context("cuMemAllocAsync", [&](Driver&, abi::ContextObject& context) {
    return is_stream(context, stream) ? allocate(context, address, bytes) : abi::invalid_handle;
  });
}
abi::Result cuMemFreeAsync(abi::DevicePtr address, abi::Stream stream) {
  return in_context("cuMemFreeAsync", [&](Driver&, abi::ContextObject& context) {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    // What a graph allocated stays: it may be launched again.
    if (context.streams.knows(stream) && stream->capture != nullptr) return abi::success;
    return release(context, address);
  });
}

abi::Result cuMemGetAddressRange_v2(abi::DevicePtr* base, size_t* bytes, abi::DevicePtr address) {
  return in_context("cuMemGetAddressRange", [&](Driver&, abi::ContextObject& context) {
    const auto found = find_allocation(context, address);
    const auto block = find_host_block(context, address);
    const bool is_device = found != context.allocations.end();
    if (!is_device && block == context.host_blocks.end()) return abi::not_found;
    if (base != nullptr) *base = is_device ? found->first : block->first;
    if (bytes != nullptr) *bytes = is_device ? found->second : block->second.bytes;
    return abi::success;
  });
}

abi::Result cuMemAllocHost_v2(void** address, size_t bytes) {
  return allocate_host("cuMemAllocHost", address, bytes, 0);
}
abi::Result cuMemHostAlloc(void** address, size_t bytes, unsigned flags) {
  return allocate_host("cuMemHostAlloc", address, bytes, flags);
}

abi::Result cuMemFreeHost(void* address) {
  return in_context_of("cuMemFreeHost", has_block(address), [&](Driver&, abi::ContextObject& context) {
    const auto block = context.host_blocks.find(reinterpret_cast<uintptr_t>(address));
    if (block == context.host_blocks.end() || !block->second.is_owned) return abi::invalid_value;
    forget_host(context, block);
    std::free(address);
    return abi::success;
  });
}

abi::Result cuMemHostRegister_v2(void* address, size_t bytes, unsigned flags) {
  return in_context("cuMemHostRegister", [&](Driver&, abi::ContextObject& context) {
    const auto begin = reinterpret_cast<uintptr_t>(address);
    if (address == nullptr || bytes == 0 || begin + bytes < begin || flags > 15) return abi::invalid_value;
    const auto next = context.host_blocks.lower_bound(begin);
    const bool overlaps = find_host_block(context, begin) != context.host_blocks.end() ||
                          (next != context.host_blocks.end() && next->first < begin + bytes);
    if (overlaps) return abi::host_memory_already_registered;
    context.gpu->memory().map_host(address, bytes);
    constexpr uint64_t page = StreamHistory::page;
    context.gpu->streams().add_host((begin + page - 1) / page * page, (begin + bytes) / page * page);
    context.host_blocks[begin] = {bytes, flags, false};
    return abi::success;
  });
}

abi::Result cuMemHostUnregister(void* address) {
  return in_context_of("cuMemHostUnregister", has_block(address), [&](Driver&, abi::ContextObject& context) {
    const auto block = context.host_blocks.find(reinterpret_cast<uintptr_t>(address));
    if (address == nullptr) return abi::invalid_value;
    if (block == context.host_blocks.end() || block->second.is_owned) return abi::host_memory_not_registered;
    forget_host(context, block);
    return abi::success;
  });
}

abi::Result cuMemHostGetDevicePointer_v2(abi::DevicePtr* device, void* address, unsigned flags) {
  return in_context("cuMemHostGetDevicePointer", [&](Driver&, abi::ContextObject& context) {
    if (device == nullptr || flags != 0) return abi::invalid_value;
    const auto at = reinterpret_cast<uintptr_t>(address);
    if (find_host_block(context, at) == context.host_blocks.end()) return abi::invalid_value;
    *device = at;
    return abi::success;
  });
}

abi::Result cuMemHostGetFlags(unsigned* flags, void* address) {
  return in_context("cuMemHostGetFlags", [&](Driver&, abi::ContextObject& context) {
    const auto block = find_host_block(context, reinterpret_cast<uintptr_t>(address));
    if (flags == nullptr || block == context.host_blocks.end()) return abi::invalid_value;
    *flags = block->second.flags;
    return abi::success;
  });
}

abi::Result cuPointerGetAttribute(void* value, abi::PointerAttribute attribute, abi::DevicePtr address) {
  return in_context("cuPointerGetAttribute", [&](Driver&, abi::ContextObject& context) {
    if (value == nullptr) return abi::invalid_value;
    const auto device = find_allocation(context, address);
    const auto host = find_host_block(context, address);
    const bool is_device = device != context.allocations.end();
    if (!is_device && host == context.host_blocks.end()) return abi::invalid_value;
    const auto give = [value](const auto& fact) {
      std::memcpy(value, &fact, sizeof fact);
      return abi::success;
    };
    const bool is_managed = is_device && context.managed.count(device->first) != 0;
    switch (attribute) {
      case abi::pointer_context:
        return give(&context);
      case abi::pointer_memory_type:
        return give(is_device ? abi::memory_device : abi::memory_host);
      case abi::pointer_device_pointer:
        return give(address);
      case abi::pointer_host_pointer:
        return is_device && !is_managed ? abi::invalid_value : give(address);
      case abi::pointer_is_managed:
        return give(is_managed);
      case abi::pointer_device_ordinal:
        return give(0);
      case abi::pointer_range_start:
        return give(is_device ? device->first : host->first);
      case abi::pointer_range_size:
        return give(is_device ? device->second : host->second.bytes);
      case abi::pointer_mapped:
        return give(true);
    }
    return abi::invalid_value;
  });
}

/// Attributes that a pointer does not have come back as zero.
abi::Result cuPointerGetAttributes(unsigned count, abi::PointerAttribute* attributes, void** values,
                                   abi::DevicePtr address) {
  if (count != 0 && (attributes == nullptr || values == nullptr)) return abi::invalid_value;
  return in_context("cuPointerGetAttributes", [&](Driver&, abi::ContextObject&) {
    for (unsigned i = 0; i < count; ++i) {
      const bool is_word =
          attributes[i] == abi::pointer_memory_type || attributes[i] == abi::pointer_device_ordinal;
      const bool is_flag = attributes[i] == abi::pointer_is_managed || attributes[i] == abi::pointer_mapped;
      std::memset(values[i], 0, is_flag ? 1 : is_word ? 4 : 8);
      cuPointerGetAttribute(values[i], attributes[i], address);
    }
    return abi::success;
  });
}

}  // namespace assay::emulator
