// SPDX-License-Identifier: Apache-2.0
#include "suites/bulk_copy/family.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/bulk_copy/cases.h"
#include "generators/random.h"
#include "kernels/forms/records.h"
#include "kernels/params/bulk_copy.h"
#include "reference/model/reduction.h"
#include "suites/run/bytes.h"
#include "suites/run/family_of.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

using params::BulkCopyRecord;

static_assert(are_same_enumerators<BulkOp, params::BulkOp, 8>() &&
              are_same_enumerators<params::BulkReduceOp, spec::ReduceOp, 8>() &&
              are_same_enumerators<params::BulkReduceType, spec::ReduceType, 10>());

uint64_t windows_bytes(const BulkCase& c) {
  return uint64_t{c.window_bytes} * c.cluster_size;
}

/// Whether the window is one that a reduction changes.
bool is_target(const BulkCase& c, uint32_t rank) {
  return c.op == BulkOp::reduce_cluster && rank == c.target_rank;
}

/// What slot and windows hold before the copy.
void fill(const BulkCase& c, std::span<std::byte> slot, std::span<std::byte> windows) {
  if (!is_reduction(c.op)) {
    // Not memcpy: a file's window or slot may be empty, and its place null.
    std::copy_n(arena().begin() + static_cast<ptrdiff_t>(c.slot_fill_offset), slot.size(), slot.begin());
    std::copy_n(arena().begin() + static_cast<ptrdiff_t>(c.fill_offset), windows.size(), windows.begin());
    return;
  }
  const auto pool = bulk_pool(c);
  for (uint32_t unit = 0; unit < slot.size() / 8; ++unit)
    std::memcpy(&slot[8 * unit],
                &pool[c.is_known ? params::bulk_pool_known(true) : params::bulk_pool_of_slot(unit)], 8);
  for (uint32_t rank = 0; rank < c.cluster_size; ++rank)
    for (uint32_t unit = 0; unit < c.window_bytes / 8; ++unit)
      std::memcpy(&windows[uint64_t{rank} * c.window_bytes + 8 * unit],
                  &pool[c.is_known ? params::bulk_pool_known(is_target(c, rank))
                                   : params::bulk_pool_of_window(unit, rank)],
                  8);
}

class BulkCopy final : public PlainFamily<BulkCase, BulkCopyRecord, suites::simpler> {
 public:
  /// `most_ctas`: of a cluster.
  BulkCopy(std::string_view name, uint32_t most_ctas) : name_(name), most_ctas_(most_ctas) {}
  std::string_view name() const override { return name_; }
  uint32_t output_bytes(const Case& any) const override {
    const BulkCase& c = any.as<BulkCase>();
    return static_cast<uint32_t>(c.slot_bytes + windows_bytes(c));
  }
  uint32_t batch_key(const Case& any) const override { return any.as<BulkCase>().cluster_size; }

  void complete(const BulkCase& c, const spec::Readings&, BulkCopyRecord& r) const override {
    r.expect_tx = moved_bytes(c.size) + static_cast<uint32_t>(c.transaction_delta);
    r.issuers = static_cast<uint16_t>(issuers_of(c));
    r.receivers = static_cast<uint16_t>(receivers_of(c) & ((1u << c.cluster_size) - 1));  // who can wait
    r.flags = static_cast<uint8_t>(
        (c.unmapped ? params::bulk_unmapped : 0) |
        (c.names_own_barrier ? params::bulk_names_own_barrier : 0) |
        (c.cache_hint ? params::bulk_cache_hint : 0) | (c.transaction_delta < 0 ? params::bulk_settles : 0) |
        (is_reduction(c.op) ? params::bulk_pool : 0) | (c.is_known ? params::bulk_known : 0) |
        (c.byte_mask != 0xffff ? params::bulk_masks_bytes : 0));
    if (is_reduction(c.op)) {
      const spec::Reduction what = reduction_of(c).what;
      r.form = static_cast<uint8_t>(params::bulk_form(static_cast<params::BulkReduceOp>(what.op),
                                                      static_cast<params::BulkReduceType>(what.type)));
      const auto pool = bulk_pool(c);
      std::copy(pool.begin(), pool.end(), r.pool);
    }
    r.opcode = forms::opcode_of(r);
  }

