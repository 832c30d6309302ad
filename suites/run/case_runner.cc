// SPDX-License-Identifier: Apache-2.0
#include "suites/run/case_runner.h"

#include "suites/failure/explain.h"

namespace assay::suites {

std::optional<uint64_t> place_output(const Family& family, const Case& c, uint64_t used, uint64_t capacity) {
  const uint64_t alignment = family.output_alignment();
  const uint64_t offset = (used + alignment - 1) / alignment * alignment;
  if (offset + family.output_bytes(c) > capacity) return std::nullopt;
  return offset;
}

Outcome run_case_file(CaseRunner& runner, const CaseFile& read, const std::filesystem::path& file) {
  try {
    return runner.run(*read.property, {&read.what, 1}).front();
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

std::vector<Outcome> CaseRunner::run(const Property& property, std::span<const Case> cases,
                                     std::string_view name) {
  const Family& family = property.family();
  std::vector<Outcome> outcomes;
  while (outcomes.size() < cases.size()) {
    Batch& batch = device_.acquire();
    batch.family = family.name();
    batch.is_sacrifice = property.is_sacrificial();
    const size_t first = outcomes.size();
    std::vector<uint64_t> offsets;
    uint64_t used = 0;
    for (size_t i = first;
         i < cases.size() && (offsets.size() + 1) * family.record_bytes() <= batch.records.size(); ++i) {
      if (family.batch_key(cases[i]) != family.batch_key(cases[first])) break;
      const auto offset = place_output(family, cases[i], used, batch.output.size());
      if (!offset) break;
      family.write_record(cases[i], *offset, judge_.defaults(),
                          batch.records.data() + offsets.size() * family.record_bytes());
      used = *offset + family.output_bytes(cases[i]);
      offsets.push_back(*offset);
    }
    if (offsets.empty()) {
      device_.release(batch);
      throw std::invalid_argument("a case of " + std::string(property.name) +
                                  " needs more output than a batch holds");
    }
    batch.count = static_cast<uint32_t>(offsets.size());
    try {
      device_.submit(batch);
      device_.wait(batch);
    } catch (...) {
      device_.release(batch);
      throw;
    }
    for (size_t k = 0; k < offsets.size(); ++k) {
      const Case& c = cases[first + k];
      const Observation seen{batch.ends[k], batch.output.subspan(offsets[k], family.output_bytes(c))};
      const Judgement judgement = judge_.judge(
          family, c, seen, [&] { return name.empty() ? case_id(property, c) : std::string(name); });
      outcomes.push_back(outcome_of(property, c, judgement, seen, batch.notes));
      if (explains_ && judgement.verdict == report::Verdict::violates)
        outcomes.back().blame =
            assay::suites::explain(family, c, judged_by(arch_, judgement.judged_by), seen);
    }
    device_.release(batch);
  }
  return outcomes;
}

}  // namespace assay::suites
