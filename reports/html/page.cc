// SPDX-License-Identifier: Apache-2.0
#include "reports/html/sections.h"

#include <algorithm>
#include <cstdio>

#include "reference/spec/formats.h"
#include "reports/html/style.h"
#include "reports/text.h"
#include "reports/words.h"
#include "reports/written_reports.h"

namespace assay::report::html {

std::string esc(std::string_view bytes) {
  return for_html(bytes);
}
std::string num(uint64_t number) {
  return grouped(number, "\u202F");
}

std::string_view tone(Verdict verdict) {
  switch (verdict) {
    case Verdict::conforms:
      return "ok";
    case Verdict::adopted_reading:
    case Verdict::waived:
      return "note";
    case Verdict::declined:
    case Verdict::no_demand:
    case Verdict::not_assembled:
      return "off";
    case Verdict::not_run:
    case Verdict::incomplete:
    case Verdict::rig_broken:
      return "warn";
    default:
      return "bad";
  }
}

std::string pill(Verdict verdict) {
  return "<span class=\"v " + std::string(tone(verdict)) + "\">" + std::string(shown(verdict)) + "</span>";
}

std::string kind(const DeviceResult& device) {
  return std::string("<span class=\"kind ") + (device.is_silicon ? "silicon" : "emulator") + "\">" +
         esc(loud(device.info.evidence.empty() ? "unknown evidence" : device.info.evidence)) + "</span>";
}

namespace {

/// Letters, digits and "._-" alone: nothing of a foreign file's text can leave an attribute.
std::string slug(std::string_view text) {
  constexpr size_t most = 80;
  std::string made;
  for (const char c : text.substr(0, most)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '.' || c == '_' || c == '-';
    if (is_plain)
      made += c;
    else if (!made.empty() && made.back() != '-')
      made += '-';
  }
  return made;
}

/// A number where several devices have the same name.
std::string device_slug(const Results& results, size_t d) {
  const std::string own = slug(results.devices[d].info.spec);
  size_t same = 0;
  for (size_t i = 0; i < d; ++i) same += slug(results.devices[i].info.spec) == own;
  return own + (same == 0 ? "" : "-" + std::to_string(same + 1));
}

std::string of_property(const Results& results, size_t d, size_t p) {
  const std::string name = slug(results.devices[d].properties[p].info.name);
  return results.devices.size() == 1 ? name : name + "-on-" + device_slug(results, d);
}

}  // namespace

std::string device_anchor(const Results& results, size_t d) {
  return "device-" + device_slug(results, d);
}
std::string property_anchor(const Results& results, size_t d, size_t p) {
  return "property-" + of_property(results, d, p);
}
std::string failure_anchor(const Results& results, const FailurePlace& at) {
  return "failure-" + of_property(results, at.device, at.property) + "-" + std::to_string(at.group + 1);
}
std::string rule_anchor(std::string_view id) {
  return "rule-" + slug(id);
}
std::string question_anchor(std::string_view id) {
  return "question-" + slug(id);
}

}  // namespace assay::report::html

namespace assay::report {

std::string html_text(const std::filesystem::path& db) {
  // Mail and CI systems stop at 5 MB; what does not fit stays in the results file, and the page says so.
  constexpr size_t full_budget = 2'800'000, brief_budget = 1'000'000;
  const Results results = read_results(db, {20, 1000});
  std::string page;
  page.reserve(1 << 20);
  page +=
      "<!doctype html>\n" + std::string(report_mark) +
      "\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
  page += html::esc(std::string(shown(results.verdict)) + " · assay · " + results.run.started_utc);
  page += "</title>\n<style>";
  page += html::style;
  page += "</style></head>\n<body>\n";
  html::first_screen(page, results);
  page += "<nav><div><a href=\"#specification\">Specification</a>";
  if (!failures_in_reading_order(results).empty()) page += "<a href=\"#failures\">Failures</a>";
  page +=
      "<a href=\"#properties\">Properties</a><a href=\"#rules\">Rules</a><a "
      "href=\"#questions\">Questions</a><a "
      "href=\"#coverage\">Coverage</a><a href=\"#history\">History</a>"
      "<a href=\"#findings\">Findings</a><a href=\"#environment\">Environment</a>"
      "<output id=\"shown\" class=\"js-only\"></output><input id=\"q\" class=\"js-only\" type=\"search\" "
      "aria-label=\"Filter\" placeholder=\"Filter: status:failed rule:V-23\"></div></nav>\n<main>\n";
  const auto section = [&](const auto& write) {
    page += "<section>";
    write();
    page += "</section>\n";
  };
  section([&] {
    html::specification(page, results);
    html::board_by_night(page, results.history);
  });
  section([&] { html::failures(page, results, full_budget, brief_budget); });
  section([&] { html::telemetry(page, results); });
  for (const auto write : {html::properties, html::compliance, html::questions, html::coverage, html::history,
                           html::waivers, html::published, html::findings, html::environment})
    section([&] { write(page, results); });
  page += "</main>\n<footer>Made by assay " + html::esc(results.run.version) +
          " from the results file of run " + html::esc(results.run.run_id) +
          " alone. Nothing is loaded from a network.</footer>\n<script>";
  page += html::script;
  page += "</script>\n</body></html>\n";
  return page;
}

void write_html(const std::filesystem::path& db, const std::filesystem::path& file) {
  write_whole_file(file, html_text(db));
}

}  // namespace assay::report

