// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/oracle.h"

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

namespace assay::suites::scalar {
namespace {

using nlohmann::json;

json of_difference(const Difference& one) {
  return {{"opcode", one.opcode}, {"program", one.program},   {"line", one.line},
          {"module", one.module}, {"kernel", one.kernel},     {"index", one.index},
          {"thread", one.thread}, {"threads", one.threads},   {"left", one.left},
          {"right", one.right},   {"operands", one.operands}, {"second", one.is_second}};
}

Difference difference_of(const json& from) {
  Difference made;
  from.at("opcode").get_to(made.opcode);
  from.at("program").get_to(made.program);
  from.at("line").get_to(made.line);
  from.at("module").get_to(made.module);
  from.at("kernel").get_to(made.kernel);
  from.at("index").get_to(made.index);
  from.at("thread").get_to(made.thread);
  from.at("threads").get_to(made.threads);
  from.at("left").get_to(made.left);
  from.at("right").get_to(made.right);
  from.at("operands").get_to(made.operands);
  from.at("second").get_to(made.is_second);
  return made;
}

}  // namespace

json to_json(const Tally& tally) {
  json made = {{"programs", tally.programs},   {"instructions", tally.instructions},
               {"results", tally.results},     {"modules", tally.modules},
               {"refused", tally.refused},     {"differences", json::object()},
               {"approximate", json::object()}};
  for (const auto& [opcode, one] : tally.differences) {
    json examples = json::array();
    for (const Difference& example : one.examples) examples.push_back(of_difference(example));
    made["differences"][opcode] = {
        {"programs", one.programs}, {"threads", one.threads}, {"examples", examples}};
  }
  for (const auto& [opcode, one] : tally.approximate)
    made["approximate"][opcode] = {{"results", one.results}, {"differ", one.differ}, {"ulps", one.most_ulps}};
  return made;
}

Tally tally_from_json(const json& from) {
  Tally made;
  from.at("programs").get_to(made.programs);
  from.at("instructions").get_to(made.instructions);
  from.at("results").get_to(made.results);
  from.at("modules").get_to(made.modules);
  from.at("refused").get_to(made.refused);
  for (const auto& [opcode, one] : from.at("differences").items()) {
    Tally::OfOpcode& mine = made.differences[opcode];
    one.at("programs").get_to(mine.programs);
    one.at("threads").get_to(mine.threads);
    for (const json& example : one.at("examples")) mine.examples.push_back(difference_of(example));
  }
  for (const auto& [opcode, one] : from.at("approximate").items())
    made.approximate[opcode] = {one.at("results"), one.at("differ"), one.at("ulps")};
  return made;
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The spec of the left side: an emulator of the right side's architecture, unless it names one.
std::string left_spec(const OracleOptions& options, const Side& right) {
  if (options.left != "emulator") return options.left;
  return "emulator:sm_" + std::to_string(right.capability()) + "a";
}

/// The part of process `job`: modules job, job + jobs, ...
Tally run_part(const OracleOptions& options, uint64_t modules, int job, int jobs, Clock::time_point start) {
  Tally tally;
  Side right(cuda::parse_device_spec(options.right));
  Side left(cuda::parse_device_spec(left_spec(options, right)));
  const gen::scalar::Forms forms(right.capability());
  for (auto i = static_cast<uint64_t>(job); i < modules; i += static_cast<uint64_t>(jobs)) {
    if (seconds_since(start) > options.seconds) break;
    const uint64_t index = options.first_module + i;
    const gen::scalar::Module module =
        gen::scalar::make_module(forms, options.seed, index, options.kernels, options.families);
    Results of_left, of_right;
    const char* side = "left";
    try {
      of_left = left.run(module);
      side = "right";
      of_right = right.run(module);
    } catch (const cuda::DriverFailure& failure) {
      tally.refused.push_back("module " + std::to_string(index) + ", " + side + " side: " + failure.what());
      if (cuda::is_sticky(failure.result)) break;
      continue;
    }
    compare(module, index, of_left, of_right, tally);
  }
  return tally;
}

/// Writes all of a text to a descriptor.
void write_all(int to, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(to, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

std::string read_all(int from) {
  std::string text;
  char piece[65536];
  for (ssize_t got; (got = read(from, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<size_t>(got));
  return text;
}

struct Part {
  pid_t process = -1;
  int pipe = -1;
};

Part start_part(const OracleOptions& options, uint64_t modules, int job, int jobs, Clock::time_point start) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t process = fork();
  if (process != 0) {
    close(ends[1]);
    return {process, ends[0]};
  }
  close(ends[0]);
  nlohmann::json said;
  try {
    said = to_json(run_part(options, modules, job, jobs, start));
  } catch (const std::exception& error) {
    said = {{"error", error.what()}};
  }
  write_all(ends[1], said.dump());
  _exit(0);
}

}  // namespace

OracleRun run_oracle(const OracleOptions& options) {
  OracleRun run;
  run.left_out = gen::scalar::Forms(103).left_out;
  const auto start = Clock::now();
  const uint64_t programs_a_module = uint64_t{options.kernels} * gen::scalar::programs_a_kernel;
  run.modules_wanted = (options.programs + programs_a_module - 1) / programs_a_module;
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int jobs = static_cast<int>(
      std::min<uint64_t>(run.modules_wanted, static_cast<uint64_t>(options.jobs > 0 ? options.jobs : cores)));
  std::vector<Part> parts;
  for (int job = 0; job < jobs; ++job)
    parts.push_back(start_part(options, run.modules_wanted, job, jobs, start));
  for (const Part& part : parts) {
    if (part.process < 0) {
      run.failures.push_back("a process could not be started");
      continue;
    }
    const std::string text = read_all(part.pipe);
    close(part.pipe);
    int status = 0;
    waitpid(part.process, &status, 0);
    const nlohmann::json said = nlohmann::json::parse(text, nullptr, false);
    if (said.is_discarded())
      run.failures.push_back("a process ended by signal " + std::to_string(WTERMSIG(status)) +
                             " without a word");
    else if (said.contains("error"))
      run.failures.push_back(said["error"]);
    else
      run.tally.add(tally_from_json(said));
  }
  run.seconds = seconds_since(start);
  return run;
}

using cuda::check;

Side::Side(const cuda::DeviceSpec& spec)
    // Nobody loads the same module twice, and writing each to the driver's cache takes time.
    : opened_((setenv("CUDA_CACHE_DISABLE", "1", 0), spec)) {
  const cuda::Driver& driver = opened_.driver;
  cuda::Context context = nullptr;
  driver.context_flags(opened_.device, cuda::context_blocking_sync);
  check(driver, driver.context_retain(&context, opened_.device), "cuDevicePrimaryCtxRetain");
  check(driver, driver.context_set_current(context), "cuCtxSetCurrent");
}

void Side::reserve(cuda::DeviceAddress& memory, size_t& bytes, size_t wanted) {
  if (wanted <= bytes) return;
  const cuda::Driver& driver = opened_.driver;
  if (memory != 0) check(driver, driver.memory_free(memory), "cuMemFree");
  bytes = wanted + wanted / 2;
  check(driver, driver.memory_allocate(&memory, bytes), "cuMemAlloc");
}

Results Side::run(const gen::scalar::Module& module) {
  using gen::scalar::threads;
  const cuda::Driver& driver = opened_.driver;
  size_t input_words = 0, result_words = 0;
  for (const gen::scalar::Kernel& kernel : module.kernels) {
    input_words += kernel.values.size();
    result_words += size_t{kernel.slots} * threads;
  }
  reserve(inputs_, input_bytes_, input_words * 8);
  reserve(results_, result_bytes_, result_words * 8);
  cuda::ModuleHandle loaded = nullptr;
  check(driver, driver.module_load(&loaded, module.text.c_str()), "cuModuleLoadData");
  cuda::Stream stream = nullptr;
  check(driver, driver.fill_bytes(results_, 0, result_words * 8, stream), "cuMemsetD8Async");
  std::vector<uint64_t> inputs;
  inputs.reserve(input_words);
  for (const gen::scalar::Kernel& kernel : module.kernels)
    inputs.insert(inputs.end(), kernel.values.begin(), kernel.values.end());
  check(driver, driver.copy_to_device(inputs_, inputs.data(), input_words * 8, stream), "cuMemcpyHtoDAsync");
  cuda::DeviceAddress from = inputs_, to = results_;
  for (size_t k = 0; k < module.kernels.size(); ++k) {
    cuda::Function function = nullptr;
    check(driver, driver.module_function(&function, loaded, ("k" + std::to_string(k)).c_str()),
          "cuModuleGetFunction");
    cuda::LaunchConfig config{};
    config.grid[0] = config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
    config.block[0] = threads;
    void* arguments[] = {&from, &to};
    check(driver, driver.launch(&config, function, arguments, nullptr), "cuLaunchKernelEx");
    from += module.kernels[k].values.size() * 8;
    to += uint64_t{module.kernels[k].slots} * threads * 8;
  }
  std::vector<uint64_t> all(result_words);
  check(driver, driver.copy_to_host(all.data(), results_, result_words * 8, stream), "cuMemcpyDtoHAsync");
  check(driver, driver.stream_synchronize(stream), "cuStreamSynchronize");
  check(driver, driver.module_unload(loaded), "cuModuleUnload");
  Results made;
  auto next = all.begin();
  for (const gen::scalar::Kernel& kernel : module.kernels) {
    const auto end = next + static_cast<ptrdiff_t>(size_t{kernel.slots} * threads);
    made.emplace_back(next, end);
    next = end;
  }
  return made;
}

}  // namespace assay::suites::scalar
