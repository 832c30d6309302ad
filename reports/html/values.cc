// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "reference/spec/formats.h"
#include "reports/html/sections.h"

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
