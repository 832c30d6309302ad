// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/notes.h"

#include <fcntl.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "devices/emulator/machine/strict.h"

namespace assay::emulator {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string located(std::string_view first_key, std::string_view first, std::string_view kernel,
                    uint32_t line, std::string_view thread) {
  return "{" + in_quotes(first_key) + ":" + in_quotes(first) + ",\"kernel\":" + in_quotes(kernel) +
         ",\"line\":" + std::to_string(line) + ",\"thread\":" + in_quotes(thread);
}

template <typename Item, typename Write>
std::string list(const std::vector<Item>& items, Write write) {
  std::string text = "[";
  for (const Item& item : items) text += (text.size() == 1 ? "" : ",") + write(item);
  return text + "]";
}

std::string schedule_member(const std::string& schedule) {
  return schedule.empty() ? "" : "," + in_quotes("schedule") + ":" + in_quotes(schedule);
}

/// With the comma before it; nothing for none.
std::string members(const std::vector<OpenBarrier>& barriers) {
  if (barriers.empty()) return {};
  const auto number = [](const char* key, int64_t value) {
    return in_quotes(key) + ":" + std::to_string(value);
  };
  const auto wait = [&](const BarrierWait& w) {
    return "{" + number("phase", w.parity) +
           ",\"threads\":" + list(w.threads, [](uint32_t thread) { return std::to_string(thread); }) + "}";
  };
  return ",\"barriers\":" + list(barriers, [&](const OpenBarrier& b) {
           return "{" + number("cta", b.cta) + "," + number("address", b.address) + "," +
                  number("phase", b.phase) + "," + number("pending", b.pending) + "," +
                  number("expected", b.expected) + "," + number("bytes", b.bytes) + "," + in_quotes("name") +
                  ":" + in_quotes(b.name) + "," + number("expect_line", b.expect_line) + "," +
                  number("expected_bytes", b.expected_bytes) + "," +
                  number("delivered_bytes", b.delivered_bytes) + "," +
                  number("delivered_line", b.delivered_line) + "," + number("ended", b.ended) +
                  ",\"waits\":" + list(b.waits, wait) + "}";
         });
}

}  // namespace

void Lines::add(std::string line) {
  if (lines_.size() == limit_) lines_.pop_front();
  lines_.push_back(std::move(line));
}

int Lines::take(char* buffer, size_t size) {
  if (lines_.empty()) {
    if (buffer != nullptr && size > 0) buffer[0] = '\0';
    return 0;
  }
  if (buffer == nullptr) {
    size_t all = 1;
    for (const std::string& line : lines_) all += line.size() + 1;
    return -static_cast<int>(all);
  }
  if (lines_.front().size() + 2 > size) return -static_cast<int>(lines_.front().size() + 2);
  size_t at = 0;
  while (!lines_.empty() && at + lines_.front().size() + 2 <= size) {
    std::memcpy(buffer + at, lines_.front().data(), lines_.front().size());
    at += lines_.front().size();
    buffer[at++] = '\n';
    lines_.pop_front();
  }
  buffer[at] = '\0';
  return static_cast<int>(at);
}

std::string json_line(const Fault& fault) {
  const auto member = [](std::string_view key, std::string_view value) {
    return "," + in_quotes(key) + ":" + in_quotes(value);
  };
  std::string devices;
  for (const std::string& device : fault.devices())
    devices += (devices.empty() ? "" : ",") + in_quotes(device);
  return "{\"name\":" + in_quotes(fault.name) + member("wrong", fault.wrong) +
         member("clause", fault.clause) + member("caught_by", fault.caught_by) + ",\"devices\":[" + devices +
         "],\"rare\":" + (fault.notes.rare ? "true" : "false") +
         member("unobservable", fault.notes.unobservable) + "}";
}

std::string json_line(const Clause& clause) {
  return "{" + in_quotes("id") + ":" + in_quotes(clause.id) + "," + in_quotes("sentence") + ":" +
         in_quotes(clause.sentence) + "," + in_quotes("source") + ":" + in_quotes(clause.cite.document) +
         "," + in_quotes("section") + ":" + in_quotes(clause.cite.place) +
         (clause.is_warning ? ",\"warning\":true}" : "}");
}

std::string_view kind_name(Diagnostic::Kind kind) {
  using Kind = Diagnostic::Kind;
  switch (kind) {
    case Kind::syntax:
      return "syntax";
    case Kind::unsupported_target:
      return "unsupported_target";
    case Kind::unknown_instruction:
      return "unknown_instruction";
    case Kind::other_target:
      return "other_target";
    case Kind::illegal_instruction:
      return "illegal_instruction";
    case Kind::misaligned_address:
      return "misaligned_address";
    case Kind::illegal_address:
      return "illegal_address";
    case Kind::launch_failed:
      return "launch_failed";
    case Kind::uninitialised_read:
      return "uninitialised_read";
    case Kind::assert_failed:
      return "assert_failed";
    case Kind::deadlock:
      return "deadlock";
    case Kind::instruction_limit:
      return "instruction_limit";
  }
  return "unknown";
}