  uint64_t pace() const override { return 128; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const BulkCase& c = any.as<BulkCase>();
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    const std::span<std::byte> slot = bytes.first(c.slot_bytes), windows = bytes.subspan(c.slot_bytes);
    fill(c, slot, windows);
    e.mask = {};
    const bool is_shared_out = (issuers_of(c) & (issuers_of(c) - 1)) != 0;
    if (is_shared_out) e.mask = closed(c, readings, slot, windows, scratch);
    const BulkPrediction prediction = predict_bulk(c, readings, {arena(), slot, windows});
    e.end = prediction.end;
    e.may_crash = false;
    // A copy that was armed with the wrong count may be read back before its last bytes land.
    e.judges_bytes = prediction.end == model::End::done;
    e.bytes = bytes;
    e.rules = prediction.rules;
    e.receivers = receivers_of(c);
    if (readings.bend() != nullptr) open_by(c, *readings.bend(), scratch, e);
  }
  std::span<const model::Bend> bends() const override { return bulk_bends(); }

  bool same(const Case& any, const spec::Readings& readings, const Expected& e,
            std::span<const std::byte> output) const override {
    if (!equal_where_defined(e.bytes, output, e.mask)) return false;
    return e.mask.empty() || allows(any, readings, output);
  }
  /// Whether every element that depends on the order is what some order gives, by a reading that the question
  /// on subnormals has.
  bool allows(const Case& any, const spec::Readings& readings,
              std::span<const std::byte> output) const override {
    const BulkCase& c = any.as<BulkCase>();
    if (!is_reduction(c.op)) return true;
    std::vector<std::byte> before(c.slot_bytes + windows_bytes(c));
    const std::span<std::byte> slot = std::span(before).first(c.slot_bytes),
                               windows = std::span(before).subspan(c.slot_bytes);
    fill(c, slot, windows);
    const uint32_t size = spec::bytes_of(reduction_of(c).what.type);
    for (const OpenElement& element : open_elements(c, readings, slot, windows))
      if (!std::binary_search(element.allowed.begin(), element.allowed.end(),
                              model::load_element(&output[element.at], size)))
        return false;
    return true;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const BulkCase& c = any.as<BulkCase>();
    std::vector<std::pair<std::string, std::string>> list{{"instruction", instruction(c)},
                                                          {"source", place_words(c, false)}};
    if (c.op != BulkOp::prefetch) list.emplace_back("destination", place_words(c, true));
    if (c.pieces > 1 || c.early_waits != 0) list.emplace_back("pieces", pieces_words(c));
    tell(c, list);
    if (c.cluster_size > 1)
      list.emplace_back("cluster", std::to_string(c.cluster_size) + ", mask " + hex_words(c.cta_mask) +
                                       ", issuer " + std::to_string(c.issuer_rank) +
                                       (c.names_own_barrier ? ", whose barrier is named" : ""));
    return list;
  }
  std::string brief(const Case& any) const override {
    const BulkCase& c = any.as<BulkCase>();
    return " " + std::string(bulk_op_names[static_cast<size_t>(c.op)]) +
           (is_reduction(c.op) ? " " + reduction_name(reduction_of(c).what) : "") + " size " +
           std::to_string(c.size);
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const BulkCase& c = any.as<BulkCase>();
    if (byte < c.slot_bytes) return lies_in(byte, c.target_offset, c) ? "target" : "beside the target";
    const uint64_t at = (byte - c.slot_bytes) % c.window_bytes;
    const bool is_target =
        !writes_global(c.op) && c.op != BulkOp::prefetch && lies_in(at, c.target_offset, c);
    return is_target ? "target" : "beside the target";
  }
  OutputShape output_shape(const Case& any) const override {
    const BulkCase& c = any.as<BulkCase>();
    if (!is_reduction(c.op)) return {1, 16, 0, ""};
    const spec::ReduceTypeRow& type = spec::reduce_types[static_cast<size_t>(reduction_of(c).what.type)];
    const bool is_float = type.name == "f16" || type.name == "bf16" || type.name == "f32";
    return {type.bytes, 16, 0, is_float ? type.name : std::string_view()};
  }
  int issuing_rank(const Case& any) const override {
    const BulkCase& c = any.as<BulkCase>();
    return c.cluster_size > 1 && c.op != BulkOp::reduce_global ? static_cast<int>(c.issuer_rank) : -1;
  }
  ElementPlace element_place(const Case& any, uint64_t byte) const override {
    const BulkCase& c = any.as<BulkCase>();
    if (byte < c.slot_bytes) return {};
    return {.cluster_rank = static_cast<int>((byte - c.slot_bytes) / c.window_bytes),
            .shared_address = static_cast<int64_t>((byte - c.slot_bytes) % c.window_bytes)};
  }

