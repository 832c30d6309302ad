#include "suites/vectors/published.h"

#include <algorithm>

#include "reference/spec/arch.h"

namespace assay {
namespace {

constexpr std::string_view text =
#include <b200_published.inc>  // made from testdata/vectors/vectors_b200_published.csv
    ;

constexpr std::string_view source =
    "sf-tensor/tcgen05, tcgen05_model/validation.py at commit 6f19f227 (github.com/sf-tensor/tcgen05), MIT "
    "licence, copyright 2026 San Francisco Tensor Company: output words of tcgen05.mma on a B200";

}  // namespace

std::string_view published_b200_vectors() {
  return text;
}

std::vector<report::PublishedRow> published_rows(const VectorReport& file) {
  std::vector<report::PublishedRow> rows;
  for (const RowResult& result : file.rows) {
    const std::string instruction = result.kind.empty() ? "not readable" : result.kind;
    auto at = std::find_if(rows.begin(), rows.end(),
                           [&](const report::PublishedRow& row) { return row.instruction == instruction; });
    if (at == rows.end())
      at =
          rows.insert(rows.end(), {std::string(published_label), std::string(source), instruction, 0, 0, {}});
    ++at->results;
    if (result.verdict == RowVerdict::pass)
      ++at->agreeing;
    else if (at->differing.empty())
      at->differing = result.id + ": " + (result.detail.empty() ? "not compared" : result.detail);
  }
  return rows;
}

bool published_bears_on(const Device& device) {
  const auto arch = spec::parse_arch(device.identity().architecture);
  return arch && spec::is_sm_10x(*arch);
}

const std::vector<report::PublishedRow>& published_evidence() {
  static const std::vector<report::PublishedRow> rows =
      published_rows(check_vectors("vectors_b200_published.csv", text));
  return rows;
}

}  // namespace assay
