// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/volume.h"

#include "devices/cudart/report.h"

namespace assay::cudart {
namespace {

constexpr int host = 1, device = 2, unified = 4;

}  // namespace

bool set_kind(driver::Memcpy3d& copy, int kind) {
  constexpr int types[][2] = {
      {unified, unified}, {host, device}, {device, host}, {device, device}, {unified, unified}};
  if (kind < host_to_host || kind > by_pointer) return false;
  copy.from_type = types[kind][0];
  copy.to_type = types[kind][1];
  return true;
}

void set_bases(driver::Memcpy3d& copy, void* to, const void* from) {
  copy.from_host = from;
  copy.from_device = address_of(from);
  copy.to_host = to;
  copy.to_device = address_of(to);
}

Error convert(const Copy3d* copy, driver::Memcpy3d& volume) {
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
