// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_map/encode_cases.h"
#include "kernels/params/encode_tiled.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/run/family_of.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/family.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

using params::EncodeIm2colRecord, params::EncodeTiledRecord;

/// Calls of an encoder; the output is the map.
template <typename EncodeCase, typename Record>
class Encode : public FamilyOf<EncodeCase, Record, gen::simpler> {
 public:
  uint32_t output_alignment() const override { return map_bytes; }
  uint32_t output_bytes(const Case&) const override { return map_bytes; }

  void write_record(const Case& any, uint64_t, const spec::Readings&, std::byte* record) const override {
    const EncodeCase& c = any.as<EncodeCase>();
    Record r{};
    model::fields::copy_members(c, r);
    model::fields::copy_members(c.map, r.args);
    if constexpr (requires { r.args.mode; }) r.args.mode = c.map.wide_mode;
    r.args.global_stride[4] = 0xa5a5a5a5a5a5a5a5;  // never read
    std::memcpy(record, &r, sizeof r);
  }
  uint64_t pace() const override { return 4096; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const EncodeCase& c = any.as<EncodeCase>();
    const model::EncodePrediction prediction = model::predict_encode(c, readings);
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, map_bytes);
    const std::span<std::byte> mask = scratch.take(scratch.mask, map_bytes);
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
    } else if (prediction.map_untouched || (c.null_mask & params::null_tensor_map) != 0) {
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

 protected:
  static constexpr uint32_t map_bytes = 128;

  /// The arguments of a call that are null, by the driver's names of them.
  static void tell_nulls(uint32_t null_mask, std::initializer_list<const char*> names,
                         std::vector<std::pair<std::string, std::string>>& list) {
    if (null_mask == 0) return;
    std::string nulls;
    for (const char* name : names) {
      if (null_mask & 1) nulls += (nulls.empty() ? "" : " ") + std::string(name);
      null_mask >>= 1;
    }
    list.emplace_back("null", nulls);
  }
};
static_assert(uint32_t{params::null_tensor_map} == uint32_t{params::im2col_null_tensor_map});

class EncodeTiled final : public Encode<EncodeTiledCase, EncodeTiledRecord> {
 public:
  std::string_view name() const override { return "encode_tiled"; }

  std::optional<Launch> launch(std::span<const std::byte>) const override {
    constexpr std::string_view call_encoder =
#include "suites/tensor_map/encode_host.inc"
        ;
    return Launch{.file = "kernels/params/encode_tiled.h",
                  .host_text = encode_host("EncodeTiledRecord", call_encoder)};
  }
  std::span<const Descriptor> descriptors() const override {
    return tensor_map_descriptors();
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

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const EncodeTiledCase& c = any.as<EncodeTiledCase>();
    auto list = map_fields(c.map);
    tell(c, list);
    if (c.replaces) list.emplace_back("address replaced by", hex_words(c.replacement));
    tell_nulls(c.null_mask, {"tensorMap", "globalDim", "globalStrides", "boxDim", "elementStrides"}, list);
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

class EncodeIm2col : public Encode<EncodeIm2colCase, EncodeIm2colRecord> {
 public:
  std::string_view name() const override { return "encode_im2col"; }

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
  std::span<const Descriptor> descriptors() const override {
    return im2col_map_descriptors();
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const EncodeIm2colCase& c = any.as<EncodeIm2colCase>();
    auto list = im2col_map_fields(c.map);
    tell(c, list);
    tell_nulls(c.null_mask,
               {"tensorMap", "globalDim", "globalStrides", "pixelBoxLowerCorner", "elementStrides",
                "pixelBoxUpperCorner"},
               list);
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

  Case from_json(const nlohmann::json& json) const override {
    const EncodeIm2colCase c = model::case_from_json<EncodeIm2colCase>(json);
    if (c.map.wide && !takes_wide())
      throw std::runtime_error(
          "field 'map.wide' of the case is true; calls of the wide encoder are cases of "
          "driver.tensor_map.encode_im2col_wide.");
    return c;
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

const Family& encode_tiled_family() {
  static const EncodeTiled family;
  return family;
}
const Family& encode_im2col_family() {
  static const EncodeIm2col family;
  return family;
}
const Family& encode_im2col_wide_family() {
  static const EncodeIm2colWide family;
  return family;
}

}  // namespace assay::suites
