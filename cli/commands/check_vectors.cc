// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "reports/text.h"
#include "suites/run/conductor.h"
#include "suites/scalar/oracle.h"
#include "suites/vectors/check_vectors.h"

namespace assay::cli {
namespace {

std::vector<std::string> files;
std::vector<std::string> check_vectors_wanted;
bool check_vectors_as_json = false;

nlohmann::json check_vectors_json_of(const VectorReport& report) {
  nlohmann::json object = {{"file", report.name}, {"ok", report.ok()}, {"rows", nlohmann::json::array()}};
  if (!report.problem.empty()) object["problem"] = report.problem;
  if (report.ran() != 0) object["ran"] = report.ran();
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
     .help = "check test vectors against the reference model",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("file", files, "files in one of the formats of testdata/vectors").required();
           line.option("--device", check_vectors_wanted,
                       "device, as in 'assay run --device', for the rows that its probes can run");
           line.flag("--json", check_vectors_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = check}};

suites::scalar::OracleOptions scalar_oracle_options;
double programs = 1e6;
std::vector<std::string> families;
std::string out;

int scalar_oracle() {
  if (!(programs >= 1 && programs <= 1e15))
    throw UsageError("--programs", "expected a number of programs from 1 to 1e15");
  scalar_oracle_options.programs = static_cast<uint64_t>(std::llround(programs));
  for (const std::string& name : families)
    for (const gen::scalar::Family family : gen::scalar::all_families)
      if (name_of(family) == name) scalar_oracle_options.families.push_back(family);
  const suites::scalar::OracleRun run = run_oracle(scalar_oracle_options);
  if (!out.empty()) {
    std::filesystem::create_directories(out);
    report::write_whole_file(std::filesystem::path(out) / "scalar-oracle.txt",
                             full_report(scalar_oracle_options, run));
  }
  std::cout << summary(scalar_oracle_options, run);
  if (run.tally.modules == 0) return could_not_run;
  return run.tally.differences.empty() && run.tally.refused.empty() && run.failures.empty() ? as_expected
                                                                                            : violation;
}

const Registered scalar_oracle_command{
    {.order = 75,
     .name = "scalar-oracle",
     .help = "run random programs of scalar instructions on two drivers and compare every result",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           std::vector<std::string> names;
           for (const gen::scalar::Family family : gen::scalar::all_families)
             names.emplace_back(name_of(family));
           line.option("--device", scalar_oracle_options.right, "cuda:N, or an emulator").shows_default();
           line.option("--against", scalar_oracle_options.left,
                       "device to compare with; 'emulator' means one of the same architecture")
               .shows_default();
           line.option("--programs", programs, "number of programs, such as 1e6").shows_default();
           line.option("--seed", scalar_oracle_options.seed, "programs are made from (seed, module) alone")
               .shows_default();
           line.option("--first-module", scalar_oracle_options.first_module,
                       "number of the first module, to rerun a single one")
               .shows_default();
           line.option("--family", families, "families of instructions to draw from; all if none is given")
               .one_of(names);
           line.option("--jobs", scalar_oracle_options.jobs, "number of processes (0: one per core)")
               .shows_default();
           line.option("--time", scalar_oracle_options.seconds,
                       "seconds after which no new module is started")
               .shows_default();
           line.option("--out", out, "folder for scalar-oracle.txt: every difference with its program");
         },
     .run = scalar_oracle}};

}  // namespace
}  // namespace assay::cli
