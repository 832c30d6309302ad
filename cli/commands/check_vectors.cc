// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/check_vectors.h"

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "suites/run/conductor.h"

namespace assay::cli {
namespace {

std::vector<std::string> files;
std::vector<std::string> check_vectors_wanted;
bool check_vectors_as_json = false;

nlohmann::json check_vectors_json_of(const VectorReport& report) {
  nlohmann::json object = {{"file", report.name}, {"ok", report.ok()}, {"rows", nlohmann::json::array()}};
  if (!report.problem.empty()) object["problem"] = report.problem;
  if (report.ran != 0) object["ran"] = report.ran;
  for (const RowResult& row : report.rows) {
    object["rows"].push_back({{"line", row.line},
                              {"id", row.id},
                              {"kind", row.kind},
                              {"verdict", name(row.verdict)},
                              {"detail", row.detail},
                              {"ran", row.ran}});
    if (!row.left_out.empty()) object["rows"].back()["left_out"] = row.left_out;
  }
  return object;
}

int check() {
  if (check_vectors_wanted.size() > 1) throw std::runtime_error("check-vectors takes one device at a time");
  std::unique_ptr<Device> device;
  for (const std::string& spec :
       check_vectors_wanted.empty() ? check_vectors_wanted : devices_named(check_vectors_wanted))
    if (device == nullptr) device = open_device(spec, suites::limits_for(1));
  int code = as_expected;
  nlohmann::json document = {{"format", "assay-vectors/1"}, {"files", nlohmann::json::array()}};
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
      std::cerr << "assay: cannot read the vector file " << file << "\n";
      code = could_not_run;
      continue;
    }
    const VectorReport report = check_vectors(file, text.str(), device.get());
    if (check_vectors_as_json)
      document["files"].push_back(check_vectors_json_of(report));
    else
      std::cout << report.text();
    if (!report.ok() && code == as_expected) code = report.problem.empty() ? violation : could_not_run;
  }
  if (check_vectors_as_json) print_json(document);
  return code;
}

const Registered check_vectors_command{
    {.order = 50,
     .name = "check-vectors",
     .help = "check test vectors (CSV) against the reference model",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("file", files, "files in one of the formats of testdata/vectors").required();
           line.option("--device", check_vectors_wanted,
                       "device, as in 'assay run --device', for the rows that its probes can run");
           line.flag("--json", check_vectors_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = check}};

}  // namespace
}  // namespace assay::cli