namespace assay::report::html {
namespace {

constexpr size_t values_shown = 4;

uint64_t code_at(const std::vector<uint8_t>& bytes, size_t at, size_t size) {
  uint64_t code = 0;
  for (size_t i = 0; i < size; ++i) code |= uint64_t{bytes[at + i]} << (8 * i);
  return code;
}

/// Bits [low, low + width) of a code, those that differ marked.
std::string bits(uint64_t code, uint64_t other, int low, int width) {
  std::string text;
  for (int bit = low + width - 1; bit >= low; --bit) {
    const bool one = (code >> bit & 1) != 0, differs = ((code ^ other) >> bit & 1) != 0;
    text += differs ? (one ? "<b>1</b>" : "<b>0</b>") : one ? "1" : "0";
  }
  // Neighbouring marks are one.
  for (size_t at = text.find("</b><b>"); at != std::string::npos; at = text.find("</b><b>", at))
    text.erase(at, 7);
  return text;
}

void value_row(std::string& page, const spec::Format& f, std::string_view side, uint64_t code,
               uint64_t other) {
  const int mantissa = f.ignored_bits, exponent = mantissa + f.mantissa_bits,
            sign = exponent + f.exponent_bits;
  page += "<td>" + std::string(side) + "</td><td>" + bits(code, other, sign, f.sign_bits) + "</td><td>" +
          bits(code, other, exponent, f.exponent_bits) + "</td><td>" +
          bits(code, other, mantissa, f.mantissa_bits) + "</td><td>" + esc(spec::show_value(f, code)) +
          "</td></tr>";
}

/// Integers have no parts: their bits, and what they are as a number and in hexadecimal.
void integer_row(std::string& page, const spec::Format& f, std::string_view side, uint64_t code,
                 uint64_t other) {
  char hex[24];
  std::snprintf(hex, sizeof hex, "0x%0*llx", f.storage_bits / 4, static_cast<unsigned long long>(code));
  page += "<td>" + std::string(side) + "</td><td>" + bits(code, other, 0, f.storage_bits) + "</td><td>" +
          hex + "</td><td>" + esc(spec::show_value(f, code)) + "</td></tr>";
}

}  // namespace

void values(std::string& page, const CaseRow& c) {
  const spec::Format* format = spec::find_format(c.format);
  if (format == nullptr || format->storage_bits % 8 != 0) return;
  const auto size = static_cast<size_t>(format->storage_bits / 8);
  const size_t first = (size - c.bytes_offset % size) % size;
  size_t shown = 0;
  for (size_t at = first; at + size <= std::min(c.expected.size(), c.observed.size()) && shown < values_shown;
       at += size) {
    const uint64_t expected = code_at(c.expected, at, size), observed = code_at(c.observed, at, size);
    const uint64_t defined = at + size <= c.defined.size() ? code_at(c.defined, at, size) : ~uint64_t{0};
    if (((expected ^ observed) & defined) == 0) continue;
    if (shown++ == 0)
      page += "<div class=\"scroll\" tabindex=\"0\"><table class=\"bits mono\" data-format=\"" +
              esc(c.format) + "\"><thead><tr><th>byte</th><th>side</th>" +
              (format->is_integer() ? "<th>bits</th><th>hexadecimal</th>"
                                    : "<th>sign</th><th>exponent</th><th>mantissa</th>") +
              "<th>" + esc(c.format) + "</th></tr></thead><tbody>";
    const auto row = format->is_integer() ? integer_row : value_row;
    page += "<tr><td>" + num(c.bytes_offset + at) + "</td>";
    row(page, *format, "expected", expected, observed);
    page += "<tr><td></td>";
    row(page, *format, "observed", observed, expected);
  }
  if (shown != 0) page += "</tbody></table></div>";
}

}  // namespace assay::report::html
