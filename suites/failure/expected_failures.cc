// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/expected_failures.h"

#include "reports/words.h"

namespace assay::suites {
namespace {

std::vector<std::string> ids(const spec::RuleSet& rules) {
  std::vector<std::string> names;
  for (size_t r = rules._Find_first(); r < spec::max_rules; r = rules._Find_next(r))
    names.emplace_back(spec::rules()[r].id);
  return names;
}

/// A failing kind and no way to say what it is.
bool is_collective(const std::string& signature) {
  return signature.ends_with("|further kinds");
}

}  // namespace

ExpectedFailures::ExpectedFailures(std::vector<report::Waiver> waivers,
                                   std::optional<report::Baseline> baseline, std::string today,
                                   std::filesystem::path absent)
    : waivers_(std::move(waivers)),
      baseline_(std::move(baseline)),
      today_(std::move(today)),
      absent_(std::move(absent)) {}

std::string ExpectedFailures::cover(const report::DeviceInfo& device, const Property& property,
                                    const std::string& signature, const spec::RuleSet& rules) const {
  if (is_collective(signature)) return {};
  if (!waivers_.empty()) {
    const std::vector<std::string> names = ids(rules);
    for (const report::Waiver& waiver : waivers_)
      if (!is_expired(waiver, today_) && is_for_device(waiver, device) &&
          covers(waiver, property.name, signature, names))
        return waiver.id;
  }
  if (baseline_ && baseline_->knows(device, property.name, signature)) return baseline_->name();
  return {};
}

std::vector<report::WaiverRow> ExpectedFailures::waivers(
    const report::DeviceInfo& device, const std::vector<std::unique_ptr<PropertyRun>>& runs) const {
  std::vector<report::WaiverRow> rows;
  for (const report::Waiver& waiver : waivers_) {
    if (!is_for_device(waiver, device)) continue;
    report::WaiverRow row{waiver.id, {}, waiver.reason, waiver.link, waiver.expires, "not tried", 0};
    bool all_complete = true;
    for (const auto& run : runs) {
      std::vector<std::string> rules;
      for (const report::RuleCount& rule : run->state().rules)
        if (rule.exercised != 0) rules.push_back(rule.rule);
      uint64_t covered = 0;
      for (const report::FailureKindRow& kind : run->kinds())
        if (kind.waiver == waiver.id) covered += kind.count;
      row.cases += covered;
      if (covered == 0 && !is_for_property(waiver, run->property().name, rules)) continue;
      if (run->judged() == 0) continue;
      if (row.property.empty()) row.property = run->property().name;
      all_complete &= run->complete;
    }
    if (is_expired(waiver, today_) && !row.property.empty())
      row.state = "expired";
    else if (row.cases != 0)
      row.state = "used";
    else if (!row.property.empty() && all_complete)
      row.state = "unneeded";
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ExpectedFailures::Change> ExpectedFailures::changes(
    const report::DeviceInfo& device, const std::vector<std::unique_ptr<PropertyRun>>& runs,
    uint64_t seed) const {
  std::vector<Change> changes;
  if (!absent_.empty())
    changes.push_back({"baseline", absent_.string() + " does not exist yet; all failures reported as new"});
  if (!baseline_) return changes;
  const std::string& name = baseline_->name();
  if (!baseline_->knows_device(device)) {
    changes.push_back({"baseline", "device not in " + name + "; all failures reported as new"});
    return changes;
  }
  uint64_t fresh = 0, known = 0, gone = 0, unseen = 0;
  for (const auto& run : runs) {
    const std::string property(run->property().name);
    const report::PropertyState state = run->state();
    for (const report::FailureKindRow& kind : state.kinds) {
      if (kind.waiver == name) ++known;
      if (kind.waiver == name &&
          baseline_->is_more_frequent(device, property, kind.signature, kind.count, run->judged()))
        changes.push_back({"more often than in the baseline",
                           kind.signature + ": " + std::to_string(kind.count) + " of " +
                               std::to_string(run->judged()) + " cases; a second cause?"});
      if (!report::fails(kind.verdict)) continue;
      ++fresh;
      changes.push_back({"new since the baseline", kind.signature});
    }
    if (!run->complete || run->judged() == 0) continue;
    for (const auto& [signature, absence] :
         baseline_->missing(device, property, seed, run->judged(), state.kinds)) {
      ++(absence.is_gone ? gone : unseen);
      if (absence.is_gone)
        changes.push_back({"gone since the baseline", signature});
      else
        changes.push_back({"in the baseline, not seen now", signature + ": " + absence.words});
    }
    const std::vector<std::string> bits = baseline_->changed_bits(device, property, seed, state.ranges);
    if (!bits.empty())
      changes.push_back(
          {"passed, output changed since the baseline",
           property + ": " + bits.front() +
               (bits.size() > 1 ? " and " + std::to_string(bits.size() - 1) + " more ranges" : "")});
  }
  changes.insert(
      changes.begin(),
      {"baseline", "failure signatures, compared with the " + name + ": " + std::to_string(fresh) + " new, " +
                       std::to_string(known) + " known, " + std::to_string(gone) + " gone" +
                       (unseen == 0 ? "" : ", " + std::to_string(unseen) + " not seen, perhaps by chance")});
  return changes;
}

ExpectedFailures read_expected_failures(const std::filesystem::path& waivers,
                                        const std::filesystem::path& baseline, std::string today) {
  std::vector<report::Waiver> read;
  if (!waivers.empty()) read = report::read_expectations(waivers);
  std::optional<report::Baseline> before;
  const bool is_there = std::filesystem::exists(baseline);
  if (is_there) before.emplace(baseline);
  return {std::move(read), std::move(before), std::move(today),
          is_there ? std::filesystem::path() : baseline};
}

namespace {

constexpr size_t most_told = 20;

}  // namespace

void SeenFailures::add(const Property& property, const Outcome& outcome, const CaseOrigin& origin) {
  if (!report::fails(outcome.verdict) || ++found_ > most_told) return;
  const report::CaseRow row = to_row(property, outcome, origin);
  lines_.push_back(std::string(report::shown(outcome.verdict)) + "  " + row.property + "  on " + row.device);
  lines_.push_back("   " + report::headline(row));
  // The file of a case that was drawn may not be there.
  lines_.push_back("   replay: " + (row.from_file ? row.replay
                                                  : replay_line(replay_id(property, origin), {}, row.device,
                                                                outcome.around)));
}

void SeenFailures::add(DeviceRun& run, uint64_t seed) {
  for (const auto& [signature, kind] : run.failures())
    for (const auto& property_run : run.properties()) {
      const Property& property = property_run->property();
      if (signature.starts_with(std::string(property.name) + "|"))
        add(property, kind.first, {run.device().identity().spec, seed, kind.first_index, {}, {}});
    }
}

std::vector<std::string> SeenFailures::lines() const {
  std::vector<std::string> all = lines_;
  if (found_ > most_told)
    all.push_back("and " + std::to_string(found_ - most_told) + " more failure signatures");
  return all;
}

}  // namespace assay::suites
