// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "reference/numerics/fast.h"
#include "reference/spec/arch.h"
#include "suites/vectors/check_vectors.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

constexpr std::string_view vectors_header[] = {
    "id",     "param_set",   "family", "kind", "K", "a_type", "b_type", "cd_type", "s_type",
    "sf_vec", "mix",         "a",      "b",    "c", "sfa",    "sfb",    "d",       "d_mmasim_checkout",
    "amb",    "silicon_sm90"};
constexpr std::string_view probes_header[] = {
    "id",         "property", "param_set", "targets", "kind", "K",           "a_type", "b_type",
    "cd_type",    "s_type",   "sf_vec",    "a",       "b",    "c",           "sfa",    "sfb",
    "hypotheses", "best",     "best_d",    "h200",    "note", "silicon_sm90"};

/// The same dot product by the vector code: a tile of one element.
uint64_t fast_dot(const numerics::Arithmetic& arithmetic, const numerics::Types& types,
                  const numerics::Dot& dot) {
  if (arithmetic.scheme == numerics::Scheme::chain)
    return numerics::fast_chain(arithmetic, dot.a, dot.b, dot.c);
  const std::vector<uint32_t> a(dot.a.begin(), dot.a.end()), b(dot.b.begin(), dot.b.end());
  const std::vector<uint8_t> scale_a(dot.scale_a.begin(), dot.scale_a.end());
  const std::vector<uint8_t> scale_b(dot.scale_b.begin(), dot.scale_b.end());
  const uint32_t c = static_cast<uint32_t>(dot.c);
  uint32_t d = 0;
  numerics::fast_tile(arithmetic, types, {1, 1, a, b, {&c, 1}, scale_a, scale_b, dot.scale_input_d}, {&d, 1});
  return d;
}

struct NumericsRow {
  const FileFormat& format;
  const CsvRow& row;
  std::string family, d;
  int scale_input_d = 0;
  bool b_is_masked = false;
  bool informative = false;
  const std::string& text(std::string_view column) const { return cell(format, row, column); }
};

void check_row(const NumericsRow& row, RowResult& result) {
  result.kind = row.text("param_set");
  const std::string& kind = row.text("kind");
  if (kind != "T-FDPA" && kind != "ST-FDPA" && kind != "GST-FDPA" && kind != "INT" && kind != "FMA-CHAIN") {
    result.verdict = RowVerdict::unknown_kind;
    result.detail = "'" + kind + "' is not a kind of dot product";
    return;
  }
  const int64_t k = parse_number("K", row.text("K"));
  if (k < 1 || k > 1024) throw RowError{"K of " + row.text("K") + " is not 1 to 1024"};
  numerics::Types types{&format_named(row.text("a_type")), &format_named(row.text("b_type")),
                        &format_named(row.text("cd_type")), static_cast<int>(k)};
  if (row.text("s_type") != "-") {
    types.scale = &format_named(row.text("s_type"));
    types.scale_block = narrow<int>("sf_vec", parse_number("sf_vec", row.text("sf_vec")));
    if (types.scale_block < 1) throw RowError{"sf_vec of " + row.text("sf_vec") + " is not positive"};
  }
  const bool saturates = result.kind.ends_with(".sat");
  const numerics::Instruction* instruction = numerics::find_instruction(row.family, types, saturates);
  if (instruction == nullptr) {
    result.verdict = RowVerdict::unknown_kind;
    result.detail = "no instruction of family " + row.family + " multiplies these types with this K";
    return;
  }
  const size_t count = static_cast<size_t>(types.k), scales = static_cast<size_t>(types.scale_count());
  const std::vector<uint64_t> a = codes("a", row.text("a"), count), c = codes("c", row.text("c"), 1);
  std::vector<uint64_t> b = codes("b", row.text("b"), count);
  if (row.b_is_masked) b.assign(count, 0);
  const std::vector<uint64_t> scale_a = codes("sfa", row.text("sfa"), scales);
  const std::vector<uint64_t> scale_b = codes("sfb", row.text("sfb"), scales);
  const numerics::Dot dot{a, b, c[0], scale_a, scale_b, row.scale_input_d};
  const std::string expected = hex_code(codes("d", row.d, 1)[0], *types.d);
  Differences differences;
  differences.compare("d, exact", expected,
                      hex_code(exact_dot(instruction->arithmetic, types, dot), *types.d));
  differences.compare("d, fast", expected, hex_code(fast_dot(instruction->arithmetic, types, dot), *types.d));
  result.detail = differences.text();
  result.verdict = row.informative         ? RowVerdict::informative
                   : result.detail.empty() ? RowVerdict::pass
                                           : RowVerdict::fail;
  if (row.informative)
    result.detail =
        result.detail.empty() ? "open question, the reference agrees" : "open question, " + result.detail;
}

void check_vector(const CsvRow& row, RowResult& result) {
  NumericsRow numerics{numerics_format, row, cell(numerics_format, row, "family"),
                       cell(numerics_format, row, "d")};
  numerics.informative = !cell(numerics_format, row, "amb").empty();
  check_row(numerics, result);
}

/// A probe is judged by the D of the hypothesis that the reference implements. One that no source backs
/// (silicon never ran it, and its note says so) is reported only.
void check_probe(const CsvRow& row, RowResult& result) {
  const std::string& set = cell(numerics_probes_format, row, "param_set");
  const std::string& property = cell(numerics_probes_format, row, "property");
  NumericsRow numerics{numerics_probes_format, row, set.substr(0, set.find_first_of(".,")),
                       cell(numerics_probes_format, row, "best_d")};
  numerics.scale_input_d = property.starts_with("scale-input-d n=1") ? 1 : 0;
  numerics.b_is_masked = property.find("zero-column mask") != std::string::npos;
  numerics.informative = cell(numerics_probes_format, row, "note").find("no source") != std::string::npos;
  check_row(numerics, result);
}

