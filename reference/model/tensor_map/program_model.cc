// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/program_model.h"

#include <algorithm>

#include "reference/model/bend.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::question;
using spec::rule;
using spec::TensorMapBytes;

void put_area(const MapProgramCase& c, const TensorMapBytes& map, std::span<std::byte> output) {
  std::fill_n(output.begin(), rig::map_area_bytes, std::byte{rig::map_area_fill});
  std::copy(map.begin(), map.end(), output.begin() + c.place);
}

/// What nobody has looked at of the maps that the driver writes on an architecture: bit 21, until the
/// atomicity is replaced, and the book-keeping behind 0x40.
void leave_open(bool is_bit_21_known, std::span<std::byte> defined_of_map) {
  if (!is_bit_21_known) defined_of_map[0x0a] &= ~std::byte{1 << (21 - 16)};
  std::fill(defined_of_map.begin() + 0x40, defined_of_map.end(), std::byte{0});
}

/// Byte i of a map of random bits: splitmix64.
std::byte random_byte(uint32_t seed, uint64_t i) {
  constexpr uint64_t step = 0x9e3779b97f4a7c15ull;
  uint64_t z = seed * step + 0x3a9 + step * (i + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return static_cast<std::byte>((z ^ (z >> 31)) >> 56);
}

/// What the driver leaves 0 is not.
bool has_other_book_keeping(const TensorMapBytes& map) {
  return std::any_of(map.begin() + 0x50, map.end(), [](std::byte byte) { return byte != std::byte{0}; });
}

}  // namespace

TensorMapBytes start_of(const MapProgramCase& c, const spec::Readings& readings) {
  TensorMapBytes map{};
  switch (c.start) {
    case MapStart::driver:  // which writes none where it refuses the call
      if (broken_map_rules(c.map, readings).any()) break;
      return encode_tiled_map(c.map, readings);
    case MapStart::im2col:  // words of the record, whatever the driver writes
      return encode_im2col_map(c.map, spec::Readings(readings.arch()));
    case MapStart::zeros:
      break;
    case MapStart::ones:
      map.fill(std::byte{0xff});
      break;
    case MapStart::random:
      for (size_t i = 0; i < map.size(); ++i) map[i] = random_byte(c.seed, i);
      break;
    case MapStart::words:
      for (size_t i = 0; i < map.size(); ++i)
        map[i] = static_cast<std::byte>(c.words[i / 4] >> (8 * (i % 4)));
  }
  return map;
}

MapMachine::MapMachine(const MapProgramCase& c, const spec::Readings& readings)
    : c_(c), readings_(readings), start_(start_of(c, readings)), global_(start_), shared_(start_) {
  if (c.in_shared) global_.fill(std::byte{rig::map_area_fill});
}

std::vector<TensorMapBytes> MapMachine::may_be_found() const {
  if (is_of_other()) return {start_};
  const Bend* const bend = readings_.bend();
  if (bend != nullptr && bend->maps.finds_as_it_was && !kept_.empty()) return {kept_.front()};
  std::vector<TensorMapBytes> found{global_};
  for (const TensorMapBytes& map : kept_)
    if (std::find(found.begin(), found.end(), map) == found.end()) found.push_back(map);
  return found;
}

void MapMachine::step(spec::RuleSet& rules) {
  const MapStep& s = c_.step[at_++];
  const Bend* const bend = readings_.bend();
  TensorMapBytes& edited = c_.in_shared ? shared_ : global_;
  if (s.is_replacement()) {
    if (c_.in_shared) rules.set(rule("REPL-R16"));
    MapReplacement what = s.replacement();
    what.in_shared = c_.in_shared;
    what.thread = c_.issuer_thread;
    replace(edited, what, readings_, rules);
  } else if (s.is(MapOp::plain_address)) {
    put(edited, spec::tensor_map::global_address, s.value);
  } else if (s.is(MapOp::copy_fence)) {
    rules.set(rule("REPL-R17"));
    const TensorMapBytes before = global_;
    global_ = shared_;
    if (bend != nullptr && bend->maps.copied != nullptr) bend->maps.copied(before, global_);
  } else if (s.is(MapOp::acquire)) {
    const bool is_first = s.value == 0 || c_.issuer_thread % 32 == 0;
    const bool misses = bend != nullptr && bend->maps.misses_acquire != nullptr &&
                        bend->maps.misses_acquire(s.ordinal, s.scope, is_first);
    if (s.ordinal == 0 && !misses) kept_.clear();
  } else if (s.is(MapOp::use)) {
    const bool is_other = is_of_other();
    std::vector<TensorMapBytes> found = may_be_found();
    ++use_;
    if (is_other) return;
    kept_ = std::move(found);
    rules.set(kept_.size() == 1 ? rule("REPL-R18") : rule("REPL-R20"));
    rules.set(rule("REPL-R19")).set(rule("REPL-R21"));
  }
}

