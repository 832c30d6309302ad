// SPDX-License-Identifier: Apache-2.0
#include "kernels/barrier/barrier_commands.cuh"
#include "kernels/params/sequence.h"
#include "kernels/params/tmem_copy.h"
#include "kernels/params/tmem_forms.h"
#include "kernels/probe.cuh"
#include "kernels/tmem/tmem_columns.cuh"
#include "kernels/tmem/tmem_copy.cuh"

/// Command streams: one record is a program of tensor-memory operations by a CTA.
namespace assay {
namespace probe {

using params::SequenceCommand;
using params::SequenceRecord;
using params::TmemCommand;

constexpr uint32_t operand_variants = 4;

/// Operands in the dynamic shared memory, from a multiple of 1024 bytes on.
constexpr uint32_t a_bytes = 128 * 16 * 2, b_bytes = 16 * 16 * 2, source_bytes = 128 * 32;
__device__ uint32_t a_address(uint32_t variant) {
  return window_address() + variant * a_bytes;
}
__device__ uint32_t b_address(uint32_t variant) {
  return window_address() + operand_variants * a_bytes + variant * b_bytes;
}

/// Of a matrix that is copied.
__device__ uint32_t source_address(uint32_t variant) {
  return window_address() + operand_variants * (a_bytes + b_bytes) + variant * source_bytes;
}

/// 0 to 127 in the last four warps, which run the programs; above in the others.
__device__ uint32_t runner() {
  return threadIdx.x + probe_threads - blockDim.x;
}

struct TensorShared {
  uint64_t committed[params::tmem_barriers];
  uint32_t slots[params::tmem_targets];
  uint32_t next;
  uint32_t has_failed;
};

/// f16 of -3 to 3.
__device__ uint16_t small_f16(uint32_t value_plus_3) {
  constexpr uint16_t codes[] = {0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200};
  return codes[value_plus_3];
}
/// f32 of the small integer that a store puts into a cell.
__device__ uint32_t cell_value(uint32_t seed, uint32_t lane, uint32_t column) {
  const uint32_t mix = (seed * 0x9e3779b9u) ^ (lane * 0x85ebca6bu) ^ (column * 0xc2b2ae35u);
  return __float_as_uint(static_cast<float>(static_cast<int>((mix ^ mix >> 15) & 127) - 64));
}

/// Rows of 16 bytes, 8 of them together: K-major without swizzle. Half `k / 8` of a row lies 128 bytes on.
__device__ uint32_t place(uint32_t row, uint32_t k) {
  return 2 * (row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8);
}
__device__ void fill_operands() {
#pragma unroll 1
  for (uint32_t i = threadIdx.x; i < operand_variants * 128 * 16; i += blockDim.x) {
    const uint32_t v = i / 2048, row = i / 16 % 128, k = i % 16;
    ptx::st_shared_u16(a_address(v) + place(row, k), small_f16((row * 3 + k * 5 + v * 2) % 7));
  }
#pragma unroll 1
  for (uint32_t i = threadIdx.x; i < operand_variants * 16 * 16; i += blockDim.x) {
    const uint32_t v = i / 256, row = i / 16 % 16, k = i % 16;
    ptx::st_shared_u16(b_address(v) + place(row, k), small_f16((row * 5 + k * 3 + v) % 7));
  }
#pragma unroll 1
  for (uint32_t i = threadIdx.x; i < operand_variants * 128 * 8; i += blockDim.x) {
    const uint32_t v = i / 1024, row = i / 8 % 128, word = i % 8;
    // Rows of 8 words where a row of 16 halves would lie.
    ptx::st_shared_u32(source_address(v) + place(row, 2 * word), cell_value(2000 + v, row, word));
  }
  ptx::fence_proxy_async_shared_cta();
}

__device__ uint64_t descriptor(uint32_t matrix) {
  // Leading offset 128 bytes (the other half of k), stride offset 256 bytes (the next 8 rows).
  return (matrix >> 4 & 0x3fff) | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32 | uint64_t{1} << 46;
}
__device__ void multiply(uint32_t d, uint32_t amount, uint32_t form) {
  // f32 from f16 by f16, N 16, M 128 or 64; perhaps of the negated A.
  const uint32_t m = amount & 16 ? 64 : 128;
  const uint32_t instruction = 1u << 4 | (amount >> 3 & 1) << 13 | 16u >> 3 << 17 | m >> 4 << 24;
  const uint32_t v = amount >> 1 & 3;
  asm volatile("trap; // assay.forms tcgen05.mma.cells, %0, %1, %2, %3, %4, %5;" ::"r"(form), "r"(d),
               "l"(descriptor(a_address(v))), "l"(descriptor(b_address(v))), "r"(instruction), "r"(amount & 1)
               : "memory");
}
__device__ void copy(uint32_t address, uint32_t amount) {
  const uint32_t shape = amount % params::copy_shapes, v = amount / params::copy_shapes;
  const bool is_last_lane = static_cast<params::CopyShape>(shape) == params::CopyShape::s4x256b && v % 2 != 0;
  ptx::tcgen05_cp<1>(params::plain_copy_opcode(shape), address + (is_last_lane ? 31u << 16 : 0),
                     descriptor(source_address(v)));
}
__device__ void shift(uint32_t address, uint32_t form) {
  asm volatile("trap; // assay.forms tcgen05.shift.cells, %0, %1;" ::"r"(form), "r"(address) : "memory");
}
__device__ void store(uint32_t address, uint32_t seed, uint32_t form) {
  uint32_t v[8];
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) v[i] = cell_value(seed, runner(), i);
  asm volatile("trap; // assay.forms tcgen05.st.cells, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9;" ::"r"(form),
               "r"(address), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]), "r"(v[6]),
               "r"(v[7])
               : "memory");
}
__device__ uint32_t digest_of(const uint32_t (&v)[8]) {
  uint32_t digest = 0x811c9dc5;
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) digest = (digest ^ v[i]) * 0x01000193;
  return digest;
}
__device__ void load(uint32_t (&v)[8], uint32_t address, uint32_t form) {
  asm volatile("trap; // assay.forms tcgen05.ld.cells, %9, %0, %1, %2, %3, %4, %5, %6, %7, %8;"
               : "=&r"(v[0]), "=&r"(v[1]), "=&r"(v[2]), "=&r"(v[3]), "=&r"(v[4]), "=&r"(v[5]), "=&r"(v[6]),
                 "=&r"(v[7])
               : "r"(address), "r"(form)
               : "memory");
}
/// What lay there before the store, if all loads are over when the store begins.
__device__ void replace(uint32_t (&v)[8], uint32_t address, uint32_t seed) {
  uint32_t w[8];
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) w[i] = cell_value(seed, runner(), i);
  ptx::tcgen05_ld_columns_st(v, address, w);
}

