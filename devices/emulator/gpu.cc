// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/gpu.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <utility>

#include "devices/emulator/alu/half.h"
#include "devices/emulator/fault.h"
#include "devices/emulator/hardware.h"
#include "devices/emulator/insns/control.h"
#include "devices/emulator/machine/explore.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/left_out.h"
#include "devices/emulator/machine/map_cache.h"
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/side_by_side.h"
#include "devices/emulator/ptx/lower.h"
#include "devices/emulator/ptx/module.h"
#include "devices/emulator/ptx/parser.h"
#include "devices/emulator/readings.h"

namespace assay::emulator {
namespace {

class LoadedKernel final : public Kernel {
 public:
  explicit LoadedKernel(Program lowered, std::optional<Diagnostic> refusal = {})
      : program(std::move(lowered)), refusal_(std::move(refusal)) {}
  const std::string& name() const override { return program.name; }
  const std::vector<ParamDeclaration>& params() const override { return program.params; }
  uint32_t param_bytes() const override { return program.param_bytes; }
  uint32_t static_shared_bytes() const override { return program.shared_bytes; }
  uint32_t max_threads() const override {
    if (product(program.required_threads) != 0)
      return static_cast<uint32_t>(product(program.required_threads));
    if (product(program.max_threads) != 0)
      return static_cast<uint32_t>(std::min<uint64_t>(1024, product(program.max_threads)));
    return std::min<uint32_t>(1024, registers_per_multiprocessor / registers_of_warp(registers()) * 32);
  }
  uint32_t registers() const override {
    if (registers_ == 0) registers_ = count_registers();
    return registers_;
  }
  std::array<uint32_t, 3> required_cluster() const override { return program.required_cluster; }
  const Diagnostic* refusal() const override { return refusal_ ? &*refusal_ : nullptr; }
  bool has_independent_clusters() const {
    if (!has_independent_clusters_) has_independent_clusters_ = emulator::has_independent_clusters(program);
    return *has_independent_clusters_;
  }

  const Program program;

 private:
  /// ptxas keeps within what the threads that a kernel declares leave each of them.
  uint32_t count_registers() const {
    const uint64_t declared = std::max(product(program.required_threads), product(program.max_threads));
    uint32_t most = most_registers_per_thread;
    if (declared != 0) {
      const uint64_t warps = (std::min<uint64_t>(declared, 1024) + 31) / 32;
      most = std::min<uint32_t>(most, static_cast<uint32_t>(registers_per_multiprocessor / warps / 256 * 8));
    }
    return std::clamp<uint32_t>(live_registers(program), 1, most);
  }
  mutable uint32_t registers_ = 0;  ///< 0: not asked for yet
  mutable std::optional<bool> has_independent_clusters_;
  const std::optional<Diagnostic> refusal_;
};

class LoadedModule final : public Module {
 public:
  LoadedModule(const ptx::ModuleSyntax& syntax, std::string_view text, Memory& memory,
               const Settings& settings)
      : text_(text), variables_(syntax, memory) {
    for (const ptx::FunctionSyntax& function : syntax.functions)
      if (function.is_entry && function.has_body) {
        auto kernel = lower(syntax, function, settings);
        if (!kernels_.emplace(function.name, std::move(kernel)).second)
          throw ptx::SyntaxError{function.line, "the kernel '" + function.name + "' is defined twice"};
      }
  }
  Kernel* find_kernel(std::string_view name) override {
    const auto found = kernels_.find(name);
    return found == kernels_.end() ? nullptr : found->second.get();
  }
  std::vector<std::string> kernel_names() const override {
    std::vector<std::string> names;
    for (const auto& [name, kernel] : kernels_) names.push_back(name);
    return names;
  }
  std::optional<std::pair<uint64_t, size_t>> find_variable(std::string_view name) override {
    const auto found = variables_.named().find(name);
    if (found == variables_.named().end()) return std::nullopt;
    return found->second;
  }

  SourcePlace place(uint32_t line) const override {
    const auto [found, is_new] = places_.try_emplace(line);
    if (!is_new) return found->second;
    if (!index_) index_.emplace(text_);
    return found->second = index_->find(line);
  }

