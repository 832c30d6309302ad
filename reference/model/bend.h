// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/model/barrier/mbarrier.h"
#include "reference/model/mma/bend.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/bend.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay {
struct BulkCase;
}

namespace assay::model {

/// What a bend changes about plain bulk copies (suites/bulk has their cases), the arithmetic of reductions
/// apart. Null and false: as the rules say.
struct BulkBend {
  /// Bytes that a size operand stands for.
  uint32_t (*moved)(uint32_t size, uint32_t right) = nullptr;
  /// Bytes that each receiving barrier is told.
  int64_t (*signalled)(const BulkCase&, int64_t right) = nullptr;
  /// Ranks that get the data, and those whose barrier is told: bits.
  uint32_t (*receivers)(const BulkCase&, uint32_t right) = nullptr;
  uint32_t (*signalled_ranks)(const BulkCase&, uint32_t right) = nullptr;
  /// What of the mask of a store counts.
  uint16_t (*byte_mask)(const BulkCase&, uint16_t right) = nullptr;
  /// How the instruction ends before any byte moves.
  End (*issue)(const BulkCase&, End right) = nullptr;
  /// Bytes that were moved, or beside them, may hold something else.
  bool data_is_open = false, rest_is_open = false;
};

/// What a bend changes about a call of the encoder.
struct EncodeBend {
  /// Whether the call is refused though no rule forbids it: the rule is stricter than written.
  bool (*refuses)(const EncodeTiledCase&) = nullptr;
  bool (*refuses_im2col)(const Im2colMapArgs&) = nullptr;
  /// The field of that name (spec/tensor_map_bits.h), "corners": both corners, may hold anything; empty:
  /// none.
  std::string_view open_field = {};
  /// The one of that number of the fields of that name; -1: all.
  int field_index = -1;
  /// What is added to the code of that field in place of leaving it open.
  int added = 0;
  /// A refused call leaves the map as it was, whatever it is refused for.
  bool keeps_refused_map = false;
  /// What a refused call leaves of the map is not known.
  bool opens_refused_map = false;
  /// A replaced address: all that is beside it may hold anything.
  bool opens_beside_replaced = false;

