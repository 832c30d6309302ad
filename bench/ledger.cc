// SPDX-License-Identifier: Apache-2.0
// Runs the cases of an operation under callgrind: bench/ledger.py starts it, knows the rows, and reads the
// profiles that it leaves. The conductor runs on a device that answers from the prediction, so that all that
// is counted is the host's own work ("plain": with no phases told apart); or the kernels run alone, on the
// emulator. Profiles are called "PROPERTY|generate", "|judge" and "|emulate"; what callgrind does not count
// is printed.
#include <valgrind/callgrind.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "devices/cuda/device_spec.h"
#include "devices/cuda/families/family.h"
#include "devices/cuda/opened_device.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/predicted_end_test.h"

namespace assay::suites {
namespace {

constexpr uint64_t first_index = 1'000'000;  // behind the directed cases

enum class Phase { none, generate, predict, compare, record };
constexpr const char* phase_names[] = {"", "generate", "predict", "compare", "record"};

Phase phase = Phase::none;
uint64_t allocations[5];
bool is_collecting = false;

void collect(bool on) {
  if (is_collecting != on) CALLGRIND_TOGGLE_COLLECT;
  is_collecting = on;
}

/// The phase until the end of a scope.
class During {
 public:
  explicit During(Phase now) : before_(phase) {
    if (before_ != Phase::none) phase = now;
  }
  ~During() { phase = before_; }
  During(const During&) = delete;
  During& operator=(const During&) = delete;

 private:
  const Phase before_;
};

/// A family whose predictions and comparisons are told apart from the rest of the conductor's work: by the
/// names of these functions in the profile, and for allocations by During. What only failures ask is left
/// out.
class CountedFamily final : public Family {
 public:
  const Family* real = nullptr;

  std::string_view name() const override { return real->name(); }
  size_t record_bytes() const override { return real->record_bytes(); }
  uint32_t output_alignment() const override { return real->output_alignment(); }
  uint32_t output_bytes(const Case& c) const override { return real->output_bytes(c); }
  uint32_t batch_key(const Case& c) const override { return real->batch_key(c); }
  void write_record(const Case& c, uint64_t offset, const spec::Readings& defaults,
                    std::byte* record) const override {
    real->write_record(c, offset, defaults, record);
  }
  std::optional<Launch> launch(std::span<const std::byte> record) const override {
    return real->launch(record);
  }
  uint64_t pace() const override { return real->pace(); }
  std::span<const Descriptor> descriptors() const override { return real->descriptors(); }
  void predict(const Case& c, const spec::Readings& readings, Scratch& scratch,
               Expected& expected) const override {
    const During during(Phase::predict);
    real->predict(c, readings, scratch, expected);
  }
  bool same(const Case& c, const spec::Readings& readings, const Expected& expected,
            std::span<const std::byte> output) const override {
    const During during(Phase::compare);
    return real->same(c, readings, expected, output);
  }
  bool allows(const Case& c, const spec::Readings& readings,
              std::span<const std::byte> output) const override {
    const During during(Phase::compare);
    return real->allows(c, readings, output);
  }
  std::vector<uint32_t> multiprocessors(std::span<const std::byte> output, bool wrong) const override {
    return real->multiprocessors(output, wrong);
  }
  std::string_view wrong_note(uint32_t note) const override { return real->wrong_note(note); }
  std::string_view remark(const Case& c, const spec::Readings& readings, const Expected& expected,
                          const RecordEnd& end, std::span<const std::byte> output) const override {
    return real->remark(c, readings, expected, end, output);
  }
  std::string open_result(const Case& c, const Expected& expected, const spec::Readings& readings,
                          const RecordEnd& end, std::span<const std::byte> output) const override {
    return real->open_result(c, expected, readings, end, output);
  }
  ExpectedOutput expected_output(const Case& c, const Expected& expected) const override {
    return real->expected_output(c, expected);
  }
  std::vector<std::pair<std::string, std::string>> fields(const Case& c) const override {
    return real->fields(c);
  }
  nlohmann::json to_json(const Case& c) const override { return real->to_json(c); }
  nlohmann::json schema() const override { return real->schema(); }
  Case from_json(const nlohmann::json& json) const override { return real->from_json(json); }
  std::vector<Case> simpler(const Case& c) const override { return real->simpler(c); }
};

CountedFamily counted;

/// What the device gives back for each of the cases.
struct Answer {
  RecordEnd end;
  uint32_t offset = 0, bytes = 0;  ///< in the outputs of all
};

/// Answers the cases of one property in the order of their indexes.
class LedgerDevice final : public Device {
 public:
  LedgerDevice(const Property& property, spec::Arch arch, uint64_t cases) : row_(property.name) {
    identity_.spec = "ledger";
    identity_.evidence = Evidence::silicon;
    identity_.architecture = spec::name(arch);
    identity_.name = "ledger";
    const DeviceLimits limits = limits_for(16);  // as on the hosts of GPUs
    for (Buffer& buffer : buffers_) {
      buffer.records.resize(limits.records_bytes);
      buffer.output.resize(limits.output_bytes);
      buffer.ends.resize(limits.records_bytes / 256);
      buffer.batch.records = buffer.records;
      buffer.batch.ends = buffer.ends;
      buffer.batch.output = buffer.output;
    }
    prepare(property, arch, cases);
  }

