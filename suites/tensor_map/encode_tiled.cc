// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_map/encode_cases.h"
#include "kernels/params/encode_tiled.h"
#include "reference/model/case_json.h"
#include "reference/model/tensor_copy/fields.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/failure/shrinking.h"
#include "suites/run/family.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/family.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

using params::EncodeTiledRecord;

constexpr uint32_t tiled_map_bytes = 128;

class EncodeTiled final : public Family {
 public:
  std::string_view name() const override { return "encode_tiled"; }
  size_t record_bytes() const override { return sizeof(EncodeTiledRecord); }
  uint32_t output_alignment() const override { return tiled_map_bytes; }
  uint32_t output_bytes(const Case&) const override { return tiled_map_bytes; }

  void write_record(const Case& any, uint64_t, const spec::Readings&, std::byte* record) const override {
    const EncodeTiledCase& c = any.as<EncodeTiledCase>();
    EncodeTiledRecord r{};
    model::fields::copy_members(c, r);
    model::fields::copy_members(c.map, r.args);
    r.args.global_stride[4] = 0xa5a5a5a5a5a5a5a5;  // never read
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte>) const override {
    constexpr std::string_view call_encoder =
#include "suites/tensor_map/encode_host.inc"
        ;
    return Launch{.file = "kernels/params/encode_tiled.h",
                  .host_text = encode_host("EncodeTiledRecord", call_encoder)};
  }
  uint64_t pace() const override {
    return 4096;
  }
  std::span<const Descriptor> descriptors() const override {
    return tensor_map_descriptors();
  }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const EncodeTiledCase& c = any.as<EncodeTiledCase>();
    const model::EncodePrediction prediction = model::predict_encode(c, readings);
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, tiled_map_bytes);
    const std::span<std::byte> mask = scratch.take(scratch.mask, tiled_map_bytes);
    e.end = prediction.accepted ? model::End::done : model::End::rejected;
    e.may_crash = prediction.may_crash;
    e.rules = prediction.rules;
    e.bytes = bytes;
    e.mask = {};
    e.judges_bytes = true;
    if (prediction.accepted) {
      std::copy(prediction.map.begin(), prediction.map.end(), bytes.begin());
      std::copy(prediction.defined.begin(), prediction.defined.end(), mask.begin());
      if (std::any_of(mask.begin(), mask.end(), [](std::byte b) { return b != std::byte{0xff}; }))
        e.mask = mask;
    } else if (prediction.map_untouched || (c.null_mask & params::null_tensor_map) != 0) {
      std::fill(bytes.begin(), bytes.end(), std::byte{c.before});
    } else if (prediction.map_emptied) {
      std::fill(bytes.begin(), bytes.end(), std::byte{0});
      std::copy(prediction.defined.begin(), prediction.defined.end(), mask.begin());
      e.mask = mask;
    } else {
      std::copy(prediction.map.begin(), prediction.map.end(), bytes.begin());
      e.judges_bytes = false;
    }
  }

  /// What becomes of the map of a refused call, and what the driver keeps behind the bytes that hardware
  /// reads, was looked at on one architecture's driver only.
  std::string_view remark(const Case& any, const spec::Readings&, const Expected& e, const RecordEnd& end,
                          std::span<const std::byte> map) const override {
    const EncodeTiledCase& c = any.as<EncodeTiledCase>();
    if (end.ended == Ended::rejected && c.replaces)
      return std::equal(map.begin(), map.end(), e.bytes.begin())
                 ? "a refused replacement leaves the map unchanged"
                 : "a refused replacement changes the map";
    if (end.ended == Ended::rejected && !e.judges_bytes && c.before != 0) return left_by_refusal(c, map);
    if (end.ended != Ended::done || e.mask.empty() || e.mask[bytes_read] != std::byte{0}) return {};
    const bool as_sm_90 = std::equal(map.begin() + bytes_read, map.end(), e.bytes.begin() + bytes_read);
    return as_sm_90 ? "bytes 0x40 and up of a map equal those that the driver writes for sm_90"
                    : "bytes 0x40 and up of a map differ from those that the driver writes for sm_90";
  }

  std::string_view wrong_note(uint32_t note) const override {
    return note == 0 || note == ~0u ? std::string_view{} : "bytes next to the map were written";
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const EncodeTiledCase& c = any.as<EncodeTiledCase>();
    auto list = map_fields(c.map);
    tell(c, list);
    if (c.replaces) list.emplace_back("address replaced by", hex_words(c.replacement));
    if (c.null_mask != 0) {
      constexpr const char* names[] = {"tensorMap", "globalDim", "globalStrides", "boxDim", "elementStrides"};
      std::string nulls;
      for (int i = 0; i < 5; ++i)
        if (c.null_mask >> i & 1) nulls += (nulls.empty() ? "" : " ") + std::string(names[i]);
      list.emplace_back("null", nulls);
    }
    return list;
  }

  std::string brief(const Case& any) const override {
    return map_brief(any.as<EncodeTiledCase>().map);
  }
  /// The field of the map that the first wrong bit belongs to; of several of one name, the name alone.
  std::string place(const Case&, uint64_t byte, uint8_t wrong) const override {
    const size_t bit = 8 * byte + static_cast<size_t>(std::countr_zero(wrong));
    for (const spec::Field& field : spec::tensor_map::tiled_fields)
      for (const spec::BitRange& bits : field.parts)
        if (bit >= bits.lsb && bit < size_t{bits.lsb} + bits.width) return "field " + std::string(field.name);
    return "field none";
  }

  Diagnosis diagnose(const Case&, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    return diagnose_tensor_map(expected, observed, byte);
  }

  std::span<const model::Bend> bends() const override {
    return model::encode_bends();
  }

  nlohmann::json to_json(const Case& any) const override {
    return model::to_json(any.as<EncodeTiledCase>());
  }
  nlohmann::json schema() const override {
    return model::case_schema<EncodeTiledCase>();
  }
  Case from_json(const nlohmann::json& json) const override {
    return model::encode_tiled_case_from_json(json);
  }

  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<EncodeTiledCase>(gen::shrink_tree, any, keep);
  }

 private:
  static constexpr size_t bytes_read = 0x40;  ///< by hardware

  static std::string_view left_by_refusal(const EncodeTiledCase& c, std::span<const std::byte> map) {
    const auto is_before = [&](std::byte b) { return b == std::byte{c.before}; };
    if (std::all_of(map.begin(), map.end(), is_before)) return "a refused call leaves the map unchanged";
    for (size_t i = 0; i < map.size(); ++i)
      if ((map[i] & spec::bits_without_field[i]) != std::byte{0})
        return "a refused call leaves part of the map unchanged, or sets bits of no field";
    return "a refused call clears the map";
  }
};

}  // namespace

const Family& encode_tiled_family() {
  static const EncodeTiled family;
  return family;
}

}  // namespace assay::suites
