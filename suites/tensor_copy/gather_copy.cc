// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_copy/gather.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "kernels/params/batch.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/case_json.h"
#include "reference/model/reduction.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/cta_pair.h"
#include "reference/model/tensor_copy/gather.h"
#include "reference/model/tensor_copy/gather_json.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/tensor_map.h"
#include "suites/failure/shrink_case.h"
#include "suites/run/bytes.h"
#include "suites/run/launch.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/cluster_fields.h"
#include "suites/tensor_copy/copy_launch.h"
#include "suites/tensor_copy/gather_family.h"
#include "suites/tensor_copy/tiled_family.h"
#include "suites/tensor_copy/tiled_words.h"
#include "suites/tensor_map/descriptor_fields.h"
#include "suites/tensor_map/host_text.h"

namespace assay::suites {
namespace {

using params::TiledCopyRecord;

bool is_store(const GatherCase& c) {
  return c.tile.direction == TiledDirection::store;
}

/// Bytes that a barrier is armed with for each destination that signals it: what the architecture's default
/// readings count, plus what the case says. 0 for a map that is none.
int64_t armed_with(const GatherCase& c, const spec::Readings& defaults) {
  if (c.tile.map.rank != 2 || model::broken_map_rules(c.tile.map, defaults).any()) return 0;
  return int64_t{c.tile.lanes} * model::transaction_bytes(c, defaults) + c.tile.transaction_delta;
}

[[noreturn]] void refuse(const std::string& field, uint64_t value, const std::string& why) {
  throw std::runtime_error("field '" + field + "' of the case is " + std::to_string(value) + why);
}

class GatherCopy : public Family {
 public:
  std::string_view name() const override { return "tma_gather_copy"; }
  size_t record_bytes() const override { return sizeof(TiledCopyRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case& any) const override {
    const GatherCase& c = any.as<GatherCase>();
    return is_store(c) ? c.tile.slot_bytes : c.tile.window_bytes * c.tile.cluster_size;
  }
  uint32_t batch_key(const Case& any) const override { return any.as<GatherCase>().tile.cluster_size; }

  /// That of a tiled copy, but for the bytes that are waited for and the words of .cta_group.
  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& defaults,
                    std::byte* record) const override {
    const GatherCase& c = any.as<GatherCase>();
    tiled_copy_family().write_record(Case(c.tile), output_offset, defaults, record);
    TiledCopyRecord r;
    std::memcpy(&r, record, sizeof r);
    if (!is_store(c))
      r.expect_tx =
          static_cast<uint32_t>(std::clamp<int64_t>(armed_with(c, defaults), 0, model::Mbarrier::most_bytes));
    if (c.cta_group == 1) r.flags |= params::copy_cta_group_1;
    if (c.cta_group == 2) r.flags |= params::copy_cta_group_2;
    const uint32_t barrier_rank =
        model::named_barrier(c.unicast, c.tile.cta_mask, c.tile.issuer_rank, c.peer_barrier);
    set_signals(model::all_destinations_signalled(c.cta_group, c.tile.cta_mask, barrier_rank),
                c.tile.transaction_delta < 0, r);
    if (c.unicast) r.flags |= params::copy_unicast;
    if (c.peer_barrier) r.flags |= params::copy_peer_barrier;
    r.mode = params::CopyMode::gather4;
    set_opcodes(r);
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    Launch launch = launch_of_record(record_from<TiledCopyRecord>(bytes));
    launch.host_text = copy_host("TiledCopyRecord", tiled_encode_map());
    return launch;
  }
  uint64_t pace() const override { return 256; }
  std::span<const model::Bend> bends() const override { return model::gather_bends(); }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const GatherCase& c = any.as<GatherCase>();
    const size_t size = is_store(c) ? c.tile.slot_bytes : c.tile.window_bytes;
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, size);
    std::copy_n(arena().data() + (is_store(c) ? c.tile.slot_fill_offset : c.tile.fill_offset), size,
                bytes.begin());
    const std::span<std::byte> mask = scratch.take(scratch.mask, size);
    const model::TiledPrediction prediction =
        is_store(c) ? model::predict_store(c, readings, window_of(c), bytes, mask)
                    : model::predict_load(c, readings, arena(), bytes, mask);
    e.bytes = bytes;
    e.mask = prediction.all_defined ? std::span<std::byte>{} : mask;
    e.end = prediction.end;
    e.may_crash = false;
    // A load that was armed with the wrong count may be read back before its last bytes land.
    e.judges_bytes = prediction.end == model::End::done;
    e.rules = prediction.rules;
    e.receivers = model::receivers(c);
  }

