// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>

#include "generators/warp_mma/cases.h"
#include "generators/warp_mma/forms.h"
#include "kernels/forms/records.h"
#include "kernels/params/mma_sync.h"
#include "kernels/params/mma_sync_kind.h"
#include "reference/model/warp_mma/case.h"
#include "reference/model/warp_mma/mma_sync_kind.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family_of.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/warp_mma/coverage.h"

namespace assay::suites {
namespace {

using params::MmaSyncRecord;

void put_registers(const WarpRegisters& from, MmaSyncRecord& r) {
  r.registers.present = 1;
  std::copy(from.a.begin(), from.a.end(), r.registers.a);
  std::copy(from.b.begin(), from.b.end(), r.registers.b);
  std::copy(from.c.begin(), from.c.end(), r.registers.c);
  for (size_t t = 0; t < std::size(r.sparse_metadata); ++t) r.sparse_metadata[t] = from.metadata[t % 32];
}

class MmaSync final : public FamilyOf<MmaSyncCase, MmaSyncRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "mma_sync"; }
  uint32_t output_bytes(const Case& any) const override { return assay::output_bytes(any.as<MmaSyncCase>()); }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const MmaSyncCase& c = any.as<MmaSyncCase>();
    MmaSyncRecord r{};
    model::fields::copy_members(c, r);
    r.form = params::mma_sync_form(param_types(c.types), c.m, c.k, param_sparsity(c.sparse));
    r.opcode = forms::opcode_of(r);
    r.b_words = params::mma_sync_b_words(r.form);
    r.known = known_operands(c.known, r.b_words == 4, c.types.d == MmaAccumulator::f16);
    if (c.sparse.present) pattern_words.metadata(c.sparse, std::span<uint32_t>(r.sparse_metadata));
    if (c.registers.present) put_registers(c.registers, r);
    r.output_offset = output_offset;
    r.output_bytes = output_bytes(any);
    std::memcpy(record, &r, sizeof r);
  }

  uint64_t pace() const override { return 16; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    e = {};
    model::Openness openness;
    const bool may_be_open = readings.bend() != nullptr || any.as<MmaSyncCase>().sparse.strange_rate != 0;
    const std::span<std::byte> mask = scratch.take(scratch.mask, may_be_open ? bytes.size() : 0);
    openness.defined = words_of(mask);
    e.rules = model::predict(any.as<MmaSyncCase>(), readings, pattern_words, words_of(bytes),
                             may_be_open ? &openness : nullptr);
    if (openness.leaves_window) e.end = model::End::undefined;
    e.judges_bytes = true;
    e.bytes = bytes;
    if (openness.is_any) e.mask = mask;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const MmaSyncCase& c = any.as<MmaSyncCase>();
    std::vector<std::pair<std::string, std::string>> list{{"form", gen::name_of(gen::form_of(c))},
                                                          {"tiles", std::to_string(c.tiles)}};
    tell(c, list);
    if (c.registers.present) {
      add_registers(list, c.registers);
      return list;
    }
    add_metadata(list, c.sparse);
    add_operands(list, c);
    return list;
  }

  std::span<const model::Bend> bends() const override { return model::warp_mma_bends(); }

  OutputShape output_shape(const Case& any) const override {
    const MmaSyncCase& c = any.as<MmaSyncCase>();
    return register_shape(c.types.d, d_registers(c));
  }

  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    return diagnose_registers(any.as<MmaSyncCase>(), readings, expected, observed, byte);
  }
  PlaceOfByte element_places(const Case& any) const override { return register_places(output_bytes(any)); }

  Case from_json(const nlohmann::json& json) const override {
    return legal(model::case_from_json<MmaSyncCase>(json));
  }
};

}  // namespace

const Family& mma_sync_family() {
  static const MmaSync family;
  return family;
}

// mma.sync and mma.sp with the kinds of sm_120.

