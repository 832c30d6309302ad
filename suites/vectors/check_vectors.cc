// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/check_vectors.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include "reports/verdict.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

constexpr VectorKind kinds[] = {
    {"SWZ", check_swizzle},
    {"SWZBASE", check_swizzle_base},
    {"TILE", check_tile, tile_as_case},
    {"STORE", check_store, store_as_case},
    {"TXB", check_transaction_bytes},
    {"PACK", check_packed},
    {"DESC", check_descriptor},
    {"VAL", check_validity, validity_as_case},
    {"I2C", check_im2col, im2col_as_case},
    {"I2W", check_wide, wide_as_case},
    {"I2W128", check_wide_128, wide_128_as_case},
    {"G4", check_gather, gather_as_case},
    {"RED", check_reduction},
};

constexpr std::string_view sheet_header[] = {"id",       "kind",  "confidence", "params",
                                             "expected", "notes", "silicon"};

void require_all_used(const Pairs& pairs, std::string_view column) {
  const std::vector<std::string> unused = pairs.unused();
  if (!unused.empty())
    throw RowError{"the key " + unused[0] + " of " + std::string(column) + " is not one of this kind"};
}

constexpr const char* no_probe = "no probe has a case for it";

/// What `make` makes of a row, run.
template <typename Make>
RowRun run_on(RowRunner& runner, Make make) {
  try {
    const auto what = make();
    return what ? runner.run(*what) : RowRun{false, no_probe};
  } catch (const NoCase& none) {
    return {false, none.why};
  }
}

void take(const RowRun& run, VectorReport& report, RowResult& result) {
  result.ran = run.ran;
  report.ran += run.ran;
  if (!run.ran) {
    result.left_out = run.text;
  } else if (!run.text.empty()) {
    result.verdict = RowVerdict::fail;
    result.detail = run.text;
  }
}

void judge(const CsvRow& row, const VectorKind& kind, RowRunner* runner, VectorReport& report,
           RowResult& result) {
  try {
    const Pairs params(row.cells[3]), expected(row.cells[4]);
    Differences differences;
    kind.check({params, expected}, differences);
    require_all_used(params, "params");
    require_all_used(expected, "expected");
    const bool gates = row.cells[2] != "unverified" || row.cells[6] != "not run";
    result.detail = differences.text();
    result.verdict = !gates                  ? RowVerdict::informative
                     : result.detail.empty() ? RowVerdict::pass
                                             : RowVerdict::fail;
    if (!gates)
      result.detail =
          result.detail.empty() ? "unconfirmed, the reference agrees" : "unconfirmed, " + result.detail;
    if (runner == nullptr || result.verdict == RowVerdict::fail) return;
    if (kind.as_case == nullptr) return take({false, no_probe}, report, result);
    const Pairs again(row.cells[3]);
    take(run_on(*runner, [&] { return kind.as_case({again, expected}, runner->arch()); }), report, result);
  } catch (const RowError& error) {
    result.verdict = RowVerdict::malformed;
    result.detail = error.message;
  }
}

/// A file with columns of its own.
void check_rows(const FileFormat& format, const std::vector<CsvRow>& rows, RowRunner* runner,
                VectorReport& report) {
  for (size_t i = 1; i < rows.size(); ++i) {
    RowResult result;
    result.line = rows[i].line;
    result.id = rows[i].cells[0];
    if (rows[i].cells.size() != format.header.size()) {
      result.detail = "the row has " + std::to_string(rows[i].cells.size()) + " cells instead of " +
                      std::to_string(format.header.size());
    } else {
      try {
        format.check(rows[i], result);
        if (runner != nullptr && result.verdict == RowVerdict::pass) {
          if (format.as_case == nullptr)
            take({false, no_probe}, report, result);
          else
            take(run_on(*runner, [&] { return format.as_case(rows[i]); }), report, result);
        }
      } catch (const RowError& error) {
        result.verdict = RowVerdict::malformed;
        result.detail = error.message;
      }
    }
    report.rows.push_back(std::move(result));
  }
}

}  // namespace