  bool same(const Case& any, const spec::Readings& readings, const Expected& e,
            std::span<const std::byte> output) const override {
    const GatherCase& c = any.as<GatherCase>();
    if (c.tile.cluster_size == 1)
      return equal_where_defined(e.bytes, output, e.mask) &&
             (e.mask.empty() || allows(any, readings, output));
    for (uint32_t rank = 0; rank < c.tile.cluster_size; ++rank) {
      const auto window = output.subspan(uint64_t{rank} * c.tile.window_bytes, c.tile.window_bytes);
      const bool good = (e.receivers >> rank & 1) != 0 ? equal_where_defined(e.bytes, window, e.mask)
                                                       : equal_where_defined(window_of(c), window, {});
      if (!good) return false;
    }
    return true;
  }

  bool allows(const Case& any, const spec::Readings& readings,
              std::span<const std::byte> output) const override {
    const GatherCase& c = any.as<GatherCase>();
    if (!is_store(c) || (readings.bend() != nullptr && readings.bend()->gather.repeated_rows_are_open))
      return true;
    const auto open = model::open_elements(c, readings, window_of(c),
                                           arena().subspan(c.tile.slot_fill_offset, c.tile.slot_bytes));
    const uint32_t bytes = model::open_element_bytes(c);
    return std::all_of(open.begin(), open.end(), [&](const model::OpenSum& element) {
      return std::binary_search(element.allowed.begin(), element.allowed.end(),
                                model::load_element(&output[element.at], bytes));
    });
  }

