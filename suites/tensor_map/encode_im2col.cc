// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_map/encode_cases.h"
#include "reference/model/case_json.h"
#include "reference/model/tensor_copy/fields.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/failure/shrinking.h"
#include "suites/run/words.h"
#include "suites/tensor_map/encode_family.h"
#include "suites/tensor_map/map_words.h"

namespace assay::suites {
namespace {

using params::EncodeIm2colRecord;

constexpr uint32_t im2col_map_bytes = 128;

class EncodeIm2col : public Family {
 public:
  std::string_view name() const override { return "encode_im2col"; }
  size_t record_bytes() const override { return sizeof(EncodeIm2colRecord); }
  uint32_t output_alignment() const override { return im2col_map_bytes; }
  uint32_t output_bytes(const Case&) const override { return im2col_map_bytes; }

  void write_record(const Case& any, uint64_t, const spec::Readings&, std::byte* record) const override {
    const EncodeIm2colCase& c = any.as<EncodeIm2colCase>();
    EncodeIm2colRecord r{};
    model::fields::copy_members(c, r);
    model::fields::copy_members(c.map, r.args);
    r.args.mode = c.map.wide_mode;
    r.args.global_stride[4] = 0xa5a5a5a5a5a5a5a5;  // never read
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte>) const override {
    constexpr std::string_view call_encoder =
#include "suites/tensor_map/encode_im2col_call_host.inc"
        R"(
CUresult call_encoder(const Record& r, CUtensorMap* map) {
  return encode_im2col(map, r.args, 0, r.null_mask);
}
)";
    return Launch{.file = "kernels/params/encode_im2col.h",
                  .host_text = encode_host("EncodeIm2colRecord", call_encoder)};
  }
  uint64_t pace() const override {
    return 4096;
  }
  std::span<const Descriptor> descriptors() const override {
    return im2col_map_descriptors();
  }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const EncodeIm2colCase& c = any.as<EncodeIm2colCase>();
    const model::EncodePrediction prediction = model::predict_encode(c, readings);
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, im2col_map_bytes);
    const std::span<std::byte> mask = scratch.take(scratch.mask, im2col_map_bytes);
    e.end = prediction.accepted ? model::End::done : model::End::rejected;
    e.may_crash = prediction.may_crash;
    e.rules = prediction.rules;
    e.bytes = bytes;
    e.mask = {};
    e.judges_bytes = true;
    std::copy(prediction.map.begin(), prediction.map.end(), bytes.begin());
    std::copy(prediction.defined.begin(), prediction.defined.end(), mask.begin());
    if (prediction.accepted) {
      if (std::any_of(mask.begin(), mask.end(), [](std::byte b) { return b != std::byte{0xff}; }))
        e.mask = mask;
    } else if (prediction.map_untouched || (c.null_mask & params::im2col_null_tensor_map) != 0) {
      std::fill(bytes.begin(), bytes.end(), std::byte{c.before});
    } else if (prediction.map_emptied) {
      e.mask = mask;
    } else {
      e.judges_bytes = false;
    }
  }

  std::string_view wrong_note(uint32_t note) const override {
    return note == 0 || note == ~0u ? std::string_view{} : "bytes next to the map were written";
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const EncodeIm2colCase& c = any.as<EncodeIm2colCase>();
    auto list = im2col_map_fields(c.map);
    tell(c, list);
    if (c.null_mask != 0) {
      constexpr const char* names[] = {"tensorMap",           "globalDim",      "globalStrides",
                                       "pixelBoxLowerCorner", "elementStrides", "pixelBoxUpperCorner"};
      std::string nulls;
      for (size_t i = 0; i < std::size(names); ++i)
        if (c.null_mask >> i & 1) nulls += (nulls.empty() ? "" : " ") + std::string(names[i]);
      list.emplace_back("null", nulls);
    }
    return list;
  }

  std::string brief(const Case& any) const override {
    return im2col_map_brief(any.as<EncodeIm2colCase>().map);
  }
  std::string place(const Case& any, uint64_t byte, uint8_t wrong) const override {
    return "field " + im2col_field_of_bit(any.as<EncodeIm2colCase>().map,
                                          8 * byte + static_cast<size_t>(std::countr_zero(wrong)));
  }

  /// `channels is 7, expected 8`.
  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const Im2colMapArgs& map = any.as<EncodeIm2colCase>().map;
    if (spatial_axes(map.rank) == 0) return {};
    const auto rank = static_cast<int>(map.rank);
    const auto wrong = static_cast<uint8_t>((expected.bytes[byte] ^ observed[byte]) & expected.defined[byte]);
    const size_t bit = 8 * byte + static_cast<size_t>(std::countr_zero(wrong));
    for (const spec::Field& field : spec::tensor_map::im2col_fields_of(rank))
      for (const spec::BitRange& bits : field.parts) {
        if (bit < bits.lsb || bit >= size_t{bits.lsb} + bits.width) continue;
        const auto words = [&](std::span<const uint8_t> of) {
          const uint64_t value = get(std::as_bytes(of), field);
          if (field.name.ends_with("corner"))
            return std::to_string(spec::tensor_map::signed_corner(value, rank));
          return field.unit == 1 && field.width() < 40 ? std::to_string(value) : hex_words(value);
        };
        return {spec::label(field) + " is " + words(observed) + ", expected " + words(expected.bytes), {}};
      }
    return {};
  }

  std::span<const model::Bend> bends() const override {
    return model::encode_im2col_bends();
  }

  nlohmann::json to_json(const Case& any) const override {
    return model::to_json(any.as<EncodeIm2colCase>());
  }
  nlohmann::json schema() const override {
    return model::case_schema<EncodeIm2colCase>();
  }
  Case from_json(const nlohmann::json& json) const override {
    const EncodeIm2colCase c = model::encode_im2col_case_from_json(json);
    if (c.map.wide && !takes_wide())
      throw std::runtime_error(
          "field 'map.wide' of the case is true; calls of the wide encoder are cases of "
          "driver.tensor_map.encode_im2col_wide.");
    return c;
  }

  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<EncodeIm2colCase>(gen::shrink_tree, any, keep);
  }

 protected:
  virtual bool takes_wide() const {
    return false;
  }
};

class EncodeIm2colWide final : public EncodeIm2col {
 public:
  std::string_view name() const override { return "encode_im2col_wide"; }

 protected:
  bool takes_wide() const override { return true; }
};

}  // namespace

const Family& encode_im2col_family() {
  static const EncodeIm2col family;
  return family;
}
const Family& encode_im2col_wide_family() {
  static const EncodeIm2colWide family;
  return family;
}

}  // namespace assay::suites
