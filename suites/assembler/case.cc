// SPDX-License-Identifier: Apache-2.0
#include "suites/assembler/case.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "kernels/forms/expand.h"

namespace assay::suites {
namespace {

bool is_taken(const AssemblerCase& c, spec::Arch arch) {
  return forms::spellings(c.table).legality(c.number, target_of(arch)) != forms::Legality::illegal;
}

/// The nth of `count` in an order that depends on the seed. Neighbours in a table are alike: a step near the
/// golden section takes one from everywhere.
uint64_t mixed(uint64_t nth, uint64_t count, uint64_t seed) {
  uint64_t step = count * 618 / 1000 | 1;
  while (std::gcd(step, count) != 1) step += 2;
  return (nth * (step % count) + seed % count) % count;
}

}  // namespace

nlohmann::json to_json(const AssemblerCase& c) {
  const forms::Spellings& all = forms::spellings(c.table);
  return {{"family", all.table().family->name}, {"choices", all.choices(c.number)}};
}

nlohmann::json assembler_case_schema() {
  return {
      {"type", "object"},
      {"properties",
       {{"family", {{"type", "string"}}}, {"choices", {{"type", "array"}, {"items", {{"type", "string"}}}}}}},
      {"required", {"family", "choices"}}};
}

AssemblerCase assembler_case_from_json(const nlohmann::json& json) {
  const auto family = json.find("family"), choices = json.find("choices");
  if (family == json.end() || !family->is_string() || choices == json.end() || !choices->is_array())
    throw std::runtime_error("a spelling is a family and its choices");
  const std::string name = family->get<std::string>();
  const auto table = forms::find_spelling_table(name);
  if (!table) throw std::runtime_error("there is no family of spellings '" + name + "'");
  std::vector<std::string> texts;
  for (const nlohmann::json& choice : *choices) {
    if (!choice.is_string()) throw std::runtime_error("the choices of a spelling are texts");
    texts.push_back(choice.get<std::string>());
  }
  const auto number = forms::spellings(*table).find(texts);
  if (!number) throw std::runtime_error("the family '" + name + "' has no spelling with these choices");
  return {*table, *number};
}

forms::Targets target_of(spec::Arch arch) {
  const std::string name = std::string(spec::name(arch)) + "a";
  for (const forms::TargetName& row : forms::target_names)
    if (row.name == name) return row.target;
  throw std::logic_error("no kernels are built for " + name);
}

const std::vector<AssemblerCase>& asked_by(std::string_view property, spec::Arch arch) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, spec::Arch>, std::vector<AssemblerCase>> made;
  const std::scoped_lock lock(mutex);
  const auto [entry, is_new] = made.try_emplace({std::string(property), arch});
  if (!is_new) return entry->second;
  const std::span<const forms::SpellingTable> tables = forms::spelling_tables();
  for (uint32_t table = 0; table < tables.size(); ++table)
    if (tables[table].property == property)
      for (const uint32_t number : forms::spellings(table).asked(target_of(arch)))
        entry->second.push_back({table, number});
  std::stable_partition(entry->second.begin(), entry->second.end(),
                        [&](const AssemblerCase& c) { return is_taken(c, arch); });
  return entry->second;
}

AssemblerCase asked_at(std::string_view property, spec::Arch arch, uint64_t seed, uint64_t index) {
  const std::vector<AssemblerCase>& all = asked_by(property, arch);
  const auto refused =
      std::partition_point(all.begin(), all.end(), [&](const AssemblerCase& c) { return is_taken(c, arch); });
  const auto taken_count = static_cast<uint64_t>(refused - all.begin());
  const uint64_t count = all.size(), refused_count = count - taken_count;
  const uint64_t shorter = std::min(taken_count, refused_count), i = index % count;
  const bool takes = i < 2 * shorter ? i % 2 == 0 : taken_count > refused_count;
  const uint64_t nth = i < 2 * shorter ? i / 2 : i - shorter;
  return takes ? all[mixed(nth, taken_count, seed)] : all[taken_count + mixed(nth, refused_count, seed)];
}

}  // namespace assay::suites
