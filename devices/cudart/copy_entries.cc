// SPDX-License-Identifier: Apache-2.0
// Copies and fills.

#include "devices/cudart/call.h"

namespace assay::cudart {
namespace {

/// The driver checks that device memory is where the kind says that it is.
Error copy(const DriverTable& driver, void* to, const void* from, size_t bytes, int kind, Stream stream) {
  if (bytes == 0) return success;
  switch (kind) {
    case host_to_device:
      return driver.cuMemcpyHtoDAsync_v2(address_of(to), from, bytes, stream);
    case device_to_host:
      return driver.cuMemcpyDtoHAsync_v2(to, address_of(from), bytes, stream);
    case device_to_device:
      return driver.cuMemcpyDtoDAsync_v2(address_of(to), address_of(from), bytes, stream);
    case host_to_host:
    case by_pointer:
      return driver.cuMemcpyAsync(address_of(to), address_of(from), bytes, stream);
  }
  return invalid_memcpy_direction;
}

Error copy_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, int kind,
                     Stream stream) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::DevicePtr address = 0;
    size_t size = 0;
    if (kind != host_to_device && kind != device_to_device && kind != by_pointer)
      return invalid_memcpy_direction;
    if (const Error error = find_variable(driver, symbol, address, size); error != success) return error;
    if (offset > size || bytes > size - offset) return invalid_value;
    return copy(driver, reinterpret_cast<void*>(address + offset), from, bytes, kind, stream);
  });
}

Error copy_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, int kind, Stream stream) {
  return with_driver([&](const DriverTable& driver) -> Error {
    abi::DevicePtr address = 0;
    size_t size = 0;
    if (kind != device_to_host && kind != device_to_device && kind != by_pointer)
      return invalid_memcpy_direction;
    if (const Error error = find_variable(driver, symbol, address, size); error != success) return error;
    if (offset > size || bytes > size - offset) return invalid_value;
    return copy(driver, to, reinterpret_cast<const void*>(address + offset), bytes, kind, stream);
  });
}

Error copy_plane(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                 int kind, Stream stream) {
  if (height > 1 && (width > to_pitch || width > from_pitch)) return remember(invalid_pitch);
  abi::Memcpy3d plane{};
  if (!set_kind(plane, kind)) return remember(invalid_memcpy_direction);
  set_bases(plane, to, from);
  plane.to_pitch = to_pitch;
  plane.from_pitch = from_pitch;
  plane.width = width;
  plane.height = height;
  plane.depth = 1;
  return with_driver([&](const DriverTable& driver) { return driver.cuMemcpy3DAsync_v2(&plane, stream); });
}

Error copy_volume(const Copy3d* copy, Stream stream) {
  abi::Memcpy3d volume{};
  if (const Error error = convert(copy, volume); error != success) return remember(error);
  return with_driver([&](const DriverTable& driver) { return driver.cuMemcpy3DAsync_v2(&volume, stream); });
}

Error fill_volume(PitchedPointer to, int value, Extent extent, Stream stream) {
  return with_driver([&](const DriverTable& driver) -> Error {
    for (size_t z = 0; z < extent.depth; ++z)
      if (const auto result = driver.cuMemsetD2D8Async(address_of(to.pointer) + z * to.pitch * to.height,
                                                       to.pitch, static_cast<unsigned char>(value),
                                                       extent.width, extent.height, stream);
          result != abi::success)
        return result;
    return success;
  });
}

/// Calls without Async come back when what they ask for is done.
Error ended(Error error) {
  if (error != success) return error;
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamSynchronize(nullptr); });
}

}  // namespace

ASSAY_RUNTIME Error cudaMemcpyAsync(void* to, const void* from, size_t bytes, int kind, Stream stream) {
  return with_driver([&](const DriverTable& driver) { return copy(driver, to, from, bytes, kind, stream); });
}
ASSAY_RUNTIME Error cudaMemcpy(void* to, const void* from, size_t bytes, int kind) {
  return ended(cudaMemcpyAsync(to, from, bytes, kind, nullptr));
}
ASSAY_RUNTIME Error cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return cudaMemcpy(to, from, bytes, device_to_device);
}
ASSAY_RUNTIME Error cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, Stream stream) {
  return cudaMemcpyAsync(to, from, bytes, device_to_device, stream);
}

