// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/map_program.h"
#include "kernels/probe.cuh"
#include "kernels/tensor_copy/tensor_copy.cuh"
#include "kernels/tensor_map/tensormap.cuh"

/// Programs on tensor maps: one record is a list of replacements, publications and copies.
namespace assay {
namespace probe {

using params::MapCommand;
using params::MapProgramRecord;
using params::MapStep;

struct Shared {
  alignas(8) uint64_t barrier;
  uint32_t next;  ///< record index that the CTA is at
  int32_t
      ended;  ///< how its copies came out; not done: the barrier is unusable, the CTA takes no more records
};

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
    return;
  }
  const uint64_t value = s.value + (s.command == MapCommand::global_address ? p.base : 0);
  if (p.in_shared)
    ptx::tensormap_replace(ptx::InShared{p.shared_map}, s.opcode, value);
  else
    ptx::tensormap_replace(ptx::InGlobal{p.map}, s.opcode, value);
}

__device__ bool is_load(const params::MapUse& u) {
  return u.instruction == params::MapInstruction::load ||
         u.instruction == params::MapInstruction::im2col_load;
}

/// `shared`: destination of a load, source of what else there is; `barrier`: of a load.
__device__ void issue(const params::MapUse& u, const void* map, uint32_t shared, uint32_t barrier) {
  const ptx::TensorOperands at{{u.coord[0], u.coord[1], u.coord[2], u.coord[3], u.coord[4]},
                               {u.offset[0], u.offset[1], u.offset[2]},
                               0};
  if (is_load(u))
    ptx::tensor_load(u.opcode, shared, map, barrier, at);
  else
    ptx::tensor_store(u.opcode, map, shared, at);
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
                    const void* other, Shared& shared, unsigned char* output) {
  const uint32_t window = window_address(), barrier = ptx::shared_address(&shared.barrier);
  const params::MapUse& u = r.use[number];
  const bool loads = is_load(u), issues = threadIdx.x == r.issuer_thread;
  fill_window(window, static_cast<const unsigned char*>(args.arena) + r.fill_offset, r.window_bytes);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (issues) {
    if (loads) ptx::mbarrier_arrive_expect_tx(barrier, u.expect_tx);
    issue(u, u.is_of_other ? other : map, window + r.tile_offset, barrier);
    if (!loads) {
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_0();
    } else if (!wait_bounded(barrier, 0)) {
      shared.ended = params::probe_timed_out;
    }
  }
  __syncthreads();
  const bool is_good = shared.ended == params::probe_done;
  if (is_good) read_window(output + uint64_t{number} * r.window_bytes, window, r.window_bytes);
  if (issues && is_good && loads) {
    // An empty phase completes only when not one byte more than armed was signalled.
    ptx::mbarrier_arrive(barrier);
    if (!wait_bounded(barrier, 1)) shared.ended = params::probe_surplus;
  }
  __syncthreads();
  return shared.ended == params::probe_done;
}

/// Every step of a record; `table`: its map where that lies in no global memory.
__device__ void run(const BatchArgs& args, const MapProgramRecord& r, uint32_t index, const void* table,
                    Shared& shared) {
  Place p;
  p.output = static_cast<unsigned char*>(args.output) + r.output_offset;
  p.map = p.output + r.place;
  p.shared_map = window_address() + r.shared_map;
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
  const bool acts = threadIdx.x == r.issuer_thread;
  const auto* other = static_cast<const unsigned char*>(args.maps) + 128 * uint64_t{index};
  if (acts) {
    // Nothing that a program before this one left at the addresses is found.
    ptx::fence_proxy_tensormap_release_gpu();
    ptx::fence_proxy_tensormap_acquire_gpu(p.map);
    ptx::fence_proxy_tensormap_acquire_gpu(other);
  }
  uint32_t uses = 0;
  bool is_in_global = !p.in_shared;
  unsigned char* const windows = p.output + params::map_area_bytes + 128 * r.steps;
#pragma unroll 1
  for (uint32_t i = 0; i < r.steps; ++i) {
    const MapStep& s = r.step[i];
    const bool is_use = s.command == MapCommand::use;
    if (is_use) {
      if (!use(args, r, uses++, table == nullptr ? p.map : table, other, shared, windows)) break;
    } else if (s.command == MapCommand::copy_fence) {
      if (threadIdx.x / 32 == r.issuer_thread / 32)
        ptx::tensormap_cp_fenceproxy(p.map, p.shared_map, s.scope);
      is_in_global = true;
    } else if (s.command == MapCommand::acquire) {
      // The step of the lanes is small: 32 bits hold how far one lies from the map.
      const int lane = static_cast<int>(threadIdx.x - r.issuer_thread), step = static_cast<int>(s.value);
      if (acts || (step != 0 && threadIdx.x / 32 == r.issuer_thread / 32))
        ptx::fence_proxy_tensormap_acquire(p.map + 64 * (s.ordinal + lane * step), s.scope);
    } else if (acts) {
      if (s.command == MapCommand::release)
        ptx::fence_proxy_tensormap_release(s.scope);
      else
        edit(p, s);
    }
    __syncthreads();
    take_snapshot(p, i, is_use);
    __syncthreads();
  }
  if (acts && is_in_global) ptx::st_global_u64(p.map, ptx::ld_global_u64(p.map) - p.base);
}

}  // namespace probe
}  // namespace assay

/// The maps of a launch in constant memory. Outside of the namespace: what nvcc writes for the host names it
/// there.
extern "C" {
__constant__ assay::params::MapTable map_program_table;
}

namespace assay {

/// `table`: the maps of a launch in its parameters.
extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    map_program(const __grid_constant__ params::BatchArgs args,
                const __grid_constant__ params::MapTable table) {
  using namespace probe;
  __shared__ Shared shared;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  const bool leader = threadIdx.x == 0;
  if (leader) {
    ptx::mbarrier_init(ptx::shared_address(&shared.barrier), 1);
    ptx::fence_mbarrier_init();
    shared.ended = params::probe_done;
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
    const MapProgramRecord& r = static_cast<const MapProgramRecord*>(args.records)[index];
    const void* map = nullptr;
    if (r.space == params::MapSpace::parameter) map = table.words[index % params::table_maps];
    if (r.space == params::MapSpace::constant) map = map_program_table.words[index % params::table_maps];
    run(args, r, index, map, shared);
    __syncthreads();
    if (leader) {
      write_end(args, index, shared.ended);
      note_clear(note);
    }
    if (shared.ended != params::probe_done) return;
    __syncthreads();
  }
}

}  // namespace assay
