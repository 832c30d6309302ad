// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/describe_property.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "suites/run/field_coverage.h"
#include "suites/run/property.h"

namespace assay::cli {
namespace {

constexpr uint64_t asked_cases = 64;

std::string range(uint32_t least, uint32_t most) {
  return std::to_string(least) + (least == most ? "" : " to " + std::to_string(most));
}

}  // namespace

LaunchedKernels kernels_of(const suites::Property& property) {
  LaunchedKernels found;
  const suites::Family& family = property.family();
  if (family.record_bytes() == 0) return found;
  for (const spec::Arch arch : spec::all_archs)
    if (property.declines == nullptr || !property.declines(arch)) {
      found.arch = arch;
      break;
    }
  std::vector<std::byte> record(family.record_bytes());
  for (; found.cases < asked_cases; ++found.cases) {
    suites::Case c;
    property.generate(1, property.name, found.cases, found.arch, c);
    family.write_record(c, 0, spec::Readings(found.arch), record.data());
    const std::optional<suites::Launch> launch = family.launch(record);
    if (!launch || launch->kernel.empty()) continue;
    auto at = std::find_if(found.kernels.begin(), found.kernels.end(), [&](const LaunchedKernel& one) {
      return one.file == launch->file && one.kernel == launch->kernel;
    });
    if (at == found.kernels.end())
      at = found.kernels.insert(
          at, {launch->file, launch->kernel, launch->threads, launch->threads, launch->cluster_size,
               launch->cluster_size, launch->shared_bytes, launch->shared_bytes});
    at->least_threads = std::min(at->least_threads, launch->threads);
    at->most_threads = std::max(at->most_threads, launch->threads);
    at->smallest_cluster = std::min(at->smallest_cluster, launch->cluster_size);
    at->largest_cluster = std::max(at->largest_cluster, launch->cluster_size);
    at->least_shared_bytes = std::min(at->least_shared_bytes, launch->shared_bytes);
    at->most_shared_bytes = std::max(at->most_shared_bytes, launch->shared_bytes);
  }
  return found;
}

bool describe_property(std::string_view name, std::ostream& out) {
  const suites::Property* property = suites::find_property(name);
  if (property == nullptr) return false;
  out << property->name << "\n  claim     " << property->claim << "\n  rules    ";
  const std::vector<std::string> rules = suites::rules_exercised_by(*property, suites::most_counted);
  for (const std::string& rule : rules) out << ' ' << rule;
  if (rules.empty()) out << " none exercised";
  out << " in the first " << suites::most_counted << " cases\n";
  for (const suites::CellSpace& space : property->spaces)
    out << "  coverage  " << space.dimension << ", " << space.count << " cells\n";
  const LaunchedKernels launched = kernels_of(*property);
  for (const LaunchedKernel& one : launched.kernels)
    out << "  kernel    " << one.kernel << " (" << one.file << "), "
        << range(one.least_threads, one.most_threads) << " threads, cluster size "
        << range(one.smallest_cluster, one.largest_cluster) << ", "
        << range(one.least_shared_bytes, one.most_shared_bytes)
        << " bytes of dynamic shared memory in the first " << launched.cases << " cases on "
        << spec::name(launched.arch) << "\n";
  if (property->most_on_silicon != 0)
    out << "  limit     with --cases at most " << property->most_on_silicon << " cases on silicon, "
        << property->most_on_emulator
        << " on the emulator: " << (property->is_sacrificial() ? "each costs a process" : "they are slow")
        << "; by time, no limit\n";
  return true;
}

std::vector<std::string_view> properties_of_rule(std::string_view rule) {
  std::vector<std::string_view> names;
  const std::optional<size_t> index = spec::find_rule(rule);
  if (!index) return names;
  for (const suites::Property* property : suites::all_properties())
    if (suites::exercises(*property, *index)) names.push_back(property->name);
  return names;
}

namespace {

using nlohmann::json;
using namespace assay::spec;

json of(std::span<const Cite> cites) {
  json list = json::array();
  for (const Cite& cite : cites)
    if (!cite.document.empty()) list.push_back({{"document", cite.document}, {"place", cite.place}});
  return list;
}

json of(const Rule& rule) {
  json architectures = json::array();
  for (int i = 0; i < arch_count; ++i)
    if (rule.applies[i]) architectures.push_back(name(static_cast<Arch>(i)));
  json object = {{"kind", "rule"},
                 {"name", rule.id},
                 {"words", rule.words},
                 {"sources", of(rule.cites)},
                 {"architectures", architectures},
                 {"exercised_by", properties_of_rule(rule.id)}};
  if (!rule.question.empty()) object["question"] = rule.question;
  return object;
}

json of(const Question& question) {
  json object = {{"kind", "question"},        {"name", question.id},
                 {"words", question.words},   {"sources", of(question.cites)},
                 {"readings", json::array()}, {"defaults", json::object()}};
  for (int i = 0; i < question.reading_count(); ++i)
    object["readings"].push_back(
        {{"letter", std::string(1, question.readings[i].letter)}, {"words", question.readings[i].words}});
  for (int i = 0; i < arch_count; ++i)
    object["defaults"][std::string(name(static_cast<Arch>(i)))] = {
        {"letter", std::string(1, question.default_for[i])}, {"settled_on_silicon", question.settled[i]}};
  if (!question.is_decidable()) object["undecidable"] = question.undecidable;
  if (!question.published.empty()) object["published_by_others"] = question.published;
  return object;
}

json of(const suites::Property& property) {
  json object = {{"kind", "property"},
                 {"name", property.name},
                 {"claim", property.claim},
                 {"rules", suites::rules_exercised_by(property, suites::most_counted)},
                 {"coverage", json::array()}};
  for (const suites::CellSpace& space : property.spaces)
    object["coverage"].push_back({{"dimension", space.dimension}, {"cells", space.count}});
  object["kernels"] = json::array();
  for (const LaunchedKernel& one : kernels_of(property).kernels)
    object["kernels"].push_back({{"name", one.kernel},
                                 {"file", one.file},
                                 {"threads", {one.least_threads, one.most_threads}},
                                 {"cluster_size", {one.smallest_cluster, one.largest_cluster}},
                                 {"dynamic_shared_bytes", {one.least_shared_bytes, one.most_shared_bytes}}});
  return object;
}

}  // namespace

std::optional<json> description(std::string_view name) {
  if (const auto rule = find_rule(name)) return of(rules()[*rule]);
  if (const auto question = find_question(name)) return of(questions()[*question]);
  if (const suites::Property* property = suites::find_property(name)) return of(*property);
  return std::nullopt;
}

}  // namespace assay::cli
