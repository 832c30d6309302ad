// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#define ASSAY_NO_DRIVER_PROTOTYPES
#include "devices/emulator/driver/entries.h"

/// The part of the public CUDA runtime API that the stand-in has, as plain types: the repository builds where
/// no CUDA Toolkit is. abi_test.cc compares sizes, offsets and values with cuda_runtime_api.h where that
/// exists. Source: CUDA Runtime API 13.0.
namespace assay::cudart {

namespace abi = emulator::abi;  // as the lists of entry points name it

/// cudaError_t. Those that the driver has too have its numbers.
using Error = int;
inline constexpr Error success = 0, invalid_value = 1, memory_allocation = 2, initialization_error = 3,
                       invalid_configuration = 9, invalid_pitch = 12, invalid_symbol = 13,
                       invalid_memcpy_direction = 21, insufficient_driver = 35, missing_configuration = 52,
                       invalid_device_function = 98, no_device = 100, invalid_device = 101,
                       device_uninitialized = 201, symbol_not_found = 500, not_ready = 600,
                       peer_access_unsupported = 217, peer_access_not_enabled = 705, not_supported = 801;

using Stream = abi::Stream;
using Event = abi::Event;

struct Dim3 {
  unsigned x, y, z;
};
struct Extent {
  size_t width, height, depth;
};
struct Position {
  size_t x, y, z;
};
struct PitchedPointer {
  void* pointer;
  size_t pitch, width, height;
};

enum CopyKind : int { host_to_host, host_to_device, device_to_host, device_to_device, by_pointer };

struct Copy3d {
  void* from_array;
  Position from_position;
  PitchedPointer from;
  void* to_array;
  Position to_position;
  PitchedPointer to;
  Extent extent;
  int kind;
};

struct LaunchConfig {
  Dim3 grid, block;
  size_t shared_bytes;
  Stream stream;
  abi::LaunchAttribute* attributes;
  unsigned attribute_count;
};

struct PointerAttributes {
  int type, device;
  void *device_pointer, *host_pointer;
  long reserved[8];
};

struct FunctionAttributes {
  size_t shared_bytes, const_bytes, local_bytes;
  int max_threads, registers, ptx_version, binary_version, cache_mode_ca, max_dynamic_shared, carveout;
  int cluster_must_be_set, cluster_width, cluster_height, cluster_depth, cluster_policy, non_portable_cluster;
  int reserved[16];
};

struct KernelNodeParams {
  const void* function;
  Dim3 grid, block;
  unsigned shared_bytes;
  void **params, **extra;
};

struct DeviceProperties {
  char name[256];
  abi::Uuid uuid;
  char luid[8];
  unsigned luid_mask;
  size_t total_memory, shared_per_block;
  int registers_per_block, warp_size;
  size_t memory_pitch;
  int max_threads_per_block, max_block[3], max_grid[3];
  size_t constant_memory;
  int major, minor;
  size_t texture_alignment, texture_pitch_alignment;
  int multiprocessors, integrated, can_map_host_memory;
  int textures_and_surfaces[39];
  size_t surface_alignment;
  int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, async_engines, unified_addressing,
      memory_bus_width, l2_bytes, persisting_l2_bytes, threads_per_multiprocessor, stream_priorities,
      global_l1, local_l1;
  size_t shared_per_multiprocessor;
  int registers_per_multiprocessor, managed_memory, is_multi_gpu, multi_gpu_group, host_native_atomics,
      pageable_access, concurrent_managed_access, compute_preemption, registered_has_host_pointer,
      cooperative_launch;
  size_t shared_per_block_optin;
  int pageable_uses_host_tables, direct_managed_access, blocks_per_multiprocessor, access_policy_bytes;
  size_t reserved_shared_per_block;
  int host_register, sparse_arrays, host_register_read_only, timeline_semaphores, memory_pools,
      gpu_direct_rdma;
  unsigned rdma_flush;
  int rdma_ordering;
  unsigned pool_handle_types;
  int deferred_arrays, ipc_events, cluster_launch, unified_function_pointers, numa_config, numa_id, mps,
      host_numa_id;
  unsigned gpu_pci_device, gpu_pci_subsystem;
  int host_numa_ipc, reserved[56];
};

}  // namespace assay::cudart

#define ASSAY_RUNTIME extern "C" __attribute__((visibility("default")))
