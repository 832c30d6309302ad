// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "reference/spec/rule.h"
#include "reports/verdict.h"
#include "suites/run/property.h"

namespace assay::suites {

/// What one thread counts over a batch, before all of it is added to a PropertyRun at once: a state that is
/// written to the results file never counts half a batch.
struct BatchTally final : CoverageSink {
  /// Conforming cases of an aligned range of indexes.
  struct Block {
    uint64_t number = 0, conforming = 0, fingerprint = 0;
  };
  struct Failure {
    std::string signature, waiver;
    report::Verdict verdict{};
    uint64_t index = 0;
    bool has_row = false;
    spec::RuleSet rules;
  };
  struct Place {
    uint64_t cases = 0, failing = 0;
  };
  struct Hit {
    int space;
    uint32_t cell;
    uint64_t times;
  };

  static constexpr int block_bits = 12;
  /// Multiprocessors from here on are not told apart; no GPU has as many.
  static constexpr uint32_t most_places = 1024;

  void hit(int space, uint32_t cell, uint64_t times) override { hits.push_back({space, cell, times}); }

  void conform(uint64_t index, uint64_t fingerprint) {
    const uint64_t number = index >> block_bits;
    if (blocks.empty() || blocks.back().number != number) blocks.push_back({number, 0, 0});
    ++blocks.back().conforming;
    blocks.back().fingerprint += fingerprint;
  }

  /// A CTA of a case ran there.
  void ran_on(uint32_t sm) {
    if (sm >= most_places) return;
    if (places.size() <= sm) places.resize(sm + 1);
    ++places[sm].cases;
  }
  /// One that ran there failed.
  void failed_on(uint32_t sm) {
    if (sm < places.size()) ++places[sm].failing;
  }

  void count(report::Verdict verdict, uint64_t n = 1) { counts[static_cast<size_t>(verdict)] += n; }

  std::array<uint64_t, report::verdicts.size()> counts{};
  /// By rule: cases of which something was demanded, those that failed, those of which nothing was.
  std::array<uint32_t, spec::max_rules> exercised{}, failing{}, no_demand{};
  uint64_t bytes = 0;  ///< compared
  double host_seconds = 0, device_seconds = 0;
  std::vector<Hit> hits;
  std::vector<Block> blocks;
  std::vector<Failure> failures;
  std::vector<Place> places;
  std::vector<uint64_t> not_yet;  ///< positions in the slice whose verdict waits, ascending
};

}  // namespace assay::suites
