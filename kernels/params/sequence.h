// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Programs that a command-stream kernel executes one command after the other.
namespace assay::params {

/// What a command of the mbarrier machine does to barrier `target`. Arrivals of the barrier's own CTA answer
/// their state, which is kept.
enum class BarrierCommand : uint8_t {
  init = 0,              ///< mbarrier.init, amount arrivals
  invalidate = 1,        ///< mbarrier.inval
  arrive = 2,            ///< mbarrier.arrive of amount
  arrive_drop = 3,       ///< mbarrier.arrive_drop of amount
  expect_tx = 4,         ///< mbarrier.expect_tx of amount bytes
  complete_tx = 5,       ///< mbarrier.complete_tx of amount bytes
  arrive_expect_tx = 6,  ///< mbarrier.arrive.expect_tx of amount bytes
  test_parity = 7,       ///< mbarrier.test_wait.parity of amount; answers
  test_state = 8,        ///< mbarrier.test_wait of the state kept last; answers
  arrive_no_complete = 9,
  arrive_drop_no_complete = 10,
  arrive_drop_expect_tx = 11,
  pending_count = 12,  ///< mbarrier.pending_count of the state kept last; answers
  try_parity = 13,     ///< mbarrier.try_wait.parity of bit 0 of amount, for amount / 2 nanoseconds; answers
  try_state = 14,      ///< mbarrier.try_wait of the state kept last, for amount nanoseconds; answers
  read_word = 15,      ///< mbarrier.inval; answers the 64 bits that memory holds then
  /// A cp.async, cp.async.mbarrier.arrive behind it and mbarrier.arrive of amount, all that the phase lacks;
  /// answers whether the phase ends and the copy is there. IdleCopies says where there is none.
  copies_arrive = 16,
  copies_arrive_noinc = 17,  ///< the same of amount - 1 and, last, with .noinc
  /// mbarrier.arrive of phase_arrivals(amount), all that a phase expects, in amount % 256 phases one behind
  /// the other; answers whether the last of them is complete.
  pass_phases = 18,
  /// An instruction that writes async_bytes(amount) bytes, all that the phase lacks, behind its back; answers
  /// 0 where the phase does not end, else 2^32 and the digest of the words it writes among.
  bytes_arrive = 19,
};
inline constexpr uint32_t barrier_commands = 20;
constexpr uint32_t phase_arrivals(uint32_t amount) {
  return amount >> 8;
}

/// Of bytes_arrive: bytes, which instruction (kernels/forms/async_bytes.h), and what it writes, at which of
/// the words.
constexpr uint32_t async_bytes(uint32_t amount) {
  return amount & 0xff;
}
constexpr uint32_t async_kind(uint32_t amount) {
  return amount >> 8 & 0xff;
}
constexpr uint64_t async_value(uint32_t amount) {
  return ((amount >> 16) * 2 + 1) * uint64_t{0x9e3779b97f4a7c15};
}
inline constexpr uint32_t async_words = 16;
constexpr uint32_t async_offset(uint32_t amount) {
  return (amount >> 16) % async_words & ~3u;
}
/// What the words hold before.
constexpr uint32_t async_word(uint32_t i) {
  return 0x90000007 + i * 0x11111111;
}

/// Of a command that lets copies arrive, where none is under way then.
enum IdleCopies : uint8_t {
  copies_under_way = 0,
  copies_absent = 1,    ///< the command makes none
  copies_complete = 2,  ///< it waits for those that it has made
};

/// What a command of the tensor-memory machine does to allocation `target`.
enum class TmemCommand : uint8_t {
  allocate = 0,    ///< amount columns, by warp `column`
  deallocate = 1,  ///< all of them, by warp `column`
  store = 2,       ///< tcgen05.st at column: sequence_value(seed, thread, register of 8)
  wait_store = 3,  ///< tcgen05.wait::st
  load = 4,      ///< tcgen05.ld at column, then tcgen05.wait::ld; writes a digest for each thread. How it is
                 ///< said, as of a store, a product and a shift: kernels/params/tmem_forms.h
  multiply = 5,  ///< tcgen05.mma of 128 or 64 x 16 x 16 into column; amount bit 0: onto what is there; bits
                 ///< 2:1: which operands
  commit = 6,    ///< tcgen05.commit to barrier `column`, 0 or 1
  wait = 7,      ///< for the commit to barrier `column`
  exchange = 8,  ///< warp 0 allocates amount columns while warp 1 gives back allocation `column`
  copy = 9,      ///< tcgen05.cp of shape amount % 6 (params::CopyShape) from matrix amount / 6 into column;
                 ///< 4x256b from an odd one starts at lane 31
  shift = 10,    ///< tcgen05.shift.down of the 8 columns from column on
  replace = 11,  ///< load, tcgen05.wait::ld, store of the same columns, tcgen05.wait::st; writes as load does
  load_wait_store = 12,  ///< as load, with tcgen05.wait::st between the loads and tcgen05.wait::ld
};
inline constexpr uint32_t tmem_commands = 13, tmem_barriers = 2;

struct SequenceCommand {
  uint8_t op;       ///< BarrierCommand or TmemCommand
  uint8_t target;   ///< below sequence_targets, of tensor memory below tmem_targets
  uint16_t column;  ///< of tensor memory; of barriers: executed by the CTA of so much higher a rank
  uint32_t amount;
};
inline constexpr uint32_t most_sequence_warps = 16;
inline constexpr uint32_t most_commands = 24, sequence_targets = 4, tmem_targets = 16;

/// Words of the output. Barriers: two a command (its answer; 2 where it answers nothing), then one a barrier
/// (bits 0, 1: whether the phase of that parity is complete; ~0 where there is none), then one for each rank
/// of the cluster that has bystanders, then ~0. Tensor memory: 128 a command, the digests of a command that
/// loads, else ~0.
inline constexpr uint32_t barrier_output_words = 64;
inline constexpr uint32_t tmem_output_words = most_commands * 128;
/// Barriers of the other CTAs of a cluster, which no command names, expect so many arrivals. At the end their
/// CTA arrives at each: bits 2b and 2b + 1 tell whether the phase is complete when one is missing, and when
/// none is.
inline constexpr uint32_t bystander_arrivals = 3, largest_sequence_cluster = 8;

/// Dynamic shared memory that the tensor-memory machine keeps its operands in: four A of 128 rows of 16 f16,
/// four B of 16 rows, four matrices of 128 rows of 8 words that are copied.
inline constexpr uint32_t tmem_sequence_operand_bytes = 4 * (128 + 16) * 16 * 2 + 4 * 128 * 32;

struct alignas(16) SequenceRecord {
  uint32_t is_tmem;        ///< 0, 1: equal for all records of a batch
  uint32_t count;          ///< 1 to most_commands
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;
  uint32_t cluster_size;  ///< 1, or of barriers that several CTAs execute 2, 4 or 8; equal for all records of
                          ///< a batch
  uint16_t warps;         ///< of the CTA, of which the last four run a program of tensor memory: 4, 8, 12 or
                          ///< 16; barriers: 4; equal for all records of a batch
  uint16_t has_bystanders;  ///< of a cluster: each other CTA has barriers at the same place
  /// Of a cluster the rank of the CTA that has the barriers; of tensor memory the thread, of those that run
  /// the program, that issues products, copies, shifts and commits.
  uint32_t issuer;
  SequenceCommand commands[most_commands];
  /// Of barriers: a bit for each lane that executes the command, all of them at once; 1 where it is not of
  /// those that several may execute (is_of_several). Tensor memory: 1.
  uint32_t lanes[most_commands];
  uint16_t opcode[most_commands];  ///< of barriers: by forms::opcode_of
  uint32_t place;  ///< of barriers: bytes from the window's start to the objects, a multiple of 8
  /// A bit for each command that names its barrier, or where the address of an allocation goes, by a generic
  /// address (has_address).
  uint32_t generic;
  uint64_t idle_copies;  ///< two bits a command: IdleCopies
  /// Two bits a command of several lanes: which bits of a lane's number change its target.
  uint64_t apart;
  uint64_t found_word;  ///< of barriers, where is_found: an ordinary store puts it where barrier 0 lies
  uint64_t is_found;    ///< 0, 1: barrier 0 is used without an mbarrier.init
};
static_assert(sizeof(SequenceRecord) == 80 + 14 * most_commands);
/// Of shared memory, from the window's start.
constexpr uint32_t barrier_shared_bytes(const SequenceRecord& r) {
  return r.place + 8 * sequence_targets;
}

/// Arrivals and counts of bytes. Of an arrival of several lanes nothing is kept, and it answers nothing.
constexpr bool is_of_several(BarrierCommand command) {
  using enum BarrierCommand;
  return command == arrive || command == arrive_drop || command == expect_tx || command == complete_tx ||
         command == arrive_expect_tx || command == arrive_drop_expect_tx || command == arrive_no_complete ||
         command == arrive_drop_no_complete;
}

/// Commands that give an instruction an address of shared memory.
constexpr bool has_address(BarrierCommand command) {
  return command != BarrierCommand::pending_count;
}
constexpr bool has_address(TmemCommand command) {
  return command == TmemCommand::allocate || command == TmemCommand::exchange ||
         command == TmemCommand::commit;
}

}  // namespace assay::params