 private:
  mutable std::map<uint32_t, SourcePlace> places_;  ///< that were asked for
  mutable std::optional<ptx::Places> index_;
  std::unique_ptr<LoadedKernel> lower(const ptx::ModuleSyntax& syntax, const ptx::FunctionSyntax& function,
                                      const Settings& settings) const {
    if (!settings.tolerant)
      return std::make_unique<LoadedKernel>(
          answered(ptx::lower_kernel(syntax, function, variables_.addresses(), settings.target), settings));
    ptx::TolerantKernel made =
        ptx::lower_tolerantly(syntax, function, variables_.addresses(), settings.target);
    return std::make_unique<LoadedKernel>(answered(std::move(made.program), settings),
                                          std::move(made.refusal));
  }
  /// With the arithmetic that answers open questions as the device does, and without what is left out.
  static Program answered(Program program, const Settings& settings) {
    if (settings.left_out_line != 0 && program.name == settings.left_out_kernel)
      for (Instruction& one : program.code)
        if (one.line == settings.left_out_line && only_synchronises(one)) leave_out(one);
    if (!DeviceReadings(settings).is({"CVT-AMB-01", "bytes_in_order"})) return program;
    for (Instruction& one : program.code)
      if (one.lane_op != nullptr && one.opcode->base == "cvt" && one.opcode->has("e2m1x4"))
        one.lane_op = find_lane_form(*one.opcode, 0, /*takes_bytes_in_order=*/true)->op;
    return program;
  }

  const std::string text_;
  ptx::Variables variables_;
  std::map<std::string, std::unique_ptr<LoadedKernel>, std::less<>> kernels_;
};

class EmulatedGpu final : public Gpu {
 public:
  explicit EmulatedGpu(const Settings& settings) : settings_(settings) {}
  const Settings& settings() const override { return settings_; }
  GlobalMemory& memory() override { return memory_; }
  std::variant<std::unique_ptr<Module>, Diagnostic> load(std::string_view ptx) override;
  std::optional<Diagnostic> launch(const LaunchConfig& config) override;
  std::vector<Diagnostic> refusals(std::string_view ptx) override;
  std::vector<Breach> take_breaches() override { return std::exchange(breaches_, {}); }
  std::vector<BarrierEvent> take_timeline(uint64_t& seen) override {
    seen = std::exchange(events_seen_, 0);
    return std::exchange(events_, {});
  }
  bool has_heap() const override { return heap_.is_in_use(); }
  void launches_ended() override { grid_history_.all_ended(); }
  StreamHistory& streams() override { return grid_history_.streams; }
  std::string copies(std::string_view call, uint64_t address, uint64_t bytes, bool is_write) override;
  std::string touches(uint64_t address, bool is_write, const std::string& place) override;
  uint64_t instructions_executed() const override { return instructions_; }

