// SPDX-License-Identifier: Apache-2.0
// The device, and what is set for all of it. There is one.
#include <cstring>

#include "devices/cudart/call.h"

namespace assay::cudart {
namespace {

int attribute_of(const DriverTable& driver, int attribute) {
  int value = 0;
  driver.cuDeviceGetAttribute(&value, attribute, 0);
  return value;
}

void fill(const DriverTable& driver, DeviceProperties& p) {
  std::memset(&p, 0, sizeof p);
  const auto get = [&](int attribute) { return attribute_of(driver, attribute); };
  const auto bytes = [&](int attribute) { return static_cast<size_t>(attribute_of(driver, attribute)); };
  driver.cuDeviceGetName(p.name, sizeof p.name, 0);
  driver.cuDeviceGetUuid_v2(&p.uuid, 0);
  driver.cuDeviceTotalMem_v2(&p.total_memory, 0);
  p.shared_per_block = bytes(8);
  p.registers_per_block = get(12);
  p.warp_size = get(10);
  p.memory_pitch = bytes(11);
  p.max_threads_per_block = get(1);
  for (int i = 0; i < 3; ++i) p.max_block[i] = get(2 + i);
  for (int i = 0; i < 3; ++i) p.max_grid[i] = get(5 + i);
  p.constant_memory = bytes(9);
  p.major = get(75);
  p.minor = get(76);
  p.texture_alignment = bytes(14);
  p.texture_pitch_alignment = bytes(51);
  p.multiprocessors = get(16);
  p.integrated = get(18);
  p.can_map_host_memory = get(19);
  p.surface_alignment = bytes(30);
  p.concurrent_kernels = get(31);
  p.ecc = get(32);
  p.async_engines = get(40);
  p.unified_addressing = get(41);
  p.memory_bus_width = get(37);
  p.l2_bytes = get(38);
  p.persisting_l2_bytes = get(108);
  p.access_policy_bytes = get(109);
  p.threads_per_multiprocessor = get(39);
  p.stream_priorities = get(78);
  p.global_l1 = get(79);
  p.local_l1 = get(80);
  p.shared_per_multiprocessor = bytes(81);
  p.registers_per_multiprocessor = get(82);
  p.managed_memory = get(83);
  p.pageable_access = get(88);
  p.concurrent_managed_access = get(89);
  p.compute_preemption = get(90);
  p.registered_has_host_pointer = get(91);
  p.cooperative_launch = get(95);
  p.shared_per_block_optin = bytes(97);
  p.blocks_per_multiprocessor = get(106);
  p.reserved_shared_per_block = bytes(111);
  p.host_register = get(99);
  p.memory_pools = get(115);
  p.cluster_launch = get(120);
}

}  // namespace

ASSAY_RUNTIME Error cudaGetDeviceCount(int* count) {
  if (count == nullptr) return remember(invalid_value);
  *count = 0;
  return with_driver([&](const DriverTable& driver) { return driver.cuDeviceGetCount(count); });
}
ASSAY_RUNTIME Error cudaGetDevice(int* device) {
  if (device == nullptr) return remember(invalid_value);
  *device = 0;
  return success;
}
ASSAY_RUNTIME Error cudaSetDevice(int device) {
  return with_driver([&](const DriverTable&) { return device == 0 ? success : invalid_device; });
}
ASSAY_RUNTIME Error cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}
ASSAY_RUNTIME Error cudaSetValidDevices(int*, int) {
  return success;
}
ASSAY_RUNTIME Error cudaChooseDevice(int* device, const DeviceProperties*) {
  return cudaGetDevice(device);
}
ASSAY_FORWARD(cudaSetDeviceFlags, (unsigned flags), cuDevicePrimaryCtxSetFlags_v2(0, flags))
ASSAY_FORWARD(cudaGetDeviceFlags, (unsigned* flags), cuCtxGetFlags(flags))

ASSAY_RUNTIME Error cudaGetDeviceProperties(DeviceProperties* properties, int device) {
  return with_driver([&](const DriverTable& driver) {
    if (properties == nullptr) return invalid_value;
    if (device != 0) return invalid_device;
    fill(driver, *properties);
    return success;
  });
}
ASSAY_FORWARD(cudaDeviceGetAttribute, (int* value, int attribute, int device),
              cuDeviceGetAttribute(value, attribute, device))
ASSAY_FORWARD(cudaDeviceGetPCIBusId, (char* id, int size, int device), cuDeviceGetPCIBusId(id, size, device))
ASSAY_FORWARD(cudaDeviceGetByPCIBusId, (int* device, const char* id), cuDeviceGetByPCIBusId(device, id))

ASSAY_FORWARD(cudaDeviceSynchronize, (), cuCtxSynchronize())
ASSAY_RUNTIME Error cudaDeviceReset() {
  return with_driver([&](const DriverTable& driver) {
    forget_places();
    const auto result = driver.cuDevicePrimaryCtxReset_v2(0);
    last_error() = success;
    forget_context();
    return result;
  });
}

ASSAY_FORWARD(cudaDeviceSetLimit, (int limit, size_t value), cuCtxSetLimit(limit, value))
ASSAY_FORWARD(cudaDeviceGetLimit, (size_t * value, int limit), cuCtxGetLimit(value, limit))
ASSAY_FORWARD(cudaDeviceGetCacheConfig, (int* config), cuCtxGetCacheConfig(config))
ASSAY_FORWARD(cudaDeviceSetCacheConfig, (int config), cuCtxSetCacheConfig(config))
ASSAY_RUNTIME Error cudaDeviceGetSharedMemConfig(int* config) {
  if (config == nullptr) return remember(invalid_value);
  *config = 1;  // four-byte banks
  return success;
}
ASSAY_RUNTIME Error cudaDeviceSetSharedMemConfig(int) {
  return success;
}
ASSAY_FORWARD(cudaDeviceGetStreamPriorityRange, (int* least, int* greatest),
              cuCtxGetStreamPriorityRange(least, greatest))
ASSAY_FORWARD(cudaCtxResetPersistingL2Cache, (), cuCtxResetPersistingL2Cache())

ASSAY_FORWARD(cudaDeviceCanAccessPeer, (int* can, int device, int peer),
              cuDeviceCanAccessPeer(can, device, peer))
ASSAY_FORWARD(cudaDeviceGetP2PAttribute, (int* value, int attribute, int device, int peer),
              cuDeviceGetP2PAttribute(value, attribute, device, peer))
ASSAY_RUNTIME Error cudaDeviceEnablePeerAccess(int, unsigned) {
  return remember(invalid_device);
}
ASSAY_RUNTIME Error cudaDeviceDisablePeerAccess(int) {
  return remember(peer_access_not_enabled);
}

}  // namespace assay::cudart
