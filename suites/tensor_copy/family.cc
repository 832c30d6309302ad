// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/family.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "kernels/forms/records.h"
#include "kernels/params/batch.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/reduction.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/bytes.h"
#include "suites/run/family_of.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

static_assert(are_same_enumerators<TensorReduction, params::TensorReduceOp, 8, 1>());
static_assert(are_same_enumerators<CopyMode, params::CopyMode, params::copy_modes>());

using model::Mbarrier;

/// What tells the operations apart: a device has each or has it not.
struct CopyOperation {
  std::string_view name;
  std::span<const model::Bend> (*bends)();
  /// Throws where it is a case of another operation, one sentence.
  void (*require)(const TensorCopyCase&);
  uint32_t most_ctas = params::portable_cluster;  ///< of a cluster
};

/// The map of the device's record is that of the im2col encoders.
bool has_column_record(const CopyOperation& operation) {
  return operation.name.starts_with("tma_im2col");
}

std::span<const std::byte> window_before(const TensorCopyCase& c) {
  return arena().subspan(c.fill_offset, c.window_bytes);
}
bool is_received(const TensorCopyCase& c, const Expected& e, uint32_t rank) {
  return c.cluster_size == 1 || (e.receivers >> rank & 1) != 0;
}

uint32_t copy_flags_of(const TensorCopyCase& c) {
  const bool is_of_own_mode = !c.is_tile_instruction && (is_wide(c) || !c.map.wide);
  return (c.cta_group == 1 ? params::copy_cta_group_1 : 0u) |
         (c.cta_group == 2 ? params::copy_cta_group_2 : 0u) |
         (c.barrier_offset != 0 ? params::copy_far_barrier : 0u) |
         (c.map.swizzle == swizzle_96B ? params::copy_replace_swizzle_96B : 0u) |
         flags_of<params::copy_manners>(c) | (is_of_own_mode ? flags_of<params::copy_qualifiers>(c) : 0u);
}

template <typename Record>
Record record_of(const TensorCopyCase& c, const spec::Readings& defaults) {
  Record r{};
  model::fields::copy_members(c, r);
  if (c.map.swizzle == swizzle_96B) r.map.swizzle = 0;
  if constexpr (requires { r.map.wide; }) r.map.mode = c.map.wide_mode;
  if (c.is_tile_instruction) r.mode = params::CopyMode::tile;
  if (c.mode != CopyMode::im2col || c.is_tile_instruction || c.map.wide)
    std::fill(std::begin(r.offset), std::end(r.offset), uint16_t{0});
  if (is_wide(c)) r.offset[0] = c.w_halo, r.offset[1] = c.w_offset;
  r.op = is_store(c) ? params::CopyOp::store : params::CopyOp::load;
  r.flags = copy_flags_of(c);
  r.more_lanes = c.lanes - 1;
  r.other_lanes = c.other_map_lanes;
  r.other_address = c.other_map_address;
  r.other_less = c.other_map_less;
  if (!is_store(c))
    r.expect_tx =
        static_cast<uint32_t>(std::clamp<int64_t>(asked_bytes(c, defaults), 0, Mbarrier::most_bytes));
  const uint32_t barrier_rank = model::named_barrier(c.unicast, c.cta_mask, c.issuer_rank, c.peer_barrier);
  r.signals = model::all_destinations_signalled(c.cta_group, c.cta_mask, barrier_rank);
  // Under another reading the bytes of one lane or destination may be as many as were counted for all.
  constexpr uint32_t of_two_destinations = 0xaaaaaaaa;
  if (c.transaction_delta < 0 || c.lanes > 1 || (r.signals & of_two_destinations) != 0)
    r.flags |= params::copy_settles;
  r.opcode = forms::opcode_of(r);
  r.prefetch_opcode = forms::prefetch_opcode_of(forms::form_of(r));
  return r;
}

/// Whose tile, rows or column has the byte of a load's window.
std::optional<uint32_t> lane_with(const TensorCopyCase& c, uint64_t byte) {
  const uint64_t in_window = byte % c.window_bytes;
  const uint64_t bytes = model::footprint(c, spec::Readings(spec::arch_with_every_map)).shared_bytes;
  for (uint32_t lane = 0; lane < c.lanes; ++lane) {
    const uint64_t begin = of_lane(c, lane).tile_offset;
    if (in_window >= begin && in_window < begin + bytes) return lane;
  }
  return std::nullopt;
}

