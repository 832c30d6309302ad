// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_copy/tiled_geometry.h"
#include "generators/tensor_copy/tiled_shrink.h"
#include "kernels/params/batch.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/case_json.h"
#include "reference/model/reduction.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/cta_pair.h"
#include "reference/model/tensor_copy/tiled_fields.h"
#include "reference/model/tensor_copy/tiled_reduce.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/model/tensor_map/legality.h"
#include "suites/failure/shrink_case.h"
#include "suites/run/bytes.h"
#include "suites/run/family.h"
#include "suites/run/launch.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/cluster_fields.h"
#include "suites/tensor_copy/copy_launch.h"
#include "suites/tensor_copy/tiled_family.h"
#include "suites/tensor_copy/tiled_words.h"
#include "suites/tensor_map/descriptor_fields.h"
#include "suites/tensor_map/host_text.h"

namespace assay::suites {
namespace {

static_assert(are_same_enumerators<TensorReduction, params::TensorReduceOp, 8, 1>());

using params::TiledCopyRecord;

params::EncodeTiledArgs to_args(const TensorMapArgs& map) {
  params::EncodeTiledArgs args{};
  args.global_address = map.global_address;
  std::copy(map.global_dim.begin(), map.global_dim.end(), args.global_dim);
  std::copy(map.global_stride.begin(), map.global_stride.end(), args.global_stride);
  std::copy(map.box_dim.begin(), map.box_dim.end(), args.box_dim);
  std::copy(map.element_stride.begin(), map.element_stride.end(), args.element_stride);
  args.data_type = map.data_type;
  args.rank = map.rank;
  args.interleave = map.interleave;
  args.swizzle = map.swizzle == swizzle_96B ? 0 : map.swizzle;
  args.l2_promotion = map.l2_promotion;
  args.oob_fill = map.oob_fill;
  return args;
}

class TiledCopy : public Family {
 public:
  std::string_view name() const override { return "tma_tiled_copy"; }
  size_t record_bytes() const override { return sizeof(TiledCopyRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case& any) const override {
    const TiledCase& c = any.as<TiledCase>();
    return c.direction == TiledDirection::store ? c.slot_bytes : c.window_bytes * c.cluster_size;
  }
  uint32_t batch_key(const Case& any) const override { return any.as<TiledCase>().cluster_size; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& defaults,
                    std::byte* record) const override {
    const TiledCase& c = any.as<TiledCase>();
    TiledCopyRecord r{};
    model::fields::copy_members(c, r);
    r.map = to_args(c.map);
    const bool store = c.direction == TiledDirection::store;
    r.op = store ? params::CopyOp::store : params::CopyOp::load;
    r.flags = (c.prefetch_first || c.prefetch_alone ? params::copy_prefetch_first : 0u) |
              (c.destination_cta ? params::copy_destination_cta : 0u) |
              (c.cache_hint ? params::copy_cache_hint : 0u) |
              (c.map.swizzle == swizzle_96B ? params::copy_replace_swizzle_96B : 0u) |
              (c.cta_group == 1 ? params::copy_cta_group_1 : 0u) |
              (c.cta_group == 2 ? params::copy_cta_group_2 : 0u) |
              (c.peer_barrier ? params::copy_peer_barrier : 0u) | (c.unicast ? params::copy_unicast : 0u) |
              (c.barrier_offset != 0 ? params::copy_far_barrier : 0u) |
              (c.prefetch_alone ? params::copy_prefetch_alone : 0u);
    set_lanes(c, r);
    r.other_less = c.other_map_less;
    if (!store) r.expect_tx = armed(c, defaults);
    r.output_offset = output_offset;
    r.output_bytes = output_bytes(any);
    const uint32_t barrier_rank = model::named_barrier(c.unicast, c.cta_mask, c.issuer_rank, c.peer_barrier);
    set_signals(model::all_destinations_signalled(c.cta_group, c.cta_mask, barrier_rank),
                c.transaction_delta < 0, r);
    set_opcodes(r);
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    const auto r = record_from<TiledCopyRecord>(bytes);
    if (r.flags & params::copy_replace_swizzle_96B) return std::nullopt;  // needs sm_103a alone
    Launch launch = launch_of_record(r);
    launch.host_text = copy_host("TiledCopyRecord", tiled_encode_map());
    return launch;
  }
  uint64_t pace() const override { return 256; }
  std::span<const Descriptor> descriptors() const override { return tensor_map_descriptors(); }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const TiledCase& c = any.as<TiledCase>();
    model::TiledPrediction prediction;
    const std::byte* memory = arena().data();
    if (c.direction == TiledDirection::load) {
      const std::span<std::byte> window = scratch.take(scratch.bytes, c.window_bytes);
      const std::span<std::byte> mask = scratch.take(scratch.mask, window.size());
      prediction = model::predict_load(c, readings, arena(), arena().subspan(c.fill_offset, window.size()),
                                       window, mask);
      e.bytes = window;
      e.mask = mask;
    } else {
      const std::span<std::byte> slot = scratch.take(scratch.bytes, c.slot_bytes);
      std::copy_n(memory + c.slot_fill_offset, slot.size(), slot.begin());
      const std::span<std::byte> mask = scratch.take(scratch.mask, slot.size());
      prediction =
          model::predict_store(c, readings, arena().subspan(c.fill_offset, c.window_bytes), slot, mask);
      e.bytes = slot;
      e.mask = mask;
    }
    if (prediction.all_defined) e.mask = {};
    e.end = prediction.end;
    e.may_crash = false;
    // A load that was armed with the wrong count may be read back before its last bytes land.
    e.judges_bytes = prediction.end == model::End::done;
    e.rules = prediction.rules;
    e.receivers = model::receivers(c, readings);
  }

