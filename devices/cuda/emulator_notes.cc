// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/emulator_notes.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "devices/cuda/families/family.h"

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

/// Bytes of a CTA's window of shared memory that no kernel has.
constexpr uint32_t reserved_bytes = 1024;

std::string barrier_name(const json& barrier, const KernelNames* names) {
  const auto address = barrier.value("address", 0u);
  std::string name;
  if (names != nullptr && address >= reserved_bytes) name = names->barrier(address - reserved_bytes);
  if (name.empty()) name = barrier.value("name", "");
  if (!name.empty()) return name;
  char text[32];
  std::snprintf(text, sizeof text, "mbarrier 0x%x", address);
  return text;
}

/// Of kernels of others also where bytes were expected, and what brought some.
std::string state_in_words(const json& barrier, const KernelNames* names) {
  const int64_t bytes = barrier.value("bytes", int64_t{0});
  const auto line = barrier.value("expect_line", 0u), from = barrier.value("delivered_line", 0u);
  std::string text = "phase " + std::to_string(barrier.value("phase", 0)) + ", " +
                     std::to_string(barrier.value("pending", 0u)) + " of " +
                     std::to_string(barrier.value("expected", 0u)) + " arrivals pending, ";
  text += bytes < 0 ? std::to_string(-bytes) + " bytes more than expected have arrived"
                    : std::to_string(bytes) + " bytes pending";
  if (bytes == 0 || line == 0 || names != nullptr) return text;
  return text + " (expect_tx of " + std::to_string(barrier.value("expected_bytes", 0u)) + " at PTX line " +
         std::to_string(line) + ", " + std::to_string(barrier.value("delivered_bytes", 0u)) + " delivered" +
         (from == 0 ? ")" : ", last by PTX line " + std::to_string(from) + ")");
}

/// Who waits for a phase that nothing has come to, while the one before has ended, may wait for that one.
std::string parity_in_words(const json& barrier, int phase, const KernelNames* names) {
  const auto ended = barrier.value("ended", 0u);
  const bool is_untouched = barrier.value("pending", 0u) == barrier.value("expected", 0u) &&
                            barrier.value("bytes", int64_t{0}) == 0 && barrier.value("phase", 0) == phase;
  if (names != nullptr || ended == 0 || !is_untouched) return {};
  return ", to which nothing has come, while phase " + std::to_string(1 - phase) +
         " has ended (the parity may be one phase off)";
}

/// "; the load warp waits for phase 1"
std::string waits_in_words(const json& barrier, const KernelNames* names) {
  std::string text;
  for (const json& wait : barrier.value("waits", json::array())) {
    // Of each role the warps that have it.
    std::map<std::string, std::set<uint32_t>> roles;
    for (const json& thread : wait.value("threads", json::array())) {
      const uint32_t warp = thread.get<uint32_t>() / 32;
      roles[names != nullptr ? names->role(warp) : "warp"].insert(warp);
    }
    for (const auto& [role, warps] : roles) {
      const bool is_one = warps.size() == 1;
      const std::vector<uint32_t> numbers(warps.begin(), warps.end());
      text += "; " + (names == nullptr ? numbered(role, numbers)
                      : is_one         ? "the " + role
                                       : "the " + numbered(role, numbers));
      text +=
          std::string(is_one ? " waits" : " wait") + " for phase " + std::to_string(wait.value("phase", 0));
    }
    text += parity_in_words(barrier, wait.value("phase", 0), names);
  }
  return text;
}

/// What a device without the emulator's knowledge of memory would have shown.
constexpr std::string_view on_silicon =
    "; silicon does not end here: it goes on with whatever was left in that memory, so the case fails by its "
    "bytes, or passes where they happen to be the right ones";

}  // namespace

std::vector<std::string> barriers_in_words(const json& note, const KernelNames* names, size_t most) {
  const json barriers = note.value("barriers", json::array());
  // CTAs in the same state share a line.
  std::vector<std::pair<std::string, std::vector<uint32_t>>> lines;
  const auto add = [&](const std::string& line, uint32_t cta) {
    const auto at = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == line; });
    if (at == lines.end())
      lines.push_back({line, {cta}});
    else
      at->second.push_back(cta);
  };
  for (size_t i = 0; i < barriers.size();) {
    const std::string state = state_in_words(barriers[i], names), waits = waits_in_words(barriers[i], names);
    const auto cta = barriers[i].value("cta", 0u);
    const auto is_alike = [&](const json& other) {
      return waits.empty() && waits_in_words(other, names).empty() && state_in_words(other, names) == state &&
             other.value("cta", 0u) == cta;
    };
    size_t last = i;
    while (last + 1 < barriers.size() && is_alike(barriers[last + 1])) ++last;
    std::string name = barrier_name(barriers[i], names);
    if (last != i) name += " to " + barrier_name(barriers[last], names);
    add(name + ": " + state + waits, cta);
    i = last + 1;
  }
  std::vector<std::string> words;
  for (const auto& [line, ctas] : lines) {
    if (words.size() + 1 == most && lines.size() > most) {
      words.push_back("and " + std::to_string(lines.size() - words.size()) + " more lines of barriers");
      break;
    }
    words.push_back(numbered("CTA", ctas) + " " + line);
  }
  return words;
}

std::string note_in_words(const json& note) {
  if (note.value("kind", "") == "driver") return note.value("kernel", "") + ": " + note.value("message", "");
  const std::string kind = note.value("kind", "?"), thread = note.value("thread", "");
  const std::string what = ": " + kind + ": " + note.value("message", "");
  std::string words =
      "kernel " + note.value("kernel", "?") + ", PTX line " + std::to_string(note.value("line", 0));
  // Where all threads of a kernel stand is long, and comes last.
  if (kind == "deadlock") return words + what + "; " + thread;
  if (!thread.empty()) words += ", " + thread;
  words += what;
  if (kind == "uninitialised_read") words += on_silicon;
  return words;
}

}  // namespace assay::cuda
