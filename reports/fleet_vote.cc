// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet_vote.h"

#include <map>

namespace assay::report {
namespace {

/// What a device did with a property, as text to be compared; nothing where it did not run to its end.
std::string ballot(const PropertyResult& property) {
  if (!property.totals.complete || property.cases() == 0) return {};
  std::string text = std::to_string(property.planned);
  for (const FailureKindRow& kind : property.kinds)
    if (kind.verdict != Verdict::flaky && (fails(kind.verdict) || kind.verdict == Verdict::waived))
      text += "\n" + kind.signature;
  // By budget each device gets as far as it gets.
  if (property.planned != 0) text += "\n" + property.totals.fingerprint;
  return text;
}

}  // namespace

std::vector<std::string> odd_ones_out(const Results& results) {
  // Kind of device and property -> ballot -> devices.
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::vector<size_t>>> votes;
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const DeviceResult& device = results.devices[d];
    for (const PropertyResult& property : device.properties)
      if (const std::string vote = ballot(property); !vote.empty())
        votes[{device.info.evidence + " " + device.info.name, property.info.name}][vote].push_back(d);
  }
  std::map<size_t, std::string> odd;
  for (const auto& [what, by_ballot] : votes) {
    size_t all = 0, most = 0;
    for (const auto& [vote, devices] : by_ballot)
      all += devices.size(), most = std::max(most, devices.size());
    if (all < 3 || 2 * most <= all) continue;
    for (const auto& [vote, devices] : by_ballot)
      if (devices.size() != most)
        for (const size_t d : devices) odd[d] += (odd[d].empty() ? "" : ", ") + what.second;
  }
  std::vector<std::string> sentences;
  for (const auto& [d, properties] : odd) {
    const DeviceInfo& info = results.devices[d].info;
    sentences.push_back(info.spec + (info.uuid.empty() ? "" : " (" + info.uuid + ")") +
                        " is the odd one out among equal devices: " + properties);
  }
  return sentences;
}

}  // namespace assay::report