  bool same(const Case& any, const spec::Readings& readings, const Expected& e,
            std::span<const std::byte> output) const override {
    const TiledCase& c = any.as<TiledCase>();
    if (c.cluster_size == 1)
      return equal_where_defined(e.bytes, output, e.mask) &&
             (c.reduction == TensorReduction::none || e.mask.empty() || allows(any, readings, output));
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
    const TiledCase& c = any.as<TiledCase>();
    if (c.reduction == TensorReduction::none) return true;
    const auto open = model::open_sums(c, readings, arena().subspan(c.fill_offset, c.window_bytes),
                                       arena().subspan(c.slot_fill_offset, c.slot_bytes));
    const uint32_t bytes = spec::data_types[c.map.data_type].bits / 8;
    return std::all_of(open.begin(), open.end(), [&](const model::OpenSum& sum) {
      return std::binary_search(sum.allowed.begin(), sum.allowed.end(),
                                model::load_element(&output[sum.at], bytes));
    });
  }

  ExpectedOutput expected_output(const Case& any, const Expected& e) const override {
    const TiledCase& c = any.as<TiledCase>();
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
    const TiledCase& c = any.as<TiledCase>();
    auto list = map_fields(c.map);
    list.emplace(list.begin(), "operation", operation(c));
    list.emplace_back("coordinates", list_words(c.coord, c.map.rank));
    if (c.instruction_rank != c.map.rank)
      list.emplace_back("instruction rank", std::to_string(c.instruction_rank));
    list.emplace_back("tile offset", std::to_string(c.tile_offset) + " (phase " +
                                         std::to_string(c.tile_offset / 128 % 8) + ")");
    tell(c, list);
    if (c.lanes > 1)
      list.emplace_back("issued by", (c.in_a_row ? "thread " + std::to_string(c.issuer_thread) + ", " +
                                                       std::to_string(c.lanes) + " of them in a row"
                                                 : "lanes " + std::to_string(c.issuer_thread % 32) + " to " +
                                                       std::to_string(c.issuer_thread % 32 + c.lanes - 1) +
                                                       " of warp " + std::to_string(c.issuer_thread / 32)) +
                                         ", each (" + list_words(c.lane_step, c.map.rank) +
                                         ") further in the tensor and " + std::to_string(c.lane_pitch) +
                                         " bytes in the window");
    else if (c.issuer_thread != 0)
      list.emplace_back("issued by", "thread " + std::to_string(c.issuer_thread));
    if (c.other_map_lanes != 0)
      list.emplace_back("another map", "of the copies " + hex_words(c.other_map_lanes) + ", " +
                                           std::to_string(c.other_map_address) + " bytes further and " +
                                           std::to_string(c.other_map_less) + " elements less of dimension " +
                                           std::to_string(c.map.rank - 1));
    std::string flags;
    if (c.prefetch_first) flags += " prefetch";
    if (c.prefetch_alone) flags += " prefetch alone";
    if (c.destination_cta) flags += " shared::cta";
    if (c.cache_hint) flags += " cache_hint";
    if (c.spelling != 0) flags += " spelling " + std::to_string(c.spelling);
    if (!flags.empty()) list.emplace_back("qualifiers", flags.substr(1));
    if (c.cluster_size > 1)
      list.emplace_back(c.unicast ? "to one CTA" : "multicast",
                        "cluster " + std::to_string(c.cluster_size) + ", mask " + hex_words(c.cta_mask) +
                            ", issuer " + std::to_string(c.issuer_rank));
    if (c.cta_group != 0)
      list.emplace_back("cta_group",
                        std::to_string(c.cta_group) + (c.peer_barrier ? ", mbarrier of the peer" : ""));
    return list;
  }