/// As sources_of of a type whose elements share bytes in global memory, as far as it can be told: the piece
/// of 16 bytes. Here all bytes of a piece hold one bit of its number at a time.
std::vector<int64_t> pieces_of(TensorCopyCase c) {
  c.map.oob_fill = 0;
  std::vector<int64_t> sources(c.slot_bytes, 0);
  std::vector<std::byte> window(c.window_bytes), slot(c.slot_bytes), mask(c.slot_bytes);
  for (int bit = 0; (window.size() + 15) / 16 >> bit != 0; ++bit) {
    for (size_t at = 0; at < window.size(); ++at)
      window[at] = (at / 16 + 1) >> bit & 1 ? std::byte{0xff} : std::byte{0};
    std::fill(slot.begin(), slot.end(), std::byte{0});
    if (model::predict_store(c, spec::Readings(spec::arch_with_every_map), window, slot, mask).end !=
        model::End::done)
      return {};
    for (size_t i = 0; i < slot.size(); ++i) sources[i] |= int64_t{slot[i] != std::byte{0}} << bit;
  }
  for (int64_t& source : sources) source = source == 0 ? -1 : 16 * (source - 1);
  return sources;
}

/// The byte of the window that each byte of a store's slot holds afterwards, -1 where none: the prediction
/// of the same store of a window whose bytes spell their own addresses, a digit at a time.
std::vector<int64_t> sources_of(const TensorCopyCase& stored) {
  TensorCopyCase c = stored;
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
    const spec::Readings readings(spec::arch_with_every_map);
    if (model::predict_store(c, readings, window, slot, mask).end != model::End::done) return {};
    for (size_t i = 0; i < slot.size(); ++i)
      sources[i] |= int64_t{std::to_integer<uint8_t>(slot[i])} << shift;
  }
  for (int64_t& source : sources) --source;
  return sources;
}
class TensorCopy final : public FamilyOf<TensorCopyCase, params::TiledCopyRecord, gen::simpler> {
 public:
  explicit TensorCopy(const CopyOperation& operation) : operation_(operation) {}