/// What one thread of the CTA carries from command to command.
struct TensorRun {
  uint32_t phases = 0;   ///< a bit a barrier: parity of the next commit to it
  bool works = false;    ///< the tensor core, since the last commit
  uint32_t commits = 0;  ///< a bit a barrier: one is not waited for
  uint32_t issuer;       ///< thread that issues all that one thread does
  uint32_t columns[params::tmem_targets];
};

__device__ void commit(TensorShared& shared, TensorRun& run, uint32_t barrier, bool is_generic = false) {
  const uint32_t address = ptx::shared_address(&shared.committed[barrier]);
  if (runner() == run.issuer) {
    if (is_generic)
      ptx::tcgen05_commit_generic(ptx::generic_address(address));
    else
      ptx::tcgen05_commit<1>(address);
  }
  run.commits |= 1u << barrier;
  run.works = false;
}
__device__ bool await(TensorShared& shared, TensorRun& run, uint32_t barrier) {
  const bool came = wait_bounded(ptx::shared_address(&shared.committed[barrier]), run.phases >> barrier & 1);
  run.phases ^= 1u << barrier;
  run.commits &= ~(1u << barrier);
  return came;
}

/// By a whole warp.
__device__ void allocate(uint32_t& slot, uint32_t columns, bool is_generic) {
  const uint32_t address = ptx::shared_address(&slot);
  if (is_generic)
    ptx::tcgen05_alloc_generic(ptx::generic_address(address), columns);
  else
    ptx::tcgen05_alloc<1>(address, columns);
}