  std::string brief(const Case& any) const override {
    const TiledCase& c = any.as<TiledCase>();
    return (c.reduction == TensorReduction::none ? "" : " " + operation(c)) + map_brief(c.map);
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const TiledCase& c = any.as<TiledCase>();
    if (c.direction == TiledDirection::store) return "slot";
    return lane_with(c, byte) ? "tile" : "outside the tile";
  }

  std::span<const model::Bend> bends() const override { return model::tiled_bends(); }

  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const TiledCase& c = any.as<TiledCase>();
    if (c.lanes == 1) return diagnose_tiled(c, readings, expected, observed, byte);
    const auto lane = c.direction == TiledDirection::load ? lane_with(c, byte) : std::nullopt;
    if (!lane) return {};
    Diagnosis made = diagnose_tiled(of_lane(c, *lane), readings, expected, observed, byte);
    made.lines.push_back("in the tile of copy " + std::to_string(*lane + 1) + " of " +
                         std::to_string(c.lanes) + ", one a lane");
    return made;
  }

  OutputShape output_shape(const Case& any) const override {
    const TiledCase& c = any.as<TiledCase>();
    const spec::DataType* type = spec::find_data_type(c.map.data_type);
    const uint32_t bytes = type != nullptr && type->bits % 8 == 0 ? type->bits / 8 : 1;
    return {bytes, 128, 0, type == nullptr ? std::string_view() : type->name, "line", "element"};
  }
  int issuing_rank(const Case& any) const override {
    const TiledCase& c = any.as<TiledCase>();
    return c.cluster_size > 1 ? c.issuer_rank : -1;
  }
  /// Of a store, where the byte came from: its output is global memory.
  PlaceOfByte element_places(const Case& any) const override {
    const TiledCase& c = any.as<TiledCase>();
    if (c.direction == TiledDirection::store)
      return [sources = sources_of(c)](uint64_t byte) -> ElementPlace {
        if (byte >= sources.size() || sources[byte] < 0) return {};
        return {.cluster_rank = 0, .shared_address = sources[byte]};
      };
    return [&c](uint64_t byte) -> ElementPlace {
      return {.cluster_rank = static_cast<int>(byte / c.window_bytes),
              .shared_address = static_cast<int64_t>(byte % c.window_bytes)};
    };
  }