  std::string_view name() const override { return operation_.name; }
  uint32_t output_bytes(const Case& any) const override {
    const auto& c = any.as<TensorCopyCase>();
    return is_store(c) ? c.slot_bytes : c.window_bytes * c.cluster_size;
  }
  uint32_t batch_key(const Case& any) const override { return any.as<TensorCopyCase>().cluster_size; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& defaults,
                    std::byte* record) const override {
    const auto write = [&](auto r) {
      r.output_offset = output_offset;
      r.output_bytes = output_bytes(any);
      std::memcpy(record, &r, sizeof r);
    };
    const auto& c = any.as<TensorCopyCase>();
    if (has_column_record(operation_))
      write(record_of<params::Im2colCopyRecord>(c, defaults));
    else
      write(record_of<params::TiledCopyRecord>(c, defaults));
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    constexpr std::string_view encode_column =
#include "suites/tensor_map/encode_im2col_call_host.inc"
#include "suites/tensor_map/encode_im2col_map_host.inc"
        ;
    if (has_column_record(operation_)) {
      Launch launch = launch_of_record(record_from<params::Im2colCopyRecord>(bytes));
      launch.host_text = copy_host("Im2colCopyRecord", encode_column);
      return launch;
    }
    const auto r = record_from<params::TiledCopyRecord>(bytes);
    if (r.flags & params::copy_replace_swizzle_96B) return std::nullopt;  // needs sm_103a alone
    Launch launch = launch_of_record(r);
    launch.host_text = copy_host("TiledCopyRecord", tiled_encode_map());
    return launch;
  }
  uint64_t pace() const override {
    return 256;
  }
  std::span<const Descriptor> descriptors() const override {
    if (has_column_record(operation_)) return im2col_map_descriptors();
    return operation_.name.starts_with("tma_tiled") ? tensor_map_descriptors()
                                                    : std::span<const Descriptor>();
  }
  std::span<const model::Bend> bends() const override {
    return operation_.bends();
  }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const auto& c = any.as<TensorCopyCase>();
    model::CopyPrediction prediction;
    if (is_store(c)) {
      const std::span<std::byte> slot = scratch.take(scratch.bytes, c.slot_bytes);
      std::copy_n(arena().data() + c.slot_fill_offset, slot.size(), slot.begin());
      const std::span<std::byte> mask = scratch.take(scratch.mask, slot.size());
      prediction = model::predict_store(c, readings, window_before(c), slot, mask);
      e.bytes = slot, e.mask = mask;
    } else {
      const std::span<std::byte> window = scratch.take(scratch.bytes, c.window_bytes);
      const std::span<std::byte> mask = scratch.take(scratch.mask, window.size());
      prediction = model::predict_load(c, readings, arena(), window_before(c), window, mask);
      e.bytes = window, e.mask = mask;
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
    const auto& c = any.as<TensorCopyCase>();
    if (c.cluster_size == 1)
      return equal_where_defined(e.bytes, output, e.mask) &&
             (e.mask.empty() || allows(any, readings, output));
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank) {
      const auto window = output.subspan(uint64_t{rank} * c.window_bytes, c.window_bytes);
      if (!(is_received(c, e, rank) ? equal_where_defined(e.bytes, window, e.mask)
                                    : equal_where_defined(window_before(c), window, {})))
        return false;
    }
    return true;
  }

  bool allows(const Case& any, const spec::Readings& readings,
              std::span<const std::byte> output) const override {
    const auto& c = any.as<TensorCopyCase>();
    if (!is_store(c) || (c.reduction == TensorReduction::none && !is_gather(c))) return true;
    if (readings.bend() != nullptr && readings.bend()->gather.repeated_rows_are_open) return true;
    const auto open =
        model::open_sums(c, readings, window_before(c), arena().subspan(c.slot_fill_offset, c.slot_bytes));
    const uint32_t bytes = model::open_element_bytes(c);
    return std::all_of(open.begin(), open.end(), [&](const model::OpenSum& sum) {
      return std::binary_search(sum.allowed.begin(), sum.allowed.end(),
                                model::load_element(&output[sum.at], bytes));
    });
  }

  ExpectedOutput expected_output(const Case& any, const Expected& e) const override {
    const auto& c = any.as<TensorCopyCase>();
    ExpectedOutput whole;
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank) {
      append(whole.bytes, is_received(c, e, rank) ? e.bytes : window_before(c));
      if (is_received(c, e, rank) && !e.mask.empty())
        append(whole.defined, e.mask);
      else
        whole.defined.resize(whole.bytes.size(), 0xff);
    }
    return whole;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    return copy_fields(any.as<TensorCopyCase>());
  }
  std::string brief(const Case& any) const override {
    return copy_brief(any.as<TensorCopyCase>());
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const auto& c = any.as<TensorCopyCase>();
    if (is_store(c)) return "slot";
    return (lane_with(c, byte) ? "" : "outside the ") + std::string(place_words(c));
  }

  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const auto& c = any.as<TensorCopyCase>();
    if (c.lanes == 1) return diagnose_copy(c, readings, expected, observed, byte);
    const auto lane = is_store(c) ? std::nullopt : lane_with(c, byte);
    if (!lane) return {};
    Diagnosis made = diagnose_copy(of_lane(c, *lane), readings, expected, observed, byte);
    made.lines.push_back("in the " + std::string(place_words(c)) + " of copy " + std::to_string(*lane + 1) +
                         " of " + std::to_string(c.lanes) + (c.in_a_row ? " in a row" : ", one a lane"));
    return made;
  }

  OutputShape output_shape(const Case& any) const override {
    const spec::DataType* type = spec::find_data_type(any.as<TensorCopyCase>().map.data_type);
    const uint32_t bytes = type != nullptr && type->bits % 8 == 0 ? type->bits / 8 : 1;
    return {bytes, 128, 0, type == nullptr ? std::string_view() : type->name, "line", "element"};
  }
  int issuing_rank(const Case& any) const override {
    const auto& c = any.as<TensorCopyCase>();
    return c.cluster_size > 1 ? c.issuer_rank : -1;
  }
  /// Of a store, where the byte came from: its output is global memory.
  PlaceOfByte element_places(const Case& any) const override {
    const auto& c = any.as<TensorCopyCase>();
    if (is_store(c))
      return [sources = sources_of(c)](uint64_t byte) -> ElementPlace {
        if (byte >= sources.size() || sources[byte] < 0) return {};
        return {.cluster_rank = 0, .shared_address = sources[byte]};
      };
    return [&c](uint64_t byte) -> ElementPlace {
      return {.cluster_rank = static_cast<int>(byte / c.window_bytes),
              .shared_address = static_cast<int64_t>(byte % c.window_bytes)};
    };
  }

  Case from_json(const nlohmann::json& json) const override {
    const TensorCopyCase c = model::case_from_json<TensorCopyCase>(json);
    operation_.require(c);
    require_possible(c, operation_.most_ctas);
    return c;
  }

 private:
  CopyOperation operation_;
};

