#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "devices/emulator/driver/abi.h"
#include "devices/emulator/driver/notes.h"
#include "devices/emulator/gpu.h"

namespace assay::emulator {

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

}  // namespace assay::emulator

namespace assay::emulator::abi {

struct FunctionObject {
  ModuleObject* module;
  emulator::Kernel* kernel;
  int max_dynamic_shared =
      0;  ///< set by cuFuncSetAttribute; 0: what fits into 48 KiB beside the static block
  bool non_portable_cluster = false;
  int carveout = -1, cache_config = 0, cluster_policy = 0;
};

struct ModuleObject {
  ContextObject* context;
  std::unique_ptr<emulator::Module> module;
  std::map<std::string, std::unique_ptr<FunctionObject>, std::less<>> functions;
};

struct KernelObject {
  LibraryObject* library;
  std::string name;
};

/// Code that is loaded into a context when it is first used there.
struct LibraryObject {
  std::string image;
  std::map<ContextObject*, ModuleObject*> modules;
  std::map<std::string, std::unique_ptr<KernelObject>, std::less<>> kernels;
};

struct StreamObject {
  ContextObject* context;
  unsigned flags;
  int priority;
};

struct EventObject {
  ContextObject* context;
  unsigned flags;
  bool is_recorded = false;
  std::chrono::steady_clock::time_point recorded;
};

/// Host memory that kernels may touch.
struct HostBlock {
  size_t bytes;
  unsigned flags;
  bool is_owned;  ///< allocated by the driver, not registered
};

struct ContextObject {
  std::unique_ptr<emulator::Gpu> gpu;  ///< null: the primary context while it is not active
  bool is_primary = false;
  unsigned flags = 0;
  abi::Result sticky = abi::success;  ///< what every call returns after a kernel failed
  std::map<uint64_t, size_t> allocations;
  std::map<uint64_t, HostBlock> host_blocks;
  emulator::Handles<ModuleObject> modules;
  emulator::Handles<StreamObject> streams;
  emulator::Handles<EventObject> events;
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
  /// Ends the primary context's contents; its handle stays.
  void reset_primary();
  /// The current context of this thread, or null. A stack, as the API has it.
  static std::vector<abi::Context>& current_stack();

  // handles, in any context
  bool knows(const abi::ModuleObject* module) const;
  bool knows(const abi::FunctionObject* function) const;
  Handles<abi::LibraryObject> libraries;

  // notes
  void note(const Diagnostic& diagnostic) { notes.add(json_line(diagnostic)); }
  void note(std::string_view call, std::string_view message) { notes.add(json_line(call, message)); }
  void collect_breaches(abi::ContextObject& context);
  void collect_breaches();
  Lines notes{256};
  Lines breaches{4096};

  std::mutex mutex;

 private:
  Driver();
  bool initialised_ = false;
  Settings settings_;
  std::unique_ptr<abi::ContextObject> primary_;
  Handles<abi::ContextObject> contexts_;
};

/// The code that an error of the machine has in the API.
abi::Result result_of(Diagnostic::Kind kind);

}  // namespace assay::emulator
