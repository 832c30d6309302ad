// SPDX-License-Identifier: Apache-2.0
// Any text as a file of test vectors: every row gets a verdict, and the report can be shown. A row that
// passes passes again.
#include "suites/vectors/check_vectors.h"

#include "fuzz/target.h"
#include "fuzz/text_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  ++fuzz::counts().inputs;
  const VectorReport report = check_vectors("vectors.csv", {reinterpret_cast<const char*>(data), size});
  fuzz::require(!report.text().empty(), "a report has words");
  if (!report.problem.empty()) {
    fuzz::require(report.rows.empty() && !report.ok(), "a file that cannot be read has no verdicts");
    return 0;
  }
  ++fuzz::counts().past_parser;
  for (const RowResult& row : report.rows) {
    fuzz::require(row.verdict == RowVerdict::pass || !row.detail.empty(), "what does not pass says why");
    uint32_t kind = 0;
    for (const char c : row.kind) kind = kind * 31 + static_cast<uint8_t>(c);
    fuzz::hit_cell(kind % 1024 * 8 + static_cast<uint32_t>(row.verdict));
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_text(data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  return assay::fuzz::cross_texts(one, one_size, other, other_size, out, max_size, seed);
}
