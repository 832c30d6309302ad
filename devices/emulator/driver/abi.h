// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of the CUDA Driver API that the emulated driver exports, as plain types: the repository builds
/// where no CUDA Toolkit is. abi_test.cc compares every size, value and signature with cuda.h where that
/// exists. Source: CUDA Driver API 13.0.
namespace assay::emulator::abi {

enum Result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  unsupported_limit = 215,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  file_not_found = 301,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  primary_context_active = 708,
  context_is_destroyed = 709,
  assert_failed = 710,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  illegal_instruction = 715,
  misaligned_address = 716,
  launch_failed = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  stream_capture_invalidated = 901,
  stream_capture_unmatched = 903,
  graph_exec_update_failure = 910,
  invalid_cluster_size = 912,
  unknown = 999,
};

using Device = int;
using DevicePtr = unsigned long long;

/// Handles are addresses that the driver knows; any other value is refused.
struct ContextObject;
struct ModuleObject;
struct FunctionObject;
struct LibraryObject;
struct LinkObject;
struct KernelObject;
struct StreamObject;
struct EventObject;
struct PoolObject;
struct GraphObject;
struct NodeObject;
struct GraphExecObject;
using Context = ContextObject*;
using Module = ModuleObject*;
using Function = FunctionObject*;
using Library = LibraryObject*;
using LinkState = LinkObject*;
using Kernel = KernelObject*;
using Stream = StreamObject*;
using Event = EventObject*;
using MemoryPool = PoolObject*;
using Graph = GraphObject*;
using GraphNode = NodeObject*;
using GraphExec = GraphExecObject*;

/// Values of Stream that are no handles.
inline const Stream stream_legacy = reinterpret_cast<Stream>(0x1);
inline const Stream stream_per_thread = reinterpret_cast<Stream>(0x2);

struct Uuid {
  char bytes[16];
};

struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

enum LaunchAttributeId : int {
  attribute_ignore = 0,
  attribute_cooperative = 2,
  attribute_cluster_dimension = 4,
  attribute_programmatic_stream_serialization = 6,
};
struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    int cooperative;
    struct {
      unsigned x, y, z;
    } cluster;
  } value;
};
struct LaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared_bytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

/// Words of the `extra` array of a launch.
enum LaunchParam : uintptr_t { param_end = 0, param_buffer = 1, param_buffer_size = 2 };

enum FunctionAttribute : int {
  function_max_threads = 0,
  function_static_shared = 1,
  function_const_bytes = 2,
  function_local_bytes = 3,
  function_registers = 4,
  function_ptx_version = 5,
  function_binary_version = 6,
  function_cache_mode_ca = 7,
  function_max_dynamic_shared = 8,
  function_carveout = 9,
  function_cluster_must_be_set = 10,
  function_cluster_width = 11,
  function_cluster_height = 12,
  function_cluster_depth = 13,
  function_non_portable_cluster = 14,
  function_cluster_policy = 15,
};

enum PointerAttribute : int {
  pointer_context = 1,
  pointer_memory_type = 2,
  pointer_device_pointer = 3,
  pointer_host_pointer = 4,
  pointer_is_managed = 8,
  pointer_device_ordinal = 9,
  pointer_range_start = 11,
  pointer_range_size = 12,
  pointer_mapped = 13,
};
enum MemoryType : unsigned { memory_host = 1, memory_device = 2 };

enum JitOption : int { jit_info_log = 3, jit_info_log_size = 4, jit_error_log = 5, jit_error_log_size = 6 };

/// Where managed memory and pools lie. Types: 1 a device, 2 the host.
struct MemLocation {
  int type, id;
};
struct MemPoolProps {
  int allocation_type, handle_types;
  MemLocation location;
  void* security;
  size_t most_bytes;
  unsigned short usage;
  unsigned char reserved[54];
};

/// Types: 1 host, 2 device, 4 whichever the pointer names; arrays (3) are not emulated.
struct Memcpy2d {
  size_t from_x, from_y;
  int from_type;
  const void* from_host;
  DevicePtr from_device;
  void* from_array;
  size_t from_pitch;
  size_t to_x, to_y;
  int to_type;
  void* to_host;
  DevicePtr to_device;
  void* to_array;
  size_t to_pitch;
  size_t width, height;  ///< bytes, rows
};
struct Memcpy3d {
  size_t from_x, from_y, from_z, from_lod;
  int from_type;
  const void* from_host;
  DevicePtr from_device;
  void* from_array;
  void* reserved0;
  size_t from_pitch, from_height;
  size_t to_x, to_y, to_z, to_lod;
  int to_type;
  void* to_host;
  DevicePtr to_device;
  void* to_array;
  void* reserved1;
  size_t to_pitch, to_height;
  size_t width, height, depth;  ///< bytes, rows, slices
};

enum GraphNodeType : int {
  node_kernel = 0,
  node_memcpy = 1,
  node_memset = 2,
  node_host = 3,
  node_graph = 4,
  node_empty = 5,
  node_wait_event = 6,
  node_event_record = 7,
  node_mem_alloc = 10,
  node_mem_free = 11,
};
struct KernelNodeParams {
  Function function;
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  void **params, **extra;
  Kernel kernel;
  Context context;
};
struct MemsetNodeParams {
  DevicePtr to;
  size_t pitch;
  unsigned value, element_bytes;
  size_t width, height;  ///< elements, rows
};
struct HostNodeParams {
  void (*function)(void*);
  void* data;
};
struct GraphInstantiateParams {
  uint64_t flags;
  Stream upload_stream;
  GraphNode error_node;
  int result;
};
struct GraphExecUpdateInfo {
  int result;
  GraphNode error_node, error_from_node;
};

enum ProcAddressStatus : int { proc_found = 0, proc_not_found = 1, proc_version_too_old = 2 };

inline constexpr unsigned event_disable_timing = 2;

}  // namespace assay::emulator::abi
