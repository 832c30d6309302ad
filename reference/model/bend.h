// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/model/barrier/mbarrier.h"
#include "reference/model/bulk_copy/bend.h"
#include "reference/model/mma/bend.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/bend.h"
#include "reference/model/tensor_map/bend.h"
#include "reference/model/tmem/bend.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

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
