// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "kernels/forms/records.h"
#include "kernels/params/mma_sync_f64.h"
#include "reference/model/warp_mma/mma_sync_f64.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family_of.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/run/words.h"
#include "suites/warp_mma/coverage.h"

namespace assay::suites {
namespace {

using params::MmaSyncF64Record;

params::DoubleFill double_fill(const DoublePattern& pattern) {
  params::DoubleFill fill;
  model::fields::copy_members(pattern, fill);
  return fill;
}

void elements(const DoublePattern& pattern, uint64_t first, std::span<uint64_t> made) {
  pattern_kernels_of_this_processor().front().doubles(double_fill(pattern), first, made);
}

/// "-1.5 (0xbff8000000000000)".
std::string number(uint64_t code) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g (0x%016llx)", std::bit_cast<double>(code),
                static_cast<unsigned long long>(code));
  return text;
}

class MmaSyncF64 final : public PlainFamily<MmaSyncF64Case, MmaSyncF64Record, gen::simpler> {
 public:
  std::string_view name() const override { return "mma_sync_f64"; }
  uint32_t output_bytes(const Case& any) const override {
    return assay::output_bytes(any.as<MmaSyncF64Case>());
  }

  void complete(const MmaSyncF64Case&, const spec::Readings&, MmaSyncF64Record& r) const override {
    r.opcode = forms::opcode_of(r);
  }

  uint64_t pace() const override { return 16; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    e = {};
    e.rules = model::predict(any.as<MmaSyncF64Case>(), readings, elements,
                             {reinterpret_cast<uint64_t*>(bytes.data()), bytes.size() / 8});
    e.judges_bytes = true;
    e.bytes = bytes;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const MmaSyncF64Case& c = any.as<MmaSyncF64Case>();
    std::vector<std::pair<std::string, std::string>> list{
        {"form", "f64 m" + std::to_string(c.m) + "n8k" + std::to_string(c.k)},
        {"tiles", std::to_string(c.tiles)}};
    tell(c, list);
    for (const auto& [name, fill] :
         {std::pair{"A bits", &c.a_fill}, {"B bits", &c.b_fill}, {"C bits", &c.c_fill}})
      list.emplace_back(name, pattern_words(*fill));
    return list;
  }
  std::string brief(const Case& any) const override {
    const MmaSyncF64Case& c = any.as<MmaSyncF64Case>();
    return " m" + std::to_string(c.m) + "n8k" + std::to_string(c.k);
  }

  std::span<const model::Bend> bends() const override { return model::f64_bends(); }

  OutputShape output_shape(const Case& any) const override {
    return {8, 8 * d_registers(any.as<MmaSyncF64Case>()), 0, "f64"};
  }

  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const MmaSyncF64Case& c = any.as<MmaSyncF64Case>();
    const uint64_t i = byte / 8;
    const model::DoubleSteps steps = model::steps_of(c, elements, static_cast<uint32_t>(i));
    uint64_t right = 0, wrong = 0;
    std::memcpy(&right, &expected.bytes[8 * i], 8);
    std::memcpy(&wrong, &observed[8 * i], 8);
    const std::string at = "D[" + std::to_string(steps.row) + ", " + std::to_string(steps.column) + "]";
    Diagnosis made;
    made.first = at + " = " + number(wrong) + ", expected " + number(right);
    made.lines.push_back(at + " is a chain of " + std::to_string(c.k) +
                         " fused multiply-adds from C = " + number(steps.c));
    for (size_t k = 0; k < c.k; ++k)
      made.lines.push_back("  k " + std::to_string(k) + ": A " + number(steps.a[k]) + ", B " +
                           number(steps.b[k]));
    return made;
  }
  PlaceOfByte element_places(const Case& any) const override { return register_places(output_bytes(any)); }

 private:
  static std::string pattern_words(const DoublePattern& p) {
    std::string text =
        "seed " + hex_words(p.seed) + ", keep " + hex_words(p.keep) + ", set " + hex_words(p.set);
    if (p.special_rate == 0) return text;
    text += ", " + std::to_string(p.special_rate) + " of 256 of";
    for (const uint64_t code : p.special) text += " " + hex_words(code);
    return text;
  }
};

const Family& mma_sync_f64_family() {
  static const MmaSyncF64 family;
  return family;
}

const Registered f64({
    .name = "mma_sync.f64",
    .claim = "mma.sync on f64 is a chain of fused multiply-adds that starts from C, in order of k; a NaN of "
             "B takes precedence over that of the sum, and that over one of A",
    .family = mma_sync_f64_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_sync_f64>,
    .spaces = {{"mma.sync f64 shape x operands", gen::f64_cells(),
                [](uint32_t cell, spec::Arch) { return gen::f64_cell_name(cell); },
                [](spec::Arch) { return up_to(gen::f64_cells()); }}},
    .cover = [](const Case&, const Expected&, uint64_t index, spec::Arch,
                CoverageSink& sink) { sink.hit(0, gen::f64_cell(index)); },
});

}  // namespace
}  // namespace assay::suites
