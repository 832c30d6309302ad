// SPDX-License-Identifier: Apache-2.0
// What programs of others called, recorded from runs of their Debian packages and played to the shipped
// library: testdata/start_up/NAME.txt, a call a line. Kernels of the same names stand for theirs and do
// nothing; what the calls say, in which order and on which threads is as it was.
//
//   THREAD NAME ARGUMENT... [= RESULT]
//
// ARGUMENT: a number; "text"; >x, where x is put; $x or $x+4096, that; #64, so many bytes; (1 2), numbers of
// four bytes; [1 #64], of eight; module a,b c:16, the text of a module with kernels a and b and a variable,
// or
// "-"; size, that of the last such text.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace assay::emulator {
namespace {

const std::filesystem::path folder = ASSAY_SOURCE_DIR "/testdata/start_up";

struct Call {
  std::string thread, name, rest;
  int line = 0;
};

std::vector<Call> calls_of(const std::filesystem::path& path) {
  std::vector<Call> calls;
  std::ifstream in(path);
  int line = 0;
  for (std::string text; std::getline(in, text);) {
    ++line;
    if (text.empty() || text[0] == '#') continue;
    std::istringstream words(text);
    Call call;
    words >> call.thread >> call.name;
    std::getline(words, call.rest);
    call.line = line;
    calls.push_back(call);
  }
  return calls;
}

std::string module_text(const std::string& kernels, const std::string& variables) {
  std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n", name;
  for (std::istringstream all(variables); std::getline(all, name, ',');)
    if (name != "-")
      text += ".visible .global .align 16 .b8 " + name.substr(0, name.find(':')) + "[" +
              name.substr(name.find(':') + 1) + "];\n";
  for (std::istringstream all(kernels); std::getline(all, name, ',');)
    if (name != "-") text += ".visible .entry " + name + "()\n{\n\tret;\n}\n";
  return text;
}

class Player {
 public:
  explicit Player(void* library) : library_(library) {}

  void play(const Call& call) {
    SCOPED_TRACE("line " + std::to_string(call.line) + ": " + call.name + call.rest);
    void* entry = dlsym(library_, call.name.c_str());
    ASSERT_NE(entry, nullptr);
    std::istringstream words(call.rest);
    std::vector<uint64_t> given;
    int expected = 0;
    for (std::string word; words >> word;)
      if (word == "=")
        words >> expected;
      else
        given.push_back(argument(word, words));
    given.resize(12);
    using Entry = int(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                      uint64_t, uint64_t, uint64_t, uint64_t);
    // All arguments of the driver's calls are integers and pointers: those too many are not looked at.
    const int result =
        reinterpret_cast<Entry*>(entry)(given[0], given[1], given[2], given[3], given[4], given[5], given[6],
                                        given[7], given[8], given[9], given[10], given[11]);
    EXPECT_EQ(result, expected);
  }

 private:
  uint64_t argument(const std::string& word, std::istringstream& words) {
    if (word == "size") return module_bytes_;
    switch (word[0]) {
      case '>':
        return address_of(place(word.substr(1)));
      case '$': {
        const size_t plus = word.find('+');
        uint64_t value = 0;
        std::memcpy(&value, place(word.substr(1, plus - 1)).data(), sizeof value);
        return value + (plus == std::string::npos ? 0 : std::stoull(word.substr(plus + 1)));
      }
      case '"':
        return address_of(kept(word.substr(1, word.size() - 2)));
      case '#':
        return address_of(kept(std::string(std::stoull(word.substr(1)), '\0')));
      case '(':
        return address_of(kept(numbers(word, words, ')', 4)));
      case '[':
        return address_of(kept(numbers(word, words, ']', 8)));
      case 'm': {
        std::string kernels, variables;
        words >> kernels >> variables;
        std::string& text = kept(module_text(kernels, variables));
        module_bytes_ = text.size() + 1;
        return address_of(text);
      }
      default:
        return std::stoull(word, nullptr, 0);
    }
  }

  std::string numbers(std::string word, std::istringstream& words, char close, size_t size) {
    std::string bytes;
    for (word = word.substr(1);; words >> word) {
      const bool is_last = word.back() == close;
      if (is_last) word.pop_back();
      if (!word.empty()) {
        const uint64_t value = argument(word, words);
        bytes.append(reinterpret_cast<const char*>(&value), size);
      }
      if (is_last || !words) return bytes;
    }
  }

  /// Room for whatever a call puts there.
  std::string& place(const std::string& name) {
    std::string& bytes = places_[name];
    bytes.resize(4096);
    return bytes;
  }
  std::string& kept(std::string bytes) { return kept_.emplace_back(std::move(bytes)); }
  static uint64_t address_of(std::string& bytes) { return reinterpret_cast<uintptr_t>(bytes.data()); }

  void* library_;
  std::map<std::string, std::string> places_;
  std::deque<std::string> kept_;
  size_t module_bytes_ = 0;
};

class StartUpRecorded : public testing::TestWithParam<std::string> {};

TEST_P(StartUpRecorded, IsTakenAsItWas) {
  setenv("ASSAY_EMULATOR", "sm_90a,tolerant", 1);
  void* library = dlopen(ASSAY_BINARY_DIR "/libassay_emulator.so", RTLD_LAZY | RTLD_LOCAL);
  unsetenv("ASSAY_EMULATOR_REPORT");
  ASSERT_NE(library, nullptr) << dlerror();
  const std::vector<Call> calls = calls_of(folder / (GetParam() + ".txt"));
  ASSERT_GE(calls.size(), 20u);
  Player player(library);
  // Calls of another thread than the first, as long as no other comes between, are made on one of its own.
  for (size_t i = 0; i < calls.size();) {
    size_t end = i;
    while (end < calls.size() && calls[end].thread == calls[i].thread) ++end;
    const auto play = [&] {
      for (size_t at = i; at < end; ++at) player.play(calls[at]);
    };
    if (calls[i].thread == calls[0].thread)
      play();
    else
      std::thread(play).join();
    i = end;
  }
  unsetenv("ASSAY_EMULATOR");
}

std::vector<std::string> recordings() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Programs, StartUpRecorded, testing::ValuesIn(recordings()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace assay::emulator
