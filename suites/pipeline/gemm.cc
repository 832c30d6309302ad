// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/gemm.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/pipeline/gemm_cases.h"
#include "kernels/forms/records.h"
#include "reference/model/pipeline/gemm.h"
#include "reference/spec/questions.h"
#include "suites/failure/element_words.h"
#include "suites/mma/pattern_words.h"
#include "suites/pipeline/family.h"
#include "suites/run/family_of.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using params::GemmRecord;

static_assert(params::gemm_ways_to_ask == gemm_ways_to_ask);

GemmRecord record_of(const GemmCase& c) {
  GemmRecord r{};
  model::fields::copy_members(c, r);
  r.is_grouped = c.grouped;
  r.has_launch_control = c.launch_control;
  const model::GemmPitches pitches = model::pitches_of(c);
  r.a_pitch = pitches.a;
  r.b_pitch = pitches.b;
  r.d_pitch = pitches.d;
  if (c.reduces)
    r.d_fill = operand_fill(c.c_fill);
  else
    r.d_fill.keep = 0, r.d_fill.set = params::gemm_before;
  params::settle(r);
  r.opcode = forms::opcode_of(r);
  return r;
}

void fill(const params::OperandFill& fill, std::span<std::byte> bytes) {
  for (size_t at = 0; at < bytes.size(); at += 4) {
    const uint32_t word = params::operand_word(fill, at / 4);
    std::memcpy(&bytes[at], &word, 4);
  }
}

/// Where things lie in a slot.
struct Slot {
  size_t a, b, a_scales, b_scales, d, end;
  explicit Slot(const GemmRecord& r)
      : a(params::gemm_header_bytes),
        b(r.matrices[1].offset),
        a_scales(r.matrices[3].offset),
        b_scales(r.matrices[4].offset),
        d(r.matrices[2].offset),
        end(params::gemm_output_bytes(r)) {}
};

std::string operands_of(const GemmCase& c) {
  return gen::gemm_type_name(c);
}

class Gemm final : public FamilyOf<GemmCase, GemmRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "gemm"; }
  uint32_t output_bytes(const Case& any) const override { return record_of(any.as<GemmCase>()).output_bytes; }
  uint32_t batch_key(const Case& any) const override {
    const GemmCase& c = any.as<GemmCase>();
    return 32 * c.asking + 8 * c.cta_group + 4 * (c.launch_control ? 1 : 0) + 2 * (c.grouped ? 1 : 0) +
           (model::is_scaled(c) || model::is_sparse(c) ? 1 : 0);
  }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    GemmRecord r = record_of(any.as<GemmCase>());
    r.output_offset = output_offset;
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    const auto r = record_from<GemmRecord>(bytes);
    const uint32_t tiles = params::gemm_tiles_m(r) * params::gemm_tiles_n(r);
    Launch launch = launch_of_record(r);
    launch.clusters = r.has_launch_control ? tiles : std::min(2u, tiles);
    launch.host_text =
