// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/spec/arch.h"
#include "suites/vectors/check_vectors.h"

namespace assay {
namespace {

constexpr std::string_view text =
#include <b200_published.inc>  // made from testdata/vectors/vectors_b200_published.jsonl
    ;

constexpr PublishedFile words_of_b200{
    published_label,
    "sf-tensor/tcgen05, tcgen05_model/validation.py at commit 6f19f227 (github.com/sf-tensor/tcgen05), MIT "
    "licence, copyright 2026 San Francisco Tensor Company: output words of tcgen05.mma on a B200"};

/// What a wait for padded 4-bit elements expected when it ended (TMA-AMB-33); with the padded bytes, 65536,
/// it never did.
constexpr PublishedFile bytes_of_b300{
    "published by others, sm_103",
    "a public kernel's waits on a B300: bytes that a copy of padded 4-bit elements signals"};
constexpr std::string_view bytes_text =
    R"({"id":"PB001","kind":"TXB","property":"tma.tiled.load","on":["sm_103"],"measured":{"tx":32768},)"
    R"("case":{"instruction_rank":3,"map":{"box_dim":[128,256,2,0,0],"data_type":14,)"
    R"("element_stride":[1,1,1,0,0],"global_dim":[128,256,2,0,0],"global_stride":[64,16384,0,0],"rank":3},)"
    R"("window_bytes":66560}})";

}  // namespace

std::string_view published_b200_vectors() {
  return text;
}

std::vector<report::PublishedRow> published_rows(const VectorReport& report) {
  return published_rows(report, words_of_b200);
}

std::vector<report::PublishedRow> published_rows(const VectorReport& file, const PublishedFile& of) {
  std::vector<report::PublishedRow> rows;
  for (const RowResult& result : file.rows) {
    const std::string instruction = result.kind.empty() ? "not readable" : result.kind;
    auto at = std::find_if(rows.begin(), rows.end(),
                           [&](const report::PublishedRow& row) { return row.instruction == instruction; });
    if (at == rows.end())
      at = rows.insert(rows.end(), {std::string(of.label), std::string(of.source), instruction, 0, 0, {}});
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
  return arch && spec::has_tcgen05(*arch);
}

const std::vector<report::PublishedRow>& published_evidence() {
  static const std::vector<report::PublishedRow> all = [] {
    std::vector<report::PublishedRow> rows =
        published_rows(check_vectors("vectors_b200_published.jsonl", text));
    for (report::PublishedRow& row :
         published_rows(check_vectors("bytes of a B300", bytes_text), bytes_of_b300))
      rows.push_back(std::move(row));
    return rows;
  }();
  return all;
}

}  // namespace assay
