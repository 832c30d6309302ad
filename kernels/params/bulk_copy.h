// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/arena.h"

namespace assay::params {

/// Instructions of the bulk probes.
enum class BulkOp : uint8_t {
  load_cta,        ///< cp.async.bulk.shared::cta.global
  load_cluster,    ///< cp.async.bulk.shared::cluster.global to one CTA
  multicast,       ///< the same with .multicast::cluster
  store,           ///< cp.async.bulk.global.shared::cta
  peer,            ///< cp.async.bulk.shared::cluster.shared::cta
  prefetch,        ///< cp.async.bulk.prefetch.L2.global
  reduce_global,   ///< cp.reduce.async.bulk.global.shared::cta
  reduce_cluster,  ///< cp.reduce.async.bulk.shared::cluster.shared::cta
};

/// Operations and types of reductions; a form is 16 * operation + type.
enum class BulkReduceOp : uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
enum class BulkReduceType : uint8_t { u32, s32, u64, s64, b32, b64, f16, bf16, f32, f64 };
constexpr uint32_t bulk_form(BulkReduceOp op, BulkReduceType type) {
  return 16 * static_cast<uint32_t>(op) + static_cast<uint32_t>(type);
}

enum BulkFlags : uint8_t {
  bulk_unmapped = 1,           ///< the operand in global memory lies where nothing is
  bulk_names_own_barrier = 2,  ///< the barrier's address is that of the issuer, not of the destination
  bulk_cache_hint = 4,         ///< with .L2::cache_hint evict_first; not reductions
  bulk_settles = 8,  ///< armed with fewer bytes than come: they may arrive before a surplus is looked for
  bulk_pool = 16,    ///< windows and slot are filled from `pool`, not from the arena
  bulk_masks_bytes = 32,  ///< a store with .cp_mask and byte_mask
  bulk_known = 64,        ///< every operand is pool[0], every element that is reduced pool[1]
};

/// Units of 8 bytes that fill memory in front of a reduction.
inline constexpr uint32_t bulk_pool_units = 32;
/// Which of them is unit u of the window of a CTA, and of the slot in global memory.
constexpr uint32_t bulk_pool_of_window(uint32_t unit, uint32_t rank) {
  return (unit * 7 + unit / bulk_pool_units * 11 + rank * 5) % bulk_pool_units;
}
constexpr uint32_t bulk_pool_of_slot(uint32_t unit) {
  return (unit * 13 + unit / bulk_pool_units * 3 + 17) % bulk_pool_units;
}

/// Of bulk_known: the source is 0.
constexpr uint32_t bulk_pool_known(bool is_target) {
  return is_target ? 1 : 0;
}

/// Stores of so many bytes at most are read back by the thread that issued them, once they are waited for.
inline constexpr uint32_t most_bulk_read_back = 2048;
/// Copies that one is made of, a bit of group_ends each.
inline constexpr uint32_t most_bulk_pieces = 16;
/// Groups that a wait leaves, and which of the forms of cp.async.bulk.wait_group that is.
inline constexpr uint32_t most_bulk_pending = 15;
constexpr uint32_t bulk_wait_opcode(uint32_t pending, bool is_read) {
  return 2 * pending + (is_read ? 1 : 0);
}

/// Address of bulk_unmapped operands, to which their offset is added: no allocation lies so low.
inline constexpr uint64_t bulk_unmapped_address = 4096;

/// A bulk copy or reduction that is not of a tensor. Uploaded to the device as it stands.
///
/// Each CTA of the cluster has a window in shared memory, filled with the arena's bytes from fill_offset +
/// rank * window_bytes, and two barriers; the slot in global memory is the first slot_bytes of the output,
/// filled with the arena's bytes from slot_fill_offset. The CTAs of `issuers` execute the instruction on
/// their windows. Afterwards the windows lie behind the slot, rank after rank. An operand in shared memory is
/// window + offset, one in global memory that is read arena + offset, one that is written slot + offset.
/// Where it is made of pieces that write global memory, the issuer inverts the bits of the sources of all
/// groups that its first wait is for, waits for the others and inverts them back. Where that wait is for what
/// a store without .cp_mask writes, it copies that back to the source first.
struct alignas(16) BulkCopyRecord {
  uint64_t source_offset, target_offset;
  uint64_t fill_offset, slot_fill_offset;  ///< multiples of 16 in the arena
  uint64_t output_offset;                  ///< multiple of 256
  uint32_t output_bytes;                   ///< slot_bytes + window_bytes * cluster_size
  uint32_t slot_bytes, window_bytes;       ///< multiples of 16
  uint32_t size;                           ///< the operand
  uint32_t expect_tx;                      ///< bytes that barriers of `receivers` are armed with
  uint16_t cluster_size;                   ///< 1, 2, 4, 8 or 16: equal for all records of a batch
  uint16_t spelling;                       ///< as that of a copy of a tensor
  uint16_t issuers, receivers;             ///< a bit a rank
  uint16_t cta_mask;                       ///< of a multicast
  uint16_t byte_mask;                      ///< of .cp_mask
  uint8_t target_rank;                     ///< whose window or barrier is meant, no multicast
  uint8_t barrier;                         ///< 0 or 1: which of the two
  uint8_t barrier_shift;                   ///< bytes that its address is off
  BulkOp op;
  uint8_t form;         ///< bulk_form of a reduction
  uint8_t flags;        ///< BulkFlags
  uint8_t pieces;       ///< copies that it is made of, of equal multiples of 16 bytes but the last; else 1
  uint8_t lanes;        ///< of one warp, that issue them by turns; 1: all by the first
  uint32_t opcode;      ///< by forms::opcode_of
  uint16_t group_ends;  ///< a bit a piece: a bulk group ends behind it
  uint8_t pending;      ///< groups that the first wait leaves, up to most_bulk_pending
  uint8_t waits_for_reads;  ///< it waits with .read
  uint32_t issuer_thread;   ///< the first of the lanes
  uint16_t ends_empty;      ///< an empty group comes last
  uint16_t early_waits;     ///< a bit a piece: it waits behind it, as first later, before its group ends
  uint64_t pool[bulk_pool_units];
};
static_assert(sizeof(BulkCopyRecord) == 96 + 8 * bulk_pool_units);

}  // namespace assay::params
