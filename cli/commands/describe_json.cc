// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/describe_json.h"

#include <nlohmann/json.hpp>

#include "cli/commands/describe_property.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "suites/run/exercised.h"
#include "suites/run/property.h"

namespace assay::cli {
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
