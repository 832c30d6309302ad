// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <set>

#include "generators/mma/cases.h"
#include "reference/model/barrier/sequence_case.h"
#include "reference/model/bulk_copy/case.h"
#include "reference/model/mma/case.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/model/warp_mma/case.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

/// A fault that acts at one value of a field alone is met only where that value is drawn: the ends of a field
/// and the powers of two in it, where counters and fields of so many bits end, must come up in a short run.
namespace assay::suites {
namespace {

using gen::MmaKind;
using Numbers = std::set<uint64_t>;

/// A run of ten minutes on the emulator makes several times as many cases of each of these properties.
constexpr uint64_t drawn_cases = 20'000;

/// first, 2 * first, ... last, and `beside` each.
Numbers powers(uint64_t first, uint64_t last, uint64_t beside = 0) {
  Numbers list;
  for (uint64_t power = first; power <= last; power *= 2) {
    list.insert(power);
    if (beside != 0 && power > first) list.insert(power - beside);
    if (beside != 0 && power < last) list.insert(power + beside);
  }
  return list;
}
Numbers all(uint64_t first, uint64_t last, uint64_t step = 1) {
  Numbers list;
  for (uint64_t value = first; value <= last; value += step) list.insert(value);
  return list;
}
Numbers operator|(Numbers a, const Numbers& b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// What a case has in one field, or in several of a kind; put into the set.
using SeenCase = void (*)(const Case&, Numbers&);
/// One property or several.
struct Names {
  template <typename... Name>
  Names(const Name&... names) : all{names...} {}
  std::vector<std::string_view> all;
};
struct Row {
  Names properties;
  std::string_view field;
  SeenCase seen;
  Numbers wanted;
  spec::Arch arch = spec::Arch::sm_100;
};

template <auto member>
constexpr SeenCase bulk = [](const Case& any, Numbers& seen) { seen.insert(any.as<BulkCase>().*member); };

/// Warps, and lanes beyond those, of the thread that issues.
template <typename T, auto member>
constexpr SeenCase issuing = [](const Case& any, Numbers& seen) {
  const uint32_t thread = any.as<T>().*member;
  seen.insert({thread / 32, 4 + thread % 32});
};
const Numbers all_warps_and_lanes = all(0, 4 + 31);

template <typename T, auto member>
constexpr SeenCase mask_bits = [](const Case& any, Numbers& seen) {
  for (uint32_t mask = any.as<T>().*member; mask != 0; mask &= mask - 1)
    seen.insert(static_cast<uint64_t>(std::countr_zero(mask)));
};
void sole_receivers(const Case& any, Numbers& seen) {
  const auto& c = any.as<TensorCopyCase>();
  if (c.unicast) seen.insert(16 * c.cluster_size + static_cast<uint64_t>(std::countr_zero(c.cta_mask)));
}
const Numbers ranks_of_clusters = all(32, 33) | all(64, 67) | all(128, 135);
void warps_and_shape(const Case& any, Numbers& seen) {
  const auto& c = any.as<TmemAccessCase>();
  seen.insert(16 * c.warps + c.shape);
}
const Numbers access_warps = all(16 * 4, 16 * 4 + 4) | all(16 * 8, 16 * 8 + 4);

template <auto member>
constexpr SeenCase copied =
    [](const Case& any, Numbers& seen) { seen.insert(any.as<TensorCopyCase>().*member); };

/// Shared addresses that begin or end a tile, of those that are multiples of 64 KiB.
void note_ends(uint64_t offset, uint64_t bytes, Numbers& seen) {
  const uint64_t begin = rig::usual_window_address + offset, end = begin + bytes;
  if (begin % 65536 == 0) seen.insert(begin);
  if (end % 65536 == 0) seen.insert(end + 1);  // told apart from a beginning by the low bit
}
const Numbers shared_borders{1 << 16, 2 << 16, 3 << 16},
    shared_ends{(1 << 16) + 1, (2 << 16) + 1, (3 << 16) + 1};

void bulk_target(const Case& any, Numbers& seen) {
  const auto& c = any.as<BulkCase>();
  note_ends(c.target_offset, c.size, seen);
}
void bulk_source(const Case& any, Numbers& seen) {
  const auto& c = any.as<BulkCase>();
  note_ends(c.source_offset, c.size, seen);
}
void bulk_source_bits(const Case& any, Numbers& seen) {
  const auto& c = any.as<BulkCase>();
  for (const uint64_t at : {c.source_offset, c.source_offset + c.size}) seen.insert(at & -at);
}
void tile_begin(const Case& any, Numbers& seen) {
  if (const auto* copy = any.get_if<TensorCopyCase>()) note_ends(copy->tile_offset, 0, seen);
}
/// 32 KiB of shared memory that a map lies in, and twice that + 1 where a program publishes it from there.
void shared_maps(const Case& any, Numbers& seen) {
  const auto& c = any.as<MapProgramCase>();
  if (c.shared_map == 0) return;
  const uint64_t address = rig::usual_window_address + c.shared_map, part = address >> 15;
  seen.insert(2 * part);
  for (uint32_t i = 0; i < c.steps; ++i)
    if (c.step[i].is(MapOp::copy_fence)) seen.insert(2 * part + 1);
}
template <uint32_t op>
constexpr SeenCase amounts = [](const Case& any, Numbers& seen) {
  const auto& c = any.as<SequenceCase>();
  for (uint32_t i = 0; i < c.count; ++i)
    if (c.steps[i].op == op) seen.insert(c.steps[i].amount);
};
/// How many lanes execute such an operation at once; 100 more where they are another CTA's.
template <BarrierOp op>
constexpr SeenCase lanes_at_once = [](const Case& any, Numbers& seen) {
  const auto& c = any.as<SequenceCase>();
  for (uint32_t i = 0; i < c.count; ++i)
    if (static_cast<BarrierOp>(c.steps[i].op) == op)
      seen.insert(static_cast<uint32_t>(std::popcount(c.steps[i].lanes)) +
                  (c.steps[i].column != 0 ? 100 : 0));
};
const Numbers lane_counts{1, 2, 14, 16, 18, 32},
    lane_counts_of_clusters = lane_counts | Numbers{101, 102, 116, 132};
void columns(const Case& any, Numbers& seen) {
  const auto& c = any.as<SequenceCase>();
  for (uint32_t i = 0; i < c.count; ++i)
    if (static_cast<TmemOp>(c.steps[i].op) == TmemOp::load) seen.insert(c.steps[i].column);
}
/// Products between two commits.
void products(const Case& any, Numbers& seen) {
  const auto& c = any.as<SequenceCase>();
  uint64_t before = 0;
  for (uint32_t i = 0; i < c.count; ++i) {
    const auto op = static_cast<TmemOp>(c.steps[i].op);
    before += op == TmemOp::multiply || op == TmemOp::copy || op == TmemOp::shift;
    if (op != TmemOp::commit) continue;
    seen.insert(before);
    before = 0;
  }
}

/// Columns that are allocated at the same time at most.
void columns_at_once(const Case& any, Numbers& seen) {
  const auto& c = any.as<SequenceCase>();
  std::map<uint32_t, uint64_t> of;
  uint64_t most = 0;
  for (uint32_t i = 0; i < c.count; ++i) {
    const SequenceStep& s = c.steps[i];
    const auto op = static_cast<TmemOp>(s.op);
    if (op == TmemOp::deallocate) of.erase(s.target);
    if (op == TmemOp::exchange) of.erase(s.column);
    if (op == TmemOp::allocate || op == TmemOp::exchange) of[s.target] = s.amount;
    uint64_t all = 0;
    for (const auto& [target, amount] : of) all += amount;
    if (all == 512) most = std::max<uint64_t>(most, of.size());
  }
  seen.insert(most);
}

/// Elements of `bytes` bytes that a reduction of integers finds in a window, or in a slot, of those wanted.
template <uint32_t bytes, bool is_old>
constexpr SeenCase integers = [](const Case& any, Numbers& seen) {
  const auto note = [&](uint32_t type, uint64_t at, uint64_t size) {
    const spec::DataType& t = spec::data_types[type];
    if (t.is_float || t.bits != 8 * bytes) return;
    for (uint64_t i = 0; i + bytes <= std::min<uint64_t>(size, 2048); i += bytes) {
      uint64_t value = 0;
      std::memcpy(&value, arena().data() + at + i, bytes);
      const uint64_t ones = ~uint64_t{0} >> (64 - 8 * bytes);
      for (const uint64_t v : {value, value ^ ones})  // the sets stay small: of others there are too many
        if ((v & (v - 1)) == 0 || (v & (v + 1)) == 0) seen.insert(value);
    }
  };
  if (const auto* c = any.get_if<TensorCopyCase>())
    note(c->map.data_type, is_old ? c->slot_fill_offset : c->fill_offset + c->tile_offset,
         is_old ? c->slot_bytes : c->window_bytes - c->tile_offset);
};
/// 2^k, 2^k - 1 and the complements of these, of so many bits.
Numbers integer_borders(uint32_t bits) {
  Numbers list;
  const uint64_t ones = ~uint64_t{0} >> (64 - bits);
  for (uint32_t k = 0; k < bits; ++k)
    for (const uint64_t value : {uint64_t{1} << k, (uint64_t{1} << k) - 1})
      list.insert({value, value ^ ones});
  return list;
}

const std::vector<Row>& rows() {
  using enum spec::Arch;
  static const std::vector<Row> list{
      {"bulk.copy.global_to_shared", "size", bulk<&BulkCase::size>, powers(16, 128 << 10, 16)},
      {"bulk.copy.global_to_shared", "cta_mask", bulk<&BulkCase::cta_mask>, powers(1, 128) | Numbers{0, 255}},
      {"bulk.copy.global_to_shared", "target in shared memory", bulk_target, shared_borders | shared_ends},
      {"bulk.copy.global_to_shared", "lowest bit of ends in memory", bulk_source_bits, powers(16, 32 << 20)},
      {"bulk.copy.shared_to_global", "size", bulk<&BulkCase::size>, powers(16, 128 << 10, 16)},
      {"bulk.copy.shared_to_global", "source in shared memory", bulk_source, shared_borders | shared_ends},
      {"bulk.copy.shared_to_global", "byte_mask", bulk<&BulkCase::byte_mask>,
       powers(1, 1 << 15) | Numbers{0, 0xfffe, 0x7fff, 0xffff}},
      {"bulk.copy.shared_to_shared", "size", bulk<&BulkCase::size>, powers(16, 64 << 10, 16)},
      {"bulk.copy.prefetch", "size", bulk<&BulkCase::size>,
       powers(16, 512 << 10, 16) | Numbers{(1 << 20) - 16}},
      {"bulk.copy.transaction_bytes", "size", bulk<&BulkCase::size>, powers(16, 64 << 10)},
      {"bulk.reduce.global", "size", bulk<&BulkCase::size>, powers(16, 128 << 10, 16)},
      {"bulk.reduce.shared", "size", bulk<&BulkCase::size>, powers(16, 64 << 10, 16)},
      {Names("tma.tiled.load", "tma.tiled.store", "tma.tiled.reduce", "tma.im2col.load", "tma.im2col.store",
             "tma.gather4.load", "tma.scatter4.store"),
       "begin in shared memory", tile_begin, shared_borders},
      {"tma.tiled.load", "box_dim",
       [](const Case& any, Numbers& seen) {
         const auto& m = any.as<TensorCopyCase>().map;
         for (uint32_t i = 0; i < m.rank; ++i) seen.insert(m.box_dim[i]);
       },
       powers(1, 256, 1)},
      {"tma.tiled.load", "element_stride",
       [](const Case& any, Numbers& seen) {
         const auto& m = any.as<TensorCopyCase>().map;
         for (uint32_t i = 0; i < m.rank; ++i) seen.insert(m.element_stride[i]);
       },
       all(1, 8)},
      {Names("tma.tiled.load", "tma.tiled.load.multicast", "tma.tiled.load.cta_group", "tma.tiled.store",
             "tma.tiled.reduce", "tma.gather4.load"),
       "spelling", copied<&TensorCopyCase::spelling>, all(0, 63)},
      {Names("bulk.copy.global_to_shared", "bulk.reduce.global"), "spelling", bulk<&BulkCase::spelling>,
       all(0, 63)},
      {Names("tma.tiled.load", "tma.tiled.load.multicast", "tma.tiled.load.cta_group", "tma.tiled.store",
             "tma.tiled.reduce", "tma.tiled.reduce.conflicts", "tma.gather4.load", "tma.scatter4.store"),
       "lanes that issue", copied<&TensorCopyCase::lanes>, all(1, 8)},
      {Names("tma.gather4.load.multicast", "tma.gather4.load.non_portable_cluster"), "lanes that issue",
       copied<&TensorCopyCase::lanes>, all(1, 3)},
      {Names("tma.tiled.load", "tma.tiled.store"), "issuing thread", copied<&TensorCopyCase::issuer_thread>,
       all(0, 127)},
      {"tma.tiled.reduce", "operand of 32 bits", integers<4, false>, integer_borders(32)},
      {Names("tma.tiled.reduce", "tma.im2col.reduce"), "operand of 64 bits", integers<8, false>,
       integer_borders(64)},
      {"tma.tiled.reduce", "old element of 32 bits", integers<4, true>, integer_borders(32)},
      {Names("tma.tiled.reduce", "tma.im2col.reduce"), "old element of 64 bits", integers<8, true>,
       integer_borders(64)},
      {"tma.im2col.load", "pixels",
       [](const Case& any, Numbers& seen) { seen.insert(any.as<TensorCopyCase>().map.pixels); },
       powers(1, 1024)},
      {"tma.im2col.load", "channels",
       [](const Case& any, Numbers& seen) { seen.insert(any.as<TensorCopyCase>().map.channels); },
       powers(4, 256)},
      {Names("tma.map.program", "tma.map.program.store"), "map in shared memory", shared_maps, all(2, 13),
       sm_90},
      {"tma.map.replace", "map in shared memory", shared_maps, all(0, 13), sm_90},
      {"barrier.sequence", "lanes of an arrive", lanes_at_once<BarrierOp::arrive>, lane_counts_of_clusters,
       sm_90},
      {"barrier.sequence", "lanes of an arrive_drop", lanes_at_once<BarrierOp::arrive_drop>,
       lane_counts_of_clusters, sm_90},
      {"barrier.sequence", "lanes of an expect_tx", lanes_at_once<BarrierOp::expect_tx>,
       lane_counts_of_clusters, sm_90},
      {"barrier.sequence", "lanes of an complete_tx", lanes_at_once<BarrierOp::complete_tx>,
       lane_counts_of_clusters, sm_90},
      {"barrier.sequence", "lanes of an arrive_expect_tx", lanes_at_once<BarrierOp::arrive_expect_tx>,
       lane_counts_of_clusters, sm_90},
      {"barrier.sequence", "lanes of an arrive_drop_expect_tx",
       lanes_at_once<BarrierOp::arrive_drop_expect_tx>, lane_counts_of_clusters, sm_90},
      {"barrier.sequence", "lanes of an arrive_no_complete", lanes_at_once<BarrierOp::arrive_no_complete>,
       lane_counts, sm_90},
      {"barrier.sequence", "lanes of an arrive_drop_no_complete",
       lanes_at_once<BarrierOp::arrive_drop_no_complete>, lane_counts, sm_90},
      {"barrier.sequence", "spelling",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<SequenceCase>();
         for (uint32_t i = 0; i < c.count; ++i) seen.insert(c.steps[i].spelling);
       },
       all(0, most_spellings - 1), sm_90},
      {"barrier.sequence", "32 KiB of shared memory that barriers lie in",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<SequenceCase>();
         seen.insert((rig::usual_window_address + c.place) >> 15 << 1 | (c.needs_cluster() ? 1 : 0));
       },
       all(0, 13), sm_90},
      {"tmem.sequence", "warps",
       [](const Case& any, Numbers& seen) { seen.insert(any.as<SequenceCase>().warps); }, all(4, 16, 4)},
      {"tmem.sequence", "columns of an allocation", amounts<static_cast<uint32_t>(TmemOp::allocate)>,
       powers(32, 512)},
      {"tmem.sequence", "form of a load", amounts<static_cast<uint32_t>(TmemOp::load)>, all(0, 15)},
      {"tmem.sequence", "column of a load", columns, powers(8, 256) | Numbers{0, 24, 56, 120, 248, 504}},
      {"tmem.sequence", "allocations that take all columns", columns_at_once, {1, 5, 6, 8, 10, 16}},
      {Names("bulk.copy.global_to_shared", "bulk.reduce.global"), "issuing thread",
       issuing<BulkCase, &BulkCase::issuer_thread>, all_warps_and_lanes},
      {Names("tma.im2col.load", "tma.im2col.reduce", "tma.im2col_w.load", "tma.gather4.load"),
       "issuing thread", issuing<TensorCopyCase, &TensorCopyCase::issuer_thread>, all_warps_and_lanes},
      {"tmem.cp", "issuing thread", issuing<TmemCopyCase, &TmemCopyCase::issuer_thread>, all_warps_and_lanes},
      {"tmem.sequence", "issuing thread", issuing<SequenceCase, &SequenceCase::issuer>, all_warps_and_lanes},
      {"tmem.sequence", "warp that allocates",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<SequenceCase>();
         for (uint32_t i = 0; i < c.count; ++i)
           if (static_cast<TmemOp>(c.steps[i].op) == TmemOp::allocate) seen.insert(c.steps[i].column);
       },
       all(0, 3)},
      {"barrier.sequence", "rank of the CTA that has the barriers",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<SequenceCase>();
         if (c.needs_cluster()) seen.insert(c.cluster_size * 16 + c.issuer);
       },
       ranks_of_clusters},
      {"tmem.commit.multicast", "mask of eight",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<CommitCase>();
         if (c.cluster_size == 8 && c.multicast) seen.insert(c.cta_mask);
       },
       all(1, 255)},
      {"tmem.commit.multicast", "CTA of eight that a commit without a mask names, and its issuer",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<CommitCase>();
         if (c.cluster_size == 8 && !c.multicast)
           seen.insert(8 * uint64_t{c.issuer_rank} + static_cast<uint64_t>(std::countr_zero(c.cta_mask)));
       },
       all(0, 63)},
      {"tmem.commit.multicast", "digits of the bytes that a barrier waits for too",
       [](const Case& any, Numbers& seen) {
         seen.insert(std::bit_width(any.as<CommitCase>().tracked_bytes));
       },
       all(0, 20)},
      {"bulk.copy.non_portable_cluster", "bit of the mask", mask_bits<BulkCase, &BulkCase::cta_mask>,
       all(0, 15)},
      {Names("tma.tiled.load.non_portable_cluster", "tma.im2col.load.non_portable_cluster",
             "tma.gather4.load.non_portable_cluster"),
       "bit of the mask", mask_bits<TensorCopyCase, &TensorCopyCase::cta_mask>, all(0, 15)},
      {Names("tma.im2col.load.multicast", "tma.im2col_w.load.multicast"),
       "CTA that a load without a mask names", sole_receivers, ranks_of_clusters},
      {"tmem.commit.non_portable_cluster", "bit of the mask", mask_bits<CommitCase, &CommitCase::cta_mask>,
       all(0, 15)},
      {"bulk.copy.shared_to_global", "groups that a wait leaves", bulk<&BulkCase::pending>, all(0, 15)},
      {"bulk.copy.shared_to_global", "piece with a wait before its group ends",
       mask_bits<BulkCase, &BulkCase::early_waits>, all(0, 15)},
      {"tmem.sequence", "barrier of a commit, and of a wait",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<SequenceCase>();
         for (uint32_t i = 0; i < c.count; ++i) {
           const auto op = static_cast<TmemOp>(c.steps[i].op);
           if (op == TmemOp::commit || op == TmemOp::wait)
             seen.insert(2 * c.steps[i].column + (op == TmemOp::wait ? 1 : 0));
         }
       },
       all(0, 3)},
      {Names("tmem.ld", "tmem.st"), "warps of the CTA, with the shape", warps_and_shape, access_warps},
      {Names("tma.gather4.load", "tma.scatter4.store"), "copies in a row", copied<&TensorCopyCase::in_a_row>,
       all(0, 1)},
      {"tma.map.program", "issuing thread", issuing<MapProgramCase, &MapProgramCase::issuer_thread>,
       all_warps_and_lanes},
      {"wgmma.f16", "groups that a wait leaves",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<WgmmaCase>();
         if (c.in_groups) seen.insert(c.pending);
       },
       all(0, 7), sm_90},
      {"wgmma.f16",
       "products that add to the D of another",
       [](const Case& any, Numbers& seen) {
         const auto& c = any.as<WgmmaCase>();
         if (!c.in_groups) seen.insert(c.pending);
       },
       {0, 1, 2, 3, 7},
       sm_90},
      {"wgmma.fp8", "warpgroup",
       [](const Case& any, Numbers& seen) { seen.insert(any.as<WgmmaCase>().warpgroup); }, all(0, 1), sm_90},
      {"tmem.sequence", "work before a commit", products, all(1, 20)},
  };
  return list;
}

