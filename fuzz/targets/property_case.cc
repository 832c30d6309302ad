// SPDX-License-Identifier: Apache-2.0
// Any text as a case file of any property: what is read as a case runs on the emulated device, and every
// defined bit is as the reference says.
#include <unistd.h>

#include <chrono>
#include <climits>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "devices/device.h"
#include "fuzz/target.h"
#include "fuzz/text_mutator.h"
#include "reports/verdict.h"
#include "suites/run/case_file.h"
#include "suites/run/reading_set.h"

namespace assay::fuzz {
namespace {

/// One emulated device an architecture, opened when a case first needs it. Engines fill every core of their
/// machine: what is slow there is no hang yet, and what hangs is seen before the engine's own limit.
Device& device(std::string_view spec) {
  static std::map<std::string, std::unique_ptr<Device>, std::less<>> opened;
  auto& one = opened[std::string(spec)];
  if (one == nullptr) one = open_device(spec, {.case_time = std::chrono::seconds(15)});
  return *one;
}

/// The first emulated device that can run the property, from a place that the case's text decides.
Device* device_for(const suites::Property& property, const std::string& text) {
  // The last has what it alone can run.
  constexpr size_t any = spec::arch_count - 1;
  const size_t first = std::hash<std::string>{}(text) % any;
  for (size_t i = 0; i <= any; ++i) {
    Device& one = device("emulator:" + spec::target_text(spec::all_archs[i < any ? (first + i) % any : any]));
    const auto arch = spec::parse_arch(one.identity().architecture);
    if (!one.declines(property.family().name()) && arch &&
        (property.declines == nullptr || !property.declines(*arch)))
      return &one;
  }
  return nullptr;
}

/// Cells of all properties side by side.
class Cells final : public suites::CoverageSink {
 public:
  explicit Cells(const suites::Property& property) {
    for (const suites::Property* one : suites::all_properties()) {
      if (one == &property) return;
      for (const suites::CellSpace& space : one->spaces) before_ += space.count;
    }
  }
  void hit(int space, uint32_t cell, uint64_t) override {
    hit_cell(before_ + static_cast<uint32_t>(space) * 7919 + cell);
  }

 private:
  uint32_t before_ = 0;
};

void check(const std::string& text) {
  suites::CaseFile read;
  try {
    read = suites::parse_case(text, "case.json");
  } catch (const std::runtime_error&) {
    return;
  }
  const suites::Property& property = *read.property;
  if (property.is_sacrificial()) return;  // its cases are meant to end the device's process
  Device* const on = device_for(property, text);
  if (on == nullptr) return;
  const spec::Arch arch = *spec::parse_arch(on->identity().architecture);
  suites::ReadingSet readings(arch);
  suites::CaseRunner runner(*on, readings, arch);
  suites::Outcome outcome;
  try {
    outcome = runner.run(property, {&read.what, 1}).front();
  } catch (const std::invalid_argument&) {
    return;  // what a device cannot be asked is refused in a sentence
  }
  ++counts().past_parser;
  // Where no document says what must come out, nothing can disagree.
  if (outcome.verdict != report::Verdict::conforms && outcome.verdict != report::Verdict::no_demand) {
    std::string words;
    for (const std::string& one : outcome.device_words) words += "\n" + one;
    found("reference and emulated device disagree on a case of " + std::string(property.name),
          std::string(report::name(outcome.verdict)) + " on " + on->identity().spec + ", " +
              outcome.signature + words);
  }
  suites::Scratch scratch;
  suites::Expected expected;
  property.family().predict(read.what, spec::Readings(arch), scratch, expected);
  Cells cells(property);
  if (property.cover != nullptr) property.cover(read.what, expected, 0, arch, cells);
}

std::string case_text(std::span<const uint8_t> input) {
  return {input.begin(), input.end()};
}

const RegisteredHooks registered({.simpler = nullptr, .case_file = case_text});

}  // namespace
}  // namespace assay::fuzz

/// This program is also the one of its devices' processes.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc > 1 && std::string_view((*argv)[1]) == "device-worker")
    std::exit(assay::device_worker_main(*argc - 1, *argv + 1));
  char self[PATH_MAX] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) setenv("ASSAY_PROGRAM", self, 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++assay::fuzz::counts().inputs;
  assay::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_json(data, size, max_size, seed);
}