  bool changes(const spec::Field& field) const {
    return (field.name == open_field || (open_field == "corners" && field.name.ends_with("_corner"))) &&
           (field_index < 0 || field.index == field_index);
  }
};

/// Changes the field of the map, or leaves it open in `defined`, if the bend is about it.
void bend_field(const EncodeBend&, const spec::Field&, spec::TensorMapBytes& map,
                spec::TensorMapBytes& defined);

/// Of the bend of these readings.
bool keeps_refused_map(const spec::Readings&);
bool opens_refused_map(const spec::Readings&);

struct MapReplacement;

/// What a bend changes about tensor maps that kernels rewrite. Null and false: as the rules say.
struct MapReplaceBend {
  /// The object after a replacement; gets what the rules make of it.
  void (*replaced)(const MapReplacement&, const spec::TensorMapBytes& before,
                   spec::TensorMapBytes&) = nullptr;
  /// What tensormap.cp_fenceproxy leaves; gets the source.
  void (*copied)(const spec::TensorMapBytes& before, spec::TensorMapBytes&) = nullptr;
  /// Whether an acquire, of the map's address or `off` bytes from it, at a scope (0 cta to 3 sys), is none;
  /// `is_first`: by the first of the lanes that execute it.
  bool (*misses_acquire)(uint32_t off, uint32_t scope, bool is_first) = nullptr;
  /// A copy behind no acquire acts by the map as an earlier one found it, where the rules allow either.
  bool finds_as_it_was = false;
  /// Whether copies find something else of a map, by the bytes from a multiple of 128 on and by where it lies
  /// (0 global memory, 1 parameters, 2 constant memory).
  bool (*misreads)(uint32_t place, uint32_t memory) = nullptr;
  /// The same, by what the map holds.
  bool (*misreads_bits)(const spec::TensorMapBytes&) = nullptr;
};

/// What a bend may change about tcgen05.cp and tcgen05.shift. Each step gets what the rules say; null: as the
/// rules say. The source of a copy is bent as an operand of matrix instructions is (mma_bend.h).
struct TmemCopyBend {
  /// The lane of a row. shape: index of layout::tmem_copy_shapes; copy: which of the row's lanes.
  int (*lane)(uint32_t shape, int row, int copy, int right) = nullptr;
  /// The first column that a copy writes.
  uint32_t (*column)(uint32_t shape, uint32_t right) = nullptr;
  /// The row and the word of it that a cell has.
  int (*row)(uint32_t shape, int right) = nullptr;
  int (*word)(uint32_t shape, int right) = nullptr;
  /// The byte of an element. bits: 4 or 6.
  uint32_t (*element)(int bits, uint32_t code, uint32_t right) = nullptr;
  bool (*decompresses)(int bits) = nullptr;
  /// The CTA of a pair whose shared memory a CTA's copy of that shape reads.
  int (*source_cta)(uint32_t shape, int right) = nullptr;
  /// The lane, of 32, that a lane receives the cells of.
  int (*shifted)(int lane, int right) = nullptr;
  bool (*shifts)(int partition) = nullptr;
  int (*shifted_columns)(int right) = nullptr;
  /// Whether a move that waits for nothing comes after those before it.
  bool moves_overtake = false;
  /// Whether matrix instructions come before the copies that their thread has issued.
  bool products_overtake = false;
};

/// What a bend may change about tcgen05.ld.red.
struct RegisterReductionBend {
  /// The registers of a thread that are reduced.
  uint32_t (*first)(uint32_t count) = nullptr;
  uint32_t (*last)(uint32_t count) = nullptr;
  void (*operation)(bool& is_max, bool& is_of_magnitudes, bool& keeps_nan) = nullptr;
  uint32_t (*result)(uint32_t right) = nullptr;
};

/// One rule altered: what a device would do that had it wrong in this one way. A prediction made with a bend
/// in its Readings is that of such a device; a failing case is explained by the rule whose bend gives what
/// came out. Written from the sentences of the rules: left out, off by one, rounded the other way, a field
/// too narrow, two things exchanged.
struct Bend {
  spec::RuleIndex rule = 0;
  std::string_view words;    ///< what such a device did: goes on after "as if "
  bool is_left_out = false;  ///< the rule forbids something, and is not checked
  TiledBend copy;
  Im2colBend im2col;
  WideBend wide;
  GatherBend gather;
  CtaPairBend pair;
  BulkBend bulk;
  EncodeBend encode;
  MmaBend mma;
  TmemCopyBend tmem_copy;
  RegisterReductionBend register_reduction;
  MapReplaceBend maps;
  ProgramBend program;
  ReductionBend reduction;
  /// Bytes that expect_tx adds where it arms the barrier of a copy; null: as many as it is given.
  uint32_t (*armed)(uint32_t bytes) = nullptr;
  /// Where the rules allow one of several values it allows any.
  bool opens_values() const { return gather.repeated_rows_are_open; }
};

/// By what they change.
std::span<const Bend> tiled_bends();
/// The parts of tiled_bends(): which elements move, where they lie in shared memory, what becomes of their
/// bytes, and how copies end and signal.
std::span<const Bend> tiled_place_bends();
std::span<const Bend> tiled_layout_bends();
std::span<const Bend> tiled_value_bends();
std::span<const Bend> tiled_end_bends();
std::span<const Bend> encode_bends();
/// Adds those in which a field of tensor maps holds something else: all of that name, and one by one.
void add_field_bends(spec::RuleIndex, std::string_view field, std::vector<Bend>&);
struct FieldOfMap {
  std::string_view field;
  spec::RuleIndex rule;
};
/// What a refused call leaves of the map, altered.
void add_refused_map_bends(std::vector<Bend>&);
std::span<const Bend> reduction_bends();
std::span<const Bend> mma_bends();
std::span<const Bend> warp_mma_bends();
std::span<const Bend> sparse_kind_bends();
std::span<const Bend> tmem_access_bends();
std::span<const Bend> map_replace_bends();
std::span<const Bend> im2col_copy_bends();
std::span<const Bend> im2col_wide_bends();
std::span<const Bend> gather_bends();
std::span<const Bend> cta_pair_bends();
std::span<const Bend> sequence_bends();
/// Of the barriers that copies complete on.
std::span<const Bend> arming_bends();
std::span<const Bend> gemm_bends();

/// Bytes that a multicast load signals for each destination, and those that each receiving barrier is armed
/// with for each destination that signals it.
struct SignalsOfPairs {
  uint32_t cta_group = 0, mask = 0, barrier_rank = 0, cluster_size = 1;
  int64_t armed = 0, signalled = 0;
};
/// What the barriers of a cluster then do, with the bend of the readings.
End end_of_pairs(const SignalsOfPairs&, const spec::Readings&);

/// Bytes that a barrier expects which is armed with so many, with the bend of the readings.
int64_t expected_bytes(int64_t armed, const spec::Readings&);

/// True when the bend of these readings leaves the rule out.
bool is_left_out(const spec::Readings& readings, spec::RuleIndex rule);

}  // namespace assay::model
