// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/program_model.h"

#include <algorithm>
#include <vector>

#include "reference/model/rig.h"
#include "reference/model/tensor_map/arguments.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::question;
using spec::rule;
using spec::TensorMapBytes;

/// Readings with what the hardware lets through that the driver does not: any number of bytes, any
/// interleaved box, swizzled tensors on any 16 bytes and strides of any size where an encoder wants more, an
/// im2col map whose extent of 2^31 (h200, L-03) the driver adds to a corner in 32 bits.
/// What is looked at here counts as looked at in those that it was made of.
class OfHardware {
 public:
  explicit OfHardware(const spec::Readings& of) : of_(of), made_(of) {
    made_.forget_consulted();
    for (const spec::QuestionIndex one : of_driver) made_.choose(one, 'A');
  }
  OfHardware(const OfHardware&) = delete;
  ~OfHardware() {
    for (size_t i = 0; i < spec::question_table.size(); ++i)
      if (made_.consulted()[i] && std::ranges::find(of_driver, i) == std::ranges::end(of_driver))
        (void)of_.chosen(static_cast<spec::QuestionIndex>(i));
  }
  operator const spec::Readings&() const { return made_; }

 private:
  static constexpr spec::QuestionIndex of_driver[] = {question("X-01"), question("X-07"), question("X-08"),
                                                      question("TMA-AMB-17"), question("TMA-AMB-20")};
  const spec::Readings& of_;
  spec::Readings made_;
};

/// Rules of the encoder that were seen to be the hardware's too, by the fault that breaking them has (h200,
/// sections 9 and 12; MF-01 to MF-03).
/// V-34, M-10: an empty pixel box has no start inside of it.
constexpr spec::RuleIndex illegal[] = {rule("V-02"), rule("V-03"), rule("V-04"),
                                       rule("V-14"), rule("V-21"), rule("V-23"),
                                       rule("V-27"), rule("V-34"), rule("TILE-R25")};
constexpr spec::RuleIndex illegal_without_interleave[] = {rule("V-16"), rule("V-35")};
constexpr spec::RuleIndex misaligned[] = {rule("V-05"), rule("V-06")};

bool breaks(const spec::RuleSet& broken, std::span<const spec::RuleIndex> rules) {
  return std::any_of(rules.begin(), rules.end(), [&](spec::RuleIndex r) { return broken[r]; });
}

/// Whether the map has a type, a rank, and the dimension that an interleaved one counts slices in. Where the
/// rule that forbids others is left out, nothing says what a copy by them moves.
bool is_countable(const TensorMapBytes& map) {
  const TensorMapArgs m = arguments_of(map).map;
  const uint32_t least_rank = m.interleave != 0 ? 2 : 1;
  return spec::find_data_type(m.data_type) != nullptr && m.rank >= least_rank && m.rank <= spec::max_rank;
}

}  // namespace

TensorMapBytes seen_by_copies(TensorMapBytes map, const MapUse& use, const spec::Readings& readings) {
  namespace bits = spec::tensor_map;
  if (spec::capability(readings.arch()) < 100) {
    put_raw(map, bits::swizzle_atomicity, 0);
    put_raw(map, bits::swizzle_96B, 0);
  }
  if (!use.is_load()) {
    const auto code = static_cast<uint32_t>(get_raw(map, bits::type));
    if (spec::find_data_type_by_code(code, true) == nullptr) put_raw(map, bits::tf32, 0);
    put_raw(map, bits::fill, 0);
  }
  return map;
}

TensorCopyCase copy_of(const MapProgramCase& c, const MapUse& use, const TensorMapBytes& map) {
  TensorCopyCase copy;
  copy.map = arguments_of(map).map;
  if (use.is_im2col()) copy.mode = CopyMode::im2col, copy.offset = use.offset;
  if (use.instruction == MapInstruction::add) copy.reduction = TensorReduction::add;
  copy.coord = use.coord;
  copy.instruction_rank = use.rank;
  copy.tile_offset = c.tile_offset;
  copy.window_bytes = c.window_bytes;
  copy.fill_offset = c.fill_offset;
  copy.slot_bytes = c.slot_bytes;
  copy.slot_fill_offset = c.slot_fill_offset;
  if (!use.is_load()) copy.direction = CopyDirection::store;
  return copy;
}

