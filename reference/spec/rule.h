// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/spec/arch.h"
#include "reference/spec/field.h"

namespace assay::spec {

/// One table made of several, in their order.
template <typename Row, size_t... sizes>
constexpr auto joined(const std::array<Row, sizes>&... tables) {
  std::array<Row, (sizes + ...)> all{};
  size_t at = 0;
  const auto add = [&](const auto& rows) {
    for (const Row& row : rows) all[at++] = row;
  };
  (add(tables), ...);
  return all;
}

/// One testable sentence of the specification. Ids: V-nn for tensor-map arguments, MAP-Rnn for the map that
/// the encoder makes of them, TILE-Rnn for tiled copies, GATH-Rnn for those of four rows, IM2C-Rnn for
/// im2col ones, IM2W-Rnn for those along W alone, CTAG-Rnn for .cta_group, BULK-Rnn for bulk copies that are
/// not of tensors, REPL-Rnn for maps that kernels rewrite, TCP-Rnn for copies into tensor memory and shifts
/// within it, SMEM-, IDESC- and ZCM-Rnn for the descriptors of tensor cores, ADD-Rnn for their adder,
/// TMEM-Rnn for tensor memory, SCALE-Rnn for scale factors in it, MBAR-Rnn for mbarrier objects, SYNC-Rnn for
/// what has to be waited for, ASM-Rnn for assemblers, KIND-Rnn for mma.sync with a kind, CLC-Rnn for clusters
/// that are cancelled for others.
struct Rule {
  constexpr Rule() = default;
  constexpr Rule(std::string_view id, std::string_view words, std::array<Cite, 2> cites,
                 OnArch applies = from(0), std::string_view question = {})
      : id(id), words(words), cites(cites), applies(applies), question(question) {}

  std::string_view id, words;
  std::array<Cite, 2> cites{};
  OnArch applies{};
  std::string_view question;  ///< id of the open question that bears on it, or empty
};

using RuleIndex = uint16_t;
inline constexpr int max_rules = 512;
using RuleSet = std::bitset<max_rules>;

std::span<const Rule> rules();
std::optional<RuleIndex> find_rule(std::string_view id);

}  // namespace assay::spec
