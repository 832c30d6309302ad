// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/chain.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "reference/layout/fragments.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/numerics/fast.h"

namespace assay {

static std::string what_is_wrong(const ScreenCase& c) {
  if (c.turns.part == ScreenPart::loads) return "chains read no global memory.";
  if (c.turns.part != ScreenPart::whole && c.planted != PlantedFault::none)
    return "no fault is planted in a part of a load.";
  if (c.planted == PlantedFault::partial_sum && (c.planted_step < 1 || c.planted_step >= c.blocks))
    return "a partial sum is planted behind at least one step and before the last.";
  return {};
}

namespace model {
namespace {

constexpr uint32_t chain_k_bytes = 128;  ///< of a block

MmaTypes chain_types(ScreenKind kind) {
  switch (kind) {
    case ScreenKind::bf16:
      return {MmaElement::bf16, MmaElement::bf16, MmaAccumulator::f32};
    case ScreenKind::f16:
      return {MmaElement::f16, MmaElement::f16, MmaAccumulator::f32};
    case ScreenKind::tf32:
      return {MmaElement::tf32, MmaElement::tf32, MmaAccumulator::f32};
    case ScreenKind::e4m3:
      return {MmaElement::e4m3, MmaElement::e4m3, MmaAccumulator::f32};
    case ScreenKind::s8:
      break;
  }
  return {MmaElement::s8, MmaElement::s8, MmaAccumulator::s32};
}

/// Where operands lie in shared memory, and of what D they are.
struct ChainShape {
  std::string_view arithmetic;  ///< numerics::Instruction::family
  uint32_t m, n, a_bytes, b_begin, b_bytes;
};
ChainShape chain_shape(ScreenUnit unit) {
  if (unit == ScreenUnit::tcgen05) return {"tcgen05", 128, 128, 128 * 128, 3 * 128 * 128, 128 * 128};
  return {unit == ScreenUnit::mma_sync ? "mma_sm90" : "wgmma", 64, 256, 64 * 128, screen_split, 256 * 128};
}

/// The lines of a block, as what each instruction takes of them: codes are lines of k.
using ChainBlock = std::vector<std::vector<uint32_t>>;

/// Chunks of 16 bytes of a line lie where the exclusive-or with the line's number says (PTX ISA, Swizzling
/// modes: 128 bytes). An instruction takes `piece` bytes.
ChainBlock read_chain_block(std::span<const uint32_t> window, uint32_t first_byte, uint32_t lines,
                            uint32_t bits, uint32_t piece) {
  ChainBlock block(chain_k_bytes / piece);
  const uint32_t per_word = 32 / bits, words = piece / 4, k = words * per_word;
  for (std::vector<uint32_t>& codes : block) codes.resize(size_t{lines} * k);
  for (uint32_t line = 0; line < lines; ++line)
    for (uint32_t word = 0; word < chain_k_bytes / 4; ++word) {
      const uint32_t chunk = (word / 4) ^ (line % 8);
      const uint32_t value = window[(first_byte + line * chain_k_bytes) / 4 + chunk * 4 + word % 4];
      split_word(value, bits, &block[word / words][line * k + word % words * per_word]);
    }
  return block;
}

/// Operands of the case that this thread looked at last: six tiles share them.
struct KeptBlocks {
  ScreenCase of;
  bool altered = false;
  std::vector<ChainBlock> a, b;
  std::vector<uint16_t> met;  ///< of a sparse A
};

const KeptBlocks& chain_operands(const ScreenCase& c, bool altered, const PatternWords& words) {
  thread_local KeptBlocks kept;
  if (!kept.a.empty() && kept.of == c && kept.altered == altered) return kept;
  kept = {c, altered, {}, {}, {}};
  const std::vector<uint32_t> window = chain_window(c, altered, words);
  const MmaTypes types = chain_types(c.kind);
  const uint32_t bits = element_bits(types.a);
  const ChainShape shape = chain_shape(c.unit);
  const bool is_sparse = c.unit == ScreenUnit::wgmma_sparse;
  for (uint32_t i = 0; i < 3; ++i)
    kept.a.push_back(read_chain_block(window, i * shape.a_bytes, shape.m, bits, 32));
  for (uint32_t i = 0; i < 2; ++i)
    kept.b.push_back(
        read_chain_block(window, shape.b_begin + i * shape.b_bytes, shape.n, bits, is_sparse ? 64 : 32));
  if (!is_sparse) return kept;
  std::array<uint32_t, screen_threads> metadata{};
  words.metadata(chain_metadata(c), metadata);
  const int k = wgmma_k(types);
  SparseRows(layout::sparsity_of(*numeric_types(types, k).a, true), static_cast<int>(bits), k, 0, metadata,
             nullptr)
      .places(kept.met);
  return kept;
}

}  // namespace

std::vector<uint32_t> chain_window(const ScreenCase& c, bool altered, const PatternWords& words) {
  std::vector<uint32_t> window(screen_window_bytes / 4);
  const std::span<uint32_t> all(window);
  words.range(c.a_fill, 0, all.first(screen_split / 4));
  words.range(c.b_fill, screen_split / 4, all.subspan(screen_split / 4));
  if (altered && c.planted == PlantedFault::operand) window[c.planted_word] ^= c.planted_bits;
  return window;
}

spec::RuleSet chain_rules(const ScreenCase& c) {
  spec::RuleSet rules;
  if (c.turns.part != ScreenPart::whole) return rules;
  rules.set(spec::rule("SMEM-R13"));
  rules.set(c.kind == ScreenKind::s8 ? spec::rule("ADD-R20") : spec::rule("ADD-R16"));
  return rules;
}

SparseA chain_metadata(const ScreenCase& c) {
  // All codes that there are: of one of two the first and the second, of two of four any two.
  return {.present = true,
          .seed = c.metadata_seed,
          .codes = c.kind == ScreenKind::tf32 ? 0x4e4ee44e : 0x84ed9c84};
}

std::pair<uint32_t, uint32_t> place_of_register(ScreenUnit unit, uint32_t thread, uint32_t number) {
  if (unit == ScreenUnit::tcgen05) return {thread, number};
  return {thread / 32 * 16 + thread % 32 / 4 + number % 4 / 2 * 8,
          number / 4 * 8 + thread % 4 * 2 + number % 2};
}

void predict_chain(const ScreenCase& c, uint32_t tile, bool altered, const PatternWords& words,
                   std::span<uint32_t> d) {
  const KeptBlocks& operands = chain_operands(c, altered, words);
  const MmaTypes types = chain_types(c.kind);
  const numerics::Types numeric = numeric_types(types, wgmma_k(types));
  const ChainShape shape = chain_shape(c.unit);
  const numerics::Instruction* const row = numerics::find_instruction(shape.arithmetic, numeric, false);
  const size_t size = size_t{shape.m} * shape.n;
  thread_local std::vector<uint32_t> old, made;
  old.resize(size);
  made.assign(size, c.c);
  const bool alters = altered && c.planted == PlantedFault::partial_sum;
  const auto [wrong_row, wrong_column] = place_of_register(c.unit, c.planted_thread, c.planted_register);
  for (uint32_t step = 0; step < c.blocks; ++step) {
    if (alters && step == c.planted_step) made[wrong_row * shape.n + wrong_column] ^= c.planted_bits;
    for (uint32_t i = 0; i < 4; ++i) {
      std::swap(old, made);
      // Beside a sparse A two instructions take all of a block of B.
      const bool is_sparse = !operands.met.empty();
      const ChainBlock& b = operands.b[(tile + step + (is_sparse ? i / 2 : 0)) % 2];
      const numerics::Tile one{.m = static_cast<int>(shape.m),
                               .n = static_cast<int>(shape.n),
                               .a = operands.a[(tile + step) % 3][i],
                               .b = b[is_sparse ? i % 2 : i],
                               .c = old,
                               .met = operands.met,
                               .stored_k = is_sparse ? 2 * numeric.k : 0};
      numerics::fast_tile(row->arithmetic, numeric, one, made);
    }
  }
  if (c.unit == ScreenUnit::tcgen05)
    std::copy(made.begin(), made.end(), d.begin());
  else
    registers_of_matrix({32, 16, false}, std::span<const uint32_t>(made), d);
}

ASSAY_CASE_JSON(ScreenCase);

}  // namespace model
}  // namespace assay
