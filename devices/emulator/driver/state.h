// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "devices/emulator/driver/abi.h"
#include "devices/emulator/driver/notes.h"
#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/stream_history.h"
#include "devices/emulator/ptx/module.h"

namespace assay::emulator {

/// The log buffers of a load or of a linker, as the option arrays give them.
class JitLogs {
 public:
  JitLogs() = default;
  JitLogs(unsigned count, const abi::JitOption* options, void** values);
  /// Fills the log of errors and empties that of remarks, as far as there are any.
  void write(const std::string& error) const;

 private:
  char *error_ = nullptr, *info_ = nullptr;
  unsigned error_bytes_ = 0, info_bytes_ = 0;
};

class Driver;

/// A set of live handles: the only values of a handle that the driver follows.
template <typename Object>
class Handles {
 public:
  Object* add(std::unique_ptr<Object> object) {
    Object* handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  bool knows(const Object* handle) const { return objects_.count(const_cast<Object*>(handle)) != 0; }
  bool remove(Object* handle) { return objects_.erase(handle) != 0; }
  const std::map<Object*, std::unique_ptr<Object>>& all() const { return objects_; }

 private:
  std::map<Object*, std::unique_ptr<Object>> objects_;
};

/// PTX that an image holds, or why it holds none.
struct ImageText {
  std::string text;
  abi::Result result = abi::success;
  std::string wrong;  ///< a sentence, where the result is not success
};

}  // namespace assay::emulator

namespace assay::emulator::abi {

/// What a function's next cuLaunch takes.
struct OldLaunch {
  std::array<unsigned, 3> block{1, 1, 1};
  unsigned shared_bytes = 0;
  std::vector<std::byte> params;
};

struct FunctionObject {
  ModuleObject* module;
  emulator::Kernel* kernel;
  int max_dynamic_shared =
      0;  ///< set by cuFuncSetAttribute; 0: what fits into 48 KiB beside the static block
  bool non_portable_cluster = false;
  int carveout = -1, cache_config = 0, cluster_policy = 0;
  OldLaunch old_launch;
};

struct ModuleObject {
  ContextObject* context;
  std::unique_ptr<emulator::Module> module;
  std::map<std::string, std::unique_ptr<FunctionObject>, std::less<>> functions;
};

/// What cuLinkComplete makes one text of.
struct LinkObject {
  std::vector<emulator::ptx::LinkInput> inputs;
  emulator::JitLogs logs;
  std::string image;
  bool is_complete = false;
};

struct KernelObject {
  LibraryObject* library;
  std::string name;
};

/// Code that is loaded into a context when it is first used there.
struct LibraryObject {
  emulator::ImageText image;
  std::map<ContextObject*, ModuleObject*> modules;
  std::map<std::string, std::unique_ptr<KernelObject>, std::less<>> kernels;
};

/// What a stream does: now, or when the graph that captured it is launched.
using Work = std::function<abi::Result(emulator::Driver&, ContextObject&)>;

struct StreamObject {
  ContextObject* context;
  unsigned flags;
  int priority;
  GraphObject* capture = nullptr;  ///< the graph that takes its work, while it captures
  bool began_capture = false;
};

struct EventObject {
  ContextObject* context;
  unsigned flags;
  bool is_recorded = false;
  std::chrono::steady_clock::time_point recorded;
  StreamHistory::Seen given{};     ///< what has ended when it is reached
  GraphObject* capture = nullptr;  ///< recorded in a stream that captures
};

/// Host memory that kernels may touch.
struct HostBlock {
  size_t bytes;
  unsigned flags;
  bool is_owned;  ///< allocated by the driver, not registered
};

struct NodeObject {
  GraphObject* graph;
  GraphNodeType type;
  Work work;
  std::vector<NodeObject*> after;  ///< what it waits for
  std::string kernel;              ///< of a kernel node: the parameters may change, the kernel's name not
};

struct GraphObject {
  std::vector<std::unique_ptr<NodeObject>> nodes;
  std::unique_ptr<GraphObject> child;  ///< of a child node, a copy
};

/// A graph in the order of its dependencies.
struct GraphExecObject {
  StreamHistory::Seen given;  ///< up to its last launch: the next comes behind
  struct Step {
    const NodeObject* node;  ///< of the graph that it was made of; compared, never followed
    GraphNodeType type;
    Work work;
    std::string kernel;
  };
  std::vector<Step> steps;
};

/// Of a pool only its attributes matter here: memory comes from the context.
struct PoolObject {
  std::map<int, uint64_t> attributes;
};

struct ContextObject {
  std::unique_ptr<emulator::Gpu> gpu;  ///< null: the primary context while it is not active
  bool is_primary = false;
  unsigned flags = 0;
  unsigned uses = 1;                  ///< of cuCtxAttach and cuCtxDetach
  abi::Result sticky = abi::success;  ///< what every call returns after a kernel failed
  std::map<uint64_t, size_t> allocations;
  std::map<uint64_t, HostBlock> host_blocks;
  emulator::Handles<ModuleObject> modules;
  emulator::Handles<LinkObject> links;
  emulator::Handles<StreamObject> streams;
  emulator::Handles<EventObject> events;
  emulator::Handles<PoolObject> pools;
  emulator::Handles<GraphObject> graphs;
  emulator::Handles<GraphExecObject> graph_execs;
  MemoryPool default_pool = nullptr, current_pool = nullptr;
  std::set<uint64_t> managed;  ///< allocations that the host may touch
  uint64_t grid_workspace = 0;
  std::map<int, size_t> limits;
  int cache_config = 0;

