#include "suites/map_program/map_program_model.h"

#include <algorithm>
#include <cstring>

#include "generators/random.h"
#include "kernels/params/map_program.h"
#include "reference/model/bend.h"
#include "reference/model/encode.h"
#include "reference/model/legality.h"
#include "reference/model/map_arguments.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "suites/arena.h"

namespace assay::suites {
namespace {

using model::End;
using spec::question;
using spec::rule;
using spec::TensorMapBytes;

/// Readings with what the hardware lets through that the driver does not: any number of bytes, any
/// interleaved box. What is looked at here counts as looked at in those that it was made of.
class OfHardware {
 public:
  explicit OfHardware(const spec::Readings& of) : of_(of), made_(of) {
    made_.forget_consulted();
    made_.choose(question("X-01"), 'A').choose(question("X-08"), 'A');
  }
  OfHardware(const OfHardware&) = delete;
  ~OfHardware() {
    for (size_t i = 0; i < spec::question_table.size(); ++i)
      if (made_.consulted()[i] && i != question("X-01") && i != question("X-08"))
        (void)of_.chosen(static_cast<spec::QuestionIndex>(i));
  }
  operator const spec::Readings&() const { return made_; }

 private:
  const spec::Readings& of_;
  spec::Readings made_;
};

/// Rules of the encoder that were seen to be the hardware's too, by the fault that breaking them has (h200,
/// sections 9 and 12; MF-01 to MF-03).
constexpr spec::RuleIndex illegal[] = {rule("V-02"), rule("V-03"), rule("V-04"), rule("V-14"),
                                       rule("V-21"), rule("V-23"), rule("V-27"), rule("TILE-R25")};
constexpr spec::RuleIndex illegal_without_interleave[] = {rule("V-16")};
constexpr spec::RuleIndex misaligned[] = {rule("V-05"), rule("V-06")};

bool breaks(const spec::RuleSet& broken, std::span<const spec::RuleIndex> rules) {
  return std::any_of(rules.begin(), rules.end(), [&](spec::RuleIndex r) { return broken[r]; });
}

void put_area(const MapProgramCase& c, const TensorMapBytes& map, std::span<std::byte> output) {
  std::fill_n(output.begin(), params::map_area_bytes, std::byte{params::map_area_fill});
  std::copy(map.begin(), map.end(), output.begin() + c.place);
}

}  // namespace

TensorMapBytes start_of(const MapProgramCase& c, const spec::Readings& readings) {
  TensorMapBytes map{};
  gen::Random random(c.seed * 0x9e3779b97f4a7c15ull + 0x3a9);
  switch (c.start) {
    case MapStart::driver:
      return model::encode_tiled_map(c.map, readings);
    case MapStart::zeros:
      break;
    case MapStart::ones:
      map.fill(std::byte{0xff});
      break;
    case MapStart::random:
      for (std::byte& byte : map) byte = static_cast<std::byte>(random.next() >> 56);
      break;
    case MapStart::words:
      for (size_t i = 0; i < map.size(); ++i)
        map[i] = static_cast<std::byte>(c.words[i / 4] >> (8 * (i % 4)));
  }
  return map;
}

TensorMapBytes seen_by_copies(TensorMapBytes map, const spec::Readings& readings) {
  if (readings.arch() == spec::Arch::sm_90) {
    put_raw(map, spec::tensor_map::swizzle_atomicity, 0);
    put_raw(map, spec::tensor_map::swizzle_96B, 0);
  }
  return map;
}

TiledCase copy_of(const MapProgramCase& c, const MapUse& use, const TensorMapBytes& map) {
  TiledCase copy;
  copy.map = model::arguments_of(map).map.base;
  copy.coord = use.coord;
  copy.instruction_rank = use.rank;
  copy.tile_offset = c.tile_offset;
  copy.window_bytes = c.window_bytes;
  copy.fill_offset = c.fill_offset;
  return copy;
}

End end_of_use(const MapProgramCase& c, const MapUse& use, const TensorMapBytes& map,
               const spec::Readings& readings, spec::RuleSet& rules) {
  rules.set(rule("REPL-R22"));
  if (get_raw(map, spec::tensor_map::mode) != 0) {
    rules.set(rule("IM2C-R15"));
    return End::illegal_instruction;
  }
  const OfHardware hardware(readings);
  const spec::RuleSet broken = model::broken_rules_of_map(map, hardware);
  const bool interleaved = get_raw(map, spec::tensor_map::interleave) != 0;
  bool is_illegal = breaks(broken, illegal) || (!interleaved && breaks(broken, illegal_without_interleave));
  const bool is_misaligned = breaks(broken, misaligned);
  spec::RuleSet known;
  for (const auto& list : {std::span<const spec::RuleIndex>(illegal),
                           std::span<const spec::RuleIndex>(illegal_without_interleave),
                           std::span<const spec::RuleIndex>(misaligned)})
    for (const spec::RuleIndex r : list) known.set(r);
  if ((broken & ~known).any() && !is_illegal) return End::undefined;
  if (!is_illegal) {
    const End end = model::end_of_issue(copy_of(c, use, map), hardware, rules);
    if (is_misaligned && end != End::done) return End::undefined;
    if (end != End::done) return end;
  }
  if (is_illegal && is_misaligned) return End::undefined;
  if (is_illegal) return End::illegal_instruction;
  return is_misaligned ? End::misaligned_address : End::done;
}

MapMachine::MapMachine(const MapProgramCase& c, const spec::Readings& readings)
    : c_(c), readings_(readings), global_(start_of(c, readings)), shared_(global_) {
  if (c.in_shared) global_.fill(std::byte{params::map_area_fill});
}

std::vector<TensorMapBytes> MapMachine::may_be_found() const {
  std::vector<TensorMapBytes> found{global_};
  for (const TensorMapBytes& map : kept_)
    if (std::find(found.begin(), found.end(), map) == found.end()) found.push_back(map);
  return found;
}

void MapMachine::step(spec::RuleSet& rules) {
  const MapStep& s = c_.step[at_++];
  const model::Bend* const bend = readings_.bend();
  TensorMapBytes& edited = c_.in_shared ? shared_ : global_;
  if (s.is_replacement()) {
    if (c_.in_shared) rules.set(rule("REPL-R16"));
    model::MapReplacement what = s.replacement();
    what.in_shared = c_.in_shared;
    replace(edited, what, readings_, rules);
  } else if (s.is(MapOp::plain_address)) {
    put(edited, spec::tensor_map::global_address, s.value);
  } else if (s.is(MapOp::copy_fence)) {
    rules.set(rule("REPL-R17"));
    const TensorMapBytes before = global_;
    global_ = shared_;
    if (bend != nullptr && bend->maps.copied != nullptr) bend->maps.copied(before, global_);
  } else if (s.is(MapOp::acquire)) {
    const bool misses = bend != nullptr && bend->maps.misses_acquire != nullptr &&
                        bend->maps.misses_acquire(s.ordinal, s.scope);
    if (s.ordinal == 0 && !misses) kept_.clear();
  } else if (s.is(MapOp::use)) {
    kept_ = may_be_found();
    rules.set(kept_.size() == 1 ? rule("REPL-R18") : rule("REPL-R20"));
    rules.set(rule("REPL-R19")).set(rule("REPL-R21"));
  }
}

namespace {

struct Load {
  End end = End::done;
  uint32_t bytes = 0;  ///< signalled
};

Load predict_window(const MapProgramCase& c, const MapUse& use, const TensorMapBytes& found,
                    const spec::Readings& readings, std::span<const std::byte> arena,
                    std::span<std::byte> window, std::span<std::byte> defined, spec::RuleSet& rules) {
  const TensorMapBytes map = seen_by_copies(found, readings);
  std::copy_n(arena.begin() + static_cast<ptrdiff_t>(c.fill_offset), window.size(), window.begin());
  const End end = end_of_use(c, use, map, readings, rules);
  if (end != End::done) return {end, 0};
  const OfHardware hardware(readings);
  const model::TiledPrediction made =
      model::predict_load(copy_of(c, use, map), hardware, arena, window, defined);
  rules |= made.rules;
  if (made.all_defined) std::fill(defined.begin(), defined.end(), std::byte{0xff});
  return {made.end, made.transaction_bytes};
}

/// How a load ends through a map that a bend spoilt: by as many bytes as the barrier was not armed with. Maps
/// fault in many ways that are wrong, and one fault looks like another: it is not known what comes.
End end_by_bend(const MapProgramCase& c, const MapUse& use, const MapMachine& right,
                const spec::Readings& readings, const Load& bent, bool misreads) {
  if (misreads) return End::undefined;
  const TensorMapBytes map = seen_by_copies(right.global(), readings);
  spec::RuleSet unused;
  const End end = end_of_use(c, use, map, readings, unused);
  if (end != End::done) return bent.end;
  if (bent.end == End::illegal_instruction || bent.end == End::misaligned_address) return End::undefined;
  if (bent.end != End::done) return bent.end;
  const TiledCase copy = copy_of(c, use, map);
  const OfHardware hardware(readings);
  std::vector<std::byte> window(c.window_bytes);
  const uint32_t armed = model::predict_load(copy, hardware, arena(), window, {}).transaction_bytes;
  return bent.bytes == armed ? End::done : bent.bytes < armed ? End::never_completes : End::early_surplus;
}

}  // namespace

std::vector<AllowedWindow> allowed_windows(const MapMachine& machine, const MapProgramCase& c, uint32_t use,
                                           const spec::Readings& readings, std::span<const std::byte> arena) {
  std::vector<AllowedWindow> list;
  spec::RuleSet rules;
  for (const TensorMapBytes& map : machine.may_be_found()) {
    AllowedWindow window{std::vector<std::byte>(c.window_bytes), std::vector<std::byte>(c.window_bytes)};
    if (predict_window(c, c.use[use], map, readings, arena, window.bytes, window.defined, rules).end ==
        End::done)
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
  if (const spec::RuleSet broken = model::broken_map_rules(c.map, readings);
      c.start == MapStart::driver && broken.any()) {
    prediction.rules |= broken;
    prediction.end = End::rejected;
    return prediction;
  }
  const std::span<std::byte> snapshots = output.subspan(params::map_area_bytes);
  const size_t windows_at = params::map_area_bytes + size_t{128} * c.steps;
  if (c.uses != 0 && c.place % 128 != 0 && readings.chosen(question("TMA-AMB-22")) == 'B') {
    prediction.rules.set(rule("REPL-R21"));
    prediction.end = End::misaligned_address;
    return prediction;
  }
  const model::Bend* const bend = readings.bend();
  const bool misreads = bend != nullptr && bend->maps.misreads != nullptr &&
                        bend->maps.misreads(c.place, static_cast<uint32_t>(c.memory));
  // What barriers are armed with goes by the rules.
  const spec::Readings rules_alone = spec::Readings(readings).bend_by(nullptr);
  MapMachine machine(c, readings), right(c, rules_alone);
  spec::RuleSet unused;
  uint32_t use = 0;
  while (!machine.is_over()) {
    const uint32_t i = machine.at();
    if (!c.step[i].is(MapOp::use)) {
      machine.step(prediction.rules);
      if (bend != nullptr) right.step(unused);
      std::copy(machine.edited().begin(), machine.edited().end(), snapshots.begin() + 128 * i);
      continue;
    }
    const auto found = machine.may_be_found();
    const size_t at = windows_at + size_t{use} * c.window_bytes;
    const auto window = output.subspan(at, c.window_bytes), mask = defined.subspan(at, c.window_bytes);
    Load load = predict_window(c, c.use[use], found[0], readings, arena, window, mask, prediction.rules);
    if (bend != nullptr) load.end = end_by_bend(c, c.use[use], right, rules_alone, load, misreads);
    const End end = load.end;
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
  return prediction;
}

}  // namespace assay::suites
