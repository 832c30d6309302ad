#include "devices/faults/kernel_edit.h"

#include <algorithm>
#include <vector>

namespace assay::faults {
namespace {

constexpr std::string_view wait = "mbarrier.try_wait", entry = ".visible .entry", function = ".func";
/// What stands where a wait stood: the predicate that the kernels' waits set is true.
constexpr std::string_view waited = "setp.eq.u32 done, 0, 0;";

struct Line {
  size_t begin, end;  ///< of the text without blanks before it and without the line's end
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t begin = std::min(text.find_first_not_of(" \t", at), end);
    lines.push_back({begin, end});
    at = end + 1;
  }
  return lines;
}

bool begins(std::string_view text, const Line& line, std::string_view word) {
  return text.substr(line.begin, line.end - line.begin).starts_with(word);
}
/// The same of what stands behind a label, as each of several forms of an instruction does.
bool is_labelled(std::string_view text, const Line& line, std::string_view word) {
  const std::string_view whole = text.substr(line.begin, line.end - line.begin);
  const size_t end = whole.find_first_of(": \t");
  return end != whole.npos && whole.substr(end).starts_with(": ") && whole.substr(end + 2).starts_with(word);
}

}  // namespace

std::string without(std::string_view ptx, std::string_view instruction) {
  std::string text(ptx);
  for (const Line& line : lines_of(ptx))
    if (begins(ptx, line, instruction))
      text.replace(line.begin, line.end - line.begin, line.end - line.begin, ' ');
  return text;
}

std::string without_wait_before(std::string_view ptx, std::string_view use, int nth) {
  std::string text(ptx);
  std::vector<Line> waits;
  bool done = false;
  std::vector<Line> spoiled;
  for (const Line& line : lines_of(ptx)) {
    if (begins(ptx, line, entry) || begins(ptx, line, function)) waits.clear(), done = false;
    if (begins(ptx, line, wait)) waits.push_back(line);
    if (done || (!begins(ptx, line, use) && !is_labelled(ptx, line, use))) continue;
    done = true;
    if (waits.size() > static_cast<size_t>(nth)) spoiled.push_back(waits[waits.size() - 1 - nth]);
  }
  // Backwards: a line that is replaced changes its length.
  for (size_t i = spoiled.size(); i-- > 0;)
    text.replace(spoiled[i].begin, spoiled[i].end - spoiled[i].begin, waited);
  return text;
}

std::string replaced(std::string_view ptx, std::string_view from, std::string_view to) {
  std::string text(ptx);
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string altered(std::string_view ptx, std::string_view word, std::string_view from, std::string_view to) {
  std::string text(ptx);
  const std::vector<Line> lines = lines_of(ptx);
  // Backwards: a line that is altered changes its length.
  for (size_t i = lines.size(); i-- > 0;) {
    const size_t length = lines[i].end - lines[i].begin;
    const std::string_view line = ptx.substr(lines[i].begin, length);
    if (line.find(word) != line.npos) text.replace(lines[i].begin, length, replaced(line, from, to));
  }
  return text;
}

}  // namespace assay::faults