  nlohmann::json to_json(const Case& any) const override { return model::to_json(any.as<TiledCase>()); }
  nlohmann::json schema() const override { return model::case_schema<TiledCase>(); }
  Case from_json(const nlohmann::json& json) const override {
    const TiledCase c = model::tiled_case_from_json(json);
    require_kind(c);
    require_cluster(c.cluster_size, most_ctas());
    if (c.reduction != TensorReduction::none && c.direction != TiledDirection::store)
      throw std::runtime_error("field 'reduction' of the case is set; it belongs to a store.");
    if (c.barrier_offset != 0 && (c.direction == TiledDirection::store || c.barrier_offset < c.window_bytes))
      throw std::runtime_error("field 'barrier_offset' of the case is " + std::to_string(c.barrier_offset) +
                               "; the mbarrier of a load lies behind the window.");
    if (c.issuer_thread % 32 + c.lanes > 32)
      throw std::runtime_error("fields 'issuer_thread' and 'lanes' of the case are " +
                               std::to_string(c.issuer_thread) + " and " + std::to_string(c.lanes) +
                               "; 1 to 32 lanes of one of four warps issue a copy.");
    if (c.lanes > 1 && (c.transaction_delta != 0 || c.map.swizzle == swizzle_96B || !gen::fits_rig(c)))
      throw std::runtime_error(
          "field 'lanes' of the case is " + std::to_string(c.lanes) +
          "; several lanes arm the exact count, have no 96B swizzle, and what their "
          "copies write, unless they reduce, lies apart, inside the window or the slot.");
    if (!gen::other_map_fits(c))
      throw std::runtime_error(
          "fields 'other_map_lanes', 'other_map_address' and 'other_map_less' of the case are " +
          std::to_string(c.other_map_lanes) + ", " + std::to_string(c.other_map_address) + " and " +
          std::to_string(c.other_map_less) +
          "; lanes that issue copy by another map, a multiple of 32 bytes further, that keeps an element of "
          "its outermost dimension, if it has two.");
    if (c.in_a_row && c.lanes == 1)
      throw std::runtime_error("field 'in_a_row' of the case is true; it is of the copies of several lanes.");
    if (c.prefetch_alone && (c.direction == TiledDirection::store || c.cluster_size > 1))
      throw std::runtime_error("field 'prefetch_alone' of the case is true; it is of a load by one CTA.");
    // On the H200 such a copy ends the launch as a failure (K-03), which no record has a place for.
    if (c.cluster_size > 1 && (c.cta_mask >> c.cluster_size) != 0)
      throw std::runtime_error("field 'cta_mask' of the case is " + std::to_string(c.cta_mask) +
                               "; it names CTAs of a cluster of " + std::to_string(c.cluster_size) + ".");
    const uint64_t room = c.direction == TiledDirection::store ? c.slot_bytes : rig::arena_bytes;
    bool is_legal = false;  // somewhere; what is refused copies nothing
    for (const spec::Arch arch : {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103})
      is_legal |= model::broken_map_rules(c.map, spec::Readings(arch)).none();
    if (is_legal && c.map.global_address >= room)
      throw std::runtime_error("field 'map.global_address' of the case is " +
                               std::to_string(c.map.global_address) + ", outside the tensor memory of " +
                               std::to_string(room) + " bytes.");
    if (const int64_t bytes = asked_bytes(c, spec::Readings(spec::Arch::sm_90));
        bytes < 0 || bytes > (c.cta_group == 2 ? model::Mbarrier::most_bytes / 2
                                               : model::Mbarrier::most_bytes))  // of a pair twice as many
      throw std::runtime_error(
          "transaction_delta would arm the barrier with " + std::to_string(bytes) +
          " bytes a destination; it takes 0 to " +
          std::to_string(c.cta_group == 2 ? model::Mbarrier::most_bytes / 2 : model::Mbarrier::most_bytes));
    return c;
  }

  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<TiledCase>(gen::shrink_tree, any, keep);
  }

 protected:
  /// Of a cluster.
  virtual uint32_t most_ctas() const { return params::portable_cluster; }
  virtual void require_kind(const TiledCase& c) const {
    if (c.cta_group != 0 || c.peer_barrier)
      throw std::runtime_error(
          "the case has fields of .cta_group; such loads are cases of tma.tiled.load.cta_group.");
    require_one_receiver(c.unicast, c.cluster_size, c.cta_mask);
  }

