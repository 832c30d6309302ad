// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/chain.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/numerics/fast.h"

namespace assay {

static std::string what_is_wrong(const ScreenCase&) {
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

/// The lines of a block, as what each instruction of the four takes of them: codes are lines of k.
struct ChainBlock {
  std::vector<uint32_t> of_instruction[4];
};

/// Chunks of 16 bytes of a line lie where the exclusive-or with the line's number says (PTX ISA, Swizzling
/// modes: 128 bytes).
ChainBlock read_chain_block(std::span<const uint32_t> window, uint32_t first_byte, uint32_t lines,
                            uint32_t bits) {
  ChainBlock block;
  const uint32_t per_word = 32 / bits, k = 8 * per_word;
  for (std::vector<uint32_t>& codes : block.of_instruction) codes.resize(size_t{lines} * k);
  for (uint32_t line = 0; line < lines; ++line)
    for (uint32_t word = 0; word < chain_k_bytes / 4; ++word) {
      const uint32_t chunk = (word / 4) ^ (line % 8);
      const uint32_t value = window[(first_byte + line * chain_k_bytes) / 4 + chunk * 4 + word % 4];
      split_word(value, bits, &block.of_instruction[word / 8][line * k + word % 8 * per_word]);
    }
  return block;
}

/// Operands of the case that this thread looked at last: six tiles share them.
struct KeptBlocks {
  ScreenCase of;
  bool altered = false;
  std::vector<ChainBlock> a, b;
};

const KeptBlocks& chain_operands(const ScreenCase& c, bool altered, const PatternWords& words) {
  thread_local KeptBlocks kept;
  if (!kept.a.empty() && kept.of == c && kept.altered == altered) return kept;
  kept = {c, altered, {}, {}};
  std::vector<uint32_t> window(screen_window_bytes / 4);
  const std::span<uint32_t> all(window);
  words.range(c.a_fill, 0, all.first(screen_split / 4));
  words.range(c.b_fill, screen_split / 4, all.subspan(screen_split / 4));
  if (altered) window[c.planted_word] ^= c.planted_bits;
  const uint32_t bits = element_bits(chain_types(c.kind).a);
  for (uint32_t i = 0; i < 3; ++i)
    kept.a.push_back(read_chain_block(window, i * 64 * chain_k_bytes, 64, bits));
  for (uint32_t i = 0; i < 2; ++i)
    kept.b.push_back(read_chain_block(window, screen_split + i * 256 * chain_k_bytes, 256, bits));
  return kept;
}

}  // namespace

spec::RuleSet chain_rules(const ScreenCase& c) {
  spec::RuleSet rules;
  rules.set(spec::rule("SMEM-R13"));
  rules.set(c.kind == ScreenKind::s8 ? spec::rule("ADD-R20") : spec::rule("ADD-R16"));
  return rules;
}

void predict_chain(const ScreenCase& c, uint32_t tile, bool altered, const PatternWords& words,
                   std::span<uint32_t> d) {
  const KeptBlocks& operands = chain_operands(c, altered, words);
  const MmaTypes types = chain_types(c.kind);
  const numerics::Types numeric = numeric_types(types, wgmma_k(types));
  const numerics::Instruction* const row = numerics::find_instruction("wgmma", numeric, false);
  constexpr size_t size = size_t{64} * 256;
  thread_local std::vector<uint32_t> old(size), made(size);
  std::fill(made.begin(), made.end(), c.c);
  for (uint32_t step = 0; step < c.blocks; ++step)
    for (size_t i = 0; i < 4; ++i) {
      std::swap(old, made);
      const numerics::Tile one{.m = 64,
                               .n = 256,
                               .a = operands.a[(tile + step) % 3].of_instruction[i],
                               .b = operands.b[(tile + step) % 2].of_instruction[i],
                               .c = old};
      numerics::fast_tile(row->arithmetic, numeric, one, made);
    }
  registers_of_matrix({32, 16, false}, std::span<const uint32_t>(made), d);
}

ASSAY_CASE_JSON(ScreenCase);

}  // namespace model
}  // namespace assay
