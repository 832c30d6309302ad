// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "devices/cuda/opened_device.h"
#include "suites/scalar/program.h"

namespace assay::suites::scalar {

/// What a module left behind: for each kernel, slot s of thread t at s * threads + t.
using Results = std::vector<std::vector<uint64_t>>;

/// A driver that runs modules of scalar programs, in the process that makes it.
class Side {
 public:
  explicit Side(const cuda::DeviceSpec& spec);
  /// Throws DriverFailure: after a sticky one the process can do no more on this side.
  Results run(const gen::scalar::Module& module);
  int capability() const { return opened_.capability; }

 private:
  void reserve(cuda::DeviceAddress& memory, size_t& bytes, size_t wanted);

  cuda::OpenedDriver opened_;
  cuda::DeviceAddress inputs_ = 0, results_ = 0;
  size_t input_bytes_ = 0, result_bytes_ = 0;
};

/// Where two sides differ: one program, at its first instruction that differs.
struct Difference {
  std::string opcode, program;  ///< the instruction and the program's lines
  std::string line;             ///< of the program, that differs first
  uint64_t module = 0;
  uint32_t kernel = 0, index = 0, thread = 0, threads = 0;  ///< the first thread that differs; how many do
  std::vector<uint64_t> operands;
  uint64_t left = 0, right = 0;
  bool is_second = false;  ///< the second destination differs
};

/// What comparing modules found. Sums of parts are sums of their members.
struct Tally {
  static constexpr size_t most_examples = 3;
  struct OfOpcode {
    uint64_t programs = 0, threads = 0;
    std::vector<Difference> examples;
  };
  /// Of an approximate function: results, those that differ within the documented error, and the largest of
  /// those in units of the last place.
  struct Approximate {
    uint64_t results = 0, differ = 0, most_ulps = 0;
  };
  uint64_t programs = 0, instructions = 0, results = 0, modules = 0;
  std::map<std::string, OfOpcode> differences;
  std::map<std::string, Approximate> approximate;
  std::vector<std::string> refused;  ///< modules that a side did not take, with its reason

  void add(Tally other);
  uint64_t differing_programs() const;
};

/// The operands of an instruction in a thread: of a carry chain without the carry.
std::vector<uint64_t> operands_of(const gen::scalar::Kernel& kernel, const gen::scalar::Program& program,
                                  const gen::scalar::Instruction& instruction,
                                  const std::vector<uint64_t>& results, uint32_t thread);

/// Adds what differs between two sides that ran module number `index`.
void compare(const gen::scalar::Module& module, uint64_t index, const Results& left, const Results& right,
             Tally& tally);

/// How far two results of an approximate instruction lie apart: in units of the last place, and whether the
/// documented error allows it, given the operands.
struct Distance {
  bool is_allowed = false;
  uint64_t ulps = 0;
};
Distance distance(const gen::scalar::Form& form, const uint64_t* operands, uint64_t left, uint64_t right);

/// The documented error of the form in words.
std::string bound_of(const gen::scalar::Form& form);

nlohmann::json to_json(const Tally& tally);
Tally tally_from_json(const nlohmann::json& json);

/// What the scalar oracle runs: the same random programs on two drivers.
struct OracleOptions {
  std::string left = "emulator",
              right = "cuda:0";  ///< device specs; "emulator" alone takes right's architecture
  uint64_t programs = 1'000'000, seed = 1, first_module = 0;
  uint32_t kernels = 33;  ///< a module
  int jobs = 0;           ///< processes, each assembling and comparing modules of its own; 0: one a core
  double seconds = 540;   ///< after which no further module begins
  std::vector<gen::scalar::Family> families;  ///< empty: all
};

struct OracleRun {
  Tally tally;
  std::vector<std::string> left_out;  ///< forms that no program can hold
  std::vector<std::string> failures;  ///< processes that ended early, and why
  uint64_t modules_wanted = 0;
  double seconds = 0;
};

/// Forks before it opens a driver, so it must be called from a process that has not opened one.
OracleRun run_oracle(const OracleOptions& options);

/// Everything, for a file; and what fits on a screen.
std::string full_report(const OracleOptions& options, const OracleRun& run);
std::string summary(const OracleOptions& options, const OracleRun& run);

}  // namespace assay::suites::scalar