End end_of_use(const MapProgramCase& c, const MapUse& use, const TensorMapBytes& map,
               const spec::Readings& readings, spec::RuleSet& rules) {
  rules.set(rule("REPL-R22"));
  if ((get_raw(map, spec::tensor_map::mode) != 0) != use.is_im2col()) {
    rules.set(rule("IM2C-R15"));
    return End::illegal_instruction;
  }
  const OfHardware hardware(readings);
  const spec::RuleSet broken =
      broken_rules_of_map(map, hardware, use.is_load() ? CopyDirection::load : CopyDirection::store);
  const bool interleaved = get_raw(map, spec::tensor_map::interleave) != 0;
  bool is_illegal = breaks(broken, illegal) || (!interleaved && breaks(broken, illegal_without_interleave));
  const bool is_misaligned = breaks(broken, misaligned);
  spec::RuleSet known;
  for (const auto& list : {std::span<const spec::RuleIndex>(illegal),
                           std::span<const spec::RuleIndex>(illegal_without_interleave),
                           std::span<const spec::RuleIndex>(misaligned)})
    for (const spec::RuleIndex r : list) known.set(r);
  if ((broken & ~known).any() && !is_illegal) return End::undefined;
  if (!is_illegal && !is_countable(map)) return End::undefined;
  if (!is_illegal) {
    const End end = end_of_issue(copy_of(c, use, map), hardware, rules);
    if (is_misaligned && end != End::done) return End::undefined;
    if (end != End::done) return end;
  }
  if (is_illegal && is_misaligned) return End::undefined;
  if (is_illegal) return End::illegal_instruction;
  return is_misaligned ? End::misaligned_address : End::done;
}

UseOutcome predict_use(const MapProgramCase& c, const MapUse& use, const TensorMapBytes& found,
                       const spec::Readings& readings, const UseMemory& memory, spec::RuleSet& rules) {
  const TensorMapBytes map = seen_by_copies(found, use, readings);
  const std::span<std::byte> window = memory.window, window_defined = memory.window_defined;
  std::copy_n(memory.arena.begin() + static_cast<ptrdiff_t>(c.fill_offset), window.size(), window.begin());
  const End end = end_of_use(c, use, map, readings, rules);
  if (end != End::done) return {end, 0};
  const OfHardware hardware(readings);
  CopyPrediction made;
  if (use.is_load()) {
    const std::span<const std::byte> from = memory.slot.empty() ? memory.arena : memory.slot;
    made = predict_load(copy_of(c, use, map), hardware, from, window, window_defined);
    if (made.all_defined) std::fill(window_defined.begin(), window_defined.end(), std::byte{0xff});
    // What the load brings of bytes of which nothing is known, nobody asks.
    if (std::find(memory.slot_defined.begin(), memory.slot_defined.end(), std::byte{0}) !=
        memory.slot_defined.end())
      std::fill(window_defined.begin(), window_defined.end(), std::byte{0});
  } else {
    std::vector<std::byte> defined(memory.slot.size(), std::byte{0xff});
    made = predict_store(copy_of(c, use, map), hardware, window, memory.slot, defined);
    for (size_t i = 0; i < memory.slot_defined.size() && !made.all_defined; ++i)
      memory.slot_defined[i] &= defined[i];
  }
  rules |= made.rules;
  return {made.end, made.transaction_bytes};
}

uint32_t armed_bytes(const MapProgramCase& c, const MapUse& use, const TensorMapBytes& found,
                     const spec::Readings& readings) {
  if (!use.is_load()) return 0;
  const TensorMapBytes map = seen_by_copies(found, use, readings);
  spec::RuleSet rules;
  if (end_of_use(c, use, map, readings, rules) != End::done) return 0;
  const std::span<const std::byte> from =
      c.slot_bytes == 0 ? arena() : arena().subspan(c.slot_fill_offset, c.slot_bytes);
  std::vector<std::byte> window(c.window_bytes);
  const OfHardware hardware(readings);
  return predict_load(copy_of(c, use, map), hardware, from, window, {}).transaction_bytes;
}

}  // namespace assay::model