const spec::Format& format_named(const std::string& name) {
  const spec::Format* format = spec::find_format(name);
  if (format == nullptr) throw RowError{"'" + name + "' is not an element format"};
  return *format;
}

const VectorKind* find_kind(std::string_view name) {
  const auto at =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const VectorKind& k) { return k.name == name; });
  return at == std::end(kinds) ? nullptr : at;
}

}  // namespace assay::vectors

namespace assay {

std::string_view name(RowVerdict verdict) {
  switch (verdict) {
    case RowVerdict::pass:
      return "pass";
    case RowVerdict::fail:
      return "fail";
    case RowVerdict::informative:
      return "informative";
    case RowVerdict::unknown_kind:
      return "unknown kind";
    case RowVerdict::malformed:
      return "malformed";
  }
  return "?";
}

VectorReport check_vectors(std::string_view file, std::string_view text, Device* device) {
  VectorReport report;
  report.name = file;
  const std::vector<CsvRow> rows = parse_csv(text);
  if (rows.empty()) {
    report.problem =
        "the file is empty; its first line would be id,kind,confidence,params,expected,notes,silicon";
    return report;
  }
  if (const vectors::FileFormat* format = vectors::find_file_format(rows[0].cells)) {
    std::optional<vectors::RowRunner> runner;
    if (device != nullptr) runner.emplace(*device);
    vectors::check_rows(*format, rows, runner ? &*runner : nullptr, report);
    return report;
  }
  if (!std::equal(rows[0].cells.begin(), rows[0].cells.end(), std::begin(vectors::sheet_header),
                  std::end(vectors::sheet_header))) {
    report.problem =
        "the first line is not id,kind,confidence,params,expected,notes,silicon: no format of vectors that "
        "this "
        "program knows";
    return report;
  }
  std::optional<vectors::RowRunner> runner;
  if (device != nullptr) runner.emplace(*device);
  for (size_t i = 1; i < rows.size(); ++i) {
    const CsvRow& row = rows[i];
    RowResult result;
    result.line = row.line;
    result.id = row.cells[0];
    if (row.cells.size() > 1) result.kind = row.cells[1];
    if (row.cells.size() != std::size(vectors::sheet_header)) {
      result.detail = "the row has " + std::to_string(row.cells.size()) + " cells instead of 7";
    } else if (const vectors::VectorKind* kind = vectors::find_kind(result.kind)) {
      vectors::judge(row, *kind, runner ? &*runner : nullptr, report, result);
    } else {
      result.verdict = RowVerdict::unknown_kind;
      result.detail = "'" + result.kind + "' is not a kind of the format";
    }
    report.rows.push_back(std::move(result));
  }
  return report;
}

size_t VectorReport::count(RowVerdict verdict) const {
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const RowResult& row) { return row.verdict == verdict; }));
}

bool VectorReport::ok() const {
  return problem.empty() && count(RowVerdict::fail) == 0 && count(RowVerdict::malformed) == 0;
}

std::string VectorReport::text() const {
  if (!problem.empty()) return name + ": " + problem + "\n";
  std::string out;
  for (const RowResult& row : rows)
    if (row.verdict != RowVerdict::pass)
      out += name + ":" + std::to_string(row.line) + ": " + row.id + " " + row.kind + ": " +
             std::string(assay::name(row.verdict)) + ": " + row.detail + "\n";
  out += name + ": " + std::to_string(rows.size()) + " rows";
  for (const RowVerdict verdict : {RowVerdict::pass, RowVerdict::fail, RowVerdict::informative,
                                   RowVerdict::unknown_kind, RowVerdict::malformed})
    if (count(verdict) != 0)
      out += ", " + std::to_string(count(verdict)) + " " + std::string(assay::name(verdict));
  if (ran != 0) out += "; the device ran " + std::to_string(ran) + " of them";
  out += "\n";
  std::map<std::string, size_t> left_out;
  for (const RowResult& row : rows)
    if (!row.left_out.empty()) ++left_out[row.left_out];
  for (const auto& [why, count] : left_out)
    out += "  not run: " + std::to_string(count) + (count == 1 ? " row, " : " rows, ") + why + "\n";
  return out;
}

}  // namespace assay

