// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reference/layout/canonical.h"
#include "reference/layout/fragments.h"
#include "reference/layout/tmem.h"
#include "reference/model/end.h"
#include "reference/model/mma/bend.h"
#include "reference/model/mma/case.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::model {

struct Tcgen05MmaPrediction {
  End end = End::done;
  bool all_defined = true;  ///< false: `defined` holds a mask
  spec::RuleSet rules;      ///< rules this case exercises, or those it breaks
};

/// What the CTAs' shared windows hold: the one CTA's, or even and odd one's of a pair. Every place that a
/// descriptor leads to must lie in them.
using MmaWindows = std::array<std::span<const std::byte>, 2>;

/// Lanes of tensor memory.
inline constexpr uint32_t tmem_lanes = 128;

/// Predicts the whole allocation of tensor memory of each CTA. `cells`: cell (lane, column) of CTA v at
/// (v * 128 + lane) * alloc_columns + column, what was there before; receives what must be there after.
/// `defined` (same size) gets the bits that are defined; it is written only when not all are.
Tcgen05MmaPrediction predict_mma(const Tcgen05MmaCase&, const spec::Readings&, const MmaWindows& windows,
                                 std::span<uint32_t> cells, std::span<uint32_t> defined);

/// True when everything the case reads and writes lies inside its window and its allocation: else no probe
/// can run it. Words with flips are taken without them.
bool fits_rig(const Tcgen05MmaCase&);

/// First byte of the window, a multiple of 128, behind everything that A (operand 0) or B (1) reads; ~0 when
/// that is far outside. The type codes must have meanings.
uint32_t shared_end(const Tcgen05MmaCase&, int operand);

/// How the readings have the zero-column mask of a case, those of questions that it raises.
spec::MaskReadings mask_readings_of(const Tcgen05MmaCase&, const spec::Readings&);

/// How they have the places of A or B in shared memory.
layout::SmemReadings shared_readings_of(const Tcgen05MmaCase&, bool is_a, const spec::Readings&);

/// The case of its second accumulator alone.
Tcgen05MmaCase on_second(const Tcgen05MmaCase&);
/// And that of its first one.
Tcgen05MmaCase without_second(const Tcgen05MmaCase&);

/// Marks D as undefined in `defined`, a mask as predict_mma() gives it, which it makes if all was defined so
/// far. An instruction that breaks a rule may write any D: its own where the shape is known, else every lane
/// of as many columns as the largest has. What is around it stays. So it is with a second accumulator.
void leave_d_open(const Tcgen05MmaCase&, std::span<uint32_t> defined, bool& all_defined);

/// The words that a case gives the instruction, flips included. Addresses count from the window.
uint32_t idesc_word(const Tcgen05MmaCase&);
uint64_t a_word(const Tcgen05MmaCase&);
uint64_t b_word(const Tcgen05MmaCase&);
uint64_t mask_word(const Tcgen05MmaCase&);

/// The bits of its instruction descriptor that say what shape D has, and those of which nothing is known.
uint32_t shape_bits(const Tcgen05MmaCase&);

/// Formats of the case's type codes; null for a code without a meaning.
struct MmaFormats {
  const spec::Format *a, *b, *d;
};
MmaFormats formats_of(const Tcgen05MmaCase&);

/// Below which exponent terms of floating-point sums are cut, and with which one small operands align.
void choose_exponents(const MmaFormats&, const spec::Readings&, numerics::Arithmetic&);
/// Which zeros are -0.
void choose_zero_sign(const spec::Readings&, numerics::Arithmetic&);

/// Products of one instruction: of a sparse A, the elements that it holds of a row.
int k_of(const Tcgen05MmaCase&);
/// Elements of K that lie in memory: of B, where A is sparse, twice as many.
int stored_k(const Tcgen05MmaCase&, bool is_a);
/// The layout of D; null for a form that does not exist.
const layout::DLayoutRow* d_layout_of(const Tcgen05MmaCase&);
/// How A or B lies in shared memory.
layout::SmemOperand shared_operand(const Tcgen05MmaCase&, bool is_a);
/// Bits in which an element lies there: 8 for the padded 4- and 6-bit ones.
int stored_bits(const Tcgen05MmaCase&, bool is_a);
/// How A lies in tensor memory, and the columns that an instruction reads of it.
layout::TmemPacking packing_of_a(const Tcgen05MmaCase&);
uint32_t a_columns(const Tcgen05MmaCase&);
/// Formats, K and scales of one instruction.
numerics::Types types_of(const Tcgen05MmaCase&);

spec::SmemMatrix matrix_of(const MatrixInShared&);
spec::ZeroColumnMask mask_of(const ColumnMask&);

/// Rules that the case breaks under these readings: of the words, of the lane of D, of the collector. None:
/// the instruction is defined.
spec::RuleSet broken_mma_rules(const Tcgen05MmaCase&, const spec::Readings&);

/// Of a case that breaks rules: whether all of them are such that the readings chosen say the instruction is
/// refused, instead of leaving open what it does.
bool is_refused(const Tcgen05MmaCase&, const spec::RuleSet& broken, const spec::Readings&);

/// Rules that say what the instruction does, of those that a legal case exercises; those of the adder follow
/// from the operands (adder_evidence.h).
spec::RuleSet exercised_mma_rules(const Tcgen05MmaCase&, spec::Arch);

/// What block-scaled cases have beside the others.
bool is_block_scaled(const Tcgen05MmaCase&);
/// Kinds whose elements of 4 bits lie in shared memory without padding.
bool is_packed_kind(const Tcgen05MmaCase&);

