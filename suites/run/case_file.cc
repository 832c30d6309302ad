// SPDX-License-Identifier: Apache-2.0
#include "suites/run/case_file.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "suites/failure/explain.h"
#include "suites/failure/replay.h"

namespace assay::suites {

namespace {

/// Far more than any case takes.
constexpr uint64_t most_bytes = 16u << 20;

uint64_t number_at(const nlohmann::json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_number_unsigned())
    throw std::runtime_error('"' + std::string(key) + "\" must be a number from 0 on");
  return at->get<uint64_t>();
}

const std::string& text_at(const nlohmann::json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_string())
    throw std::runtime_error('"' + std::string(key) + "\" must be a text");
  return at->get_ref<const std::string&>();
}

Surroundings parse_surroundings(const nlohmann::json& json) {
  Surroundings around;
  if (json.contains("readings")) around.readings = parse_readings(text_at(json, "readings"));
  if (json.contains("copies")) around.copies = checked_copies(number_at(json, "copies"));
  if (const auto batch = json.find("batch"); batch != json.end()) {
    if (!batch->is_object()) throw std::runtime_error("\"batch\" must be an object");
    around.batch = parse_batch(text_at(*batch, "indexes"));
    place(around.batch, number_at(*batch, "seed"), number_at(*batch, "index"));
  }
  return around;
}

nlohmann::json batch_json(const Neighbours& batch) {
  return {{"indexes", batch_text(batch)}, {"seed", batch.seed}, {"index", batch.index}};
}

}  // namespace

CaseFile case_of_json(const nlohmann::json& json, const std::string& name) {
  if (!json.is_object()) throw std::runtime_error(name + " is not a case file: it holds no JSON object");
  if (!json.contains("property") || !json["property"].is_string())
    throw std::runtime_error(name + " is not a case file: it names no \"property\"");
  if (!json.contains("case")) throw std::runtime_error(name + " is not a case file: it has no \"case\"");
  CaseFile read;
  const std::string property = json["property"].get<std::string>();
  read.property = find_property(property);
  if (read.property == nullptr)
    throw std::runtime_error(name + ": this program has no property '" + property + "'");
  try {
    read.what = read.property->family().from_json(json["case"]);
    read.around = parse_surroundings(json);
  } catch (const std::exception& error) {
    throw std::runtime_error(name + ": " + error.what());
  }
  return read;
}

CaseFile parse_case(const std::string& text, const std::string& name) {
  return case_of_json(nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false), name);
}

nlohmann::json case_file_schema(const Property& property) {
  const nlohmann::json text = {{"type", "string"}}, number = {{"type", "integer"}, {"minimum", 0}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "a case of " + std::string(property.name)},
          {"type", "object"},
          {"properties",
           {{"property", {{"const", property.name}}},
            {"case", property.family().schema()},
            {"readings", text},
            {"copies", number},
            {"batch",
             {{"type", "object"},
              {"properties", {{"indexes", text}, {"seed", number}, {"index", number}}},
              {"required", {"indexes", "seed", "index"}}}},
            {"seen", {{"type", "object"}}}}},
          {"required", {"property", "case"}}};
}

CaseFile read_case_file(const std::filesystem::path& file) {
  std::error_code problem;
  const auto status = std::filesystem::status(file, problem);
  // A pipe or a device may never end.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw std::runtime_error(file.string() + " is not a case file: it is not a regular file");
  if (const auto bytes = std::filesystem::file_size(file, problem); !problem && bytes > most_bytes)
    throw std::runtime_error(file.string() + " is not a case file: it has more than " +
                             std::to_string(most_bytes >> 20) + " MiB");
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) throw std::runtime_error("cannot read the case file " + file.string());
  return parse_case(text.str(), file.string());
}

void write_case_file(const std::filesystem::path& file, const Property& property, const Case& c,
                     const Surroundings& around, const report::CaseRow& seen) {
  nlohmann::json json;
  json["property"] = property.name;
  json["case"] = property.family().to_json(c);
  if (!around.readings.empty()) json["readings"] = readings_text(around.readings);
  if (around.copies > 1) json["copies"] = around.copies;
  if (around.batch.count > 1) json["batch"] = batch_json(around.batch);
  json["seen"] = {{"message", seen.message},
                  {"expected", seen.expected_end},
                  {"observed", seen.observed_end},
                  {"device", seen.device},
                  {"replay", seen.replay}};
  std::ofstream out(file);
  out << json.dump(1) << '\n';
  if (!out) throw std::runtime_error("cannot write the case file " + file.string());
}

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
