// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reference/spec/arch.h"

namespace assay::emulator {

using Target = spec::Arch;
constexpr std::string_view target_name(Target target) {
  return spec::row_of(target).target;
}

/// What this device has as a target, read out of the PTX ISA and off ptxas 13.0, of sm_107a 13.5, apart from
/// the table of spec/arch.h: a test compares the two. In the order of Target.
struct TargetFacts {
  bool has_warpgroups = false;        ///< wgmma
  bool has_tensor_memory = false;     ///< tcgen05, and the copies that came with it
  bool multiplies_bytes = false;      ///< tcgen05.mma, kind::i8
  bool scales_d = false;              ///< scale-input-d of tcgen05.mma
  bool multiplies_96 = false;         ///< bit 31 of the descriptor of packed kinds
  bool has_absolute_leading = false;  ///< bit 52 of a descriptor of shared memory
  bool reduces_loads = false;         ///< tcgen05.ld.red
  bool has_96B_swizzle = false;
  bool relaxes_b6_stores = false;  ///< boxes, rows, strides and starts of half the size
  bool rounds_at_random = false;   ///< .rs of cvt
  bool reduces_floats = false;     ///< redux.sync of f32
  bool has_mma_kinds = false;      ///< .kind of mma.sync and mma.sp
  /// What a multiprocessor holds at once (CUDA Programming Guide, Technical Specifications per Compute
  /// Capability).
  uint32_t most_threads = 2048, most_ctas = 32;
  uint32_t shared_bytes = 228 << 10;  ///< of which each CTA leaves 1 KiB to the system
  uint32_t tensor_columns = 512;      ///< those above the 512th only for tcgen05.alloc.exclusive
  bool has_32_ctas = false;           ///< masks of 32 bits
};
inline constexpr std::array<TargetFacts, spec::arch_count> target_facts{{
    {.has_warpgroups = true},
    {.has_tensor_memory = true,
     .multiplies_bytes = true,
     .scales_d = true,
     .rounds_at_random = true,
     .reduces_floats = true},
    {.has_tensor_memory = true,
     .scales_d = true,
     .multiplies_96 = true,
     .has_absolute_leading = true,
     .reduces_loads = true,
     .has_96B_swizzle = true,
     .relaxes_b6_stores = true,
     .rounds_at_random = true,
     .reduces_floats = true},
    {.has_tensor_memory = true,
     .scales_d = true,
     .reduces_loads = true,
     .has_96B_swizzle = true,
     .rounds_at_random = true,
     .reduces_floats = true,
     .shared_bytes = 328 << 10,
     .tensor_columns = 576,
     .has_32_ctas = true},
    {.has_tensor_memory = true,
     .multiplies_bytes = true,
     .reduces_loads = true,
     .most_threads = 1536,
     .most_ctas = 24},
    {.has_mma_kinds = true, .most_threads = 1536, .most_ctas = 24},
}};
constexpr const TargetFacts& facts_of(Target target) {
  return target_facts[static_cast<size_t>(target)];
}
/// Of all targets.
inline constexpr uint32_t most_shared_bytes =
    std::max_element(
        target_facts.begin(), target_facts.end(),
        [](const TargetFacts& a, const TargetFacts& b) { return a.shared_bytes < b.shared_bytes; })
        ->shared_bytes;
constexpr bool has_tensor_memory(Target target) {
  return facts_of(target).has_tensor_memory;
}
constexpr bool is_from_sm_100(Target target) {
  return spec::capability(target) >= 100;
}

/// When asynchronous work (bulk copies, tensor copies, cp.async) takes effect.
enum class Completion {
  eager,   ///< at issue
  lazy,    ///< when no lane of the cluster can move otherwise
  random,  ///< at a moment that the seed chooses between the two
};

struct Settings {
  Target target = Target::sm_100;
  Completion completion = Completion::random;
  uint64_t seed = 0;
  bool moves_tensor_memory =
      false;              ///< tcgen05.alloc takes any free columns, not the lowest: the seed chooses
  bool strict = false;    ///< report breaches of the memory model, by clause, and go on
  bool warns = false;     ///< strict: what is legal and likely wrong too
  bool tolerant = false;  ///< what is not known of a kernel costs its launches, not its module
  std::string fault;      ///< name of a row of devices/faults, or empty
  std::vector<std::pair<std::string, char>>
      readings;  ///< open questions where the device takes another reading
  /// Takes launches step by step; those before and behind `replayed_launch` (from 1) in their first order.
  bool is_stepwise = false;
  uint32_t explore_seconds = 0;  ///< stepwise: all orders of each launch, for so long in all; 0: one order
  uint64_t explore_orders = 0;   ///< begun of each launch at most; 0: no limit
  /// Findings, by clause and line, any other of which ends an exploration; none: it goes on behind all.
  std::optional<std::set<std::pair<std::string, uint32_t>>> known;
  uint64_t replayed_launch = 0;
  std::string replayed_order;      ///< of that launch; Exploration says it
  std::string left_out_kernel;     ///< in whose line of PTX
  uint32_t left_out_line = 0;      ///< no instruction that only synchronises has an effect; 0: all have
  uint64_t instruction_limit = 0;  ///< thread instructions a launch may execute, 0: no limit
  uint32_t workers = 1;            ///< host threads a launch may use, 0: as many as the process may
};

/// Device memory. A device pointer is the host address of the byte; every access is checked against the
/// allocations.
class GlobalMemory {
 public:
  virtual ~GlobalMemory() = default;
  virtual uint64_t allocate(
      size_t bytes) = 0;  ///< 256-byte aligned, guard pages around; 0 when out of memory
  virtual bool release(uint64_t address) = 0;
  virtual void map_host(void* address,
                        size_t bytes) = 0;  ///< host memory visible to kernels at its own address
  virtual void unmap_host(void* address) = 0;
  /// The host pointer for [address, address + bytes), or null if any byte lies outside every allocation.
  virtual std::byte* find(uint64_t address, size_t bytes) const = 0;
};

/// A parameter of a kernel as the PTX declares it.
struct ParamDeclaration {
  std::string name;
  uint32_t offset, size, alignment;
};

struct Diagnostic;
class StreamHistory;

/// Where an instruction stands.
struct SourcePlace {
  std::string text;          ///< the line of PTX
  std::string file;          ///< what .loc and .file say, or empty
  uint32_t source_line = 0;  ///< in that file; of code that was inlined, where the kernel calls for it
  std::string inlined_file;  ///< where inlined code itself stands, or empty
  uint32_t inlined_line = 0;
  /// Of code that was inlined: file and line of the calls that led there, the innermost first.
  std::vector<std::pair<std::string, uint32_t>> called_from{};
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const std::string& name() const = 0;
  virtual const std::vector<ParamDeclaration>& params() const = 0;
  virtual uint32_t param_bytes() const = 0;
  virtual uint32_t static_shared_bytes() const = 0;
  virtual uint32_t max_threads() const = 0;  ///< .maxntid, .reqntid, or what the registers of one CTA allow
  /// 32-bit registers of a thread, 1 to 255: as many as hold values at once, within what .maxntid leaves.
  virtual uint32_t registers() const = 0;
  virtual std::array<uint32_t, 3> required_cluster() const = 0;  ///< .reqnctapercluster or 0,0,0
  /// Why it cannot be launched, where modules are taken tolerantly; else null.
  virtual const Diagnostic* refusal() const = 0;
};

/// A module loaded from PTX text.
class Module {
 public:
  virtual ~Module() = default;
  virtual Kernel* find_kernel(std::string_view name) = 0;
  virtual std::vector<std::string> kernel_names() const = 0;
  /// Address and size of a module-scope .global or .const variable, or nothing.
  virtual std::optional<std::pair<uint64_t, size_t>> find_variable(std::string_view name) = 0;
  virtual SourcePlace place(uint32_t line) const = 0;  ///< of a line of its text, 1-based
};

/// Threads of a CTA that wait for a phase of an mbarrier.
struct BarrierWait {
  bool parity;  ///< of the phase that they wait for
  std::vector<uint32_t> threads;
};
/// A live mbarrier when a launch came to a stop.
struct OpenBarrier {
  uint32_t cta;      ///< linear index in the grid
  uint32_t address;  ///< within the CTA's window of shared memory
  bool phase;        ///< parity of the phase that is not complete
  uint32_t pending, expected;
  int32_t bytes;  ///< pending; negative: came before they were expected
  std::vector<BarrierWait> waits;
  std::string name{};        ///< of its variable: "full[1]"
  uint32_t expect_line = 0;  ///< where bytes of this phase were expected last; 0: they were not
  uint32_t expected_bytes = 0, delivered_bytes = 0;  ///< of this phase
  uint32_t delivered_line = 0;                       ///< of what brought the last of them; 0: nothing came
  uint32_t ended = 0;                                ///< phases, since it was initialised
};

/// Why PTX text is not a module, or a launch did not end well. `line` is 1-based in the PTX text, 0 if none.
struct Diagnostic {
  enum class Kind {
    syntax,               ///< not PTX                                  -> CUDA_ERROR_INVALID_PTX
    unsupported_target,   ///< .target or .version not for this device  -> CUDA_ERROR_NO_BINARY_FOR_GPU /
                          ///< UNSUPPORTED_PTX_VERSION
    unknown_instruction,  ///< legal looking, not known here            -> CUDA_ERROR_INVALID_PTX at load
    other_target,         ///< legal, on another of the emulated devices -> likewise
    illegal_instruction,  ///< CUDA_ERROR_ILLEGAL_INSTRUCTION 715
    misaligned_address,   ///< 716
    illegal_address,      ///< 700
    launch_failed,        ///< 719
    uninitialised_read,   ///< 719: never-written shared or tensor memory reaches global memory
    assert_failed,        ///< 710
    deadlock,             ///< 702 CUDA_ERROR_LAUNCH_TIMEOUT
    instruction_limit,    ///< 702
  };
  Kind kind;
  std::string kernel;
  uint32_t line = 0;
  std::string thread;   ///< "cta (0,0,0) thread 5", or a list of waiting groups for a deadlock
  std::string message;  ///< one or more sentences
  std::vector<OpenBarrier> barriers{};  ///< of a deadlock
  std::string schedule{};               ///< the order that led to it, where it was not the first
};

/// What a context gives the launches in it (cuCtxSetLimit).
struct LaunchLimits {
  size_t stack_bytes = 1024;                 ///< of a thread, where functions call themselves
  size_t print_bytes = size_t{33} * 262144;  ///< of what printf wrote and the host has not seen yet
  size_t heap_bytes = size_t{8} << 20;       ///< for malloc of kernels, taken by the first of them
};

struct LaunchConfig {
  Kernel* kernel;
  std::array<uint32_t, 3> grid, block, cluster;  ///< cluster {0,0,0}: none given
  uint32_t dynamic_shared_bytes = 0;
  std::span<const std::byte> params;  ///< laid out as Kernel::params() says
  LaunchLimits limits{};
  uint64_t grid_workspace = 0;  ///< of a cooperative launch, in device memory: %envreg1 and %envreg2
  uint64_t stream = 0;          ///< launches of a stream run in order
  bool begins_early = false;    ///< with programmatic stream serialisation
};

/// Something that happened to an mbarrier.
struct BarrierEvent {
  enum class Kind : uint8_t {
    init,
    expect,    ///< amount: bytes
    arrive,    ///< amount: arrivals
    complete,  ///< of a phase; amount: its parity
    blocked,   ///< a warp began to wait; amount: the parity that it waits for
    wait,      ///< a warp's wait has succeeded
    copy,      ///< one that signals the barrier was issued; amount: bytes
    landed,    ///< and is done
    exited,    ///< the CTA has ended, and its barriers with it
  };
  static constexpr uint32_t no_warp = ~0u;
  Kind kind;
  uint64_t time = 0;        ///< thread instructions of the launch before it
  uint32_t cta = 0;         ///< linear index in the grid
  uint32_t address = 0;     ///< of the mbarrier, within the CTA's window of shared memory
  uint32_t warp = no_warp;  ///< of that CTA that did it
  uint32_t amount = 0;
};

/// A breach of the memory model that strict mode saw.
struct Breach {
  std::string clause;  ///< id of a row of the clause table (machine/strict.h), e.g. "missing-proxy-fence"
  std::string kernel;
  uint32_t line;
  std::string thread;
  uint64_t count;
  std::string message{};    ///< of a race: what happened, and what would order the two; of a warning: what
                            ///< happened; else what is there
  uint32_t other_line = 0;  ///< where the first of the two accesses stands, if there are two
  std::string other_thread{};
  std::string other_is{"copy"};  ///< of a warning: what stands there
  bool is_race = false;
  bool is_warning = false;
  std::string schedule{};  ///< the order that showed it, where it was not the first
  std::string why{};       ///< which waits or arrivals did not do what they were for, or empty
};

/// What the orders of a launch came to.
struct Exploration {
  std::string kernel;
  uint64_t launch = 0;                 ///< from 1
  uint64_t orders = 0;                 ///< that were run
  std::string why_not_all{};           ///< a clause; empty: no other order can differ from these
  std::vector<Diagnostic> failures{};  ///< of orders behind the first
  uint64_t others = 0;                 ///< orders that end well and leave other bytes in global memory
  std::string other_bytes{};           ///< where the first of them differs,
  std::string other_schedule{};        ///< and its order
  uint64_t result = 0;                 ///< of what the first order leaves in global memory
  /// Lines with an instruction that only synchronises (machine/left_out.h) and that the first order executed.
  std::vector<uint32_t> synchronised{};
};

/// An emulated GPU: memory, modules, launches. Launches are synchronous and deterministic for given Settings,
/// whatever Settings::workers says. One host thread at a time.
class Gpu {
 public:
  static std::unique_ptr<Gpu> create(const Settings&);
  virtual ~Gpu() = default;
  virtual const Settings& settings() const = 0;
  virtual GlobalMemory& memory() = 0;
  /// Parses, checks and lowers PTX text. The text may carry NUL padding at its end.
  virtual std::variant<std::unique_ptr<Module>, Diagnostic> load(std::string_view ptx) = 0;
  /// All that load() would refuse of a module that can be parsed, by line; what cannot is one refusal.
  virtual std::vector<Diagnostic> refusals(std::string_view ptx) = 0;
  /// Runs to the end. Nothing: it ended well. printf output then goes to stdout, the last of it where there
  /// was more than the limit.
  virtual std::optional<Diagnostic> launch(const LaunchConfig&) = 0;
  /// The caller has waited for all that was launched, or put work between two kernels of a stream that keeps
  /// the second from beginning early.
  virtual void launches_ended() = 0;
  /// The order of operations in streams, for the strict mode.
  virtual StreamHistory& streams() = 0;
  /// The operation in progress, a copy or a fill, accesses memory of the device. The kernel that may be
  /// accessing it too, so that a breach was noted; or empty.
  virtual std::string copies(std::string_view call, uint64_t address, uint64_t bytes, bool is_write) = 0;
  /// The host touches a byte of memory, by an instruction at that place. The operation that may be accessing
  /// it, a kernel or a call, so that a breach was noted; or empty.
  virtual std::string touches(uint64_t address, bool is_write, const std::string& place) = 0;
  /// Strict-mode breaches since the last call, deduplicated by (clause, kernel, line).
  virtual std::vector<Breach> take_breaches() = 0;
  /// Of the last launch, if it was explored.
  virtual std::optional<Exploration> take_exploration() = 0;
  /// What happened to the mbarriers of the last launch, in the strict mode; of many events the last, and how
  /// many there were.
  virtual std::vector<BarrierEvent> take_timeline(uint64_t& seen) = 0;
  /// Whether a kernel has called malloc: its limit stays as it is from then on.
  virtual bool has_heap() const = 0;
  virtual uint64_t instructions_executed() const = 0;  ///< thread instructions, all launches
};

}  // namespace assay::emulator