namespace {

/// How a copy ends through a map that a bend spoilt: a load by as many bytes as the barrier was not armed
/// with. Maps fault in many ways that are wrong, and one fault looks like another: it is not known what
/// comes.
End end_by_bend(const MapProgramCase& c, const MapUse& use, const MapMachine& right,
                const spec::Readings& readings, const UseOutcome& bent, bool misreads) {
  if (misreads) return End::undefined;
  const TensorMapBytes map = seen_by_copies(right.may_be_found()[0], use, readings);
  spec::RuleSet unused;
  const End end = end_of_use(c, use, map, readings, unused);
  if (end != End::done) return bent.end;
  if (bent.end == End::illegal_instruction || bent.end == End::misaligned_address) return End::undefined;
  if (bent.end != End::done || !use.is_load()) return bent.end;
  const uint32_t armed = armed_bytes(c, use, right.may_be_found()[0], readings);
  return bent.transaction_bytes == armed  ? End::done
         : bent.transaction_bytes < armed ? End::never_completes
                                          : End::early_surplus;
}

}  // namespace

uint32_t armed_for_a_rival(const MapProgramCase& c, uint32_t step, uint32_t use,
                           const spec::Readings& defaults) {
  const auto armed_by = [&](const spec::Readings& readings) {
    MapMachine machine(c, readings);
    spec::RuleSet unused;
    while (machine.at() < step) machine.step(unused);
    return armed_bytes(c, c.use[use], machine.may_be_found()[0], readings);
  };
  const spec::Readings asked = defaults;
  asked.forget_consulted();
  if (const uint32_t bytes = armed_by(asked)) return bytes;
  for (size_t q = 0; q < spec::question_table.size(); ++q) {
    const auto one = static_cast<spec::QuestionIndex>(q);
    if (!asked.consulted()[q]) continue;
    for (const spec::Reading& reading : spec::question_table[q].readings) {
      if (reading.letter == 0 || reading.letter == asked.chosen(one)) continue;
      spec::Readings rival = asked;
      rival.choose(one, reading.letter);
      if (const uint32_t bytes = armed_by(rival)) return bytes;
    }
  }
  return 0;
}

uint32_t slot_at(const MapProgramCase& c) {
  const uint32_t before = rig::map_area_bytes + 128 * c.steps + c.uses * c.window_bytes;
  return c.slot_bytes == 0 ? before : (before + 255) / 256 * 256;
}
uint32_t output_bytes_of(const MapProgramCase& c) {
  return slot_at(c) + c.slot_bytes;
}

bool stays_in_slot(const MapProgramCase& c) {
  if (c.slot_bytes == 0) return true;
  std::vector<std::byte> output(output_bytes_of(c)), defined(output.size());
  // The last has every map; of some of them more is known where there are fewer.
  constexpr spec::Arch archs[] = {spec::Arch::sm_90, spec::arch_with_every_map};
  return std::any_of(std::begin(archs), std::end(archs), [&](spec::Arch arch) {
    return predict_map_program(c, spec::Readings(arch), model::arena(), output, defined).end !=
           End::undefined;
  });
}

std::vector<AllowedWindow> allowed_windows(const MapMachine& machine, const MapProgramCase& c, uint32_t use,
                                           const spec::Readings& readings, std::span<const std::byte> arena) {
  std::vector<AllowedWindow> list;
  spec::RuleSet rules;
  for (const TensorMapBytes& map : machine.may_be_found()) {
    AllowedWindow window{std::vector<std::byte>(c.window_bytes), std::vector<std::byte>(c.window_bytes)};
    const UseMemory memory{arena, {}, {}, window.bytes, window.defined};
    if (predict_use(c, c.use[use], map, readings, memory, rules).end == End::done)
      list.push_back(std::move(window));
  }
  return list;
}