/// Elements of K that share a scale: 16 or 32. Zero without block scaling.
int scale_block(const Tcgen05MmaCase&);
/// Scales of a row for one instruction.
int scale_count(const Tcgen05MmaCase&);
/// Null without block scaling.
const spec::Format* scale_format(const Tcgen05MmaCase&);
/// How many the qualifier names; of the default of its kind, where there is none.
std::optional<spec::ScaleVec> scale_vec_of(const Tcgen05MmaCase&);
/// Whether ptxas takes the qualifier with the kind.
bool has_legal_scale_vector(const Tcgen05MmaCase&);

/// Columns from one group of four scales to the next, as the program steps them.
uint32_t scale_group(const Tcgen05MmaCase&, bool is_a);
/// Where the scales of a step begin.
struct ScaleStart {
  uint32_t column, id;
};
ScaleStart scale_start(const Tcgen05MmaCase&, bool is_a, uint32_t step);
/// Columns that all steps together read, under any reading.
uint32_t scale_columns(const Tcgen05MmaCase&, bool is_a);

layout::ScaleReadings scale_readings(const Tcgen05MmaCase&, const spec::Readings&);

/// Scale `s` of a row of A within a CTA, or of column n of B, in one step; `cell(lane, column)` is a cell of
/// tensor memory of that CTA.
template <typename Cell>
uint8_t scale_at(const Tcgen05MmaCase& c, const layout::DLayoutRow& layout,
                 const layout::ScaleReadings& readings, const MmaBend* bend, bool is_a, int line,
                 uint32_t step, int s, Cell cell) {
  const ScaleStart start = scale_start(c, is_a, step);
  const int position = static_cast<int>(start.id) + s, n = static_cast<int>(c.n);
  layout::ScalePlace place = is_a ? layout::a_scale_places(layout, line, position, readings).front()
                                  : layout::b_scale_places(layout, line, n, position, readings).front();
  if (bend != nullptr && bend->scale != nullptr)
    place = bend->scale({c, layout, is_a, line, static_cast<int>(start.id), s}, place);
  return static_cast<uint8_t>(cell(place.lane, static_cast<int>(start.column) + place.column) >>
                              place.byte * 8);
}

/// What the readings make of bit 7 of ue4m3 scales: the scale that counts, and whether it negates.
struct ScaleCode {
  uint8_t code;
  bool negates;
};
ScaleCode read_scale(const spec::Format& format, uint8_t code, const spec::Readings& readings);

/// Bits that sums of groups keep, and products that a group adds exactly, which is open with scales of ue4m3.
void choose_grouped_sum(const spec::Readings&, bool has_ue4m3_scales, numerics::Arithmetic&);

/// Parameters of the adder that open questions of block scaling choose.
void choose_scaled_arithmetic(const Tcgen05MmaCase&, const spec::Readings&, numerics::Arithmetic&);

/// Rules of scales that a legal case exercises.
void mark_scale_rules(const Tcgen05MmaCase&, spec::RuleSet&);

/// What cases with a sparse A have beside the others.

/// Kinds f16 and tf32, whose metadata take half of the cells of a column, the one that a selector names.
bool has_interleaved_metadata(const Tcgen05MmaCase&);
/// Which elements of B a code names.
const layout::SparsityRow& sparsity_row(const Tcgen05MmaCase&);
/// Codes of a row of A for one instruction.
int codes_of_row(const Tcgen05MmaCase&);

/// Where the metadata of a step begin, columns from the allocation's first.
struct MetadataStart {
  uint32_t column, selector;
};
MetadataStart metadata_start(const Tcgen05MmaCase&, uint32_t step);
/// Columns that all steps together read, under any reading. Zero without sparsity.
uint32_t metadata_columns(const Tcgen05MmaCase&);
/// Whether the kind and the number of steps go with the selector: 0 where the kind has none, and nothing
/// follows what 2 and 3 may name.
bool has_selector(const Tcgen05MmaCase&);
/// Metadata that do not begin at an even column.
bool has_odd_metadata(const Tcgen05MmaCase&);

/// The codes of a row of A, and whether all of them have a meaning.
struct RowCodes {
  std::array<uint8_t, 16> codes{};
  int count = 0;
  bool has_meaning = true;
};

/// Those that a group of lanes (`fold`) reads for a row of A within its CTA; `cell(lane, column)` is a cell
/// of tensor memory of that CTA.
RowCodes row_codes(const Tcgen05MmaCase&, const layout::DLayoutRow& layout, const spec::Readings& readings,
                   const MmaBend* bend, uint32_t step, int row, int fold,
                   const std::function<uint32_t(int lane, int column)>& cell);

/// The element of B, counted along K, that kept element k of a row of A meets.
int met_k(const Tcgen05MmaCase&, const RowCodes& codes, const MmaBend* bend, int k);

/// met_k of each kept element of a row.
void met_places(const Tcgen05MmaCase&, const RowCodes& codes, const MmaBend* bend,
                std::span<uint16_t> places);

/// A row of a tile with a sparse A (Tile::met) as one of a dense A; its B goes to `met`, n columns of k.
numerics::Tile dense_row(const numerics::Tile&, uint32_t row, std::vector<uint32_t>& met);

/// Rules of sparsity that a legal case exercises.
void mark_sparse_rules(const Tcgen05MmaCase&, spec::RuleSet&);

/// Elements (mn, k) for mn in [first, first + count) and k in [0, k_count), as codes, k running fastest, read
/// from a window through a matrix descriptor.
void gather_shared(const spec::SmemMatrix& matrix, const layout::SmemOperand& operand,
                   const layout::SmemReadings& readings, std::span<const std::byte> window, int first,
                   int count, int k_count, std::span<uint32_t> codes);

}  // namespace assay::model
