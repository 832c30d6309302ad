// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/random.h"
#include "reference/spec/descriptor.h"

/// What a fuzz target is made of. A file of fuzz/targets defines LLVMFuzzerTestOneInput, and where structure
/// helps LLVMFuzzerCustomMutator, LLVMFuzzerCustomCrossOver and LLVMFuzzerInitialize, so that any engine that
/// knows these names can drive it; fuzz/main.cc replays corpora without an engine.
extern "C" {
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
/// Once, before the first input.
int LLVMFuzzerInitialize(int* argc, char*** argv);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                 uint8_t* out, size_t max_out_size, unsigned seed);
/// The engine's own mutation of plain bytes.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
}

namespace assay::fuzz {

using Bytes = std::vector<uint8_t>;

/// Ends the process: the claim of the target does not hold for this input. `claim` says which one, in words
/// that are the same for every input that breaks it (findings are told apart by it); `details` may hold
/// numbers.
[[noreturn]] void found(std::string_view claim, const std::string& details);
inline void require(bool holds, std::string_view claim) {
  if (!holds) found(claim, {});
}

/// What a target can do with an input beside running it.
struct Hooks {
  /// Inputs one step simpler, the boldest first. Null: bytes are removed and zeroed.
  std::vector<Bytes> (*simpler)(std::span<const uint8_t>) = nullptr;
  /// The input as a case file that `assay replay` takes, or empty when it is no case.
  std::string (*case_file)(std::span<const uint8_t>) = nullptr;
};
/// A target with hooks has one namespace-scope constant of these.
class RegisteredHooks {
 public:
  explicit RegisteredHooks(Hooks hooks);
};
const Hooks& hooks();

/// Counts of this process. They lie in the file that the variable ASSAY_FUZZ_COUNTS names when it is set, so
/// that `assay fuzz` can show them while the target runs.
struct Counts {
  uint64_t inputs = 0;       ///< given to the target
  uint64_t past_parser = 0;  ///< of them, those that reached what lies behind the first check of the input
  uint64_t cells = 0;        ///< different ISA cells reached
};
Counts& counts();

/// Cells are numbered by the target, from 0 below this.
inline constexpr uint32_t cell_limit = 1u << 17;
/// The input lies in an ISA cell. Engines that read the section __libfuzzer_extra_counters take a new cell as
/// new coverage. Cells beyond the limit wrap around.
void hit_cell(uint32_t cell);

/// A target of one word of `bytes` bytes, little-endian, with `tail` more bytes that say how it is used.
/// Shorter inputs stand for zeros, longer ones are cut.
uint64_t read_word(const uint8_t* data, size_t size, size_t bytes, size_t at = 0);
void write_word(uint8_t* data, size_t bytes, uint64_t word);

/// Changes one meaning of a descriptor's word, or one of the `tail` bytes behind it. The new size, at most
/// max_size.
size_t mutate_descriptor(const spec::Descriptor& descriptor, size_t tail, uint8_t* data, size_t size,
                         size_t max_size, unsigned seed);

/// Takes every field, and every byte of the tail, from one of two inputs.
size_t cross_descriptors(const spec::Descriptor& descriptor, size_t tail, const uint8_t* one, size_t one_size,
                         const uint8_t* other, size_t other_size, uint8_t* out, size_t max_size,
                         unsigned seed);

/// Changes one field of an object of many words: to an end, a neighbour, another field's bits, anything, or
/// by one bit.
void mutate_fields(std::span<std::byte> object, std::span<const spec::Field> fields, gen::Random& random);

/// Runs one input in a child process. Nothing when it ends well; else its signature: the claim that it
/// breaks, what a sanitizer says in short, the exception that nothing catches, the signal, or "timeout".
std::optional<std::string> signature_of(std::span<const uint8_t> input, std::chrono::seconds limit);

/// The signature in what a process wrote before it died.
std::string signature_in(const std::string& text, int wait_status);

/// The simplest input with the same signature that is found in the time, by the target's own steps or by
/// removing and zeroing bytes.
Bytes minimise(Bytes input, const std::string& signature, std::chrono::seconds time);

}  // namespace assay::fuzz
