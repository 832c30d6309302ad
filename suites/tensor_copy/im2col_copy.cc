// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_copy/im2col_copy.h"
#include "kernels/params/batch.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/case_json.h"
#include "reference/model/reduction.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/cta_pair.h"
#include "reference/model/tensor_copy/im2col.h"
#include "reference/model/tensor_copy/im2col_fields.h"
#include "reference/model/tensor_copy/im2col_json.h"
#include "reference/model/tensor_map/im2col_legality.h"
#include "reference/spec/tensor_map.h"
#include "suites/failure/shrink_case.h"
#include "suites/run/bytes.h"
#include "suites/run/launch.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/cluster_fields.h"
#include "suites/tensor_copy/copy_launch.h"
#include "suites/tensor_copy/im2col_copy_words.h"
#include "suites/tensor_copy/im2col_family.h"
#include "suites/tensor_map/host_text.h"
#include "suites/tensor_map/im2col_map_words.h"

namespace assay::suites {
namespace {

using params::Im2colCopyRecord;

bool read_copy(const Case& c, FieldValues& values) {
  const auto* copy = c.get_if<Im2colCase>();
  if (copy == nullptr) return false;
  read_im2col_map(copy->map, values);
  return true;
}

/// Bytes that the barrier is armed with: what the architecture's default readings count, plus what the case
/// says. 0 for a map that is none.
int64_t armed_with(const Im2colCase& c, const spec::Readings& defaults) {
  if (model::broken_map_rules(c.map, defaults).any()) return 0;
  return c.lanes * int64_t{model::transaction_bytes(c, model::column_of(c, defaults), defaults)} +
         c.transaction_delta;
}

/// Whose column has the byte of a load's window.
std::optional<uint32_t> lane_with(const Im2colCase& c, uint64_t byte) {
  const uint64_t in_window = byte % c.window_bytes;
  const uint64_t bytes = model::column_of(c, spec::Readings(spec::Arch::sm_90)).shared_bytes;
  for (uint32_t lane = 0; lane < c.lanes; ++lane) {
    const uint64_t begin = of_lane(c, lane).tile_offset;
    if (in_window >= begin && in_window < begin + bytes) return lane;
  }
  return std::nullopt;
}

class Im2colCopy : public Family {
 public:
  std::string_view name() const override { return "tma_im2col_copy"; }
  size_t record_bytes() const override { return sizeof(Im2colCopyRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case& any) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    return c.direction == TiledDirection::store ? c.slot_bytes : c.window_bytes * c.cluster_size;
  }
  uint32_t batch_key(const Case& any) const override { return any.as<Im2colCase>().cluster_size; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& defaults,
                    std::byte* record) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    const bool store = c.direction == TiledDirection::store;
    Im2colCopyRecord r{};
    model::fields::copy_members(c, r);
    r.map = to_args(c.map);
    // An instruction that is not of the map's own mode has neither offsets nor qualifiers.
    const bool is_other = c.is_tile_instruction || (c.map.wide && !is_wide(c));
    r.mode = c.is_tile_instruction     ? params::CopyMode::tile
             : !is_wide(c)             ? params::CopyMode::im2col
             : c.mode == Im2colMode::w ? params::CopyMode::w
                                       : params::CopyMode::w_128;
    if (is_wide(c) || is_other) std::fill(std::begin(r.offset), std::end(r.offset), uint16_t{0});
    if (is_wide(c)) r.offset[0] = c.w_halo, r.offset[1] = c.w_offset;
    r.op = store ? params::CopyOp::store : params::CopyOp::load;
    if (!is_other)
      r.flags = (c.prefetch_first ? params::copy_prefetch_first : 0u) |
                (c.destination_cta ? params::copy_destination_cta : 0u) |
                (c.cache_hint ? params::copy_cache_hint : 0u);
    r.flags |= (c.cta_group == 1 ? params::copy_cta_group_1 : 0u) |
               (c.cta_group == 2 ? params::copy_cta_group_2 : 0u) |
               (c.peer_barrier ? params::copy_peer_barrier : 0u) | (c.unicast ? params::copy_unicast : 0u);
    set_lanes(c, r);
    if (!store)
      r.expect_tx =
          static_cast<uint32_t>(std::clamp<int64_t>(armed_with(c, defaults), 0, model::Mbarrier::most_bytes));
    r.output_offset = output_offset;
    r.output_bytes = output_bytes(any);
    const uint32_t barrier_rank = model::named_barrier(c.unicast, c.cta_mask, c.issuer_rank, c.peer_barrier);
    set_signals(model::all_destinations_signalled(c.cta_group, c.cta_mask, barrier_rank),
                c.transaction_delta < 0, r);
    set_opcodes(r);
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    constexpr std::string_view encode_map =
#include "suites/tensor_map/encode_im2col_call_host.inc"
#include "suites/tensor_map/encode_im2col_map_host.inc"
        ;
    Launch launch = launch_of_record(record_from<Im2colCopyRecord>(bytes));
    launch.host_text = copy_host("Im2colCopyRecord", encode_map);
    return launch;
  }
  uint64_t pace() const override {
    return 256;
  }
  std::span<const model::Bend> bends() const override {
    return model::im2col_copy_bends();
  }
  std::span<const Descriptor> descriptors() const override {
    static const std::vector<Descriptor> made = [] {
      std::vector<Descriptor> list;
      list.emplace_back("im2col tensor map", im2col_map_covered(), read_copy);
      return list;
    }();
    return made;
  }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    const bool load = c.direction == TiledDirection::load;
    const size_t size = load ? c.window_bytes : c.slot_bytes;
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, size);
    std::copy_n(arena().data() + (load ? c.fill_offset : c.slot_fill_offset), size, bytes.begin());
    const std::span<std::byte> mask = scratch.take(scratch.mask, size);
    const model::TiledPrediction prediction =
        load ? model::predict_load(c, readings, arena(), bytes, mask)
             : model::predict_store(c, readings, arena().subspan(c.fill_offset, c.window_bytes), bytes, mask);
    e.bytes = bytes;
    e.mask = prediction.all_defined ? std::span<std::byte>{} : mask;
    e.end = prediction.end;
    e.may_crash = false;
    // A load that was armed with the wrong count may be read back before its last bytes land.
    e.judges_bytes = prediction.end == model::End::done;
    e.rules = prediction.rules;
    e.receivers = model::receivers(c, readings);
  }

  bool same(const Case& any, const spec::Readings& readings, const Expected& e,
            std::span<const std::byte> output) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    if (c.cluster_size == 1)
      return equal_where_defined(e.bytes, output, e.mask) &&
             (e.mask.empty() || allows(any, readings, output));
    const std::span<const std::byte> untouched = arena().subspan(c.fill_offset, c.window_bytes);
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank) {
      const auto window = output.subspan(uint64_t{rank} * c.window_bytes, c.window_bytes);
      const bool good = (e.receivers >> rank & 1) != 0 ? equal_where_defined(e.bytes, window, e.mask)
                                                       : equal_where_defined(untouched, window, {});
      if (!good) return false;
    }
    return true;
  }

  bool allows(const Case& any, const spec::Readings& readings,
              std::span<const std::byte> output) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    if (c.reduction == TensorReduction::none) return true;
    const auto open = model::open_sums(c, readings, arena().subspan(c.fill_offset, c.window_bytes),
                                       arena().subspan(c.slot_fill_offset, c.slot_bytes));
    const uint32_t bytes = spec::data_types[c.map.base.data_type].bits / 8;
    return std::all_of(open.begin(), open.end(), [&](const model::OpenSum& sum) {
      return std::binary_search(sum.allowed.begin(), sum.allowed.end(),
                                model::load_element(&output[sum.at], bytes));
    });
  }

  ExpectedOutput expected_output(const Case& any, const Expected& e) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    ExpectedOutput whole;
    const std::span<const std::byte> untouched = arena().subspan(c.fill_offset, c.window_bytes);
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank) {
      const bool received = c.cluster_size == 1 || (e.receivers >> rank & 1) != 0;
      append(whole.bytes, received ? e.bytes : untouched);
      if (received && !e.mask.empty())
        append(whole.defined, e.mask);
      else
        whole.defined.resize(whole.bytes.size(), 0xff);
    }
    return whole;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    return im2col_copy_fields(any.as<Im2colCase>());
  }
  std::string brief(const Case& any) const override {
    return im2col_map_brief(any.as<Im2colCase>().map);
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    if (c.direction == TiledDirection::store) return "slot";
    return lane_with(c, byte) ? "column" : "outside the column";
  }
  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    if (c.lanes == 1) return diagnose_im2col(c, readings, expected, observed, byte);
    const auto lane = c.direction == TiledDirection::load ? lane_with(c, byte) : std::nullopt;
    if (!lane) return {};
    Diagnosis made = diagnose_im2col(of_lane(c, *lane), readings, expected, observed, byte);
    made.lines.push_back("in the column of copy " + std::to_string(*lane + 1) + " of " +
                         std::to_string(c.lanes) + ", one a lane");
    return made;
  }

  OutputShape output_shape(const Case& any) const override {
    const spec::DataType* type = spec::find_data_type(any.as<Im2colCase>().map.base.data_type);
    const uint32_t bytes = type != nullptr && type->bits % 8 == 0 ? type->bits / 8 : 1;
    return {bytes, 128, 0, type == nullptr ? std::string_view() : type->name, "line", "element"};
  }
  int issuing_rank(const Case& any) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    return c.cluster_size > 1 ? c.issuer_rank : -1;
  }
  ElementPlace element_place(const Case& any, uint64_t byte) const override {
    const Im2colCase& c = any.as<Im2colCase>();
    if (c.direction == TiledDirection::store) return {.cluster_rank = 0};
    return {.cluster_rank = static_cast<int>(byte / c.window_bytes),
            .shared_address = static_cast<int64_t>(byte % c.window_bytes)};
  }

  nlohmann::json to_json(const Case& any) const override {
    return model::to_json(any.as<Im2colCase>());
  }
  nlohmann::json schema() const override {
    return model::case_schema<Im2colCase>();
  }
  Case from_json(const nlohmann::json& json) const override {
    const Im2colCase c = model::im2col_case_from_json(json);
    const auto refuse = [](const std::string& field, uint64_t value, const std::string& why) {
      throw std::runtime_error("field '" + field + "' of the case is " + std::to_string(value) + why);
    };
    require_kind(c);
    if (c.reduction != TensorReduction::none && c.direction != TiledDirection::store)
      throw std::runtime_error("field 'reduction' of the case is set; it belongs to a store.");
    if (c.instruction_rank < 3 || c.instruction_rank > 5)
      refuse("instruction_rank", c.instruction_rank, "; im2col instructions have rank 3 to 5.");
    if (c.issuer_thread % 32 + c.lanes > 32)
      refuse("issuer_thread", c.issuer_thread, "; 1 to 32 lanes of one of four warps issue.");
    if (c.lanes > 1 ? !gen::lanes_fit(c) : c.in_a_row || c.other_map_lanes != 0 || c.other_map_address != 0)
      refuse("lanes", c.lanes,
             "; several arm the exact count, and what they write lies apart, inside the "
             "window or the slot; what is of several is 0 where there is one.");
    require_cluster(c.cluster_size, most_ctas());
    // On the H200 such a copy ends the launch as a failure (K-03), which no record has a place for.
    if (c.cluster_size > 1 && (c.cta_mask >> c.cluster_size) != 0)
      refuse("cta_mask", c.cta_mask,
             "; it names CTAs of a cluster of " + std::to_string(c.cluster_size) + ".");
    const bool store = c.direction == TiledDirection::store;
    const uint64_t room = store ? c.slot_bytes : rig::arena_bytes;
    const bool is_legal = model::broken_map_rules(c.map, spec::Readings(spec::Arch::sm_90)).none() ||
                          model::broken_map_rules(c.map, spec::Readings(spec::Arch::sm_103)).none();
    if (is_legal && c.map.base.global_address >= room)
      refuse("map.global_address", c.map.base.global_address,
             ", outside the tensor memory of " + std::to_string(room) + " bytes.");
    for (const spec::Arch arch : {spec::Arch::sm_90, spec::Arch::sm_103}) {
      const int64_t bytes = store ? 0 : armed_with(c, spec::Readings(arch));
      if (bytes < 0 || bytes * (c.cta_group == 2 ? 2 : 1) > model::Mbarrier::most_bytes)
        throw std::runtime_error("transaction_delta would arm the barrier with " + std::to_string(bytes) +
                                 " bytes; it takes 0 to " + std::to_string(model::Mbarrier::most_bytes));
    }
    return c;
  }

  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<Im2colCase>(gen::shrink_tree, any, keep);
  }

 protected:
  /// Of a cluster.
  virtual uint32_t most_ctas() const {
    return params::portable_cluster;
  }
  /// Throws where it is a case of the other operation.
  virtual void require_kind(const Im2colCase& c) const {
    if (c.map.wide)
      throw std::runtime_error("field 'map.wide' of the case is true; a copy's map is a plain one.");
    if (is_wide(c))
      throw std::runtime_error(
          "field 'mode' of the case is one along W; such loads are cases of tma.im2col_w.load.");
    if (c.cta_group != 0)
      throw std::runtime_error(
          "field 'cta_group' of the case is set; such loads are cases of tma.im2col.load.cta_group.");
    require_one_receiver(c.unicast, c.cluster_size, c.cta_mask);
  }
};

