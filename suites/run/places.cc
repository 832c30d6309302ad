// SPDX-License-Identifier: Apache-2.0
#include "suites/run/places.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "reference/spec/questions.h"

namespace assay::suites {
namespace {

/// The first row whose id matches: a whole one, or all that begin so where it ends in '-'. Ids not listed
/// show in loads.
constexpr DecidingPlace places[] = {
    {"TMA-AMB-08", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-16", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-19", "tma.tiled.store.faults", "sm_90a", 40},
    {"X-06", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-10", "tma.tiled.load", "sm_100a", 4000},
    {"TMA-AMB-12", "tma.tiled.load", "sm_90a", 300},  // most interleaved cases end by their time limit
    {"TMA-AMB-11", "tma.tiled.load", "sm_103a", 4000},
    {"TMA-AMB-15", "driver.tensor_map.encode_tiled", "sm_100a", 8000},
    {"TMA-AMB-33", "tma.tiled.load", "sm_100a", 4000},
    {"TMA-AMB-34", "tma.tiled.load.faults", "sm_100a", 60},
    {"TMA-AMB-32", "tma.tiled.store", "sm_90a", 4000},
    {"X-17", "tma.tiled.store", "sm_90a", 4000},
    {"TMA-AMB-09", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-17", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-20", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-28", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"AMB-01", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-02", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-03", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-04", "mma.ws.column_shift", "sm_100a", 200},
    {"AMB-05", "mma.dense.layout", "sm_100a", 120},
    {"AMB-06", "tmem.shift", "sm_100a", 120},
    {"AMB-07", "mma.dense.ashift", "sm_100a", 60},
    {"AMB-08", "mma.descriptor.one_field_wrong", "sm_100a", 60},
    {"AMB-09", "mma.scaled.pair", "sm_100a", 120},
    {"AMB-11", "mma.scaled.mxf4nvf4", "sm_100a", 40},
    {"AMB-12", "mma.scaled.k96", "sm_103a", 40},
    {"AMB-14", "mma.scaled.k96", "sm_103a", 40},
    {"AMB-16", "mma.scaled.pair", "sm_100a", 60},
    {"AMB-19", "mma.sparse.f16", "sm_100a", 60},
    {"AMB-20", "mma.sparse.f16", "sm_100a", 200},
    {"AMB-45", "mma.sparse.ws", "sm_100a", 60},
    {"AMB-46", "mma.scaled.k96", "sm_103a", 200},
    {"AMB-51", "mma.scaled.k96", "sm_103a", 200},
    {"NUM-AMB-07", "mma.scaled.mxf4", "sm_100a", 200},
    {"NUM-AMB-11", "mma.scaled.mxf4nvf4", "sm_100a", 120},
    {"NUM-AMB-18", "mma.scaled.mxf4nvf4", "sm_100a", 300},
    {"NUM-AMB-19", "mma.scaled.k96", "sm_103a", 120},
    {"NUM-AMB-20", "mma.scaled.mxf8f6f4", "sm_100a", 120},
    {"NUM-AMB-21", "mma_sync.sparse.f8f6f4", "sm_120a", 120},
    {"AMB-21", "mma.dense.layout", "sm_100a", 120},
    {"AMB-22", "mma.dense.layout", "sm_100a", 120},
    {"AMB-23", "tmem.st", "sm_100a", 120},
    {"AMB-24", "mma.dense.f16", "sm_100a", 120},
    {"AMB-25", "tmem.cp", "sm_100a", 120},
    {"AMB-27", "tmem.cp", "sm_100a", 120},
    {"AMB-28", "mma.dense.output_lanes", "sm_100a", 200},
    {"AMB-30", "mma.dense.f8f6f4", "sm_100a", 120},
    {"AMB-32", "mma.dense.layout", "sm_100a", 240},
    {"AMB-38", "tmem.cp.order", "sm_100a", 120},
    {"AMB-52", "mma.scaled.refill", "sm_100a", 120},
    {"AMB-47", "tmem.cp.decompress", "sm_100a", 120},
    {"TMEM-AMB-01", "tmem.lane_window", "sm_100a", 60},
    {"AMB-48", "tmem.cp.decompress", "sm_100a", 120},
    {"AMB-49", "tmem.ld.red", "sm_103a", 200},
    {"NUM-AMB-01", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-02", "mma.dense.f16", "sm_100a", 600},
    {"NUM-AMB-03", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-05", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-08", "mma.dense.f8f6f4", "sm_100a", 120},
    {"NUM-AMB-17", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-16", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"TMA-AMB-30", "tma.im2col.load.faults", "sm_90a", 60},
    {"TMA-AMB-02", "tma.im2col.load", "sm_90a", 3000},
    {"TMA-AMB-03", "tma.im2col.load", "sm_90a", 3000},
    {"TMA-AMB-23", "tma.im2col.load", "sm_90a", 4000},
    {"TMA-AMB-13", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-14", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-42", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-43", "tma.im2col_w.load.faults", "sm_100a", 200},
    {"TMA-AMB-21", "tma.gather4.load", "sm_100a", 40},
    {"TMA-AMB-41", "tma.gather4.load.faults", "sm_100a", 45},
    {"X-07", "driver.tensor_map.encode_im2col", "sm_90a", 8000},
    {"X-12", "driver.tensor_map.encode_im2col_wide", "sm_90a", 8000},
    {"X-13", "driver.tensor_map.encode_im2col_wide", "sm_90a", 8000},
    {"BULK-AMB-01", "bulk.copy.odd_sizes", "sm_90a", 30},
    {"BULK-AMB-03", "bulk.copy.faults", "sm_90a", 200},
    {"BULK-AMB-02", "bulk.reduce.global", "sm_90a", 2000},
    {"MBAR-AMB-01", "barrier.found", "sm_90a", 60},
    {"TMA-AMB-22", "tma.map.memory", "sm_90a", 24},
    {"TMA-AMB-27", "tma.map.replace", "sm_90a", 400},
    {"REPL-AMB-01", "tma.map.replace", "sm_90a", 400},
    {"REPL-AMB-02", "tma.map.replace", "sm_90a", 400},
    {"X-", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"", "tma.tiled.load", "sm_90a", 4000},
};

}  // namespace

const DecidingPlace& deciding_place(std::string_view question) {
  for (const DecidingPlace& where : places)
    if (question == where.question ||
        (where.question.ends_with('-') && question.starts_with(where.question)) || where.question.empty())
      return where;
  return places[std::size(places) - 1];
}

bool says_anything(const spec::Reading& reading) {
  return reading.words.starts_with("anything");
}

namespace {

/// What a reading makes of a case, copied out of the scratch.
struct Answer {
  model::End end = model::End::done;
  bool may_crash = false, judges_bytes = false;
  ExpectedOutput output;
};

Answer answer(const Family& family, const Case& c, const spec::Readings& readings) {
  thread_local Scratch scratch;
  Expected expected;
  family.predict(c, readings, scratch, expected);
  Answer made{expected.end, expected.may_crash, expected.judges_bytes, {}};
  if (made.judges_bytes) made.output = family.expected_output(c, expected);
  return made;
}

/// Some bit that both define is another one.
bool differ(const ExpectedOutput& a, const ExpectedOutput& b) {
  const size_t size = std::min(a.bytes.size(), b.bytes.size());
  for (size_t i = 0; i < size; ++i) {
    const uint8_t of_a = i < a.defined.size() ? a.defined[i] : 0xff;
    const uint8_t of_b = i < b.defined.size() ? b.defined[i] : 0xff;
    if (((a.bytes[i] ^ b.bytes[i]) & of_a & of_b) != 0) return true;
  }
  return false;
}

bool differ(const Answer& a, const Answer& b) {
  if (a.may_crash || b.may_crash || a.end == model::End::undefined || b.end == model::End::undefined)
    return false;
  // A phase that completes early may also never complete.
  const auto has_wait = [](model::End end) {
    return end == model::End::never_completes || end == model::End::early_surplus;
  };
  if (a.end != b.end) return !(has_wait(a.end) && has_wait(b.end));
  return a.judges_bytes && b.judges_bytes && differ(a.output, b.output);
}

bool ends_well(const Answer& a) {
  return !a.may_crash && (a.end == model::End::done || a.end == model::End::rejected);
}

/// The other letters; those that could be shown, where there are any.
std::string rivals_of(spec::QuestionIndex question, char chosen) {
  std::string shown, all;
  const spec::Question& row = spec::questions()[question];
  for (int r = 0; r < row.reading_count(); ++r) {
    if (row.readings[r].letter == chosen) continue;
    all += row.readings[r].letter;
    if (!says_anything(row.readings[r])) shown += row.readings[r].letter;
  }
  return shown.empty() ? all : shown;
}

/// Of a reading that allows anything: a device that is as the other one says shows more than it had to.
bool demands_more(const Answer& a, const Answer& anything) {
  if (a.end == model::End::undefined || a.may_crash) return false;
  return anything.end == model::End::undefined || a.output.defined != anything.output.defined;
}

}  // namespace

std::optional<std::string> never_decided(spec::QuestionIndex question, spec::Arch arch) {
  const spec::Question& row = spec::questions()[question];
  if (!row.is_decidable()) return std::string(row.undecidable);
  const DecidingPlace& where = deciding_place(row.id);
  const Property* property = find_property(where.property);
  if (property->declines != nullptr)
    if (auto why = property->declines(arch)) return why;
  return std::nullopt;
}

bool tells_apart(const Family& family, const Case& c, const spec::Readings& chosen,
                 spec::QuestionIndex question, char letter) {
  return differ(answer(family, c, chosen), answer(family, c, with(chosen, question, letter)));
}

std::vector<DecidingCase> deciding_cases(spec::QuestionIndex question, const spec::Readings& chosen) {
  if (never_decided(question, chosen.arch())) return {};
  const DecidingPlace& where = deciding_place(spec::questions()[question].id);
  const Property& property = *find_property(where.property);
  const Family& family = property.family();
  std::map<char, size_t> wanted;
  for (const char letter : rivals_of(question, chosen.chosen(question))) wanted[letter] = cases_a_rival;
  std::vector<DecidingCase> found;
  // Of the rivals either none allows anything or all do.
  const spec::Question& row = spec::questions()[question];
  const bool is_open = std::none_of(row.readings.begin(), row.readings.end(), [&](const spec::Reading& r) {
    return r.letter != 0 && r.letter != chosen.chosen(question) && !says_anything(r);
  });
  DecidingCase made{question, &property, 0, {}, false};
  const auto is_complete = [&] {
    return std::all_of(wanted.begin(), wanted.end(), [](const auto& rival) { return rival.second == 0; });
  };
  for (made.index = 0; made.index < where.cases && !is_complete(); ++made.index) {
    property.generate(1, property.name, made.index, chosen.arch(), made.what);
    chosen.forget_consulted();
    const Answer as_chosen = answer(family, made.what, chosen);
    if (!chosen.consulted().test(question)) continue;
    bool is_wanted = false;
    made.may_end_badly = property.is_sacrificial() || !ends_well(as_chosen);
    for (auto& [letter, left] : wanted) {
      const Answer as_rival = answer(family, made.what, with(chosen, question, letter));
      made.may_end_badly |= !ends_well(as_rival);
      if (left == 0 || !(is_open ? demands_more(as_chosen, as_rival) : differ(as_chosen, as_rival))) continue;
      is_wanted = true;
      --left;
    }
    if (is_wanted) found.push_back(made);
  }
  return found;
}

}  // namespace assay::suites