  ExpectedOutput expected_output(const Case& any, const Expected& e) const override {
    const GatherCase& c = any.as<GatherCase>();
    ExpectedOutput whole;
    for (uint32_t rank = 0; rank < c.tile.cluster_size; ++rank) {
      const bool received = c.tile.cluster_size == 1 || (e.receivers >> rank & 1) != 0;
      append(whole.bytes, received ? e.bytes : window_of(c));
      if (received && !e.mask.empty())
        append(whole.defined, e.mask);
      else
        whole.defined.resize(whole.bytes.size(), 0xff);
    }
    return whole;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const GatherCase& c = any.as<GatherCase>();
    auto list = tiled_copy_family().fields(Case(c.tile));
    for (auto& [field, value] : list) {
      if (field == "operation") value = is_store(c) ? "scatter4" : "gather4";
      if (field == "coordinates") value = list_words(c.tile.coord, 5);
    }
    if (c.unicast) list.emplace_back("destination", "one CTA");
    if (c.cta_group != 0) list.emplace_back("cta_group", std::to_string(c.cta_group));
    if (c.peer_barrier)
      list.emplace_back("mbarrier", c.unicast ? "of that CTA's peer" : "of the issuer's peer");
    return list;
  }
  std::string brief(const Case& any) const override {
    const GatherCase& c = any.as<GatherCase>();
    return (is_store(c) ? " scatter4" : " gather4") + tiled_copy_family().brief(Case(c.tile)) + " at " +
           list_words(c.tile.coord, 5);
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const GatherCase& c = any.as<GatherCase>();
    if (is_store(c)) return "slot";
    const uint64_t in_window = byte % c.tile.window_bytes;
    const uint32_t bytes = model::footprint(c, spec::Readings(spec::Arch::sm_103)).shared_bytes;
    for (uint32_t lane = 0; lane < c.tile.lanes; ++lane) {
      const uint64_t begin = of_lane(c, lane).tile.tile_offset;
      if (in_window >= begin && in_window < begin + bytes) return "rows";
    }
    return "outside the rows";
  }
  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const GatherCase& all = any.as<GatherCase>();
    spec::RuleSet unused;
    for (uint32_t i = 0; i < all.tile.lanes * gathered_rows; ++i) {
      const uint32_t q = i % gathered_rows, lane = i / gathered_rows;
      const GatherCase c = of_lane(all, lane);
      TiledCase row = model::row_of(c, q, readings);
      row.tile_offset += q * model::shape_of(row, readings, unused).pitch;
      Diagnosis made = diagnose_tiled(row, readings, expected, observed, byte);
      if (made.first.empty()) continue;
      made.lines.push_back("it belongs to row " + std::to_string(q) + " of the instruction" +
                           (all.tile.lanes == 1 ? ""
                            : all.tile.in_a_row
                                ? ", copy " + std::to_string(lane) + " of those in a row"
                                : " by lane " + std::to_string(lane) + " of those that issue"));
      return made;
    }
    return {};
  }

  OutputShape output_shape(const Case& any) const override {
    return tiled_copy_family().output_shape(Case(any.as<GatherCase>().tile));
  }
  ElementPlace element_place(const Case& any, uint64_t byte) const override {
    const GatherCase& c = any.as<GatherCase>();
    if (is_store(c)) return {.cluster_rank = 0};
    return {.cluster_rank = static_cast<int>(byte / c.tile.window_bytes),
            .shared_address = static_cast<int64_t>(byte % c.tile.window_bytes)};
  }

  nlohmann::json to_json(const Case& any) const override { return model::to_json(any.as<GatherCase>()); }
  nlohmann::json schema() const override { return model::case_schema<GatherCase>(); }
  Case from_json(const nlohmann::json& json) const override {
    const GatherCase c = model::gather_case_from_json(json);
    const TiledCase& t = c.tile;
    if (t.reduction != TensorReduction::none)
      throw std::runtime_error("field 'tile.reduction' of the case is set; scattered rows are not reduced.");
    if (t.issuer_thread % 32 + t.lanes > 32)
      refuse("tile.issuer_thread", t.issuer_thread, "; 1 to 32 lanes of one of four warps issue.");
    if (t.lanes > 1 && (t.transaction_delta != 0 || !gen::fits_rig(c)))
      refuse("tile.lanes", t.lanes,
             "; several arm the exact count, and what they write lies apart, inside the window or the slot.");
    if (!gen::other_map_fits(t))
      refuse("tile.other_map_lanes", t.other_map_lanes,
             "; lanes that issue copy by another map, a multiple of 32 bytes further, that keeps a row.");
    if (t.in_a_row && t.lanes == 1)
      throw std::runtime_error("field 'tile.in_a_row' of the case is true; it is of several copies.");
    if (t.map.swizzle == swizzle_96B)
      throw std::runtime_error(
          "field 'tile.map.swizzle' of the case is the 96B one, which has no case here.");
    if (t.instruction_rank != 2)
      refuse("tile.instruction_rank", t.instruction_rank, "; gather4 and scatter4 have rank 2.");
    require_cluster(t.cluster_size, most_ctas());
    if (t.cta_group != 0 || t.peer_barrier || t.unicast)
      throw std::runtime_error(
          "field 'tile' of the case has .cta_group; a load of four rows has it in fields of its own.");
    require_one_receiver(c.unicast, t.cluster_size, t.cta_mask);
    if (c.cta_group != 0 && t.cluster_size == 1)
      refuse("cta_group", c.cta_group, "; it is for loads in a cluster of at least 2 CTAs.");
    if (c.peer_barrier && c.cta_group != 2)
      throw std::runtime_error("field 'peer_barrier' of the case is true; it belongs to .cta_group::2.");
    // On the H200 such a copy ends the launch as a failure (K-03), which no record has a place for.
    if (t.cluster_size > 1 && (t.cta_mask >> t.cluster_size) != 0)
      refuse("tile.cta_mask", t.cta_mask,
             "; it names CTAs of a cluster of " + std::to_string(t.cluster_size) + ".");
    const uint64_t room = is_store(c) ? t.slot_bytes : rig::arena_bytes;
    bool is_legal = false;  // somewhere; what is refused copies nothing
    for (const spec::Arch arch : {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103})
      is_legal |= model::broken_map_rules(t.map, spec::Readings(arch)).none();
    if (is_legal && t.map.global_address >= room)
      refuse("tile.map.global_address", t.map.global_address,
             ", outside the tensor memory of " + std::to_string(room) + " bytes.");
    const int64_t bytes = is_store(c) ? 0 : armed_with(c, spec::Readings(spec::Arch::sm_103));
    if (bytes < 0 || 2 * bytes > model::Mbarrier::most_bytes)  // of a pair twice as many
      throw std::runtime_error("transaction_delta would arm the barrier with " + std::to_string(bytes) +
                               " bytes a destination; it takes 0 to " +
                               std::to_string(model::Mbarrier::most_bytes));
    return c;
  }

  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<GatherCase>(gen::shrink_tree, any, keep);
  }

 protected:
  /// Of a cluster.
  virtual uint32_t most_ctas() const { return params::portable_cluster; }

 private:
  static std::span<const std::byte> window_of(const GatherCase& c) {
    return arena().subspan(c.tile.fill_offset, c.tile.window_bytes);
  }
};

class GatherLargeClusterCopy final : public GatherCopy {
 public:
  std::string_view name() const override { return "tma_gather_copy_non_portable"; }

 protected:
  uint32_t most_ctas() const override { return params::largest_cluster; }
};

}  // namespace

const Family& gather_non_portable_family() {
  static const GatherLargeClusterCopy family;
  return family;
}
const Family& gather_copy_family() {
  static const GatherCopy family;
  return family;
}

}  // namespace assay::suites
