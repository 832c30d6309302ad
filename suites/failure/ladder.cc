// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/ladder.h"

#include <algorithm>
#include <optional>

#include "suites/run/many_at_once.h"

namespace assay::suites {
namespace {

constexpr uint32_t times_each = 3;

/// Runs of a case of which a multiprocessor took part, and those of them that it got wrong.
struct Tried {
  uint32_t of = 0, wrong = 0;
  std::string words() const {
    if (of == 0) return "did not run there";
    return std::to_string(wrong) + " of " + std::to_string(of) + " times wrong";
  }
};

Tried tried(CaseRunner& runner, const Property& property, const Case& what, uint32_t sm) {
  Tried made;
  for (const Outcome& outcome : runner.run(property, std::vector<Case>(times_each, what))) {
    const auto bytes = std::as_bytes(std::span(outcome.observed));
    const auto has = [&](bool wrong) {
      const std::vector<uint32_t> sms = property.family().multiprocessors(bytes, wrong);
      return std::ranges::find(sms, sm) != sms.end();
    };
    made.of += has(false), made.wrong += has(true);
  }
  return made;
}

}  // namespace

std::vector<std::string> climb(CaseRunner& runner, const Property& property, const Outcome& failure) {
  const Family& family = property.family();
  const auto bytes = std::as_bytes(std::span(failure.observed));
  const std::vector<uint32_t> wrong = family.multiprocessors(bytes, true),
                              all = family.multiprocessors(bytes, false);
  const auto* const many = dynamic_cast<const ManyAtOnce*>(&family);
  if (wrong.empty() || many == nullptr) return {};
  const uint32_t sm = wrong[0];
  const std::vector<LadderStep> steps = many->ladder(failure.what, sm);
  std::vector<std::string> lines;
  const auto on = [](uint32_t number) { return "on multiprocessor " + std::to_string(number); };
  try {
    std::optional<std::string_view> least;
    std::string ladder = "ladder " + on(sm) + ": ";
    for (size_t i = 0; i < steps.size(); ++i) {
      const Tried seen = tried(runner, property, steps[i].what, sm);
      ladder += (i == 0 ? "" : "; ") + std::string(steps[i].name) + " " + seen.words();
      if (seen.wrong != 0 && !least) least = steps[i].name;
      if (i + 2 != steps.size()) continue;
      std::string repeated = "repeated at once: " + on(sm) + " alone " + seen.words();
      const auto other = std::ranges::find_if(
          all, [&](uint32_t ran) { return std::ranges::find(wrong, ran) == wrong.end(); });
      if (other != all.end())
        repeated += "; " + on(*other) + " alone " +
                    tried(runner, property, many->ladder(failure.what, *other)[i].what, *other).words();
      lines.push_back(repeated);
    }
    lines.push_back(ladder);
    lines.push_back(least ? "the least that is wrong again: " + std::string(*least)
                          : "nothing was wrong again");
  } catch (const DeviceError& lost) {
    lines.push_back(std::string("the device was lost when the case was repeated: ") + lost.what());
  }
  return lines;
}

}  // namespace assay::suites