/// A layout, a pair or a mask may go wrong for one pair of types with one M alone.
TEST(DrawnBorders, EveryPairOfTypesWithEveryM) {
  const Numbers of_one{64, 128}, of_pair{128, 256}, of_ws{32, 64, 128}, whole{128, 256};
  struct Row {
    std::string_view property;
    MmaKind kind;
    Numbers m;
  };
  for (const Row& row :
       {Row{"mma.dense.layout", MmaKind::f8f6f4, of_one},
        Row{"mma.dense.output_lanes", MmaKind::f8f6f4, of_one | of_pair},
        Row{"mma.dense.ashift", MmaKind::f8f6f4, whole}, Row{"mma.dense.pair", MmaKind::f8f6f4, of_pair},
        Row{"mma.ws.layout", MmaKind::f8f6f4, of_ws}, Row{"mma.ws.zero_column_mask", MmaKind::f8f6f4, of_ws},
        Row{"mma.ws.column_shift", MmaKind::f8f6f4, of_ws},
        Row{"mma.scaled.layout", MmaKind::mxf8f6f4, {128}},
        Row{"mma.scaled.pair", MmaKind::mxf8f6f4, of_pair}, Row{"mma.sparse.layout", MmaKind::f8f6f4, of_one},
        Row{"mma.sparse.pair", MmaKind::f8f6f4, of_pair}, Row{"mma.sparse.ws", MmaKind::f8f6f4, of_ws},
        Row{"mma.sparse.layout", MmaKind::mxf8f6f4, {128}},
        Row{"mma.sparse.pair", MmaKind::mxf8f6f4, {256}}}) {
    const Property* property = find_property(row.property);
    ASSERT_NE(property, nullptr) << row.property;
    // M, types of A and B, D
    std::set<std::array<uint64_t, 4>> missing;
    for (const uint64_t m : row.m)
      for (const uint64_t a : {0, 1, 3, 4, 5})
        for (const uint64_t b : {0, 1, 3, 4, 5})
          for (uint64_t d = row.kind == MmaKind::f8f6f4 ? 0 : 1; d < 2; ++d) missing.insert({m, a, b, d});
    Case any;
    for (uint64_t index = 0; index < drawn_cases && !missing.empty(); ++index) {
      property->generate(19, row.property, index, spec::Arch::sm_100, any);
      const auto& c = any.as<Tcgen05MmaCase>();
      if (c.kind == row.kind) missing.erase({c.m, c.a_type, c.b_type, c.d_type});
    }
    for (const auto& [m, a, b, d] : missing)
      ADD_FAILURE() << row.property << ": no M " << m << " with types " << a << " and " << b << " and D "
                    << d;
  }
}

TEST(DrawnBorders, OfEveryFieldInAShortRun) {
  std::map<std::pair<std::string_view, spec::Arch>, std::vector<std::pair<const Row*, Numbers>>> by_property;
  for (const Row& row : rows())
    for (const std::string_view property : row.properties.all)
      by_property[{property, row.arch}].push_back({&row, {}});
  for (auto& [key, list] : by_property) {
    const Property* property = find_property(key.first);
    if (property == nullptr) {
      ADD_FAILURE() << "there is no property " << key.first;
      continue;
    }
    Case c;
    for (uint64_t index = 0; index < drawn_cases; ++index) {
      property->generate(19, property->name, index, key.second, c);
      for (auto& [row, seen] : list) row->seen(c, seen);
    }
    for (const auto& [row, seen] : list)
      for (const uint64_t value : row->wanted)
        EXPECT_TRUE(seen.contains(value)) << key.first << ", " << row->field << ": no " << value;
  }
}

}  // namespace
}  // namespace assay::suites