#include "suites/pipeline/gemm_host.inc"
        ;
    return launch;
  }
  uint64_t pace() const override {
    return 4;
  }

  /// The whole slot: the header's count, A and B as they were, D, and nothing else written.
  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const GemmCase& c = any.as<GemmCase>();
    const GemmRecord r = record_of(c);
    const Slot slot(r);
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, slot.end);
    const std::span<std::byte> mask = scratch.take(scratch.mask, slot.end);
    std::fill(bytes.begin(), bytes.begin() + slot.a, std::byte{0});
    const uint32_t parts = params::gemm_parts(r);
    std::memcpy(bytes.data(), &parts, 4);
    fill(r.a_fill, bytes.subspan(slot.a, slot.b - slot.a));
    fill(r.b_fill, bytes.subspan(slot.b, slot.a_scales - slot.b));
    fill(r.a_scale_fill, bytes.subspan(slot.a_scales, slot.b_scales - slot.a_scales));
    fill(r.b_scale_fill, bytes.subspan(slot.b_scales, slot.d - slot.b_scales));
    fill(r.d_fill, bytes.subspan(slot.d));
    std::fill(mask.begin(), mask.end(), std::byte{0xff});
    const size_t d_bytes = size_t{r.m} * r.d_pitch;
    e.rules = model::predict_gemm(c, readings,
                                  {bytes.subspan(slot.a), bytes.subspan(slot.b), bytes.subspan(slot.a_scales),
                                   bytes.subspan(slot.b_scales)},
                                  bytes.subspan(slot.d, d_bytes), mask.subspan(slot.d, d_bytes));
    const auto spoils = readings.bend() == nullptr ? nullptr : readings.bend()->program.spoils;
    // The barriers of stages expect what the default reading counts.
    const bool miscounts = readings.is({"TMA-AMB-33", "padded_bytes"}) &&
                           (model::is_unpacked(c, true) || model::is_unpacked(c, false));
    const bool is_spoilt = miscounts || (spoils != nullptr && spoils(c));
    e.end = is_spoilt ? model::End::undefined : model::End::done;
    e.may_crash = miscounts;
    e.judges_bytes = !is_spoilt;
    e.bytes = bytes;
    e.mask = mask;
  }

  std::span<const model::Bend> bends() const override {
    return model::gemm_bends();
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const GemmCase& c = any.as<GemmCase>();
    const model::GemmPitches pitches = model::pitches_of(c);
    const auto filled = [](const OperandPattern& p) {
      return "seed " + std::to_string(p.seed) + ", keep " + std::to_string(p.keep) + ", set " +
             std::to_string(p.set) + (p.mirror_bits ? ", mirrored" : "") +
             (p.special_bits ? ", specials" : "");
    };
    std::vector<std::pair<std::string, std::string>> fields{
        {"operands", operands_of(c)},
        {"M, N, K", std::to_string(c.m) + ", " + std::to_string(c.n) + ", " + std::to_string(c.k)},
        {"CTAs of an instruction", std::to_string(c.cta_group)},
        {"columns of an instruction", std::to_string(c.tile_n)},
        {"row pitches", std::to_string(pitches.a) + ", " + std::to_string(pitches.b) + ", " +
                            std::to_string(pitches.d) + " bytes"},
        {"A", filled(c.a_fill)},
        {"B", filled(c.b_fill)}};
    tell(c, fields);
    if (c.grouped) fields.push_back({"maps", "rewritten in the kernel"});
    if (c.reduces) fields.push_back({"C, to which TMA adds", filled(c.c_fill)});
    constexpr const char* asking[] = {"", ", which lane 13 asks", ", which lanes 0 and 1 ask at once",
                                      ", which lanes 5 and 31 ask at once"};
    if (c.launch_control)
      fields.push_back({"tiles", std::string("handed out by cluster launch control") + asking[c.asking]});
    if (model::is_sparse(c)) fields.push_back({"metadata", filled(c.a_scale_fill)});
    if (model::is_scaled(c)) {
      fields.push_back({"scales of A", filled(c.a_scale_fill)});
      fields.push_back({"scales of B", filled(c.b_scale_fill)});
    }
    return fields;
  }
  std::string brief(const Case& any) const override {
    const GemmCase& c = any.as<GemmCase>();
    return " " + operands_of(c) + " " + std::to_string(c.m) + "x" + std::to_string(c.n) + "x" +
           std::to_string(c.k) + (c.cta_group == 2 ? " on pairs" : "") + (c.grouped ? " in a group" : "") +
           (c.reduces ? " added to C" : "") + (c.launch_control ? " by launch control" : "");
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const Slot slot(record_of(any.as<GemmCase>()));
    if (byte >= slot.d) return "D";
    if (byte >= slot.a_scales && model::is_sparse(any.as<GemmCase>())) return "metadata";
    if (byte >= slot.a_scales) return byte < slot.b_scales ? "scales of A" : "scales of B";
    return byte < slot.a ? "header" : byte < slot.b ? "A" : "B";
  }

  OutputShape output_shape(const Case& any) const override {
    const GemmRecord r = record_of(any.as<GemmCase>());
    return {4, r.d_pitch, Slot(r).d, "f32"};
  }

  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const GemmCase& c = any.as<GemmCase>();
    const GemmRecord r = record_of(c);
    const Slot slot(r);
    const auto element_at = [&](uint64_t at) -> std::optional<model::ElementSteps> {
      // Of a sum with C the steps of the product would say the wrong thing.
      if (at < slot.d || c.reduces) return std::nullopt;
      const auto row = static_cast<uint32_t>((at - slot.d) / r.d_pitch);
      const auto column = static_cast<uint32_t>((at - slot.d) % r.d_pitch / 4);
      if (row >= r.m || column >= r.n) return std::nullopt;
      return model::steps_of(c, readings, pattern_words, row, column);
    };
    return diagnose_element(element_at, 4, expected, observed, byte);
  }

  /// Of D, in the CTA that multiplied it. Which half of tensor memory held it depends on what the cluster did
  /// before: the column is that within the half.
  PlaceOfByte element_places(const Case& any) const override {
    const GemmRecord r = record_of(any.as<GemmCase>());
    return [r, d = Slot(r).d](uint64_t byte) -> ElementPlace {
      if (byte < d) return {};
      const auto row = static_cast<uint32_t>((byte - d) / r.d_pitch);
      const auto column = static_cast<uint32_t>((byte - d) % r.d_pitch / 4);
      if (row >= r.m || column >= r.n) return {};
      const uint32_t member = row % params::gemm_cluster_m / params::gemm_tile_m;
      const uint32_t pair = column % params::gemm_cluster_n(r.tile_n, r.cta_group) / r.tile_n;
      return {.cluster_rank = static_cast<int>(2 * pair + member),
              .tmem_lane = static_cast<int>(row % params::gemm_tile_m),
              .tmem_column = static_cast<int>(column % r.tile_n)};
    };
  }
};

}  // namespace

const Family& gemm_family() {
  static const Gemm family;
  return family;
}

}  // namespace assay::suites