namespace assay::vectors {
namespace {

spec::Arch arch_of(const Device& device) {
  const auto arch = spec::parse_arch(device.identity().architecture);
  if (!arch)
    throw std::runtime_error("vectors cannot be judged on " + device.identity().architecture +
                             ": no rules are known for it");
  return *arch;
}

uint32_t first_element(std::span<const std::byte> bytes, uint32_t bits) {
  uint32_t code = 0;
  std::memcpy(&code, bytes.data(), bits / 8);
  return code;
}
std::string hex(uint32_t code) {
  char text[12];
  std::snprintf(text, sizeof text, "0x%x", code);
  return text;
}

}  // namespace

RowRunner::RowRunner(Device& device)
    : device_(device), arch_(arch_of(device)), readings_(arch_), runner_(device, readings_, arch_) {}

RowRun RowRunner::run(const RowCase& row) {
  const suites::Property* property = suites::find_property(row.property);
  if (!row.on[static_cast<size_t>(arch_)]) return {false, "the row is for other architectures"};
  if (property == nullptr) throw std::runtime_error("there is no property " + std::string(row.property));
  if (const auto why = device_.declines(property->family().name())) return {false, *why};
  if (property->declines != nullptr)
    if (const auto why = property->declines(arch_)) return {false, *why};
  suites::Scratch scratch;
  suites::Expected expected;
  property->family().predict(row.what, spec::Readings(arch_), scratch, expected);
  if (expected.end == model::End::undefined)
    return {false, "no document defines its result on " + std::string(spec::name(arch_))};
  if (row.element) {
    const uint32_t code = first_element(expected.bytes, row.element->bits);
    if (code != row.element->code)
      return {true, "the reference expects " + hex(code) + " of a device where the row has " +
                        hex(row.element->code)};
  }
  if (!row.words.empty() && row.words.size() * 4 != expected.bytes.size())
    throw std::runtime_error("the row's number of registers differs from that of the case");
  for (size_t i = 0; i < row.words.size(); ++i)
    if (const uint32_t word = first_element(expected.bytes.subspan(4 * i), 32); word != row.words[i])
      return {true, "the reference expects " + hex(word) + " in word " + std::to_string(i) +
                        " of a device where the row has " + hex(row.words[i])};
  const suites::Outcome outcome = runner_.run(*property, {&row.what, 1}).front();
  if (outcome.verdict == report::Verdict::conforms) return {true, ""};
  const std::string message =
      suites::to_row(*property, outcome, {device_.identity().spec, 0, 0, {}, {}}).message;
  return {true, device_.identity().spec + " " + std::string(report::name(outcome.verdict)) + ": " + message};
}

const FileFormat* find_file_format(const std::vector<std::string>& first_line) {
  for (const FileFormat* format :
       {&descriptors_format, &wgmma_format, &numerics_format, &numerics_probes_format, &nvf4_groups_format,
        &mbarrier_format, &bulk_copy_format, &bulk_reduce_format, &raw_map_format, &sparse_dots_format,
        &sparse_fragments_format, &tensormap_replace_format, &map_faults_format})
    if (std::equal(first_line.begin(), first_line.end(), format->header.begin(), format->header.end()))
      return format;
  return nullptr;
}

const std::string& cell(const FileFormat& format, const CsvRow& row, std::string_view column) {
  const auto at = std::find(format.header.begin(), format.header.end(), column);
  return row.cells.at(static_cast<size_t>(at - format.header.begin()));
}

}  // namespace assay::vectors