  const DeviceIdentity& identity() const override { return identity_; }
  std::optional<std::string> declines(std::string_view) const override { return std::nullopt; }
  Batch& acquire() override {
    turn_to(Phase::generate);
    for (Buffer& buffer : buffers_)
      if (!std::exchange(buffer.taken, true)) return buffer.batch;
    throw DeviceError("more batches are in flight than the ledger's device has");
  }
  /// As the process of the program does, it checks the records; the rest is the device's.
  void submit(Batch& batch) override {
    const cuda::BatchView view{batch.records.data(), batch.count, batch.output.size(),
                               identity_.architecture};
    const cuda::Family* const family = cuda::find_family(batch.family);
    if (family == nullptr) throw DeviceError("no family '" + std::string(batch.family) + "'");
    if (const auto wrong = family->check(view)) throw std::invalid_argument(wrong->what);
    turn_to(Phase::none);
    uint64_t used = 0;
    for (uint32_t k = 0; k < batch.count; ++k) {
      const Answer& answer = answers_.at(answered_++);
      const uint64_t offset =
          (used + counted.output_alignment() - 1) / counted.output_alignment() * counted.output_alignment();
      used = offset + answer.bytes;
      std::copy_n(outputs_.begin() + answer.offset, answer.bytes, batch.output.begin() + offset);
      batch.ends[k] = answer.end;
    }
    if (answered_ == answers_.size()) has_answered_all = true;
  }
  void wait(Batch&) override { turn_to(Phase::record); }
  void release(Batch& batch) override {
    for (Buffer& buffer : buffers_)
      if (&buffer.batch == &batch) buffer.taken = false;
  }
  DeviceCounters counters() const override { return {}; }
  std::vector<StrictFinding> strict_findings() const override { return {}; }

  std::atomic<bool> has_answered_all{false};

  /// Ends what is counted as one phase, and begins the next.
  void turn_to(Phase next) {
    collect(false);
    if (phase != Phase::none && phase != next) {
      const std::string label = row_ + (phase == Phase::generate ? "|generate" : "|judge");
      CALLGRIND_DUMP_STATS_AT(label.c_str());
    }
    phase = next;
    collect(next != Phase::none);
  }

 private:
  struct Buffer {
    std::vector<std::byte> records, output;
    std::vector<RecordEnd> ends;
    Batch batch;
    bool taken = false;
  };

  void prepare(const Property& property, spec::Arch arch, uint64_t cases) {
    const spec::Readings readings(arch);
    Scratch scratch;
    Case c;
    std::vector<std::byte> record(counted.record_bytes());
    BatchTally tally;
    for (uint64_t k = 0; k < cases; ++k) {
      property.generate(1, property.name, first_index + k, arch, c);
      Expected expected;
      readings.forget_consulted();
      counted.predict(c, readings, scratch, expected);
      // Tables that are made on first use are no cost of these cases.
      counted.write_record(c, 0, readings, record.data());
      if (property.cover != nullptr) property.cover(c, expected, first_index + k, arch, tally);
      const ExpectedOutput whole = counted.expected_output(c, expected);
      Answer answer{predicted_end(expected), static_cast<uint32_t>(outputs_.size()), counted.output_bytes(c)};
      outputs_.resize(outputs_.size() + answer.bytes);
      std::copy_n(reinterpret_cast<const std::byte*>(whole.bytes.data()),
                  std::min<size_t>(whole.bytes.size(), answer.bytes), outputs_.begin() + answer.offset);
      answers_.push_back(answer);
    }
  }

