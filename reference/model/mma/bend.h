// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "reference/layout/canonical.h"
#include "reference/layout/fragments.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/case.h"
#include "reference/numerics/arithmetic.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::model {

/// Scale s of an instruction, whose id is that of its step: of a row of A within its CTA, or of a column of
/// B.
struct ScaleWanted {
  const Tcgen05MmaCase& c;
  const layout::DLayoutRow& layout;
  bool is_a;
  int line, id, s;
  /// The line within the lanes that hold its scales.
  int line_of_half() const {
    return is_a || layout.folds == 1 ? line : line % (static_cast<int>(c.n) / layout.folds);
  }
};

/// A metadata code of a row of A within its CTA, for one instruction.
struct MetadataWanted {
  const Tcgen05MmaCase& c;
  const layout::DLayoutRow& layout;
  int row, fold, selector;
  int i;  ///< codes along K
};

/// A metadata code of a row of A within its warp, in the registers of mma.sp or wgmma.sp.
struct RegisterMetadataWanted {
  int bits;    ///< of an element
  int groups;  ///< codes of a row
  int selector, row, group;
};

/// A block scale of mma.sync within the registers of its operand: scale `number` of `count` of a row of A or
/// a column of B.
struct RegisterScaleWanted {
  bool is_a, is_sparse;
  uint32_t line, thread_id, byte_id, number, count;
};
struct RegisterScale {
  uint32_t thread;  ///< for A of all four warps, for B of one
  uint32_t byte;    ///< of its word
};
/// Where it lies by the rules.
RegisterScale register_scale(const RegisterScaleWanted&);

/// What a bend may change about matrix instructions. Each step gets what the rules say; null: as the rules
/// say.
struct MmaBend {
  // The adder.
  void (*arithmetic)(const numerics::Types&, numerics::Arithmetic&) = nullptr;
  /// The block that a product is summed in, 0 or 1, each rounded before the next; -1: in none.
  int (*block)(const numerics::Types&, bool reads_c, int k) = nullptr;
  uint32_t (*operand)(const spec::Format&, uint32_t code) = nullptr;
  uint32_t (*result)(const numerics::Types&, uint32_t right) = nullptr;
  /// Bits of a result that may be anything.
  uint32_t (*open_bits)(const numerics::Types&, uint32_t right) = nullptr;
  bool (*reads_c)(bool right) = nullptr;
  void (*negates)(bool& a, bool& b) = nullptr;
  /// A row of A by a column of B of mma.sync on f64, from C on.
  uint64_t (*chain)(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) = nullptr;

  // Operands in shared memory.
  void (*matrix)(spec::SmemMatrix&, bool is_mn_major) = nullptr;
  void (*smem)(layout::SmemReadings&) = nullptr;
  bool (*transposed)(bool is_a, bool right) = nullptr;
  /// The CTA of a pair that has the half of B of that number.
  int (*cta_of_b)(int half) = nullptr;

  // Masks of columns, and lanes that are left out: the bit that a lane is told by, -1: none.
  void (*mask)(spec::ZeroColumnMask&, int m) = nullptr;
  /// Of an instruction that uses the B of another: columns by which it is shifted.
  uint32_t (*reused_shift)(uint32_t shift, uint32_t max_shift) = nullptr;
  int (*disabled_bit)(int bit, int bits) = nullptr;

  // Tensor memory.
  int (*fold)(const layout::DLayoutRow&, int fold) = nullptr;
  int (*lane)(const layout::DLayoutRow&, int lane) = nullptr;
  layout::TmemRegisterPlace (*cell)(const TmemAccessCase&, int thread, int r,
                                    layout::TmemRegisterPlace right) = nullptr;
  /// Whether .ashift moves a row to a lane.
  bool (*shifts_a)(int lane) = nullptr;
  uint32_t (*pack)(uint32_t low, uint32_t high) = nullptr;
  uint32_t (*unpack)(uint32_t word, int half) = nullptr;
  layout::ScalePlace (*scale)(const ScaleWanted&, layout::ScalePlace right) = nullptr;
  uint8_t (*scale_code)(const numerics::Types&, uint8_t code) = nullptr;
  RegisterScale (*register_scale)(const RegisterScaleWanted&, RegisterScale right) = nullptr;

  // Sparsity: where a code lies, which it is, and the element of its chunk that kept element i meets.
  layout::TmemPlace (*metadata)(const MetadataWanted&, layout::TmemPlace right) = nullptr;
  layout::MetadataRegister (*register_metadata)(const RegisterMetadataWanted&,
                                                layout::MetadataRegister right) = nullptr;
  uint8_t (*metadata_code)(const layout::SparsityRow&, uint8_t code) = nullptr;
  int (*met)(const layout::SparsityRow&, uint8_t code, int i) = nullptr;
  /// mma.sp keeps pairs of elements of 4 bits that have a byte each, too.
  bool keeps_pairs_of_bytes = false;
  /// Any cell may hold anything.
  bool cells_are_open = false;
};

}  // namespace assay::model