  Case from_json(const nlohmann::json& json) const override {
    const BulkCase c = model::case_from_json<BulkCase>(json);
    require_cluster(c.cluster_size, most_ctas_);
    return c;
  }

 private:
  const std::string_view name_;
  const uint32_t most_ctas_;

  /// What a bend says nothing of is left out of the mask.
  void open_by(const BulkCase& c, const model::Bend& bend, Scratch& scratch, Expected& e) const {
    const bool opens_data = bend.bulk.data_is_open && !is_reduction(c.op);
    if (!opens_data && !bend.bulk.rest_is_open) return;
    const std::span<std::byte> mask = scratch.take(scratch.mask, e.bytes.size());
    if (e.mask.empty()) std::fill(mask.begin(), mask.end(), std::byte{0xff});
    for (uint64_t byte = 0; byte < mask.size(); ++byte) {
      const bool is_data = place(Case(c), byte, 0) == "target";
      if (is_data ? opens_data : bend.bulk.rest_is_open) mask[byte] = std::byte{0};
    }
    e.mask = mask;
  }
  static bool lies_in(uint64_t at, uint64_t begin, const BulkCase& c) {
    return at >= begin && at - begin < moved_bytes(c.size);
  }

  static std::string instruction(const BulkCase& c) {
    constexpr std::string_view texts[] = {"cp.async.bulk.shared::cta.global",
                                          "cp.async.bulk.shared::cluster.global",
                                          "cp.async.bulk.shared::cluster.global.multicast::cluster",
                                          "cp.async.bulk.global.shared::cta",
                                          "cp.async.bulk.shared::cluster.shared::cta",
                                          "cp.async.bulk.prefetch.L2.global",
                                          "cp.reduce.async.bulk.global.shared::cta.",
                                          "cp.reduce.async.bulk.shared::cluster.shared::cta."};
    std::string text(texts[static_cast<size_t>(c.op)]);
    if (is_reduction(c.op)) text += reduction_name(reduction_of(c).what);
    if (c.cache_hint) text += ".L2::cache_hint";
    if (c.byte_mask != 0xffff) text += ".cp_mask " + hex_words(c.byte_mask);
    return text;
  }
  static std::string pieces_words(const BulkCase& c) {
    std::string text = std::to_string(c.pieces) + " by " + std::to_string(c.lanes) +
                       " lanes, groups end at " + hex_words(static_cast<uint16_t>(c.group_ends));
    if (c.ends_empty) text += ", then an empty one";
    text += std::string(", wait_group") + (c.waits_for_reads ? ".read " : " ") + std::to_string(c.pending);
    if (c.early_waits != 0) text += ", also behind " + hex_words(static_cast<uint16_t>(c.early_waits));
    return text;
  }
  static std::string place_words(const BulkCase& c, bool is_target) {
    const uint64_t offset = is_target ? c.target_offset : c.source_offset;
    const bool in_window = is_target ? !writes_global(c.op) : reads_shared(c.op);
    if (!in_window)
      return (c.unmapped ? "unmapped + " : is_target ? "slot + " : "arena + ") + std::to_string(offset);
    std::string text = "window + " + std::to_string(offset);
    if (is_target && c.op != BulkOp::multicast && c.op != BulkOp::load_cta)
      text += " of rank " + std::to_string(c.target_rank);
    return text;
  }

  /// The mask that leaves out the elements of the slot which depend on the order of several reductions.
  static std::span<const std::byte> closed(const BulkCase& c, const spec::Readings& readings,
                                           std::span<const std::byte> slot,
                                           std::span<const std::byte> windows, Scratch& scratch) {
    const auto open = open_elements(c, readings, slot, windows);
    if (open.empty()) return {};
    const std::span<std::byte> mask = scratch.take(scratch.mask, slot.size() + windows.size());
    std::fill(mask.begin(), mask.end(), std::byte{0xff});
    const uint32_t size = spec::bytes_of(reduction_of(c).what.type);
    for (const OpenElement& element : open) std::fill_n(&mask[element.at], size, std::byte{0});
    return mask;
  }
};

}  // namespace

const Family& bulk_copy_family() {
  static const BulkCopy family("bulk_copy", params::portable_cluster);
  return family;
}
const Family& bulk_copy_non_portable_family() {
  static const BulkCopy family("bulk_copy_non_portable", params::largest_cluster);
  return family;
}

