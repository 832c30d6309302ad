#include <algorithm>

#include "reference/spec/formats.h"
#include "reports/html/sections.h"

namespace assay::report::html {
namespace {

constexpr size_t values_shown = 4;
/// A picture that takes more of the page than this is left out: the bytes say the same.
constexpr size_t most_picture_bytes = 6000;

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

/// "M1 2h3": a run of cells of one line of a picture.
std::string runs_of(const std::string& line, size_t y, char wanted) {
  std::string path;
  for (size_t x = 0; x < line.size();) {
    size_t end = x;
    while (end < line.size() && line[end] == wanted) ++end;
    if (end != x) path += "M" + std::to_string(x) + " " + std::to_string(y) + ".5h" + std::to_string(end - x);
    x = std::max(end, x + 1);
  }
  return path;
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
      page += "<table class=\"bits mono\" data-format=\"" + esc(c.format) +
              "\"><thead><tr><th>byte</th><th></th><th>sign</th><th>exponent</th><th>mantissa</th><th>" +
              esc(c.format) + "</th></tr></thead><tbody>";
    page += "<tr><td>" + num(c.bytes_offset + at) + "</td>";
    value_row(page, *format, "expected", expected, observed);
    page += "<tr><td></td>";
    value_row(page, *format, "observed", observed, expected);
  }
  if (shown != 0) page += "</tbody></table>";
}

void picture(std::string& page, const CaseRow& c) {
  if (c.picture.find('x') == std::string::npos) return;
  std::string right, wrong;
  size_t width = 0, height = 0;
  for (size_t at = 0; at < c.picture.size(); ++height) {
    const size_t end = std::min(c.picture.find('\n', at), c.picture.size());
    const std::string line = c.picture.substr(at, end - at);
    width = std::max(width, line.size());
    right += runs_of(line, height, '=');
    wrong += runs_of(line, height, 'x');
    at = end + 1;
  }
  if (right.size() + wrong.size() > most_picture_bytes) return;
  const auto groups = static_cast<uint64_t>(std::count(c.picture.begin(), c.picture.end(), 'x'));
  const std::string w = std::to_string(width), h = std::to_string(height);
  page += "<figure class=\"pic\"><svg viewBox=\"0 0 " + w + " " + h + "\" width=\"" +
          std::to_string(std::min<size_t>(5 * width, 640)) + "\" role=\"img\" aria-label=\"" +
          std::to_string(groups) + " cells with wrong elements in a picture of " + w + " by " + h +
          "\"><path class=\"e\" d=\"" + right + "\"/><path class=\"x\" d=\"" + wrong +
          "\"/></svg><figcaption class=\"soft\">The output as a matrix, first row at the top: <span "
          "class=\"x\">■</span> wrong, <span class=\"e\">■</span> as expected, blank: nothing "
          "defined.</figcaption>"
          "</figure>";
}

}  // namespace assay::report::html