  const std::string row_;
  DeviceIdentity identity_;
  Buffer buffers_[2];
  std::vector<Answer> answers_;
  std::vector<std::byte> outputs_;
  size_t answered_ = 0;
};

/// Readings as they are in the long middle of a run: every open question decided, by its default.
report::LeftBehind decided(spec::Arch arch) {
  ReadingSet readings(arch);
  const spec::Readings defaults(arch);
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    const auto question = static_cast<spec::QuestionIndex>(q);
    const spec::Question& row = spec::questions()[q];
    for (int r = 0; r < row.reading_count(); ++r)
      if (row.readings[r].letter != defaults.chosen(question))
        readings.learn({{{question, row.readings[r].letter}}}, {false}, "ledger");
  }
  report::LeftBehind left;
  left.reading_states["ledger"] = readings.save();
  return left;
}

const Property& property_named(const std::string& name) {
  if (const Property* property = find_property(name)) return *property;
  throw std::runtime_error("no property is called " + name);
}

/// Hopper where it has the instruction: that is the silicon which the host must keep up with.
spec::Arch arch_of(const Property& property) {
  const bool is_newer = property.name.starts_with("mma.") || property.name.starts_with("tmem.") ||
                        property.name.starts_with("pipeline.");
  for (const spec::Arch arch : spec::all_archs)
    if (!(is_newer && arch == spec::Arch::sm_90) &&
        (property.declines == nullptr || !property.declines(arch)))
      return arch;
  throw std::runtime_error("no architecture has " + std::string(property.name));
}

void count_host(const std::string& name, uint64_t cases, bool tells_phases) {
  Property property = property_named(name);
  const spec::Arch arch = arch_of(property);
  counted.real = &property.family();
  if (tells_phases) property.family = +[]() -> const Family& { return counted; };
  property.most_on_silicon = property.batch_cases = 0;
  LedgerDevice device(property, arch, cases);
  const report::LeftBehind left = decided(arch);
  DeviceRunOptions options;
  // Many more than there are: the last cases of a run are dealt out in ever smaller batches.
  options.cases = first_index + 100 * cases;
  options.slice = {first_index, 1};
  options.piece = cases;
  options.stop = &device.has_answered_all;
  options.left = &left;
  std::fill(std::begin(allocations), std::end(allocations), 0);
  DeviceRun run(device, {&property}, options, {});
  CALLGRIND_START_INSTRUMENTATION;
  run.run();
  device.turn_to(Phase::none);
  CALLGRIND_STOP_INSTRUMENTATION;
  const report::PropertyTotals totals = run.properties().front()->totals();
  uint64_t good = 0;
  for (const auto& [verdict, count] : totals.counts)
    if (verdict == report::Verdict::conforms || verdict == report::Verdict::no_demand) good += count;
  if (good != cases)
    throw std::runtime_error(name + ": " + std::to_string(good) + " of " + std::to_string(cases) +
                             " cases conform on the ledger's device" +
                             (totals.reason.empty() ? "" : "; " + totals.reason));
  for (int p = 1; p < 5; ++p)
    std::printf("%s %s allocations %llu\n", name.c_str(), phase_names[p],
                static_cast<unsigned long long>(allocations[p]));
  std::printf("%s judge compared %llu\n", name.c_str(), static_cast<unsigned long long>(totals.tile_bytes));
}

/// The kernels of those cases that can share the first one's batch. Once a process.
void count_emulator(const std::string& name, uint64_t cases) {
  const Property& property = property_named(name);
  const Family& family = property.family();
  const spec::Arch arch = arch_of(property);
  const spec::Readings readings(arch);
  const cuda::Region region = cuda::Region::create(limits_for(1), /*with_arena=*/true);
  cuda::OpenedDevice device(cuda::parse_device_spec("emulator:" + std::string(spec::name(arch)) + "a"),
                            region);
  cuda::Job job{.batch = 0, .memory = region.batch(0), .group = {}, .whole = true};
  std::vector<uint32_t> group;
  uint64_t used = 0;
  uint32_t key = 0;
  Case c;
  for (uint64_t k = 0; k < cases; ++k) {
    property.generate(1, property.name, first_index + k, arch, c);
    if (k == 0) key = family.batch_key(c);
    if (family.batch_key(c) != key) continue;
    const auto offset = place_output(family, c, used, region.shape().output_bytes);
    if (!offset) throw std::runtime_error(name + ": the outputs of all cases are more than a batch holds");
    family.write_record(c, *offset, readings, job.memory.records + group.size() * family.record_bytes());
    used = *offset + family.output_bytes(c);
    group.push_back(static_cast<uint32_t>(group.size()));
  }
  job.group = group;
  job.memory.control->records = job.memory.control->group_count = static_cast<uint32_t>(group.size());
  const cuda::Family* const runs = cuda::find_family(family.name());
  runs->run(device, job);  // loads the kernels
  CALLGRIND_START_INSTRUMENTATION;
  collect(true);
  runs->run(device, job);
  collect(false);
  const std::string label = name + "|emulate";  // outlives the macro's several expressions
  CALLGRIND_DUMP_STATS_AT(label.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
  for (const uint32_t k : group)
    if (job.memory.ends[k].ended != params::probe_done)
      throw std::runtime_error(name + ": case " + std::to_string(first_index + k) + " ended as " +
                               std::to_string(job.memory.ends[k].ended));
  std::printf("%s emulate cases %zu\n", name.c_str(), group.size());
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  using namespace assay::suites;
  try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "compiler") {
      std::printf("g++ %s\n", __VERSION__);
    } else if (what == "operations") {
      for (const Property* property : all_properties())
        std::printf("%s %s\n", std::string(property->name).c_str(),
                    std::string(property->family().name()).c_str());
    } else if (argc == 4 && (what == "host" || what == "plain")) {
      count_host(argv[2], std::strtoull(argv[3], nullptr, 10), what == "host");
    } else if (argc == 4 && what == "emulate") {
      count_emulator(argv[2], std::strtoull(argv[3], nullptr, 10));
    } else {
      throw std::runtime_error("usage: ledger host|plain|emulate PROPERTY CASES, or operations, or compiler");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ledger: %s\n", error.what());
    return 1;
  }
}

// Not inlined: g++ 12 would take free() for the wrong counterpart of the operator.
[[gnu::noinline]] void* operator new(size_t bytes) {
  ++assay::suites::allocations[static_cast<int>(assay::suites::phase)];
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