MapProgramPrediction predict_map_program(const MapProgramCase& c, const spec::Readings& readings,
                                         std::span<const std::byte> arena, std::span<std::byte> output,
                                         std::span<std::byte> defined) {
  MapProgramPrediction prediction;
  std::fill(defined.begin(), defined.end(), std::byte{0xff});
  std::fill(output.begin(), output.end(), std::byte{0});
  // The driver makes the first map: one that it refuses ends the case before the kernel runs.
  if (const spec::RuleSet broken = broken_map_rules(c.map, readings);
      c.start == MapStart::driver && broken.any()) {
    prediction.rules |= broken;
    prediction.end = End::rejected;
    return prediction;
  }
  const std::span<std::byte> snapshots = output.subspan(rig::map_area_bytes);
  const size_t windows_at = rig::map_area_bytes + size_t{128} * c.steps;
  const auto slot = output.subspan(slot_at(c), c.slot_bytes);
  const auto slot_defined = defined.subspan(slot_at(c), c.slot_bytes);
  std::copy_n(arena.begin() + static_cast<ptrdiff_t>(c.slot_fill_offset), slot.size(), slot.begin());
  if (const size_t windows_end = windows_at + size_t{c.uses} * c.window_bytes; !slot.empty())
    std::fill(defined.begin() + static_cast<ptrdiff_t>(windows_end), defined.begin() + slot_at(c),
              std::byte{0});
  if (c.uses != 0 && c.place % 128 != 0 && readings.is({"TMA-AMB-22", "aligned_to_128"})) {
    prediction.rules.set(rule("REPL-R21"));
    prediction.end = End::misaligned_address;
    return prediction;
  }
  const Bend* const bend = readings.bend();
  const bool misreads_place = bend != nullptr && bend->maps.misreads != nullptr &&
                              bend->maps.misreads(c.place, static_cast<uint32_t>(c.memory));
  // What barriers are armed with goes by the rules.
  const spec::Readings rules_alone = spec::Readings(readings).bend_by(nullptr);
  MapMachine machine(c, readings), right(c, rules_alone);
  spec::RuleSet unused;
  uint32_t use = 0;
  const bool is_open =
      c.start == MapStart::driver &&
      !spec::question_table[question("TMA-AMB-28")].settled[static_cast<int>(readings.arch())];
  bool is_bit_21_known = false, is_global_known = false, has_global_map = !c.in_shared;
  while (!machine.is_over()) {
    const uint32_t i = machine.at();
    if (!c.step[i].is(MapOp::use)) {
      machine.step(prediction.rules);
      if (bend != nullptr) right.step(unused);
      std::copy(machine.edited().begin(), machine.edited().end(), snapshots.begin() + 128 * i);
      const MapStep& done = c.step[i];
      is_bit_21_known |= done.is_replacement() && done.replacement().field == MapField::swizzle_atomicity;
      has_global_map |= done.is(MapOp::copy_fence);
      if (!c.in_shared || done.is(MapOp::copy_fence)) is_global_known = is_bit_21_known;
      if (is_open) leave_open(is_bit_21_known, defined.subspan(rig::map_area_bytes + 128 * i, 128));
      continue;
    }
    const auto found = machine.may_be_found();
    const size_t at = windows_at + size_t{use} * c.window_bytes;
    const auto window = output.subspan(at, c.window_bytes), mask = defined.subspan(at, c.window_bytes);
    const UseMemory memory{arena, slot, slot_defined, window, mask};
    UseOutcome made = predict_use(c, c.use[use], found[0], readings, memory, prediction.rules);
    if (bend != nullptr) {
      const bool misreads = (misreads_place && !c.use[use].is_of_other) ||
                            (bend->maps.misreads_bits != nullptr && bend->maps.misreads_bits(found[0]));
      made.end = end_by_bend(c, c.use[use], right, rules_alone, made, misreads);
    }
    if (spec::row_of(readings.arch()).is_measured && has_other_book_keeping(found[0]))
      prediction.rules.set(rule("REPL-R23"));
    // Which of two maps a copy of a slot acts by decides what all that come after it find.
    if (found.size() > 1 && !slot.empty()) made.end = End::undefined;
    const End end = made.end;
    if (found.size() > 1) {
      prediction.has_choice = true;
      std::fill(mask.begin(), mask.end(), std::byte{0});
    }
    if (end != End::done) {
      prediction.end = found.size() > 1 ? End::undefined : end;
      return prediction;
    }
    machine.step(prediction.rules);
    if (bend != nullptr) right.step(unused);
    ++use;
  }
  put_area(c, machine.global(), output);
  if (is_open && has_global_map) leave_open(is_global_known, defined.subspan(c.place, 128));
  return prediction;
}

}  // namespace assay::model
