#include "kernels/map_use.cuh"
#include "kernels/params/map_program.h"
#include "kernels/probe.cuh"
#include "kernels/tensormap.cuh"

/// Programs on tensor maps: one record is a list of replacements, publications and copies.
namespace assay {
namespace map_probe {

using namespace probe;
using params::MapCommand;
using params::MapProgramRecord;
using params::MapStep;

struct Shared {
  alignas(128) unsigned char map[128];
  alignas(8) uint64_t barrier;
  uint32_t next;       ///< record index that the CTA is at
  uint32_t abandoned;  ///< the barrier is unusable: this CTA takes no more records
};

/// Calls one of the forms that an immediate distinguishes.
#define ASSAY_FORM_OF(NUMBER, FORM) \
  switch (NUMBER) {                 \
    case 0:                         \
      FORM(0);                      \
      break;                        \
    case 1:                         \
      FORM(1);                      \
      break;                        \
    case 2:                         \
      FORM(2);                      \
      break;                        \
    case 3:                         \
      FORM(3);                      \
      break;                        \
    case 4:                         \
      FORM(4);                      \
      break;                        \
    default:                        \
      break;                        \
  }

template <typename Place>
__device__ void replace_type(Place at, uint32_t type) {
#define ASSAY_TYPE(T)                       \
  case T:                                   \
    ptx::tensormap_replace_elemtype<T>(at); \
    break;
  switch (type) {
    ASSAY_TYPE(0)
    ASSAY_TYPE(1)
    ASSAY_TYPE(2)
    ASSAY_TYPE(3)
    ASSAY_TYPE(4)
    ASSAY_TYPE(5)
    ASSAY_TYPE(6)
    ASSAY_TYPE(7)
    ASSAY_TYPE(8)
    ASSAY_TYPE(9)
    ASSAY_TYPE(10)
    ASSAY_TYPE(11)
    ASSAY_TYPE(12)
    default:
      ptx::tensormap_replace_later(at, 4 + type - 13);
      break;
  }
#undef ASSAY_TYPE
}

template <typename Place>
__device__ void replace_dimension(Place at, const MapStep& s) {
  const uint32_t value = static_cast<uint32_t>(s.value);
#define ASSAY_BOX(O) ptx::tensormap_replace_box_dim<O>(at, value)
#define ASSAY_DIM(O) ptx::tensormap_replace_global_dim<O>(at, value)
#define ASSAY_STRIDE(O) ptx::tensormap_replace_global_stride<O>(at, s.value)
#define ASSAY_STEP(O) ptx::tensormap_replace_element_stride<O>(at, value)
  if (s.command == MapCommand::box_dim) {
    ASSAY_FORM_OF(s.ordinal, ASSAY_BOX)
  } else if (s.command == MapCommand::global_dim) {
    ASSAY_FORM_OF(s.ordinal, ASSAY_DIM)
  } else if (s.command == MapCommand::global_stride) {
    ASSAY_FORM_OF(s.ordinal, ASSAY_STRIDE)
  } else {
    ASSAY_FORM_OF(s.ordinal, ASSAY_STEP)
  }
#undef ASSAY_BOX
#undef ASSAY_DIM
#undef ASSAY_STRIDE
#undef ASSAY_STEP
}

template <typename Place>
__device__ void replace(Place at, const MapStep& s, uint64_t base) {
  const uint32_t value = static_cast<uint32_t>(s.value);
  switch (s.command) {
    case MapCommand::global_address:
      ptx::tensormap_replace_global_address(at, s.value + base);
      break;
    case MapCommand::rank:
      ptx::tensormap_replace_rank(at, value);
      break;
    case MapCommand::elemtype:
      replace_type(at, value);
      break;
    case MapCommand::interleave_layout:
#define ASSAY_LAYOUT(V) \
  if constexpr (V < 3) ptx::tensormap_replace_interleave_layout<V>(at)
      ASSAY_FORM_OF(value, ASSAY_LAYOUT)
#undef ASSAY_LAYOUT
      break;
    case MapCommand::swizzle_mode:
#define ASSAY_MODE(V) \
  if constexpr (V < 4) ptx::tensormap_replace_swizzle_mode<V>(at)
      ASSAY_FORM_OF(value, ASSAY_MODE)
#undef ASSAY_MODE
      if (value == 4) ptx::tensormap_replace_swizzle_96B(at);
      break;
    case MapCommand::swizzle_atomicity:
      ptx::tensormap_replace_later(at, value);
      break;
    case MapCommand::fill_mode:
#define ASSAY_FILL(V) \
  if constexpr (V < 2) ptx::tensormap_replace_fill_mode<V>(at)
      ASSAY_FORM_OF(value, ASSAY_FILL)
#undef ASSAY_FILL
      break;
    default:
      replace_dimension(at, s);
      break;
  }
}

/// Where a record's maps and output are.
struct Place {
  unsigned char* output;
  unsigned char* map;  ///< in global memory
  uint32_t shared_map;
  uint64_t base;  ///< what addresses are relative to
  bool in_shared;
};

__device__ void edit(const Place& p, const MapStep& s) {
  if (s.command == MapCommand::plain_address) {
    const uint64_t address = s.value + p.base;
    if (p.in_shared)
      ptx::st_shared_u64(p.shared_map, address);
    else
      ptx::st_global_u64(p.map, address);
  } else if (p.in_shared) {
    replace(ptx::InShared{p.shared_map}, s, p.base);
  } else {
    replace(ptx::InGlobal{p.map}, s, p.base);
  }
}

/// What a step leaves of the map, 16 bytes a thread.
__device__ void take_snapshot(const Place& p, uint32_t step, bool is_use) {
  if (threadIdx.x >= 8) return;
  uint4 part = make_uint4(0, 0, 0, 0);
  if (!is_use)
    part = p.in_shared ? ptx::ld_shared_v4(p.shared_map + 16 * threadIdx.x)
                       : ptx::ld_global_v4(p.map + 16 * threadIdx.x);
  if (threadIdx.x == 0 && !is_use) {
    const uint64_t address = (uint64_t{part.y} << 32 | part.x) - p.base;
    part.x = static_cast<uint32_t>(address), part.y = static_cast<uint32_t>(address >> 32);
  }
  ptx::st_global_v4(p.output + params::map_area_bytes + 128 * step + 16 * threadIdx.x, part);
}

/// The area with the map, and the map in shared memory.
__device__ void begin(const BatchArgs& args, const MapProgramRecord& r, uint32_t index, const Place& p) {
  constexpr uint32_t fill = 0x01010101u * params::map_area_fill;
  if (threadIdx.x < params::map_area_bytes / 16)
    ptx::st_global_v4(p.output + 16 * threadIdx.x, make_uint4(fill, fill, fill, fill));
  __syncthreads();
  if (threadIdx.x >= 8) return;
  const auto* from = r.flags & params::map_from_words
                         ? reinterpret_cast<const unsigned char*>(r.words)
                         : static_cast<const unsigned char*>(args.maps) + 128 * uint64_t{index};
  uint4 part = ptx::ld_global_v4(from + 16 * threadIdx.x);
  if (threadIdx.x == 0 && (r.flags & params::map_from_words)) {
    const uint64_t address = (uint64_t{part.y} << 32 | part.x) + p.base;
    part.x = static_cast<uint32_t>(address), part.y = static_cast<uint32_t>(address >> 32);
  }
  // A map in shared memory is in global memory only once it is published.
  if (!p.in_shared) ptx::st_global_v4(p.map + 16 * threadIdx.x, part);
  ptx::st_shared_v4(p.shared_map + 16 * threadIdx.x, part);
}

/// A copy through a map, and its window into the output. False: the barrier of a load did not complete as
/// armed.
__device__ bool use(const BatchArgs& args, const MapProgramRecord& r, uint32_t number, const void* map,
                    Shared& shared, unsigned char* output, int32_t& ended) {
  const uint32_t window = window_address(), barrier = ptx::shared_address(&shared.barrier);
  const params::MapUse& u = r.use[number];
  const bool loads = is_load(u);
  fill_window(window, static_cast<const unsigned char*>(args.arena) + r.fill_offset, r.window_bytes);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    if (loads) ptx::mbarrier_arrive_expect_tx(barrier, u.expect_tx);
    issue(u, map, window + r.tile_offset, barrier);
    if (!loads) {
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_0();
    } else if (!wait_bounded(barrier, 0)) {
      ended = params::probe_timed_out;
    }
    shared.abandoned = ended != params::probe_done;
  }
  __syncthreads();
  if (!shared.abandoned) read_window(output + uint64_t{number} * r.window_bytes, window, r.window_bytes);
  if (threadIdx.x == 0 && !shared.abandoned && loads) {
    // An empty phase completes only when not one byte more than armed was signalled.
    ptx::mbarrier_arrive(barrier);
    if (!wait_bounded(barrier, 1)) ended = params::probe_surplus;
    shared.abandoned = ended != params::probe_done;
  }
  __syncthreads();
  return !shared.abandoned;
}

/// Every step of a record; `table`: its map where that lies in no global memory.
__device__ int32_t run(const BatchArgs& args, uint32_t index, const void* table, Shared& shared) {
  const auto& r = static_cast<const MapProgramRecord*>(args.records)[index];
  Place p;
  p.output = static_cast<unsigned char*>(args.output) + r.output_offset;
  p.map = p.output + r.place;
  p.shared_map = ptx::shared_address(shared.map);
  p.base = reinterpret_cast<uint64_t>(args.arena);
  if (r.flags & params::map_is_absolute) p.base = 0;
  if (r.slot_bytes != 0) {
    unsigned char* const slot = p.output + r.slot_at;
    p.base = reinterpret_cast<uint64_t>(slot);
    copy_global(slot, static_cast<const unsigned char*>(args.arena) + r.slot_fill_offset, r.slot_bytes);
    ptx::fence_proxy_async();  // copies find what ordinary stores wrote
  }
  p.in_shared = r.flags & params::map_in_shared;
  begin(args, r, index, p);
  __syncthreads();
  int32_t ended = params::probe_done;
  if (threadIdx.x == 0) {
    // Nothing that a program before this one left at the address is found.
    ptx::fence_proxy_tensormap_release_gpu();
    ptx::fence_proxy_tensormap_acquire_gpu(p.map);
  }
  uint32_t uses = 0;
  bool is_in_global = !p.in_shared;
  unsigned char* const windows = p.output + params::map_area_bytes + 128 * r.steps;
#pragma unroll 1
  for (uint32_t i = 0; i < r.steps; ++i) {
    const MapStep& s = r.step[i];
    const bool is_use = s.command == MapCommand::use;
    if (is_use) {
      if (!use(args, r, uses++, table == nullptr ? p.map : table, shared, windows, ended)) break;
    } else if (s.command == MapCommand::copy_fence) {
      if (threadIdx.x < 32) ptx::tensormap_cp_fenceproxy(p.map, p.shared_map, s.scope);
      is_in_global = true;
    } else if (threadIdx.x == 0) {
      if (s.command == MapCommand::release)
        ptx::fence_proxy_tensormap_release(s.scope);
      else if (s.command == MapCommand::acquire)
        ptx::fence_proxy_tensormap_acquire(p.map + 64 * s.ordinal, s.scope);
      else
        edit(p, s);
    }
    __syncthreads();
    take_snapshot(p, i, is_use);
    __syncthreads();
  }
  if (threadIdx.x == 0 && is_in_global) ptx::st_global_u64(p.map, ptx::ld_global_u64(p.map) - p.base);
  return ended;
}

template <typename Map>
__device__ void programs(const BatchArgs& args, Shared& shared, Map map_of) {
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  const bool leader = threadIdx.x == 0;
  if (leader) {
    ptx::mbarrier_init(ptx::shared_address(&shared.barrier), 1);
    ptx::fence_mbarrier_init();
    shared.abandoned = 0;
  }
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
      shared.next = index;
    }
    __syncthreads();
    const uint32_t index = shared.next;
    if (index == ~0u) return;
    const int32_t ended = run(args, index, map_of(index % params::table_maps), shared);
    __syncthreads();
    if (leader) {
      write_end(args, index, ended);
      note_clear(note);
    }
    if (shared.abandoned) return;
    __syncthreads();
  }
}

}  // namespace map_probe

extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    map_program(const __grid_constant__ params::BatchArgs args) {
  __shared__ map_probe::Shared shared;
  map_probe::programs(args, shared, [](uint32_t) -> const void* { return nullptr; });
}

/// The records of one launch have their maps in its parameters.
extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    map_program_parameter(const __grid_constant__ params::BatchArgs args,
                          const __grid_constant__ params::MapTable table) {
  __shared__ map_probe::Shared shared;
  map_probe::programs(args, shared, [&](uint32_t at) -> const void* { return table.words[at]; });
}

}  // namespace assay

/// In constant memory. Outside of the namespace: what nvcc writes for the host names it there.
extern "C" {
__constant__ assay::params::MapTable map_program_table;
}

namespace assay {

extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    map_program_constant(const __grid_constant__ params::BatchArgs args) {
  __shared__ map_probe::Shared shared;
  map_probe::programs(args, shared, [](uint32_t at) -> const void* { return map_program_table.words[at]; });
}

}  // namespace assay
