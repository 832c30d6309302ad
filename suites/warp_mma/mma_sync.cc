// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

class MmaSync final : public WarpProductFamily<MmaSyncCase, MmaSyncRecord> {
 public:
  std::string_view name() const override { return "mma_sync"; }

  void complete(const MmaSyncCase& c, const spec::Readings&, MmaSyncRecord& r) const override {
    r.form = params::mma_sync_form(param_types(c.types), c.m, c.k, param_sparsity(c.sparse));
    r.opcode = forms::opcode_of(r);
    r.b_words = params::mma_sync_b_words(r.form);
    r.known = known_operands(c.known, r.b_words == 4, c.types.d == MmaAccumulator::f16);
    if (c.sparse.present) pattern_words.metadata(c.sparse, std::span<uint32_t>(r.sparse_metadata));
    if (c.registers.present) put_registers(c.registers, r);
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

class MmaSyncKindFamily final : public WarpProductFamily<MmaSyncKindCase, MmaSyncKindRecord> {
 public:
  std::string_view name() const override { return "mma_sync_kind"; }

  void complete(const MmaSyncKindCase& c, const spec::Readings&, MmaSyncKindRecord& r) const override {
    r.is_sparse = c.sparse.present;
    r.selectors = c.byte_a | c.thread_a << 8 | c.byte_b << 16 | c.thread_b << 24;
    r.opcode = forms::opcode_of(r);
    r.known = known_operands(c.known, c.sparse.present, c.d_is_f16);
    if (c.sparse.present) pattern_words.metadata(c.sparse, std::span<uint32_t>(r.sparse_metadata));
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const MmaSyncKindCase& c = any.as<MmaSyncKindCase>();
    NamedFields list{{"kind", std::string(model::name_of(c.kind))},
                     {"elements", std::string(model::name_of(c.a)) + ", " + std::string(model::name_of(c.b))},
                     {"D", c.d_is_f16 ? "f16" : "f32"},
                     {"tiles", std::to_string(c.tiles)}};
    tell(c, list);
    add_metadata(list, c.sparse);
    add_operands(list, c);
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
};

}  // namespace

const Family& mma_sync_kind_family() {
  static const MmaSyncKindFamily family;
  return family;
}

}  // namespace assay::suites
