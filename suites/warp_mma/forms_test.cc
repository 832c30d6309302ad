// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "generators/warp_mma/cases.h"
#include "generators/warp_mma/forms.h"
#include "kernels/forms/records.h"
#include "suites/run/case_file.h"
#include "suites/run/conductor.h"
#include "suites/run/family.h"
#include "suites/run/judge.h"
#include "suites/run/property.h"
#include "suites/warp_mma/coverage.h"

namespace assay::suites {
namespace {

uint32_t modifiers_of(const gen::WgmmaForm& f) {
  return (f.a_in_registers ? params::wgmma_a_in_registers : 0u) |
         (f.transpose_a ? params::wgmma_transpose_a : 0u) | (f.transpose_b ? params::wgmma_transpose_b : 0u) |
         (f.negate_a ? params::wgmma_negate_a : 0u) | (f.negate_b ? params::wgmma_negate_b : 0u);
}

uint32_t sparsity_of(const gen::WgmmaForm& f) {
  return param_sparsity({f.is_sparse, false, f.selector, 0, 0});
}

/// Each opcode of a family once, none missing. The families that stand apart have records of their own.
using Opcodes = std::map<std::string_view, std::set<uint32_t>>;
void expect_all(const Opcodes& opcodes, std::string_view prefix) {
  for (const forms::Forms& forms : forms::all_forms()) {
    const std::string_view name = forms.family().name;
    if (!name.starts_with(prefix) || name.starts_with("mma.sync.")) continue;
    ASSERT_TRUE(opcodes.contains(name)) << name;
    EXPECT_EQ(opcodes.at(name).size(), forms.size()) << name;
    EXPECT_EQ(*opcodes.at(name).rbegin(), forms.size() - 1) << name;
  }
}

TEST(WarpMmaForms, GeneratorsKnowTheFormsOfTheProbes) {
  Opcodes wgmma, mma_sync;
  size_t count = 0;
  for (const auto forms : {gen::warp_forms<gen::WgmmaForm>(false), gen::warp_forms<gen::WgmmaForm>(true)})
    for (const gen::WgmmaForm& f : forms) {
      params::WgmmaRecord r{};
      r.form = params::wgmma_form(param_types(f.types), f.n, modifiers_of(f), sparsity_of(f));
      wgmma[forms::forms_of(r).family().name].insert(forms::opcode_of(r));
      ++count;
    }
  // Those in groups of eight columns, by how many a wait leaves, and those of several products.
  for (const bool in_registers : {false, true})
    for (const uint32_t groups :
         {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 8 + WgmmaCase::added_in_group}) {
      params::WgmmaRecord r{};
      r.form = params::wgmma_form(param_types(MmaTypes{}), 64,
                                  in_registers ? params::wgmma_a_in_registers : 0u, 0, groups);
      wgmma[forms::forms_of(r).family().name].insert(forms::opcode_of(r));
      ++count;
    }
  for (const auto& [name, opcodes] : wgmma) count -= opcodes.size();
  EXPECT_EQ(count, 0u) << "two forms of the generators are one of the probes";
  for (const auto forms : {gen::warp_forms<gen::MmaSyncForm>(false), gen::warp_forms<gen::MmaSyncForm>(true)})
    for (const gen::MmaSyncForm& f : forms) {
      params::MmaSyncRecord r{};
      const SparseA sparse{f.is_sparse, f.is_ordered, f.selector, 0, 0};
      r.form = params::mma_sync_form(param_types(f.types), f.m, f.k, param_sparsity(sparse));
      mma_sync[forms::forms_of(r).family().name].insert(forms::opcode_of(r));
      ++count;
    }
  for (const auto& [name, opcodes] : mma_sync) count -= opcodes.size();
  EXPECT_EQ(count, 0u) << "two forms of the generators are one of the probes";
  expect_all(wgmma, "wgmma");
  expect_all(mma_sync, "mma.sync");
}

TEST(WarpMmaForms, RegistersOfTheParametersAreThoseOfTheModel) {
  for (const auto forms : {gen::warp_forms<gen::WgmmaForm>(false), gen::warp_forms<gen::WgmmaForm>(true)})
    for (const gen::WgmmaForm& f : forms) {
      WgmmaCase c;
      gen::set_form(f, c);
      const uint32_t form = params::wgmma_form(param_types(f.types), f.n, 0, sparsity_of(f));
      EXPECT_EQ(params::wgmma_d_registers(form), d_registers(c)) << gen::name_of(f);
      EXPECT_EQ(gen::form_of(c), f) << gen::name_of(f);
    }
  for (const auto forms : {gen::warp_forms<gen::MmaSyncForm>(false), gen::warp_forms<gen::MmaSyncForm>(true)})
    for (const gen::MmaSyncForm& f : forms) {
      MmaSyncCase c;
      c.types = f.types, c.m = f.m, c.k = f.k;
      c.sparse = {f.is_sparse, f.is_ordered, f.selector, 0, 0};
      const uint32_t form = params::mma_sync_form(param_types(f.types), f.m, f.k, param_sparsity(c.sparse));
      EXPECT_EQ(params::mma_sync_d_registers(form), d_registers(c)) << gen::name_of(f);
      EXPECT_EQ(params::mma_sync_b_words(form), b_words(c)) << gen::name_of(f);
      EXPECT_EQ(gen::form_of(c), f) << gen::name_of(f);
    }
}

/// A batch of a few cases costs a GPU as much as one of hundreds.
TEST(WarpMmaBatches, CasesOfBothWarpgroupsShareOne) {
  const auto device = open_device("emulator:sm_90a", limits_for(1));
  const Property& property = *find_property("wgmma.fp8");
  std::vector<Case> cases;
  uint32_t changes = 0;
  for (uint64_t i = 0; i < 128; i += 8) {
    property.generate(1, property.name, i, spec::Arch::sm_90, cases.emplace_back());
    const size_t last = cases.size() - 1;
    if (last > 0)
      changes += cases[last].as<WgmmaCase>().warpgroup != cases[last - 1].as<WgmmaCase>().warpgroup;
  }
  ASSERT_EQ(changes, 3u);
  ReadingSet readings(spec::Arch::sm_90, true);
  const uint64_t before = device->counters().launches;
  for (const Outcome& outcome : CaseRunner(*device, readings, spec::Arch::sm_90).run(property, cases))
    EXPECT_EQ(outcome.verdict, report::Verdict::conforms) << outcome.note;
  EXPECT_EQ(device->counters().launches - before, 2u);
}

/// What is expected of a case, kept.
struct Kept {
  std::vector<std::byte> bytes, mask;
};
template <typename CaseOf>
Kept expected(const Family& family, const CaseOf& c) {
  Scratch scratch;
  Expected e;
  family.predict(c, spec::Readings(spec::Arch::sm_90), scratch, e);
  EXPECT_EQ(e.end, model::End::done);
  Kept kept{{e.bytes.begin(), e.bytes.end()}, {e.mask.begin(), e.mask.end()}};
  kept.mask.resize(kept.bytes.size(), std::byte{0xff});
  return kept;
}

/// The same case with legal codes where it has those without a meaning.
template <typename CaseOf>
CaseOf with(CaseOf c, uint32_t code) {
  c.sparse.strange_codes = code * 0x11111111u;
  return c;
}

template <typename CaseOf>
void open_rows_are_those_of_such_codes(const char* name) {
  const Property& property = *find_property(name);
  const Family& family = property.family();
  size_t open = 0, moved = 0, bytes = 0;
  std::set<uint32_t> codes;
  for (uint64_t i = 0; i < 120; ++i) {
    Case any;
    property.generate(1, property.name, i, spec::Arch::sm_90, any);
    const CaseOf& c = any.as<CaseOf>();
    ASSERT_TRUE(gen::fits_rig(c.types, c.sparse)) << i;
    ASSERT_EQ(family.from_json(family.to_json(any)), any) << i;
    for (uint32_t at = 0; at < 32; at += 4) codes.insert(c.sparse.strange_codes >> at & 0xf);
    const Kept seen = expected(family, c), first = expected(family, with(c, 0b0100)),
               second = expected(family, with(c, 0b1110));
    for (size_t at = 0; at < seen.bytes.size(); ++at) {
      const bool is_open = seen.mask[at] == std::byte{0}, moves = first.bytes[at] != second.bytes[at];
      ++bytes, open += is_open, moved += is_open && moves;
      // What such a code decides is open; what it does not decide is the same whatever stands for it.
      ASSERT_TRUE(is_open || !moves) << i << " byte " << at;
      ASSERT_TRUE(is_open || seen.bytes[at] == first.bytes[at]) << i << " byte " << at;
    }
  }
  EXPECT_EQ(codes.size(), 14u) << "all but 0100 and 1110, which have a meaning in every type";
  EXPECT_GT(open * 20, bytes);
  EXPECT_LT(open * 10, bytes * 3);
  EXPECT_GT(moved * 4, open) << "rows are open that no such code decides";
}

TEST(IllegalCodes, OfMmaSpOpenTheirRowsAlone) {
  open_rows_are_those_of_such_codes<MmaSyncCase>("mma_sync.sparse.illegal_codes");
}
TEST(IllegalCodes, OfWgmmaSpOpenTheirRowsAlone) {
  open_rows_are_those_of_such_codes<WgmmaCase>("wgmma.sparse.illegal_codes");
}

TEST(IllegalCodes, BesideTheirNumberAreRefused) {
  MmaSyncCase c;
  gen::make_sparse_mma_sync_illegal_codes({1, "codes", 0, spec::Arch::sm_90}, c);
  const auto fits = [&](uint32_t list, uint32_t rate) {
    MmaSyncCase changed = c;
    changed.sparse.strange_codes = list, changed.sparse.strange_rate = rate;
    return gen::fits_rig(changed.types, changed.sparse);
  };
  EXPECT_TRUE(fits(0x55555555, 3));
  EXPECT_TRUE(fits(0, 0));
  EXPECT_FALSE(fits(0x55555555, 0)) << "codes that none of is drawn";
  EXPECT_FALSE(fits(0x44444444, 3)) << "a code with a meaning";
  EXPECT_FALSE(fits(0x55555555, 257));
}

}  // namespace
}  // namespace assay::suites