namespace {

static_assert(are_same_enumerators<SyncKind, params::MmaSyncKind, sync_kind_names.size()>() &&
              are_same_enumerators<NarrowElement, params::KindElement, narrow_element_names.size()>());

using params::MmaSyncKindRecord;

class MmaSyncKindFamily final : public FamilyOf<MmaSyncKindCase, MmaSyncKindRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "mma_sync_kind"; }
  uint32_t output_bytes(const Case& any) const override {
    return assay::output_bytes(any.as<MmaSyncKindCase>());
  }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const MmaSyncKindCase& c = any.as<MmaSyncKindCase>();
    MmaSyncKindRecord r{};
    model::fields::copy_members(c, r);
    r.is_sparse = c.sparse.present;
    r.selectors = c.byte_a | c.thread_a << 8 | c.byte_b << 16 | c.thread_b << 24;
    r.opcode = forms::opcode_of(r);
    r.known = known_operands(c.known, c.sparse.present, c.d_is_f16);
    if (c.sparse.present) pattern_words.metadata(c.sparse, std::span<uint32_t>(r.sparse_metadata));
    r.output_offset = output_offset, r.output_bytes = output_bytes(any);
    std::memcpy(record, &r, sizeof r);
  }

  uint64_t pace() const override { return 16; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    e = {};
    model::Openness openness;
    const bool may_leave_open = any.as<MmaSyncKindCase>().sparse.strange_rate != 0 ||
                                (readings.bend() != nullptr && readings.bend()->mma.open_bits != nullptr);
    const std::span<std::byte> mask = scratch.take(scratch.mask, may_leave_open ? bytes.size() : 0);
    openness.defined = words_of(mask);
    e.rules = model::predict(any.as<MmaSyncKindCase>(), readings, pattern_words, words_of(bytes),
                             mask.empty() ? nullptr : &openness);
    e.judges_bytes = true;
    e.bytes = bytes;
    if (openness.is_any) e.mask = mask;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const MmaSyncKindCase& c = any.as<MmaSyncKindCase>();
    NamedFields list{{"kind", std::string(model::name_of(c.kind))},
                     {"elements", std::string(model::name_of(c.a)) + ", " + std::string(model::name_of(c.b))},
                     {"D", c.d_is_f16 ? "f16" : "f32"},
                     {"tiles", std::to_string(c.tiles)}};
    tell(c, list);
    add_metadata(list, c.sparse);
    if (c.known.present) {
      add_known(list, c.known);
    } else {
      add_pattern(list, "A bits", c.a_fill);
      add_pattern(list, "B bits", c.b_fill);
      add_pattern(list, "C bits", c.c_fill);
    }
    if (!is_scaled(c)) return list;
    list.emplace_back("scale vector", c.scale_vector == 0 ? "default" : std::to_string(c.scale_vector) + "X");
    const auto ids = [](uint32_t byte, uint32_t thread) {
      return "{" + std::to_string(byte) + ", " + std::to_string(thread) + "}";
    };
    list.emplace_back("{byte-id, thread-id} of A", ids(c.byte_a, c.thread_a));
    list.emplace_back("{byte-id, thread-id} of B", ids(c.byte_b, c.thread_b));
    add_pattern(list, "scales of A", c.a_scale_fill);
    add_pattern(list, "scales of B", c.b_scale_fill);
    return list;
  }
  std::string brief(const Case& any) const override {
    const MmaSyncKindCase& c = any.as<MmaSyncKindCase>();
    return (c.sparse.present ? " sparse " : " ") + std::string(model::name_of(c.kind)) + " " +
           std::string(model::name_of(c.a)) + "." + std::string(model::name_of(c.b));
  }

  std::span<const model::Bend> bends() const override { return model::sparse_kind_bends(); }

  OutputShape output_shape(const Case& any) const override {
    const MmaSyncKindCase& c = any.as<MmaSyncKindCase>();
    return register_shape(c.d_is_f16 ? MmaAccumulator::f16 : MmaAccumulator::f32, d_registers(c));
  }
  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const MmaSyncKindCase& c = any.as<MmaSyncKindCase>();
    const auto element_at = [&](uint64_t at) -> std::optional<model::ElementSteps> {
      return model::steps_of(c, readings, pattern_words, static_cast<uint32_t>(at / 4), at % 4 >= 2);
    };
    return diagnose_element(element_at, c.d_is_f16 ? 2 : 4, expected, observed, byte);
  }
  PlaceOfByte element_places(const Case& any) const override { return register_places(output_bytes(any)); }
};

}  // namespace

const Family& mma_sync_kind_family() {
  static const MmaSyncKindFamily family;
  return family;
}

}  // namespace assay::suites
