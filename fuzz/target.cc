// SPDX-License-Identifier: Apache-2.0
#include "fuzz/target.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace assay::fuzz {
namespace {

Hooks& registered() {
  static Hooks one;
  return one;
}

}  // namespace

void found(std::string_view claim, const std::string& details) {
  std::fprintf(stderr, "FINDING: %.*s\n%s%s", static_cast<int>(claim.size()), claim.data(), details.c_str(),
               details.empty() ? "" : "\n");
  std::fflush(stderr);
  std::abort();
}

RegisteredHooks::RegisteredHooks(Hooks hooks) {
  registered() = hooks;
}

const Hooks& hooks() {
  return registered();
}

namespace {

// The engine looks at every byte after every input, so there are few: cells share them.
constexpr uint32_t engine_counters = 4096;
__attribute__((used, section("__libfuzzer_extra_counters"))) uint8_t extra_counters[engine_counters];

bool reached[cell_limit];  // the same for good, without the sharing

Counts* place_counts() {
  static Counts own;
  const char* path = std::getenv("ASSAY_FUZZ_COUNTS");
  if (path == nullptr) return &own;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return &own;
  void* shared = ftruncate(file, sizeof(Counts)) == 0
                     ? mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                     : MAP_FAILED;
  close(file);
  return shared == MAP_FAILED ? &own : new (shared) Counts;
}

}  // namespace

Counts& counts() {
  static Counts* const placed = place_counts();
  return *placed;
}

void hit_cell(uint32_t cell) {
  cell %= cell_limit;
  extra_counters[cell % engine_counters] = 1;
  if (reached[cell]) return;
  reached[cell] = true;
  ++counts().cells;
}

namespace {

uint64_t draw(void* state) {
  return static_cast<gen::Random*>(state)->next();
}

}  // namespace

uint64_t read_word(const uint8_t* data, size_t size, size_t bytes, size_t at) {
  uint64_t word = 0;
  for (size_t i = 0; i < bytes && at + i < size; ++i) word |= uint64_t{data[at + i]} << (8 * i);
  return word;
}

void write_word(uint8_t* data, size_t bytes, uint64_t word) {
  for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<uint8_t>(word >> (8 * i));
}

size_t mutate_descriptor(const spec::Descriptor& descriptor, size_t tail, uint8_t* data, size_t size,
                         size_t max_size, unsigned seed) {
  const size_t bytes = static_cast<size_t>(descriptor.bits) / 8, whole = bytes + tail;
  if (max_size < whole) return std::min(size, max_size);
  if (size < whole) std::fill(data + size, data + whole, uint8_t{0});
  gen::Random random(seed);
  if (tail != 0 && random.one_in(8)) {
    data[bytes + random.below(static_cast<uint32_t>(tail))] = static_cast<uint8_t>(random.next());
  } else {
    write_word(data, bytes, spec::mutate(descriptor, read_word(data, bytes, bytes), draw, &random));
  }
  return whole;
}

size_t cross_descriptors(const spec::Descriptor& descriptor, size_t tail, const uint8_t* one, size_t one_size,
                         const uint8_t* other, size_t other_size, uint8_t* out, size_t max_size,
                         unsigned seed) {
  const size_t bytes = static_cast<size_t>(descriptor.bits) / 8;
  if (max_size < bytes + tail) return 0;
  gen::Random random(seed);
  uint64_t word = read_word(one, one_size, bytes);
  const uint64_t from = read_word(other, other_size, bytes);
  for (const spec::Field& field : descriptor.fields)
    if (random.one_in(2)) word = spec::with_raw(word, field, spec::get_raw(from, field));
  write_word(out, bytes, word);
  for (size_t i = bytes; i < bytes + tail; ++i)
    out[i] = static_cast<uint8_t>(random.one_in(2) ? read_word(one, one_size, 1, i)
                                                   : read_word(other, other_size, 1, i));
  return bytes + tail;
}

void mutate_fields(std::span<std::byte> object, std::span<const spec::Field> fields, gen::Random& random) {
  const auto any = [&]() -> const spec::Field& {
    return fields[random.below(static_cast<uint32_t>(fields.size()))];
  };
  const spec::Field& field = any();
  const uint64_t raw = spec::get_raw(object, field), all = spec::low_bits(field.width());
  const uint64_t ends[] = {0, 1, field.max_raw / 2, field.max_raw - 1, field.max_raw, field.max_raw + 1, all};
  switch (random.below(6)) {
    case 0:
      return spec::put_raw(object, field, ends[random.below(std::size(ends))] & all);
    case 1:
      return spec::put_raw(object, field, (raw + 1) & all);
    case 2:
      return spec::put_raw(object, field, (raw - 1) & all);
    case 3:
      return spec::put_raw(object, field, spec::get_raw(object, any()) & all);
    case 4:
      return spec::put_raw(object, field, (random.next() >> random.below(64)) & all);
    default:
      return spec::put_raw(object, field, raw ^ uint64_t{1} << random.below(field.width()));
  }
}

namespace {

/// The rest of the first line that holds `mark`, from the mark on.
std::string line_with(const std::string& text, std::string_view mark) {
  const size_t at = text.find(mark);
  return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
}

std::vector<Bytes> plainly_simpler(std::span<const uint8_t> input) {
  std::vector<Bytes> made;
  for (size_t part = input.size(); part >= 1; part /= 2)
    for (size_t at = 0; at + part <= input.size(); at += part) {
      Bytes less(input.begin(), input.begin() + static_cast<ptrdiff_t>(at));
      less.insert(less.end(), input.begin() + static_cast<ptrdiff_t>(at + part), input.end());
      made.push_back(std::move(less));
    }
  for (size_t at = 0; at < input.size(); ++at) {
    if (input[at] == 0) continue;
    Bytes zeroed(input.begin(), input.end());
    zeroed[at] = 0;
    made.push_back(std::move(zeroed));
  }
  return made;
}

}  // namespace

std::string signature_in(const std::string& text, int wait_status) {
  if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGALRM) return "timeout";
  for (const std::string_view mark : {"FINDING: ", "runtime error: ", "SUMMARY: ", "what():  "})
    if (std::string line = line_with(text, mark); !line.empty()) return line;
  return WIFSIGNALED(wait_status) ? "signal " + std::to_string(WTERMSIG(wait_status))
                                  : "exit code " + std::to_string(WEXITSTATUS(wait_status));
}

std::optional<std::string> signature_of(std::span<const uint8_t> input, std::chrono::seconds limit) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot open a pipe to a child process");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    alarm(static_cast<unsigned>(limit.count()));
    // A copy of exactly its size, so that a sanitizer sees reads beyond the end.
    const Bytes copy(input.begin(), input.end());
    LLVMFuzzerTestOneInput(copy.data(), copy.size());
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got; (got = read(ends[0], part.data(), part.size())) > 0;)
    if (text.size() < (1u << 20)) text.append(part.data(), static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return signature_in(text, status);
}

Bytes minimise(Bytes input, const std::string& signature, std::chrono::seconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (bool simpler = true; simpler;) {
    simpler = false;
    for (Bytes& candidate : hooks().simpler ? hooks().simpler(input) : plainly_simpler(input)) {
      if (std::chrono::steady_clock::now() >= end) return input;
      if (candidate == input || signature_of(candidate, std::chrono::seconds(20)) != signature) continue;
      input = std::move(candidate);
      simpler = true;
      break;
    }
  }
  return input;
}

}  // namespace assay::fuzz