class Im2colLargeClusterCopy final : public Im2colCopy {
 public:
  std::string_view name() const override { return "tma_im2col_copy_non_portable"; }

 protected:
  uint32_t most_ctas() const override { return params::largest_cluster; }
};

class Im2colWideCopy final : public Im2colCopy {
 public:
  std::string_view name() const override { return "tma_im2col_wide_copy"; }
  std::span<const model::Bend> bends() const override { return model::im2col_wide_bends(); }

 protected:
  void require_kind(const Im2colCase& c) const override {
    if (!c.map.wide && !is_wide(c) && c.cta_group == 0)
      throw std::runtime_error(
          "fields 'map.wide' and 'mode' of the case are those of a plain copy, a case of tma.im2col.load.");
    if (c.direction != TiledDirection::load)
      throw std::runtime_error("field 'direction' of the case is \"store\"; copies along W are loads.");
    if (c.cta_group != 0 && c.cluster_size == 1)
      throw std::runtime_error("field 'cta_group' of the case is for a cluster of at least 2 CTAs.");
    if (c.peer_barrier && c.cta_group != 2)
      throw std::runtime_error("field 'peer_barrier' of the case is true; it belongs to .cta_group::2.");
    require_one_receiver(c.unicast, c.cluster_size, c.cta_mask);
    if (!is_wide(c) && c.cta_group != 0 && (c.map.wide || c.is_tile_instruction))
      throw std::runtime_error(
          "field 'mode' of the case is that of a plain copy; with .cta_group its map is a plain one as "
          "well.");
  }
};

}  // namespace

const Family& im2col_copy_family() {
  static const Im2colCopy family;
  return family;
}
const Family& im2col_non_portable_family() {
  static const Im2colLargeClusterCopy family;
  return family;
}
const Family& im2col_wide_copy_family() {
  static const Im2colWideCopy family;
  return family;
}

}  // namespace assay::suites
