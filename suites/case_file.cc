#include "suites/case_file.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace assay::suites {

CaseFile parse_case(const std::string& text, const std::string& name) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
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
  } catch (const std::exception& error) {
    throw std::runtime_error(name + ": " + error.what());
  }
  return read;
}

CaseFile read_case_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) throw std::runtime_error("cannot read the case file " + file.string());
  return parse_case(text.str(), file.string());
}

void write_case_file(const std::filesystem::path& file, const Property& property, const Case& c,
                     const report::CaseRow& seen) {
  nlohmann::json json;
  json["property"] = property.name;
  json["case"] = property.family().to_json(c);
  json["seen"] = {{"message", seen.message},
                  {"expected", seen.expected_end},
                  {"observed", seen.observed_end},
                  {"device", seen.device},
                  {"replay", seen.replay}};
  std::ofstream out(file);
  out << json.dump(1) << '\n';
  if (!out) throw std::runtime_error("cannot write the case file " + file.string());
}

}  // namespace assay::suites