namespace {

using gen::Random;
using spec::ReduceType;

struct Fields {
  int exponent, fraction;
};
Fields fields_of(ReduceType type) {
  switch (type) {
    case ReduceType::f16:
      return {5, 10};
    case ReduceType::bf16:
      return {8, 7};
    case ReduceType::f64:
      return {11, 52};
    case ReduceType::f32:
    case ReduceType::f32_ftz:
      return {8, 23};
    default:
      return {0, 0};
  }
}

/// Zeros, the ends of the subnormals and of the normals, 1, infinities, quiet and other NaN, of both signs.
uint64_t float_edge(const Fields& f, Random& random) {
  const uint64_t one = uint64_t{1} << f.fraction, infinity = ((uint64_t{1} << f.exponent) - 1) * one;
  const uint64_t bias = ((uint64_t{1} << (f.exponent - 1)) - 1) * one;
  const uint64_t edges[] = {0,
                            1,
                            2,
                            one - 1,
                            one,
                            one + 1,
                            bias,
                            bias + 1,
                            bias - one,
                            infinity - 1,
                            infinity,
                            infinity + 1,
                            infinity | one / 2,
                            infinity + one - 1};
  const uint64_t sign = random.one_in(2) ? uint64_t{1} << (f.exponent + f.fraction) : 0;
  return edges[random.below(std::size(edges))] | sign;
}

/// Exponents so close that sums round, tie and cancel.
uint64_t float_near(const Fields& f, Random& random) {
  const auto middle = (uint64_t{1} << (f.exponent - 1)) - 1;
  const uint64_t span = static_cast<uint64_t>(f.fraction) + 2;
  const uint64_t exponent =
      random.one_in(3) ? random.below64(4) : middle + random.below64(span < middle ? span : middle);
  const uint64_t fraction = random.next() & ((uint64_t{1} << f.fraction) - 1);
  const uint64_t sign = random.one_in(2) ? uint64_t{1} << (f.exponent + f.fraction) : 0;
  return exponent << f.fraction |
         (random.one_in(3) ? fraction >> (f.fraction - 1) << (f.fraction - 1) : fraction) | sign;
}

uint64_t integer_edge(uint32_t bits, Random& random) {
  const uint64_t top = uint64_t{1} << (bits - 1);
  const uint64_t edges[] = {0, 1, 2, 3, 4, top - 1, top, top + 1, ~uint64_t{0}, ~uint64_t{1}};
  return edges[random.below(std::size(edges))];
}

uint64_t element(ReduceType type, Random& random) {
  const uint32_t bits = 8 * spec::bytes_of(type);
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const Fields f = fields_of(type);
  const uint32_t kind = random.below(8);
  if (kind == 0) return random.next() & mask;
  if (f.exponent == 0)
    return (kind < 5 ? integer_edge(bits, random) : random.next() >> random.below(64)) & mask;
  return kind < 4 ? float_edge(f, random) : float_near(f, random);
}

/// Zeros of both signs and NaN that differ in sign, payload and quiet bit: so few that they meet in most
/// reductions.
uint64_t float_that_meets(const Fields& f, Random& random) {
  const uint64_t one = uint64_t{1} << f.fraction, infinity = ((uint64_t{1} << f.exponent) - 1) * one;
  const uint64_t values[] = {
      0, 0, infinity + 1, infinity | one / 2, (infinity | one / 2) + 1, infinity + one - 1};
  const uint64_t sign = random.one_in(2) ? uint64_t{1} << (f.exponent + f.fraction) : 0;
  return values[random.below(std::size(values))] | sign;
}

}  // namespace

std::array<uint64_t, rig::bulk_pool_units> bulk_pool(const BulkCase& c) {
  Random random(c.pool_seed * 0x9e3779b97f4a7c15ull + 0x51);
  const spec::Reduction& what = reduction_of(c).what;
  const uint32_t bits = 8 * spec::bytes_of(what.type);
  std::array<uint64_t, rig::bulk_pool_units> pool{};
  if (c.is_known) {
    const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    for (uint32_t at = 0; at < 64; at += bits) {
      pool[params::bulk_pool_known(false)] |= (c.known_operand & mask) << at;
      pool[params::bulk_pool_known(true)] |= (c.known_old & mask) << at;
    }
    return pool;
  }
  const Fields f = fields_of(what.type);
  const bool meets = f.exponent != 0 && c.pool_seed % 4 == 0;
  for (uint64_t& unit : pool)
    for (uint32_t at = 0; at < 64; at += bits)
      unit |= (meets ? float_that_meets(f, random) : element(what.type, random)) << at;
  return pool;
}

}  // namespace assay::suites