  ~ContextObject() { clear(); }
  /// Frees everything that lives in the context.
  void clear();
};

}  // namespace assay::emulator::abi

namespace assay::emulator {

/// The emulated driver of this process: one device.
class Driver {
 public:
  static Driver& instance();

  /// Reads ASSAY_EMULATOR.
  abi::Result init();
  bool is_initialised() const { return initialised_; }
  /// Forgets everything, as if the process had just begun: for self-tests, which try many settings.
  void shut_down();
  const Settings& settings() const { return settings_; }

  // contexts
  abi::ContextObject& primary() { return *primary_; }
  unsigned primary_uses = 0;
  unsigned primary_flags = 0;
  void activate(abi::ContextObject& context);
  abi::Context create_context(unsigned flags);
  bool destroy_context(abi::Context context);  ///< not the primary one; false if unknown
  bool knows(abi::Context context) const;
  /// The first that has something; null: none.
  template <typename Has>
  abi::Context find_context(Has has) const {
    if (has(*primary_)) return primary_.get();
    for (const auto& [handle, context] : contexts_.all())
      if (has(*context)) return handle;
    return nullptr;
  }
  /// Ends the primary context's contents; its handle stays.
  void reset_primary();
  /// The current context of this thread, or null. A stack, as the API has it.
  static std::vector<abi::Context>& current_stack();

  // handles, in any context
  bool knows(const abi::ModuleObject* module) const;
  bool knows(const abi::FunctionObject* function) const;
  Handles<abi::LibraryObject> libraries;

  // notes
  void note(const Diagnostic& diagnostic) { keep(json_line(diagnostic)); }
  void note(const Diagnostic& diagnostic, const Module& module);
  void note(std::string_view call, std::string_view message) { keep(json_line(call, message)); }
  /// The emulator cannot do what the program asks for. Said once for each call and sentence.
  void note_unsupported(std::string_view call, std::string_view message);
  /// A call that the driver does not have. Said once.
  void note_absent(std::string_view call);
  /// A launch of a kernel that is not known: as note_unsupported, with the place.
  void note_refusal(const Diagnostic& refusal, const SourcePlace& place);
  /// Breaches of a launch that has ended, as they are known of its module, if it has one. True if there are
  /// any.
  bool report_breaches(abi::ContextObject& context, const Module* module);
  /// What happened to the mbarriers of the last launch, once a kernel.
  void report_timeline(abi::ContextObject& context, const std::string& kernel);
  /// The same of those that a copy made, in a kernel of that name, or a call.
  void report_breaches(abi::ContextObject& context, const std::string& kernel);
  /// Between two calls the host may not touch what operations of streams are at work on; strict.
  void watch_host();
  void release_host();
  void collect_breaches(abi::ContextObject& context);
  void collect_breaches();
  Lines notes{256};
  Lines breaches{4096};
  ReportFile report;
  uint64_t launches = 0;  ///< that kernels ran
  void report_launches(std::string_view kind);
  /// Of the first launch that is large, which is not to be run again under other schedules.
  void note_synchronisation(const std::string& kernel, uint32_t line, const SourcePlace& place);
  void report_size(std::string_view kernel, uint64_t instructions);

  std::recursive_mutex mutex;  ///< functions of the host that a stream runs may call in again

 private:
  void keep(std::string line);
  int calls_ = 0;  ///< in progress, one within the other
  std::set<std::string> said_;
  std::map<std::tuple<std::string, std::string, uint32_t>, uint64_t> breach_totals_;
  Driver();
  bool initialised_ = false;
  Settings settings_;
  std::unique_ptr<abi::ContextObject> primary_;
  Handles<abi::ContextObject> contexts_;
};

/// The code that an error of the machine has in the API.
abi::Result result_of(Diagnostic::Kind kind);

}  // namespace assay::emulator
