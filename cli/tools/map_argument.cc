// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/map_argument.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "cli/command_line.h"
#include "cli/tools/map_words.h"

namespace assay::cli {
namespace {

/// More than any text of a map has.
constexpr size_t most_bytes = 16 * 1024;
/// To open a pipe from the other end.
constexpr int milliseconds_for_a_writer = 1000;

[[noreturn]] void unreadable(const std::string& name, const std::string& why) {
  throw std::runtime_error("cannot read a tensor map from " + name + ": " + why);
}

/// Closes what it opened.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDERR_FILENO) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

std::string content(int from, const std::string& name) {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = ::read(from, part.data(), part.size());
    if (got == 0) return text;
    if (got > 0) {
      text.append(part.data(), static_cast<size_t>(got));
      if (text.size() > most_bytes)
        unreadable(name, "it is longer than " + std::to_string(most_bytes / 1024) +
                             " KiB, and a tensor map has 128 bytes");
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) unreadable(name, std::strerror(errno));
    pollfd ready{from, POLLIN, 0};
    poll(&ready, 1, -1);
  }
}

std::string content_of_file(const std::string& name) {
  // A pipe that nobody writes to must not keep the program waiting.
  const Descriptor file(open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) unreadable("'" + name + "'", std::strerror(errno));
  struct stat what {};
  if (fstat(file.number(), &what) == 0 && S_ISDIR(what.st_mode))
    unreadable("'" + name + "'", "it is a directory");
  if (S_ISFIFO(what.st_mode)) {
    pollfd ready{file.number(), POLLIN, 0};
    poll(&ready, 1, milliseconds_for_a_writer);
  }
  std::string text = content(file.number(), "'" + name + "'");
  if (text.empty() && S_ISFIFO(what.st_mode))
    unreadable("'" + name + "'", "it is a pipe, and nothing was written to it");
  return text;
}

spec::TensorMapBytes map_of(const std::string& text, const std::string& name) {
  spec::TensorMapBytes map{};
  const MapOfText parsed = parse_map(text);
  if (parsed.map) return *parsed.map;
  if (text.size() == map.size()) {
    std::memcpy(map.data(), text.data(), map.size());
    return map;
  }
  const bool is_text = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r';
  });
  unreadable(name, is_text ? parsed.problem
                           : "it has " + std::to_string(text.size()) + " bytes; a tensor map has 128");
}

bool is_file(const std::string& word) {
  struct stat what {};
  return stat(word.c_str(), &what) == 0;
}

}  // namespace

spec::TensorMapBytes map_argument(const std::string& word) {
  if (word == "-") {
    static bool is_read = false;
    if (is_read) throw UsageError("standard input can be read only once");
    is_read = true;
    return map_of(content(STDIN_FILENO, "standard input"), "standard input");
  }
  const MapOfText parsed = parse_map(word);
  if (parsed.map) return *parsed.map;
  // What looks like a path was meant as one.
  if (is_file(word) || (word.find('/') != word.npos && word.size() < 80))
    return map_of(content_of_file(word), "'" + word + "'");
  throw UsageError("neither a tensor map nor the name of a file: " + parsed.problem);
}

}  // namespace assay::cli
