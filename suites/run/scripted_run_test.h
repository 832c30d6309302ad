// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <algorithm>

#include <filesystem>
#include <functional>

#include "reports/results.h"
#include "reports/scratch_test.h"
#include "suites/run/conductor.h"
#include "suites/run/scripted_device_test.h"

namespace assay::suites {

using report::Verdict;

/// What a run left.
struct Ran {
  RunResult result;
  report::Results results;
  uint64_t count(Verdict verdict) const {
    uint64_t sum = 0;
    for (const auto& property : results.devices.at(0).properties)
      sum += property.counts[static_cast<size_t>(verdict)];
    return sum;
  }
  std::vector<report::CaseRow> rows() const {
    std::vector<report::CaseRow> all;
    for (const auto& property : results.devices.at(0).properties)
      for (const auto& group : property.failures)
        all.insert(all.end(), group.examples.begin(), group.examples.end());
    return all;
  }
};

inline Ran run_scripted(const std::string& name, std::unique_ptr<ScriptedDevice> device,
                        std::vector<std::string> properties, uint64_t cases,
                        std::function<void(RunOptions&)> change = {}) {
  RunOptions options;
  options.properties = std::move(properties);
  options.cases = cases;
  options.seed = 11;
  options.threads = 2;
  options.out = report::scratch_path(name);
  if (change) change(options);
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::move(device));
  Ran ran;
  ran.result = run_on(options, std::move(devices));
  ran.results = report::read_results(ran.result.database, {100, 100});
  return ran;
}

/// A device that gets one thing wrong: the first byte of 64B-swizzled tiles. Whether it did.
inline bool lie_about_64B(const Case& any, RecordEnd& end, std::span<std::byte> output) {
  const auto* c = any.get_if<TensorCopyCase>();
  // The slot of a store may be shorter than what lies before its tile in shared memory.
  const bool lies = c != nullptr && c->map.swizzle == 2 && end.ended == Ended::done && !output.empty();
  if (lies) output[c->tile_offset % output.size()] ^= std::byte{0x40};
  return lies;
}

/// What must not depend on how a run was cut into pieces.
inline std::string essence(const std::filesystem::path& database) {
  report::Results results = report::read_results(database);
  std::string text = std::to_string(results.exit_code) + "\n";
  for (auto& property : results.devices.at(0).properties) {
    std::sort(property.rules.begin(), property.rules.end(),
              [](const auto& a, const auto& b) { return a.rule < b.rule; });
    text += property.info.name + " " + std::to_string(property.planned) + " " + property.totals.fingerprint;
    for (const uint64_t n : property.counts) text += " " + std::to_string(n);
    text += "\n";
    for (const auto& kind : property.kinds)
      text += " " + kind.signature + " " + std::to_string(kind.count) + "\n";
    for (const auto& rule : property.rules)
      text += " " + rule.rule + " " + std::to_string(rule.exercised) + " " + std::to_string(rule.violated) +
              " " + std::to_string(rule.suspected) + " " + std::to_string(rule.implicated) + "\n";
    uint64_t covered = 0;
    for (const auto& cell : property.coverage) covered += cell.count;
    for (const auto& range : property.ranges)
      text += " " + std::to_string(range.first) + ":" + std::to_string(range.conforming) + ":" +
              std::to_string(range.fingerprint);
    text += " cells " + std::to_string(covered) + "\n";
  }
  return text;
}

}  // namespace assay::suites