 private:
  static std::string operation(const TiledCase& c) {
    if (c.direction == TiledDirection::load) return "load";
    if (c.reduction == TensorReduction::none) return "store";
    return "reduce " + std::string(tensor_reduction_names[static_cast<size_t>(c.reduction)]);
  }
  /// The byte of the window that each byte of a store's slot holds afterwards, -1 where none: the prediction
  /// of the same store of a window whose bytes spell their own addresses, a digit at a time.
  static std::vector<int64_t> sources_of(const TiledCase& stored) {
    TiledCase c = stored;
    // Types that change what they carry, and fills that such types alone may have.
    const spec::DataType* type = spec::find_data_type(c.map.data_type);
    if (type == nullptr) return {};
    if (type->bits == 6) return pieces_of(c);
    if (type->bits == 32) c.map.data_type = spec::find_data_type("u32")->host;
    c.map.oob_fill = 0;
    c.reduction = TensorReduction::none;
    std::vector<int64_t> sources(c.slot_bytes, 0);
    std::vector<std::byte> window(c.window_bytes), slot(c.slot_bytes), mask(c.slot_bytes);
    for (int shift = 0; shift < 24; shift += 8) {
      for (size_t at = 0; at < window.size(); ++at) window[at] = static_cast<std::byte>((at + 1) >> shift);
      std::fill(slot.begin(), slot.end(), std::byte{0});
      const spec::Readings readings(spec::Arch::sm_103);  // has every map
      if (model::predict_store(c, readings, window, slot, mask).end != model::End::done) return {};
      for (size_t i = 0; i < slot.size(); ++i)
        sources[i] |= int64_t{std::to_integer<uint8_t>(slot[i])} << shift;
    }
    for (int64_t& source : sources) --source;
    return sources;
  }
  /// The same of a type whose elements share bytes in global memory, as far as it can be told: the piece of
  /// 16 bytes. Here all bytes of a piece hold one bit of its number at a time.
  static std::vector<int64_t> pieces_of(TiledCase c) {
    c.map.oob_fill = 0;
    std::vector<int64_t> sources(c.slot_bytes, 0);
    std::vector<std::byte> window(c.window_bytes), slot(c.slot_bytes), mask(c.slot_bytes);
    for (int bit = 0; (window.size() + 15) / 16 >> bit != 0; ++bit) {
      for (size_t at = 0; at < window.size(); ++at)
        window[at] = (at / 16 + 1) >> bit & 1 ? std::byte{0xff} : std::byte{0};
      std::fill(slot.begin(), slot.end(), std::byte{0});
      if (model::predict_store(c, spec::Readings(spec::Arch::sm_103), window, slot, mask).end !=
          model::End::done)
        return {};
      for (size_t i = 0; i < slot.size(); ++i) sources[i] |= int64_t{slot[i] != std::byte{0}} << bit;
    }
    for (int64_t& source : sources) source = source == 0 ? -1 : 16 * (source - 1);
    return sources;
  }
  /// Bytes that the barriers are armed with: what the default readings count, plus what the case says. 0
  /// where the map is refused or the copy faults: nothing is waited for.
  static uint32_t armed(const TiledCase& c, const spec::Readings& defaults) {
    return static_cast<uint32_t>(
        std::clamp<int64_t>(asked_bytes(c, defaults), 0, model::Mbarrier::most_bytes));
  }
  static int64_t asked_bytes(const TiledCase& c, const spec::Readings& defaults) {
    if (model::broken_map_rules(c.map, defaults).any()) return 0;
    const model::TiledShape shape = model::shape_of(c, defaults);
    return int64_t{c.lanes} * model::transaction_bytes(c, shape, defaults) + c.transaction_delta;
  }
  /// Whose tile has the byte of a load's window.
  static std::optional<uint32_t> lane_with(const TiledCase& c, uint64_t byte) {
    const uint64_t in_window = byte % c.window_bytes;
    for (uint32_t lane = 0; lane < c.lanes; ++lane) {
      const TiledCase one = of_lane(c, lane);
      if (in_window >= one.tile_offset &&
          in_window < one.tile_offset + gen::geometry(one.map, one.coord).shared_bytes)
        return lane;
    }
    return std::nullopt;
  }
};

class TiledLargeClusterCopy final : public TiledCopy {
 public:
  std::string_view name() const override { return "tma_tiled_copy_non_portable"; }

 protected:
  uint32_t most_ctas() const override { return params::largest_cluster; }
};

class TiledGroupCopy final : public TiledCopy {
 public:
  std::string_view name() const override { return "tma_tiled_cta_group"; }

 protected:
  void require_kind(const TiledCase& c) const override {
    if (c.cta_group != 1 && c.cta_group != 2)
      throw std::runtime_error("field 'cta_group' of the case is " + std::to_string(c.cta_group) +
                               ", not 1 or 2.");
    if (c.direction != TiledDirection::load || c.cluster_size == 1)
      throw std::runtime_error("field 'cta_group' of the case is for loads in a cluster of at least 2 CTAs.");
    if (c.peer_barrier && c.cta_group != 2)
      throw std::runtime_error("field 'peer_barrier' of the case is true; it belongs to .cta_group::2.");
    require_one_receiver(c.unicast, c.cluster_size, c.cta_mask);
    if (c.prefetch_first || c.destination_cta || c.cache_hint || c.map.swizzle == swizzle_96B)
      throw std::runtime_error(
          "a load with .cta_group has no other qualifiers and no 96B swizzle in cases of this property.");
  }
};

}  // namespace

const Family& tiled_cta_group_family() {
  static const TiledGroupCopy family;
  return family;
}

const Family& tiled_non_portable_family() {
  static const TiledLargeClusterCopy family;
  return family;
}

const Family& tiled_copy_family() {
  static const TiledCopy family;
  return family;
}

}  // namespace assay::suites