/// False: a commit never completed. `is_generic`: it gives an address without a state space. `digest`: what
/// the thread's load gave, else ~0.
__device__ bool execute(const SequenceCommand& c, bool is_generic, TensorShared& shared, TensorRun& run,
                        uint32_t& digest) {
  const uint32_t thread = runner(), form = params::tmem_form(static_cast<TmemCommand>(c.op), c.amount);
  if (thread >= probe_threads) return true;
  const uint32_t mine = (thread & ~31u) << 16;
  uint32_t& slot = shared.slots[c.target];
  uint32_t v[8];
  bool has_loaded = false;
  switch (static_cast<TmemCommand>(c.op)) {
    case TmemCommand::allocate:
      if (thread / 32 == c.column) allocate(slot, c.amount, is_generic);
      run.columns[c.target] = c.amount;
      break;
    case TmemCommand::deallocate:
      if (thread / 32 == c.column) ptx::tcgen05_dealloc<1>(slot, run.columns[c.target]);
      run.columns[c.target] = 0;
      break;
    case TmemCommand::exchange:
      if (thread < 32) allocate(slot, c.amount, is_generic);
      if (thread / 32 == 1) {
        __nanosleep(1000);  // the allocation waits by then
        ptx::tcgen05_dealloc<1>(shared.slots[c.column], run.columns[c.column]);
      }
      run.columns[c.column] = 0;
      run.columns[c.target] = c.amount;
      break;
    case TmemCommand::store:
      store(slot + c.column + mine, c.amount % (1u << params::store_seed_bits), form);
      break;
    case TmemCommand::wait_store:
      ptx::tcgen05_wait_st();
      break;
    case TmemCommand::load:
      if (c.amount != params::load_by_columns)
        load(v, slot + c.column + mine, form);
      else
        ptx::tcgen05_ld_columns(v, slot + c.column + mine);
      has_loaded = true;
      break;
    case TmemCommand::multiply:
      if (thread == run.issuer) multiply(slot + c.column, c.amount, form);
      run.works = true;
      break;
    case TmemCommand::copy:
      if (thread == run.issuer) copy(slot + c.column, c.amount);
      run.works = true;
      break;
    case TmemCommand::shift:
      if (thread == run.issuer) shift(slot + c.column, form);
      run.works = true;
      break;
    case TmemCommand::replace:
      replace(v, slot + c.column + mine, c.amount);
      has_loaded = true;
      break;
    case TmemCommand::commit:
      commit(shared, run, c.column, is_generic);
      break;
    case TmemCommand::wait:
      return await(shared, run, c.column);
    case TmemCommand::load_wait_store:
      ptx::tcgen05_ld_columns_wait_st(v, slot + c.column + mine);
      has_loaded = true;
      break;
  }
  if (has_loaded) digest = digest_of(v);
  return true;
}

/// Everything before it, by all threads, comes before everything behind it. False for all of them where one
/// of them waited in vain.
__device__ bool order(TensorShared& shared, bool is_good) {
  if (!is_good) shared.has_failed = 1;
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  return shared.has_failed == 0;
}

/// Leaves tensor memory as it was found, whatever the program left open.
__device__ bool run_tensor_memory(const SequenceRecord& r, uint32_t* output, TensorShared& shared,
                                  uint32_t& phases) {
  TensorRun run;
  run.phases = phases;
  run.issuer = r.issuer;
#pragma unroll 1
  for (uint32_t s = 0; s < params::tmem_targets; ++s) run.columns[s] = 0;
  bool is_good = true;
#pragma unroll 1
  for (uint32_t i = 0; i < params::most_commands; ++i) {
    uint32_t digest = ~0u;
    if (i < r.count && is_good) {
      is_good = order(shared, execute(r.commands[i], r.generic >> i & 1, shared, run, digest));
    }
    if (runner() < probe_threads) output[i * probe_threads + runner()] = digest;
  }
  ptx::tcgen05_wait_st();
#pragma unroll 1
  for (uint32_t b = 0; b < params::tmem_barriers; ++b)
    if (run.commits >> b & 1 && is_good) is_good = await(shared, run, b);
  // No thread may still look at one phase when the next is about to end.
  is_good = order(shared, is_good);
  if (run.works && is_good) {
    commit(shared, run, 0);
    is_good = await(shared, run, 0);
  }
  is_good = order(shared, is_good);
#pragma unroll 1
  for (uint32_t s = 0; s < params::tmem_targets; ++s)
    if (run.columns[s] != 0 && runner() < 32) ptx::tcgen05_dealloc<1>(shared.slots[s], run.columns[s]);
  phases = run.phases;
  return is_good;
}

}  // namespace probe

extern "C" __global__ void __launch_bounds__(32 * params::most_sequence_warps)
    tmem_sequence(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ TensorShared shared;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  const bool leader = threadIdx.x == 0;
  if (leader) {
    shared.has_failed = 0;
    for (uint32_t b = 0; b < params::tmem_barriers; ++b)
      ptx::mbarrier_init(ptx::shared_address(&shared.committed[b]), 1);
    ptx::fence_mbarrier_init();
  }
  fill_operands();
  __syncthreads();
  uint32_t phases = 0;
#pragma unroll 1
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
      shared.next = index;
    }
    __syncthreads();
    const uint32_t current = shared.next;
    if (current == ~0u) break;
    const SequenceRecord& r = static_cast<const SequenceRecord*>(args.records)[current];
    uint32_t* const output =
        reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset);
    const bool is_good = run_tensor_memory(r, output, shared, phases);
    __syncthreads();
    if (leader) {
      write_end(args, current, is_good ? params::probe_done : params::probe_timed_out);
      note_clear(note);
    }
    // Arrivals that are still to come would be taken for the next program's.
    if (!is_good) break;
  }
}

}  // namespace assay
