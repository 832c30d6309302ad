// SPDX-License-Identifier: Apache-2.0
// A target without an engine: replays inputs, and a number of mutants of each; says what is wrong with an
// input, makes it smaller, writes it as a case.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "fuzz/target.h"
#include "generators/random.h"

#pragma weak LLVMFuzzerCustomMutator
#pragma weak LLVMFuzzerCustomCrossOver
#pragma weak LLVMFuzzerInitialize

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size) {
  static assay::gen::Random random(1);
  const auto at = [&] { return random.below(static_cast<uint32_t>(size)); };
  switch (size == 0 ? 0 : random.below(4)) {
    case 0:
      if (size < max_size) data[size++] = static_cast<uint8_t>(random.next());
      return size;
    case 1:
      std::memmove(data, data + 1, size - 1);
      return size - 1;
    case 2:
      data[at()] ^= static_cast<uint8_t>(1u << random.below(8));
      return size;
    default:
      data[at()] = static_cast<uint8_t>(random.next());
      return size;
  }
}

namespace {

using namespace assay::fuzz;
namespace fs = std::filesystem;

constexpr size_t largest_input = 1u << 20, largest_mutant = 4096;

Bytes read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  Bytes bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (bytes.size() > largest_input) throw std::runtime_error(path.string() + " is larger than 1 MiB");
  return bytes;
}

/// Every file of the folders and every file named, sorted.
std::vector<Bytes> read_corpus(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths)
    if (fs::is_directory(path)) {
      for (const auto& entry : fs::directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
    } else {
      files.push_back(path);
    }
  std::sort(files.begin(), files.end());
  std::vector<Bytes> corpus;
  for (const fs::path& file : files) corpus.push_back(read_file(file));
  return corpus;
}

Bytes mutant(const Bytes& of, const std::vector<Bytes>& corpus, assay::gen::Random& random) {
  Bytes made(std::max(largest_mutant, of.size()));
  const auto seed = static_cast<unsigned>(random.next());
  if (LLVMFuzzerCustomCrossOver != nullptr && random.one_in(4)) {
    const Bytes& other = corpus[random.below(static_cast<uint32_t>(corpus.size()))];
    made.resize(LLVMFuzzerCustomCrossOver(of.data(), of.size(), other.data(), other.size(), made.data(),
                                          made.size(), seed));
    return made;
  }
  std::copy(of.begin(), of.end(), made.begin());
  made.resize(LLVMFuzzerCustomMutator != nullptr
                  ? LLVMFuzzerCustomMutator(made.data(), of.size(), made.size(), seed)
                  : LLVMFuzzerMutate(made.data(), of.size(), made.size()));
  return made;
}

/// The input that runs, for the file that a finding leaves behind.
const Bytes* running = nullptr;

void keep_running_input(int) {
  // The process is about to end by a finding or a sanitizer: only calls that a signal handler may make.
  const int file = open("finding", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && running != nullptr &&
      write(file, running->data(), running->size()) == static_cast<ssize_t>(running->size())) {
    constexpr char words[] = "the input is in the file `finding` here\n";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(2);
  }
  signal(SIGABRT, SIG_DFL);
  signal(SIGSEGV, SIG_DFL);
  signal(SIGFPE, SIG_DFL);
}

void run_input(const Bytes& input) {
  running = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
  running = nullptr;
}

/// Runs the corpus, and mutants that may in turn be mutated.
int replay(const std::vector<std::string>& paths, uint64_t mutants, uint64_t seed) {
  const std::vector<Bytes> corpus = read_corpus(paths);
  if (corpus.empty()) throw std::runtime_error("no inputs to replay");
  signal(SIGABRT, keep_running_input);
#ifndef ASSAY_SANITIZED  // a sanitizer has a report for these
  signal(SIGSEGV, keep_running_input);
  signal(SIGFPE, keep_running_input);
#endif
  for (const Bytes& input : corpus) run_input(input);
  assay::gen::Random random(seed);
  std::vector<Bytes> changed = corpus;
  for (uint64_t i = 0; i < mutants; ++i) {
    Bytes& from = changed[i % changed.size()];
    const Bytes made = mutant(from, corpus, random);
    run_input(made);
    // Three changes in a row, then back to the corpus.
    from = i / changed.size() % 3 == 2 ? corpus[i % corpus.size()] : made;
  }
  const Counts& done = counts();
  std::cout << done.inputs << " inputs, " << done.past_parser << " past the parser, " << done.cells
            << " ISA cells\n";
  return 0;
}

void write_file(const std::string& path, const void* data, size_t size) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!out) throw std::runtime_error("cannot write " + path);
}

int run(const std::vector<std::string>& words) {
  const std::string verb = words.empty() ? "" : words[0];
  constexpr std::chrono::seconds limit{20};
  if (verb == "--signature" && words.size() == 2) {
    std::cout << signature_of(read_file(words[1]), limit).value_or("") << "\n";
    return 0;
  }
  if (verb == "--minimise" && words.size() == 3) {
    Bytes input = read_file(words[2]);
    if (const auto signature = signature_of(input, limit))
      input = minimise(std::move(input), *signature, std::chrono::seconds(30));
    write_file(words[1], input.data(), input.size());
    return 0;
  }
  if (verb == "--case-file" && words.size() == 3) {
    const Bytes input = read_file(words[2]);
    const std::string text = hooks().case_file == nullptr ? "" : hooks().case_file(input);
    if (!text.empty()) write_file(words[1], text.data(), text.size());
    return 0;
  }
  uint64_t mutants = 0, seed = 1;
  size_t first = 0;
  for (; first + 1 < words.size() && words[first].starts_with("--"); first += 2) {
    if (words[first] == "--mutate")
      mutants = std::stoull(words[first + 1]);
    else if (words[first] == "--seed")
      seed = std::stoull(words[first + 1]);
    else
      throw std::runtime_error("no such option: " + words[first]);
  }
  return replay({words.begin() + static_cast<ptrdiff_t>(first), words.end()}, mutants, seed);
}

}  // namespace

int main(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what()
              << "\nusage: [--mutate N] [--seed S] FILE|FOLDER... | --signature FILE | --minimise OUT FILE | "
                 "--case-file OUT FILE\n";
    return 2;
  }
}