 private:
  std::optional<Exploration> take_exploration() override { return std::exchange(exploration_, std::nullopt); }
  /// A launch, of which this is one order.
  struct Round {
    const LaunchConfig& config;
    std::array<uint32_t, 3> cluster;
    uint64_t launch;
    uint32_t on_each;
    uint64_t number = 0;                   ///< of the order; the first one's results stay
    std::function<std::string()> order{};  ///< of the others
  };
  std::optional<Diagnostic> run(const Round& round, Schedule* schedule);
  std::optional<Diagnostic> explore(Round& round);
  static std::vector<uint32_t> synchronised(const Program& program, const Pauses& pauses);
  static void note_failure(Exploration& found, const Diagnostic& end);
  /// Whether something was found that is not among Settings::known.
  bool has_new_breach() const;
  void keep(std::vector<Breach> breaches, const std::string& order);
  bool is_apart(const LaunchConfig& config) const;
  const Settings settings_;
  Memory memory_;
  MapHistory map_history_;
  GridHistory grid_history_;
  DeviceHeap heap_{memory_};
  std::vector<Breach> breaches_;
  std::vector<BarrierEvent> events_;
  uint64_t events_seen_ = 0;
  uint64_t instructions_ = 0, launches_ = 0;
  std::optional<Exploration> exploration_;
  std::optional<Explorer::Clock::time_point> explore_until_;
  bool has_new_ = false;  ///< an exploration has shown what is not among Settings::known
  std::vector<std::unique_ptr<Warp>> spare_warps_;
};

/// Why the device cannot have the module at all, or nothing.
std::optional<Diagnostic> header_mismatch(const ptx::ModuleSyntax& syntax, Target target) {
  constexpr auto kind = Diagnostic::Kind::unsupported_target;
  // (ptx, .version) All forms up to 9.0 are known here, and some of later versions.
  constexpr int newest = 95;
  const auto words = [](int version) {
    return std::to_string(version / 10) + "." + std::to_string(version % 10);
  };
  if (syntax.version > newest)
    return Diagnostic{kind, "", syntax.version_line, "",
                      "PTX version " + words(syntax.version) + " is newer than " + words(newest)};
  if (std::string why = ptx::target_mismatch(syntax.target, target); !why.empty())
    return Diagnostic{kind, "", syntax.target_line, "", std::move(why)};
  if (const auto arch = spec::parse_arch(syntax.target);
      arch && syntax.target.ends_with('a') && syntax.version < spec::row_of(*arch).ptx)
    return Diagnostic{Diagnostic::Kind::syntax, "", syntax.target_line, "",
                      syntax.target + " needs PTX " + words(spec::row_of(*arch).ptx) +
                          "; the module declares " + words(syntax.version)};
  return std::nullopt;
}

std::variant<std::unique_ptr<Module>, Diagnostic> EmulatedGpu::load(std::string_view text) {
  const HostFloat host_float;  // constants are converted
  std::string spoiled;
  if (const Fault* fault = settings_.fault.empty() ? nullptr : find_fault(settings_.fault))
    text = spoiled = fault->program(text);
  try {
    const ptx::ModuleSyntax syntax = ptx::parse(text, settings_.tolerant);
    if (auto wrong = header_mismatch(syntax, settings_.target)) return *wrong;
    return std::make_unique<LoadedModule>(syntax, text, memory_, settings_);
  } catch (const ptx::SyntaxError& error) {
    return Diagnostic{Diagnostic::Kind::syntax, "", error.line, "", error.message};
  } catch (const ptx::UnknownInstruction& error) {
    return Diagnostic{Diagnostic::Kind::unknown_instruction, error.kernel, error.line, "", error.message};
  }
}

std::vector<Diagnostic> EmulatedGpu::refusals(std::string_view text) {
  const HostFloat host_float;
  try {
    const ptx::ModuleSyntax syntax = ptx::parse(text, true);
    if (auto wrong = header_mismatch(syntax, settings_.target)) return {*wrong};
    const ptx::Variables variables(syntax, memory_);
    return ptx::all_refusals(syntax, variables.addresses(), settings_.target);
  } catch (const ptx::SyntaxError& error) {
    return {{Diagnostic::Kind::syntax, "", error.line, "", error.message}};
  }
}

/// What is wrong with a launch's shape, or nothing. A driver checks the same and more; this keeps the machine
/// safe.
std::string wrong_shape(Target target, const LaunchConfig& config, const Program& program,
                        std::array<uint32_t, 3>& cluster) {
  cluster = product(config.cluster) != 0             ? config.cluster
            : product(program.required_cluster) != 0 ? program.required_cluster
                                                     : std::array<uint32_t, 3>{1, 1, 1};
  if (product(program.required_cluster) != 0 && cluster != program.required_cluster)
    return "the cluster shape differs from .reqnctapercluster";
  if (product(config.block) == 0 || product(config.block) > 1024) return "a CTA has 1 to 1024 threads";
  if (product(program.required_threads) != 0 && config.block != program.required_threads)
    return "the CTA shape differs from .reqntid";
  if (product(config.grid) == 0) return "the grid is empty";
  if (product(cluster) > 16) return "a cluster has at most 16 CTAs";
  for (size_t i = 0; i < 3; ++i)
    if (config.grid[i] % cluster[i] != 0) return "the grid is not a whole number of clusters";
  if (program.shared_bytes + static_cast<uint64_t>(config.dynamic_shared_bytes) > shared_of_cta(target))
    return "a CTA has at most " + std::to_string(shared_of_cta(target) >> 10) + " KiB of shared memory";
  return {};
}

/// Whether clusters may run by themselves: not wherever that could be told. A limit ends a launch at one
/// instruction; faults, and random schedules that the strict mode does not watch, are there to show what
/// depends on an order.
bool EmulatedGpu::is_apart(const LaunchConfig& config) const {
  const bool shows_order = settings_.completion == Completion::random && !settings_.strict;
  if (shows_order || settings_.moves_tensor_memory || !settings_.fault.empty() ||
      settings_.instruction_limit != 0 || config.grid_workspace != 0)
    return false;
  return static_cast<const LoadedKernel*>(config.kernel)->has_independent_clusters();
}

std::string EmulatedGpu::copies(std::string_view call, uint64_t address, uint64_t bytes, bool is_write) {
  StreamHistory& streams = grid_history_.streams;
  if (!settings_.strict || !(streams.may_overlap() || streams.may_be_of_host(address))) return {};
  streams.is_called(std::string(call), false);
  const StreamHistory::Operation* const other = streams.find_unordered(address, bytes, is_write);
  ByteSet accessed;
  accessed.add(address, bytes);
  if (is_write)
    streams.writes(accessed);
  else
    streams.reads(accessed);
  if (other == nullptr || !other->is_kernel || !other->writes.meets(address, bytes)) return {};
  keep({{"missing-stream-order", other->name, other->writes.line(address, bytes), "one of its threads", 1}},
       "");
  breaches_.back().why = std::string(call) + " in another stream " + (is_write ? "writes" : "reads") +
                         " what is written here, and nothing orders the two";
  return other->name;
}

std::string EmulatedGpu::touches(uint64_t address, bool is_write, const std::string& place) {
  const StreamHistory::Operation* found = nullptr;
  grid_history_.streams.each_in_flight([&](const StreamHistory::Operation& one) {
    const bool meets = one.writes.meets(address, 1) || (is_write && one.reads.meets(address, 1));
    if (meets && !one.talks_to_host && found == nullptr) found = &one;
  });
  if (found == nullptr) return {};
  const bool writes = found->writes.meets(address, 1);
  const uint32_t line = (writes ? found->writes : found->reads).line(address, 1);
  keep({{"missing-host-wait", found->name, line, found->is_kernel ? "one of its threads" : "the copy", 1}},
       "");
  breaches_.back().why = std::string("the host ") + (is_write ? "writes" : "reads") + " at " + place +
                         " what it " + (writes ? "writes" : "reads") + ", and has not waited for it";
  return found->name;
}

std::optional<Diagnostic> EmulatedGpu::launch(const LaunchConfig& config) {
  if (const Diagnostic* refusal = config.kernel->refusal()) return *refusal;
  const HostFloat host_float;
  const Program& program = static_cast<const LoadedKernel*>(config.kernel)->program;
  std::array<uint32_t, 3> cluster;
  if (std::string why = wrong_shape(settings_.target, config, program, cluster); !why.empty())
    return Diagnostic{Diagnostic::Kind::launch_failed, program.name, 0, "", std::move(why)};
  const uint32_t on_each = resident_ctas(settings_.target, product(config.block), config.kernel->registers(),
                                         program.shared_bytes + uint64_t{config.dynamic_shared_bytes});
  if (on_each == 0)
    return Diagnostic{Diagnostic::Kind::launch_failed, program.name, 0, "",
                      "a CTA needs more registers than a multiprocessor has"};
  Round round{config, cluster, ++launches_, on_each};
  exploration_.reset();
  if (settings_.explore_seconds != 0) return explore(round);
  if (!settings_.is_stepwise) return run(round, nullptr);
  std::optional<Replay> order;
  if (launches_ == settings_.replayed_launch) order = Replay::parse(settings_.replayed_order);
  if (!order) order.emplace();
  try {
    return run(round, &*order);
  } catch (const Schedule::Abandoned&) {
    return Diagnostic{Diagnostic::Kind::launch_failed, program.name, 0, "",
                      "this launch has no such order to replay"};
  }
}

std::optional<Diagnostic> EmulatedGpu::run(const Round& round, Schedule* schedule) {
  const LaunchConfig& config = round.config;
  const Program& program = static_cast<const LoadedKernel*>(config.kernel)->program;
  grid_history_.launch_begins(program.name, config.stream, config.begins_early, program.releases_dependents);
  Launch launch(settings_, memory_, map_history_, grid_history_, heap_, program, config, round.cluster,
                round.launch, round.on_each, is_apart(config),
                settings_.workers == 0 ? usable_cores() : settings_.workers, spare_warps_);
  std::optional<Diagnostic> end = launch.run(schedule, round.number != 0);
  map_history_.launch_ended(memory_);
  grid_history_.launch_ended();
  instructions_ += launch.instructions;
  const std::string order = round.number == 0 ? "" : round.order();
  if (end) end->schedule = order;
  keep(launch.take_breaches(), order);
  if (round.number != 0) return end;
  events_seen_ = launch.timeline.seen();
  events_ = launch.timeline.take();
  return end;
}

std::optional<Diagnostic> EmulatedGpu::explore(Round& round) {
  using Clock = Explorer::Clock;
  const Program& program = static_cast<const LoadedKernel*>(round.config.kernel)->program;
  if (!explore_until_) explore_until_ = Clock::now() + std::chrono::seconds(settings_.explore_seconds);
  const MemoryImage before(memory_);
  const uint64_t generation = memory_.generation();
  const MapHistory maps = map_history_;
  const GridHistory grids = grid_history_;
  Explorer explorer(*explore_until_);
  Exploration found{program.name, round.launch};
  std::optional<Diagnostic> first;
  std::optional<MemoryImage> after;
  std::optional<std::pair<MapHistory, GridHistory>> histories;
  round.order = [&] { return "order:" + std::to_string(round.launch) + ":" + explorer.text(); };
  for (bool has_next = true; has_next; ++round.number) {
    if (round.number != 0) {
      before.restore();
      map_history_ = maps, grid_history_ = grids;
    }
    std::optional<Diagnostic> end;
    bool is_whole = true;
    try {
      end = run(round, &explorer);
    } catch (const Schedule::Abandoned&) {
      is_whole = false;
    }
    if (is_whole) ++found.orders;
    if (!after) {
      first = end;
      after.emplace(memory_);
      found.result = after->hash();
      found.synchronised = synchronised(program, explorer.pauses);
      histories.emplace(map_history_, grid_history_);
    } else if (is_whole && end) {
      note_failure(found, *end);
    } else if (const auto byte = after->difference(); is_whole && !first && byte) {
      if (found.others++ == 0) {
        found.other_bytes = memory_.byte_name(*byte);
        found.other_schedule = round.order();
      }
    }
    if (explorer.is_too_long()) found.why_not_all = "the launch has too many steps";
    if (explorer.is_out_of_time() || Clock::now() > *explore_until_) found.why_not_all = "the time was over";
    if (memory_.generation() != generation || heap_.is_in_use())
      found.why_not_all = "the kernel allocates memory";
    if (round.number + 1 == settings_.explore_orders) found.why_not_all = "no more orders were asked for";
    has_new_ |= settings_.known && (end || has_new_breach());
    if (has_new_) found.why_not_all = "something was found";
    has_next = explorer.next();
    if (!has_next) found.why_not_all.clear();
    if (!found.why_not_all.empty()) break;
  }
  after->restore();
  map_history_ = histories->first, grid_history_ = histories->second;
  exploration_ = std::move(found);
  return first;
}

std::vector<uint32_t> EmulatedGpu::synchronised(const Program& program, const Pauses& pauses) {
  std::vector<uint32_t> lines;
  for (size_t i = 0; i < pauses.executed.size(); ++i)
    if (pauses.executed[i] && only_synchronises(program.code[i])) lines.push_back(program.code[i].line);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

bool EmulatedGpu::has_new_breach() const {
  return std::any_of(breaches_.begin(), breaches_.end(), [&](const Breach& one) {
    return !one.is_warning && !settings_.known->contains({std::string(one.clause), one.line});
  });
}

void EmulatedGpu::note_failure(Exploration& found, const Diagnostic& end) {
  const bool is_known = std::any_of(found.failures.begin(), found.failures.end(), [&](const Diagnostic& one) {
    return one.kind == end.kind && one.line == end.line;
  });
  if (!is_known) found.failures.push_back(end);
}

void EmulatedGpu::keep(std::vector<Breach> breaches, const std::string& order) {
  for (Breach& breach : breaches) {
    breach.schedule = order;
    const auto same = std::find_if(breaches_.begin(), breaches_.end(), [&](const Breach& other) {
      return other.clause == breach.clause && other.kernel == breach.kernel && other.line == breach.line;
    });
    if (same != breaches_.end() && same->schedule != order) continue;
    if (same != breaches_.end())
      same->count += breach.count;
    else
      breaches_.push_back(std::move(breach));
  }
}

}  // namespace

std::unique_ptr<Gpu> Gpu::create(const Settings& settings) {
  return std::make_unique<EmulatedGpu>(settings);
}

}  // namespace assay::emulator