ASSAY_RUNTIME Error cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                       int kind) {
  return ended(copy_to_symbol(symbol, from, bytes, offset, kind, nullptr));
}
ASSAY_RUNTIME Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                            int kind, Stream stream) {
  return copy_to_symbol(symbol, from, bytes, offset, kind, stream);
}
ASSAY_RUNTIME Error cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                         int kind) {
  return ended(copy_from_symbol(to, symbol, bytes, offset, kind, nullptr));
}
ASSAY_RUNTIME Error cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                              int kind, Stream stream) {
  return copy_from_symbol(to, symbol, bytes, offset, kind, stream);
}

ASSAY_RUNTIME Error cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                 size_t height, int kind) {
  return ended(copy_plane(to, to_pitch, from, from_pitch, width, height, kind, nullptr));
}
ASSAY_RUNTIME Error cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                      size_t width, size_t height, int kind, Stream stream) {
  return copy_plane(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
ASSAY_RUNTIME Error cudaMemcpy3D(const Copy3d* copy) {
  return ended(copy_volume(copy, nullptr));
}
ASSAY_RUNTIME Error cudaMemcpy3DAsync(const Copy3d* copy, Stream stream) {
  return copy_volume(copy, stream);
}

ASSAY_RUNTIME Error cudaMemsetAsync(void* to, int value, size_t bytes, Stream stream) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuMemsetD8Async(address_of(to), static_cast<unsigned char>(value), bytes, stream);
  });
}
ASSAY_RUNTIME Error cudaMemset(void* to, int value, size_t bytes) {
  return ended(cudaMemsetAsync(to, value, bytes, nullptr));
}
ASSAY_RUNTIME Error cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                      Stream stream) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuMemsetD2D8Async(address_of(to), pitch, static_cast<unsigned char>(value), width, height,
                                    stream);
  });
}
ASSAY_RUNTIME Error cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return ended(cudaMemset2DAsync(to, pitch, value, width, height, nullptr));
}
ASSAY_RUNTIME Error cudaMemset3D(PitchedPointer to, int value, Extent extent) {
  return ended(fill_volume(to, value, extent, nullptr));
}
ASSAY_RUNTIME Error cudaMemset3DAsync(PitchedPointer to, int value, Extent extent, Stream stream) {
  return fill_volume(to, value, extent, stream);
}

namespace {

constexpr int host = 1, device = 2, unified = 4;

}  // namespace

bool set_kind(abi::Memcpy3d& copy, int kind) {
  constexpr int types[][2] = {
      {unified, unified}, {host, device}, {device, host}, {device, device}, {unified, unified}};
  if (kind < host_to_host || kind > by_pointer) return false;
  copy.from_type = types[kind][0];
  copy.to_type = types[kind][1];
  return true;
}

void set_bases(abi::Memcpy3d& copy, void* to, const void* from) {
  copy.from_host = from;
  copy.from_device = address_of(from);
  copy.to_host = to;
  copy.to_device = address_of(to);
}

Error convert(const Copy3d* copy, abi::Memcpy3d& volume) {
  if (copy == nullptr) return invalid_value;
  if (copy->from_array != nullptr || copy->to_array != nullptr) {
    report_unsupported("cudaMemcpy3D", "CUDA arrays are not emulated; copy to or from linear memory");
    return not_supported;
  }
  if (!set_kind(volume, copy->kind)) return invalid_memcpy_direction;
  set_bases(volume, copy->to.pointer, copy->from.pointer);
  volume.from_x = copy->from_position.x;
  volume.from_y = copy->from_position.y;
  volume.from_z = copy->from_position.z;
  volume.from_pitch = copy->from.pitch;
  volume.from_height = copy->from.height;
  volume.to_x = copy->to_position.x;
  volume.to_y = copy->to_position.y;
  volume.to_z = copy->to_position.z;
  volume.to_pitch = copy->to.pitch;
  volume.to_height = copy->to.height;
  volume.width = copy->extent.width;
  volume.height = copy->extent.height;
  volume.depth = copy->extent.depth;
  return success;
}

}  // namespace assay::cudart