/// With the comma before them; nothing for what is not known.
std::string members(const SourcePlace& place) {
  std::string text;
  if (!place.text.empty()) text += ",\"text\":" + in_quotes(place.text);
  if (!place.file.empty())
    text += ",\"file\":" + in_quotes(place.file) + ",\"source_line\":" + std::to_string(place.source_line);
  if (!place.inlined_file.empty())
    text += ",\"inlined_file\":" + in_quotes(place.inlined_file) +
            ",\"inlined_line\":" + std::to_string(place.inlined_line);
  if (!place.called_from.empty())
    text += ",\"called_from\":" + list(place.called_from, [](const auto& call) {
              return "[" + in_quotes(call.first) + "," + std::to_string(call.second) + "]";
            });
  return text;
}

std::string json_line(const Diagnostic& d, const SourcePlace& place) {
  return located("kind", kind_name(d.kind), d.kernel, d.line, d.thread) +
         ",\"message\":" + in_quotes(d.message) + members(d.barriers) + members(place) +
         schedule_member(d.schedule) + "}";
}

std::string with_sources(const std::string& text, const Module& module) {
  constexpr std::string_view words = "PTX line ";
  const auto spelt = [](const std::string& file, uint32_t line) {
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(line);
  };
  std::string made;
  size_t at = 0;
  for (size_t found; (found = text.find(words, at)) != text.npos;) {
    const size_t end = std::min(text.find_first_not_of("0123456789", found + words.size()), text.size());
    made += text.substr(at, end - at);
    at = end;
    const std::string number = text.substr(found + words.size(), end - found - words.size());
    const SourcePlace place = module.place(static_cast<uint32_t>(std::strtoul(number.c_str(), nullptr, 10)));
    if (place.file.empty()) continue;
    made += " (" + spelt(place.file, place.source_line);
    if (!place.called_from.empty())
      made += ", called from " + spelt(place.called_from[0].first, place.called_from[0].second);
    made += ")";
  }
  return made + text.substr(at);
}

std::string json_line(const Exploration& one) {
  const auto number = [](const char* key, uint64_t value) {
    return "," + in_quotes(key) + ":" + std::to_string(value);
  };
  const auto text = [](const char* key, const std::string& value) {
    return "," + in_quotes(key) + ":" + in_quotes(value);
  };
  return R"({"kind":"explored")" + text("kernel", one.kernel) + number("launch", one.launch) +
         number("orders", one.orders) + text("why_not_all", one.why_not_all) + number("others", one.others) +
         text("other_bytes", one.other_bytes) + text("other_schedule", one.other_schedule) +
         number("result", one.result) + "}";
}

std::string synchronisation_line(std::string_view kernel, uint32_t line, const SourcePlace& place) {
  return located("kind", "synchronises", kernel, line, "") + members(place) + "}";
}

std::string json_line(std::string_view kernel, uint64_t launch, uint64_t seen,
                      const std::vector<BarrierEvent>& events) {
  constexpr std::string_view names[] = {"init", "expect", "arrive", "complete", "blocked",
                                        "wait", "copy",   "landed", "exited"};
  return "{\"kind\":\"timeline\",\"kernel\":" + in_quotes(kernel) + ",\"launch\":" + std::to_string(launch) +
         ",\"seen\":" + std::to_string(seen) + ",\"events\":" +
         list(events,
              [&](const BarrierEvent& e) {
                const std::string warp = e.warp == BarrierEvent::no_warp ? "-1" : std::to_string(e.warp);
                return "[" + in_quotes(names[static_cast<size_t>(e.kind)]) + "," + std::to_string(e.time) +
                       "," + std::to_string(e.cta) + "," + std::to_string(e.address) + "," + warp + "," +
                       std::to_string(e.amount) + "]";
              }) +
         "}";
}

std::string json_line(const Breach& b, const SourcePlace& place, const SourcePlace& other) {
  std::string race = b.is_race ? ",\"race\":true" : "";
  if (!b.message.empty()) race += ",\"message\":" + in_quotes(b.message);
  if (b.other_line != 0)
    race += ",\"other\":{\"line\":" + std::to_string(b.other_line) +
            ",\"thread\":" + in_quotes(b.other_thread) +
            (b.is_warning ? ",\"what\":" + in_quotes(b.other_is) : "") + members(other) + "}";
  return located("clause", b.clause, b.kernel, b.line, b.thread) + ",\"count\":" + std::to_string(b.count) +
         members(place) + race + (b.why.empty() ? "" : ",\"why\":" + in_quotes(b.why)) +
         schedule_member(b.schedule) + "}";
}

std::string json_line(std::string_view call, std::string_view message, std::string_view kind) {
  return located("kind", kind, call, 0, "") + ",\"message\":" + in_quotes(message) + "}";
}

ReportFile::ReportFile() {
  const char* path = std::getenv("ASSAY_EMULATOR_REPORT");
  if (path != nullptr && *path != '\0')
    descriptor_ = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

ReportFile::~ReportFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void ReportFile::add(std::string_view line) {
  if (descriptor_ < 0) return;
  const std::string whole = std::string(line) + "\n";
  // One write a line: with O_APPEND none of another process comes between.
  [[maybe_unused]] const ssize_t written = write(descriptor_, whole.data(), whole.size());
}

}  // namespace assay::emulator
