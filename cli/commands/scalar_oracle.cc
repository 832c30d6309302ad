// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/oracle.h"

#include <cmath>
#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "reports/whole_file.h"

namespace assay::cli {
namespace {

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
