#include "suites/vectors/check_vectors.h"

#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/command.h"

namespace assay::cli {
namespace {

std::vector<std::string> files;

int check() {
  int code = as_expected;
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
      std::cerr << "assay: cannot read the vector file " << file << "\n";
      code = could_not_run;
      continue;
    }
    const VectorReport report = check_vectors(file, text.str());
    std::cout << report.text();
    if (!report.ok() && code == as_expected) code = report.problem.empty() ? violation : could_not_run;
  }
  return code;
}

const Registered command{
    {.order = 50,
     .name = "check-vectors",
     .help = "test vectors (CSV) against the reference model",
     .declare =
         [](CommandLine& line) {
           line.option("file", files, "files in one of the formats of testdata/vectors").required();
         },
     .run = check}};

}  // namespace
}  // namespace assay::cli
