// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Which rules failing cases are blamed on, and the words for it: the same in a terminal, in JUnit, in HTML,
/// in a summary and in a replay.
namespace assay::report {

/// A rule that explains failing cases: altered so, the reference does what the device did.
struct Suspect {
  std::string rule;
  std::string words;  ///< of the alteration: goes on after "as if "
  bool operator==(const Suspect&) const = default;
};

/// How well a rule explains them, next to the others: from certain_strength on it gives everything that came
/// out; below, it comes the closer the more it has, summed over the cases.
struct Weight {
  Suspect suspect;
  uint64_t strength = 0;
  bool operator==(const Weight&) const = default;
};
inline constexpr uint64_t certain_strength = 2'000'000;

/// What explains all cases that failed in one way: one rule, or each of several.
struct Blame {
  bool was_sought = false;        ///< false: nothing is known
  std::vector<Suspect> suspects;  ///< none: no single rule explains them
  std::vector<Weight> weights =
      {};  ///< of all that explain them, the suspects and those that do so less well
  /// The only rule that explains them: that is violated.
  const Suspect* culprit() const { return suspects.size() == 1 ? &suspects.front() : nullptr; }
  bool operator==(const Blame&) const = default;
};

/// "violates TILE-R04 (as if B / E were rounded down)", "one of TILE-R04 (...), TILE-R19 (...)",
/// "unexplained; exercises TILE-R01 TILE-R02". Empty where there is nothing to say.
std::string words(const Blame&, const std::vector<std::string>& exercised);

/// Those of the weights that have most.
std::vector<Suspect> strongest(const std::vector<Weight>&);

/// What explains the cases of both: weighed again where both tell how well each rule does.
Blame both(const Blame&, const Blame&);

/// As it is stored: empty where nothing was sought, else a line a suspect, "RULE words", or "-" for none.
std::string stored(const Blame&);
Blame parse_blame(std::string_view stored);
/// Its weights: a line each, "RULE strength words".
std::string stored_weights(const Blame&);
std::vector<Weight> parse_weights(std::string_view stored);

/// A failure signature for people: "tma.tiled.load|done|never completes" is "tma.tiled.load: expected to
/// complete, barrier never completed". What follows a colon after it stays. Text of another form is given
/// back as it is.
std::string signature_words(std::string_view signature);

}  // namespace assay::report