[[noreturn]] void refuse_mode(const TensorCopyCase& c, const std::string& wanted) {
  throw std::runtime_error("field 'mode' of the case is \"" +
                           std::string(copy_mode_names[static_cast<size_t>(c.mode)]) + "\"; " + wanted);
}
void require_tile(const TensorCopyCase& c) {
  if (c.mode != CopyMode::tile) refuse_mode(c, "expected tile.");
  if (c.cta_group != 0 || c.peer_barrier)
    throw std::runtime_error(
        "the case has fields of .cta_group; such loads are cases of tma.tiled.load.cta_group.");
}
void require_tile_with_group(const TensorCopyCase& c) {
  if (c.mode != CopyMode::tile) refuse_mode(c, "expected tile.");
  if (c.cta_group == 0) throw std::runtime_error("field 'cta_group' of the case is 0, not 1 or 2.");
  if (flags_of<params::copy_qualifiers>(c) != 0 || c.map.swizzle == swizzle_96B)
    throw std::runtime_error(
        "a load with .cta_group has no other qualifiers and no 96B swizzle in cases of this property.");
}
void require_rows(const TensorCopyCase& c) {
  if (c.mode != CopyMode::gather4) refuse_mode(c, "expected tile::gather4.");
}
void require_plain_column(const TensorCopyCase& c) {
  if (c.map.wide)
    throw std::runtime_error("field 'map.wide' of the case is true; a copy's map is a plain one.");
  if (is_wide(c)) refuse_mode(c, "such loads are cases of tma.im2col_w.load.");
  if (c.mode != CopyMode::im2col) refuse_mode(c, "expected im2col.");
  if (c.cta_group != 0)
    throw std::runtime_error(
        "field 'cta_group' of the case is set; such loads are cases of tma.im2col.load.cta_group.");
}
void require_wide_column(const TensorCopyCase& c) {
  if (!is_column(c)) refuse_mode(c, "expected im2col, im2col::w or im2col::w::128.");
  if (!c.map.wide && !is_wide(c) && c.cta_group == 0)
    throw std::runtime_error(
        "fields 'map.wide' and 'mode' of the case are those of a plain copy, a case of tma.im2col.load.");
  if (is_store(c))
    throw std::runtime_error("field 'direction' of the case is \"store\"; copies along W are loads.");
  if (!is_wide(c) && c.cta_group != 0 && (c.map.wide || c.is_tile_instruction))
    refuse_mode(c, "that of a plain copy: with .cta_group its map is a plain one as well.");
}

}  // namespace

const Family& tiled_copy_family() {
  static const TensorCopy family({"tma_tiled_copy", model::tiled_bends, require_tile});
  return family;
}
const Family& tiled_non_portable_family() {
  static const TensorCopy family(
      {"tma_tiled_copy_non_portable", model::tiled_bends, require_tile, params::largest_cluster});
  return family;
}
const Family& tiled_cta_group_family() {
  static const TensorCopy family({"tma_tiled_cta_group", model::tiled_bends, require_tile_with_group});
  return family;
}
const Family& gather_copy_family() {
  static const TensorCopy family({"tma_gather_copy", model::gather_bends, require_rows});
  return family;
}
const Family& gather_non_portable_family() {
  static const TensorCopy family(
      {"tma_gather_copy_non_portable", model::gather_bends, require_rows, params::largest_cluster});
  return family;
}
const Family& im2col_copy_family() {
  static const TensorCopy family({"tma_im2col_copy", model::im2col_copy_bends, require_plain_column});
  return family;
}
const Family& im2col_non_portable_family() {
  static const TensorCopy family({"tma_im2col_copy_non_portable", model::im2col_copy_bends,
                                  require_plain_column, params::largest_cluster});
  return family;
}
const Family& im2col_wide_copy_family() {
  static const TensorCopy family({"tma_im2col_wide_copy", model::im2col_wide_bends, require_wide_column});
  return family;
}

}  // namespace assay::suites
