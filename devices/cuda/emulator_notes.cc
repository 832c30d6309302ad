#include "devices/cuda/emulator_notes.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace assay::cuda {

using nlohmann::json;

std::vector<json> take_lines(int (*take)(char*, size_t)) {
  std::vector<json> lines;
  if (!take) return lines;
  std::vector<char> buffer(64 * 1024);
  for (;;) {
    const int got = take(buffer.data(), buffer.size());
    if (got < 0 && buffer.size() < static_cast<size_t>(-got)) {
      buffer.resize(static_cast<size_t>(-got) + 1);
      continue;
    }
    if (got <= 0) return lines;
    std::string_view text(buffer.data(), static_cast<size_t>(got));
    while (!text.empty()) {
      const size_t end = text.find('\n');
      json line = json::parse(text.substr(0, end), nullptr, false);
      if (line.is_object()) lines.push_back(std::move(line));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }
}

namespace {

/// What a device without the emulator's knowledge of memory would have shown.
constexpr std::string_view on_silicon =
    "; silicon does not end here: it goes on with whatever was left in that memory, so the case fails by its "
    "bytes, or passes where they happen to be the right ones";

}  // namespace

std::string note_in_words(const json& note) {
  if (note.value("kind", "") == "driver") return note.value("kernel", "") + ": " + note.value("message", "");
  std::string words =
      "kernel " + note.value("kernel", "?") + ", PTX line " + std::to_string(note.value("line", 0));
  if (const std::string thread = note.value("thread", ""); !thread.empty()) words += ", " + thread;
  const std::string kind = note.value("kind", "?");
  words += ": " + kind + ": " + note.value("message", "");
  if (kind == "uninitialised_read") words += on_silicon;
  return words;
}

}  // namespace assay::cuda
