// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/tally_json.h"

#include <nlohmann/json.hpp>

namespace assay::suites::scalar {
namespace {

using nlohmann::json;

json of_difference(const Difference& one) {
  return {{"opcode", one.opcode}, {"program", one.program},   {"line", one.line},
          {"module", one.module}, {"kernel", one.kernel},     {"index", one.index},
          {"thread", one.thread}, {"threads", one.threads},   {"left", one.left},
          {"right", one.right},   {"operands", one.operands}, {"second", one.is_second}};
}

Difference difference_of(const json& from) {
  Difference made;
  from.at("opcode").get_to(made.opcode);
  from.at("program").get_to(made.program);
  from.at("line").get_to(made.line);
  from.at("module").get_to(made.module);
  from.at("kernel").get_to(made.kernel);
  from.at("index").get_to(made.index);
  from.at("thread").get_to(made.thread);
  from.at("threads").get_to(made.threads);
  from.at("left").get_to(made.left);
  from.at("right").get_to(made.right);
  from.at("operands").get_to(made.operands);
  from.at("second").get_to(made.is_second);
  return made;
}

}  // namespace

json to_json(const Tally& tally) {
  json made = {{"programs", tally.programs},   {"instructions", tally.instructions},
               {"results", tally.results},     {"modules", tally.modules},
               {"refused", tally.refused},     {"differences", json::object()},
               {"approximate", json::object()}};
  for (const auto& [opcode, one] : tally.differences) {
    json examples = json::array();
    for (const Difference& example : one.examples) examples.push_back(of_difference(example));
    made["differences"][opcode] = {
        {"programs", one.programs}, {"threads", one.threads}, {"examples", examples}};
  }
  for (const auto& [opcode, one] : tally.approximate)
    made["approximate"][opcode] = {{"results", one.results}, {"differ", one.differ}, {"ulps", one.most_ulps}};
  return made;
}

Tally tally_from_json(const json& from) {
  Tally made;
  from.at("programs").get_to(made.programs);
  from.at("instructions").get_to(made.instructions);
  from.at("results").get_to(made.results);
  from.at("modules").get_to(made.modules);
  from.at("refused").get_to(made.refused);
  for (const auto& [opcode, one] : from.at("differences").items()) {
    Tally::OfOpcode& mine = made.differences[opcode];
    one.at("programs").get_to(mine.programs);
    one.at("threads").get_to(mine.threads);
    for (const json& example : one.at("examples")) mine.examples.push_back(difference_of(example));
  }
  for (const auto& [opcode, one] : from.at("approximate").items())
    made.approximate[opcode] = {one.at("results"), one.at("differ"), one.at("ulps")};
  return made;
}

}  // namespace assay::suites::scalar
