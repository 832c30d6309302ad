// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the comments of a text test: see ptx_text_test.cc for what they say.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::emulator::text {

struct Argument {
  std::string name, type;
  bool is_buffer = false;
  std::vector<std::byte> bytes;
  uint64_t address = 0;
};

struct Expectation {
  std::string kind;     ///< "values", "error", "load-error", "breach", "race-free", "stdout", "stderr"
  std::string subject;  ///< buffer, Diagnostic kind, clause
  size_t first = 0;
  double tolerance = 0;
  std::string values, text;
  uint32_t line = 0;
};

struct TextRun {
  std::string kernel, target;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};
  uint32_t smem = 0;
  uint64_t limit = 50'000'000;
  bool strict = false;
  bool keeps_tensor_memory = false;  ///< lowest columns first under the random schedules too
  std::vector<std::string> schedules{"eager", "lazy", "random:1", "random:2"};
  std::vector<Argument> arguments;
  std::vector<Expectation> expectations;
};

inline size_t size_of(const std::string& type) {
  const size_t bits = std::stoul(type.substr(1));
  if (type.find_first_of("usf") != 0 || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    throw std::runtime_error("no such type: " + type);
  return bits / 8;
}

inline std::vector<std::byte> encode(const std::string& type, const std::string& word) {
  std::vector<std::byte> bytes(size_of(type));
  if (type[0] == 'f' && word.rfind("0x", 0) != 0) {
    const double value = std::stod(word);
    const float narrow = static_cast<float>(value);
    std::memcpy(bytes.data(), type == "f64" ? static_cast<const void*>(&value) : &narrow, bytes.size());
    return bytes;
  }
  const uint64_t value =
      word[0] == '-' ? static_cast<uint64_t>(std::stoll(word, nullptr, 0)) : std::stoull(word, nullptr, 0);
  std::memcpy(bytes.data(), &value, bytes.size());
  return bytes;
}

/// The elements that VALUES stands for, as words; "_" stays.
inline std::vector<std::string> expand(const std::string& values) {
  std::vector<std::string> made;
  std::istringstream in(values);
  for (std::string word; in >> word;) {
    const size_t dots = word.find(".."), star = word.find('*');
    if (dots != std::string::npos) {
      for (int64_t i = std::stoll(word.substr(0, dots)); i <= std::stoll(word.substr(dots + 2)); ++i)
        made.push_back(std::to_string(i));
    } else if (star != std::string::npos) {
      made.insert(made.end(), std::stoul(word.substr(star + 1)), word.substr(0, star));
    } else {
      made.push_back(word);
    }
  }
  return made;
}

class TextFile {
 public:
  explicit TextFile(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream all;
    all << in.rdbuf();
    text = all.str();
    std::istringstream lines(text);
    uint32_t number = 0;
    std::vector<std::string> clauses;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (const size_t mark = line.rfind("//@"); mark != std::string::npos)
        marks_[line.substr(mark + 3)] = number;
      const size_t begin = line.find_first_not_of(" \t");
      if (begin != std::string::npos && line.compare(begin, 2, "//") == 0)
        clauses.push_back(line.substr(begin + 2));
    }
    for (const std::string& clause : clauses) read(clause);
  }

  std::string text;
  std::vector<TextRun> runs;

 private:
  void read(const std::string& clause) {
    std::istringstream in(clause);
    std::string word;
    in >> word;
    if (word == "run:") read_run(in);
    if (word == "arg:") read_argument(in, clause);
    if (word == "expect:") read_expectation(in, clause);
  }

  static std::array<uint32_t, 3> sizes(const std::string& text) {
    std::array<uint32_t, 3> made{1, 1, 1};
    std::istringstream in(text);
    std::string part;
    for (size_t i = 0; i < 3 && std::getline(in, part, ','); ++i)
      made[i] = static_cast<uint32_t>(std::stoul(part));
    return made;
  }

  void read_run(std::istringstream& in) {
    TextRun& run = runs.emplace_back();
    in >> run.kernel;
    const size_t target = text.find(".target ");
    const std::string_view rest = std::string_view(text).substr(target + 8);
    const auto arch = spec::parse_arch(rest.substr(0, rest.find_first_of(" \t\r\n,")));
    run.target = spec::row_of(arch.value_or(spec::Arch::sm_100)).target;
    for (std::string word; in >> word;) {
      const size_t equals = word.find('=');
      const std::string key = word.substr(0, equals),
                        value = equals == std::string::npos ? "" : word.substr(equals + 1);
      if (key == "grid")
        run.grid = sizes(value);
      else if (key == "block")
        run.block = sizes(value);
      else if (key == "cluster")
        run.cluster = sizes(value);
      else if (key == "smem")
        run.smem = static_cast<uint32_t>(std::stoul(value));
      else if (key == "target")
        run.target = value;
      else if (key == "limit")
        run.limit = std::stoull(value);
      else if (key == "strict")
        run.strict = true;
      else if (word == "tmem_base=lowest")
        run.keeps_tensor_memory = true;
      else if (key == "schedules") {
        run.schedules.clear();
        std::istringstream list(value);
        for (std::string one; std::getline(list, one, ',');) run.schedules.push_back(one);
      } else
        throw std::runtime_error("run: does not know '" + word + "'");
    }
  }

  void read_argument(std::istringstream& in, const std::string& clause) {
    Argument& argument = runs.at(runs.size() - 1).arguments.emplace_back();
    std::string word;
    in >> argument.name >> word;
    size_t count = 0;
    argument.is_buffer = word == "buffer";
    if (argument.is_buffer) in >> word >> count;
    argument.type = word;
    const size_t equals = clause.find('=');
    const auto words =
        equals == std::string::npos ? std::vector<std::string>{} : expand(clause.substr(equals + 1));
    for (const std::string& value : words) {
      const auto bytes = encode(argument.type, value);
      argument.bytes.insert(argument.bytes.end(), bytes.begin(), bytes.end());
    }
    if (argument.is_buffer) argument.bytes.resize(count * size_of(argument.type));
    if (argument.bytes.empty()) throw std::runtime_error("arg: " + argument.name + " has no bytes");
  }

  void read_expectation(std::istringstream& in, const std::string& clause) {
    Expectation& made = runs.at(runs.size() - 1).expectations.emplace_back();
    std::string word;
    in >> word;
    if (word == "stdout" || word == "stderr") {
      made.kind = word;
      made.text = clause.substr(clause.find(word + " ") + word.size() + 1);
      for (size_t at; (at = made.text.find("\\n")) != std::string::npos;) made.text.replace(at, 2, "\n");
      return;
    }
    if (word == "error" || word == "load-error" || word == "breach") {
      made.kind = word;
      in >> made.subject;
      std::string rest;
      std::getline(in >> std::ws, rest);
      if (rest.rfind("line=", 0) == 0) {
        const std::string where = rest.substr(5, rest.find(' ') - 5);
        if (where[0] == '@' && !marks_.contains(where.substr(1)))
          throw std::runtime_error("no mark " + where);
        made.line = where[0] == '@' ? marks_[where.substr(1)] : static_cast<uint32_t>(std::stoul(where));
        rest = rest.find(' ') == std::string::npos ? "" : rest.substr(rest.find(' ') + 1);
      }
      made.text = rest;
      return;
    }
    if (word == "race-free") {
      made.kind = word;
      return;
    }
    made.kind = "values";
    const size_t bracket = word.find('[');
    made.subject = word.substr(0, bracket);
    if (bracket != std::string::npos) made.first = std::stoul(word.substr(bracket + 1));
    in >> word;
    if (word == "within") in >> made.tolerance;
    made.values = clause.substr(clause.find('=') + 1);
  }

  std::map<std::string, uint32_t> marks_;
};

}  // namespace assay::emulator::text