std::optional<RowCase> dot_as_case(const DotText& dot) {
  return dot.family == "tcgen05" ? tcgen05_dot_as_case(dot) : warp_dot_as_case(dot);
}

std::optional<RowCase> vector_as_case(const CsvRow& row) {
  const auto text = [&](std::string_view column) { return cell(numerics_format, row, column); };
  return dot_as_case({text("family"), text("param_set"), text("K"), text("a_type"), text("b_type"),
                      text("cd_type"), text("s_type"), text("sf_vec"), text("a"), text("b"), text("c"),
                      text("sfa"), text("sfb"), text("d")});
}

std::optional<RowCase> probe_as_case(const CsvRow& row) {
  const auto text = [&](std::string_view column) { return cell(numerics_probes_format, row, column); };
  const std::string property = text("property"), set = text("param_set");
  // The mask and the scale of D are other operands.
  if (property.starts_with("scale-input-d") || property.find("mask") != std::string::npos)
    throw NoCase{"known operands have neither a mask nor a scale of D"};
  return dot_as_case({set.substr(0, set.find_first_of(".,")),
                      set,
                      text("K"),
                      text("a_type"),
                      text("b_type"),
                      text("cd_type"),
                      text("s_type"),
                      text("sf_vec"),
                      text("a"),
                      text("b"),
                      text("c"),
                      text("sfa"),
                      text("sfb"),
                      {}});
}

}  // namespace

const FileFormat numerics_format{"dot products", vectors_header, check_vector, vector_as_case};
const FileFormat numerics_probes_format{"probes of the adder", probes_header, check_probe, probe_as_case};

// Dot products of nvf4 with ue4m3 scales that tell how many products are added before anything is cut
// (NUM-AMB-18): probes_nvf4_groups.csv. The answers come from a calculation, not from a device.

namespace {

constexpr std::string_view nvf4_groups_header[] = {
    "id", "a", "b", "c", "sfa", "sfb", "d_groups_of_4", "d_groups_of_16", "d_each_product"};

template <typename Code>
std::vector<Code> narrowed(const std::vector<uint64_t>& codes) {
  return std::vector<Code>(codes.begin(), codes.end());
}

void check_nvf4_groups(const CsvRow& row, RowResult& result) {
  const spec::Format &e2m1 = spec::format("e2m1"), &f32 = spec::format("f32"), &ue4m3 = spec::format("ue4m3");
  const numerics::Types types{&e2m1, &e2m1, &f32, 64, &ue4m3, 16};
  const auto listed = [&](std::string_view column, size_t count) {
    return codes(column, cell(nvf4_groups_format, row, column), count, 8);
  };
  const auto a = listed("a", 64), b = listed("b", 64), c = listed("c", 1);
  const auto scale_a = listed("sfa", 4), scale_b = listed("sfb", 4);
  result.kind = "groups of nvf4";
  Differences differences;
  numerics::Arithmetic arithmetic = numerics::find_instruction("tcgen05", types, false)->arithmetic;
  for (const auto& [column, terms] :
       {std::pair{"d_groups_of_16", 16}, std::pair{"d_groups_of_4", 4}, std::pair{"d_each_product", 1}}) {
    arithmetic.group_terms = terms;
    const std::string& expected = cell(nvf4_groups_format, row, column);
    differences.compare(std::string(column) + ", exact", expected,
                        hex_code(exact_dot(arithmetic, types, {a, b, c[0], scale_a, scale_b, 0}), 8));
    uint32_t d = 0;
    const auto value = static_cast<uint32_t>(c[0]);
    const auto a32 = narrowed<uint32_t>(a), b32 = narrowed<uint32_t>(b);
    const auto scale_a8 = narrowed<uint8_t>(scale_a), scale_b8 = narrowed<uint8_t>(scale_b);
    numerics::fast_tile(arithmetic, types, {1, 1, a32, b32, {&value, 1}, scale_a8, scale_b8, 0}, {&d, 1});
    differences.compare(std::string(column) + ", fast", expected, hex_code(d, 8));
  }
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

std::optional<RowCase> nvf4_as_case(const CsvRow& row) {
  const auto text = [&](std::string_view column) { return cell(nvf4_groups_format, row, column); };
  return tcgen05_dot_as_case({"tcgen05",
                              "nvf4",
                              "64",
                              "e2m1",
                              "e2m1",
                              "f32",
                              "ue4m3",
                              "16",
                              text("a"),
                              text("b"),
                              text("c"),
                              text("sfa"),
                              text("sfb"),
                              {}});
}

}  // namespace

const FileFormat nvf4_groups_format{"groups of products", nvf4_groups_header, check_nvf4_groups,
                                    nvf4_as_case};

}  // namespace assay::vectors

namespace assay {
namespace {

constexpr std::string_view text =
#include <b200_published.inc>  // made from testdata/vectors/vectors_b200_published.csv
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
    "id,kind,confidence,params,expected,notes,silicon\n"
    "PB001,TXB,published,case=b4x16_p64 load;box=128|256|2,tx=32768,,published by others\n";

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
        published_rows(check_vectors("vectors_b200_published.csv", text));
    for (report::PublishedRow& row :
         published_rows(check_vectors("bytes of a B300", bytes_text), bytes_of_b300))
      rows.push_back(std::move(row));
    return rows;
  }();
  return all;
}

}  // namespace assay
