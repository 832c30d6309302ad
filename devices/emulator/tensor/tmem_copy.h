// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/tensor/smem_operand.h"

namespace assay::emulator {

/// Lanes of tensor memory that belong to a warp.
inline constexpr uint32_t partition_lanes = 32;

/// .shape of tcgen05.cp, together with its multicast (ptx, tcgen05.cp).
enum class CopyShape : uint8_t { s128x256b, s4x256b, s128x128b, s64x128b_02_13, s64x128b_01_23, s32x128b };

/// What a decompressing tcgen05.cp takes: 16 elements in every 16 bytes, packed from the low end on.
enum class CopyFormat : uint8_t { none, b6x16_p32, b4x16_p64 };

/// What an opcode of tcgen05.cp says.
struct CopyForm {
  CopyShape shape = CopyShape::s128x256b;
  CopyFormat format = CopyFormat::none;
  uint32_t cta_group = 1;
  /// Of the matrix in shared memory.
  uint32_t rows() const;
  /// Columns that the copy fills, each with 32 bits of a row.
  uint32_t words() const;
};

/// The row of the matrix that goes to a lane, which counts from the address; -1: the lane is not written.
/// `half_for_a_warp`: of 64 rows each warp of a pair has a half, not each pair (AMB-25).
int copied_row(const CopyForm& form, uint32_t lane, bool half_for_a_warp);

/// The byte that an element of a compressed format becomes. `is_in_middle`: one of
/// 4 bits has bits 5 to 2 of it, not 3 to 0 (AMB-47).
uint32_t decompressed(CopyFormat format, uint32_t code, bool is_in_middle);

/// One tcgen05.cp, decoded.
struct TmemCopy {
  CopyForm form;
  TmemAddress target;
  SmemDescriptor source;
  uint32_t cta_rank = 0;  ///< of the issuer in its cluster
};

/// One tcgen05.shift.down, decoded.
struct TmemShift {
  uint32_t cta_group = 1;
  TmemAddress at;
  uint32_t columns = 8;
  uint32_t cta_rank = 0;
};

/// The lane of 32 whose cells a lane receives: the next one, the last its own.
uint32_t shifted_lane(uint32_t lane);

/// Decodes. Traps illegal_instruction with a sentence on what is wrong with the descriptor.
TmemCopy decode_copy(const CopyForm& form, uint32_t address, uint64_t descriptor, uint32_t cta_rank,
                     const Settings& settings);
/// Traps misaligned_address where the lane is none that 32 lanes start at.
TmemShift decode_shift(uint32_t cta_group, uint32_t address, uint32_t cta_rank, const Settings& settings);

/// Traps illegal_address where the matrix leaves shared memory, or its target what is allocated.
void perform_copy(const TmemCopy& copy, Cluster& cluster);
void perform_shift(const TmemShift& shift, Cluster& cluster);

/// What they read and write.
WorkAccess access_of(const TmemCopy& copy, const Settings& settings);
WorkAccess access_of(const TmemShift& shift, const Settings& settings);

/// Hands work of the tensor core to the queue: behind what its thread has issued before where the two are
/// pipelined (ptx, tcgen05: pipelined instructions), free to overtake it elsewhere. Pairs of copies and
/// shifts that the documents do not list are ordered as AMB-38 is answered, copies behind products as AMB-52
/// is.
void issue_work(const Step& step, int lane, IssuedWork work, AsyncOperation operation);

/// The work of a thread that is still pending: what a commit of it waits for.
std::vector<IssuedWork>& pending_work(const Step& step, int lane);

/// .shape of tcgen05.ld and tcgen05.st: lanes x bits of a lane that one repetition moves.
enum class TmemShape : uint8_t { s32x32b, s16x64b, s16x128b, s16x256b, s16x32bx2 };

/// A form of tcgen05.ld or tcgen05.st.
struct TmemForm {
  TmemShape shape = TmemShape::s32x32b;
  uint32_t count = 1;      ///< .xN
  uint32_t split = 0;      ///< 16x32bx2: columns from the first half of the threads to the second
  bool is_halved = false;  ///< .pack::16b, .unpack::16b: a register stands for two cells of 16 bits
  /// 32-bit registers of a thread.
  uint32_t registers() const {
    return shape == TmemShape::s16x256b ? 4 * count : shape == TmemShape::s16x128b ? 2 * count : count;
  }
  /// Columns from the first to the last; of 16x32bx2 those of one half of the threads.
  uint32_t columns() const;
  /// Lanes that the warp touches.
  uint32_t lanes() const { return shape == TmemShape::s32x32b ? 32 : 16; }
};

/// Where a register of a thread lies: lane and column counted from the address operand. Of a halved form the
/// first of its two cells, the second is one column on.
struct TmemCell {
  uint32_t lane = 0, column = 0;
};

/// A shape and count that the instruction has (ptx, tcgen05.ld: .shape and .num).
bool has_count(TmemShape shape, uint32_t count);

/// (ptx, tcgen05.ld: fragments of the shapes; cutlass, copy traits of tensor memory)
TmemCell tmem_cell(const TmemForm& form, uint32_t thread, uint32_t number);

/// What tcgen05.ld.red makes of the registers of a thread (ptx, tcgen05.ld: .red).
struct TmemReduction {
  enum class Type : uint8_t { u32, s32, f32 };
  Type type = Type::u32;
  bool is_max = false;
  bool is_of_magnitudes = false;  ///< .abs, f32
  bool keeps_nan = false;         ///< .NaN, f32: one NaN makes the result NaN; else they are passed over
};

/// One word of as many as there are, at least one. `gives_nan`: a NaN is not passed over even without .NaN
/// (AMB-49).
uint32_t reduce(const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan);

}  // namespace assay::emulator
