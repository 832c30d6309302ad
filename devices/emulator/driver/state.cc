// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/state.h"

#include <bit>
#include <cstdio>
#include <cstdlib>

#include "devices/emulator/driver/host_watch.h"
#include "devices/emulator/driver/settings.h"

namespace assay::emulator::abi {

void ContextObject::clear() {
  modules = {};
  links = {};
  streams = {};
  events = {};
  pools = {};
  graphs = {};
  graph_execs = {};
  default_pool = current_pool = nullptr;
  managed.clear();
  grid_workspace = 0;
  limits.clear();
  allocations.clear();
  gpu.reset();
  for (const auto& [address, block] : host_blocks)
    if (block.is_owned) std::free(reinterpret_cast<void*>(address));
  host_blocks.clear();
  sticky = success;
}

}  // namespace assay::emulator::abi

namespace assay::emulator {

Driver& Driver::instance() {
  // Never destroyed: a host may call in while the process ends.
  static Driver* driver = new Driver;
  return *driver;
}

Driver::Driver() : primary_(std::make_unique<abi::ContextObject>()) {
  primary_->is_primary = true;
}

abi::Result Driver::init() {
  if (initialised_) return abi::success;
  const char* text = std::getenv("ASSAY_EMULATOR");
  Settings settings;
  if (const std::string wrong = parse_settings(text == nullptr ? "" : text, settings); !wrong.empty()) {
    // For whoever uses the library as a driver; our own host reads the note and says it itself.
    if (std::getenv("ASSAY_EMULATOR_HOST") == nullptr)
      std::fprintf(stderr, "assay emulator: ASSAY_EMULATOR: %s\n", wrong.c_str());
    note("cuInit", wrong);
    return abi::invalid_value;
  }
  settings_ = settings;
  initialised_ = true;
  report.add(json_line("cuInit", target_name(settings.target), "begin"));
  if (report.is_wanted())
    std::atexit([] {
      const std::lock_guard lock(instance().mutex);
      instance().release_host();
      instance().report_launches("end");
    });
  return abi::success;
}

void Driver::shut_down() {
  const std::lock_guard lock(mutex);
  host_watch::release();
  libraries = {};
  contexts_ = {};
  primary_->clear();
  primary_uses = primary_flags = 0;
  current_stack().clear();
  notes = Lines(256);
  breaches = Lines(4096);
  initialised_ = false;
}

void Driver::activate(abi::ContextObject& context) {
  if (!context.gpu) context.gpu = Gpu::create(settings_);
}

abi::Context Driver::create_context(unsigned flags) {
  auto context = std::make_unique<abi::ContextObject>();
  context->flags = flags;
  activate(*context);
  return contexts_.add(std::move(context));
}

bool Driver::destroy_context(abi::Context context) {
  if (!contexts_.knows(context)) return false;
  collect_breaches(*context);
  for (const auto& [handle, library] : libraries.all()) library->modules.erase(context);
  return contexts_.remove(context);
}

bool Driver::knows(abi::Context context) const {
  return context == primary_.get() || contexts_.knows(context);
}

void Driver::reset_primary() {
  collect_breaches(*primary_);
  for (const auto& [handle, library] : libraries.all()) library->modules.erase(primary_.get());
  primary_->clear();
}

std::vector<abi::Context>& Driver::current_stack() {
  // Destructors of the program's globals come after those of its thread, and may free device memory.
  thread_local bool is_gone = false;
  struct Stack {
    std::vector<abi::Context> contexts;
    ~Stack() { is_gone = true; }
  };
  thread_local Stack stack;
  static auto* const none = new std::vector<abi::Context>;
  return is_gone ? *none : stack.contexts;
}

bool Driver::knows(const abi::ModuleObject* module) const {
  if (primary_->modules.knows(module)) return true;
  for (const auto& [handle, context] : contexts_.all())
    if (context->modules.knows(module)) return true;
  return false;
}

bool Driver::knows(const abi::FunctionObject* function) const {
  const auto holds = [function](const abi::ContextObject& context) {
    for (const auto& [handle, module] : context.modules.all())
      for (const auto& [name, known] : module->functions)
        if (known.get() == function) return true;
    return false;
  };
  if (holds(*primary_)) return true;
  for (const auto& [handle, context] : contexts_.all())
    if (holds(*context)) return true;
  return false;
}

void Driver::keep(std::string line) {
  report.add(line);
  notes.add(std::move(line));
}

void Driver::note(const Diagnostic& diagnostic, const Module& module) {
  Diagnostic told = diagnostic;
  told.message = with_sources(told.message, module);
  told.thread = with_sources(told.thread, module);
  report.add(json_line(told, module.place(diagnostic.line)));
  notes.add(json_line(diagnostic));
}

void Driver::note_unsupported(std::string_view call, std::string_view message) {
  const std::string line = json_line(call, message, "unsupported");
  if (said_.insert(line).second) report.add(line);
  notes.add(json_line(call, message));
}

/// By the words in its name, and by the letter A between which memory a copy goes.
static bool is_of_textures(std::string_view call) {
  for (const std::string_view word : {"Array", "Tex", "Surf", "AtoA", "AtoD", "AtoH", "DtoA", "HtoA"})
    if (call.find(word) != call.npos) return true;
  return false;
}

void Driver::note_absent(std::string_view call) {
  const std::string_view sentence = is_of_textures(call)
                                        ? "CUDA arrays, textures and surfaces are not emulated; the program "
                                          "would have to use linear memory "
                                          "(it returned CUDA_ERROR_NOT_SUPPORTED)"
                                        : "this entry point of the CUDA driver is not emulated; it returned "
                                          "CUDA_ERROR_NOT_SUPPORTED";
  const std::string line = json_line(call, sentence, "absent");
  if (!said_.insert(line).second) return;
  report.add(line);
  notes.add(json_line(call, sentence));
}

void Driver::report_launches(std::string_view kind) {
  report.add("{\"kind\":\"" + std::string(kind) + "\",\"launches\":" + std::to_string(launches) + "}");
}

void Driver::note_synchronisation(const std::string& kernel, uint32_t line, const SourcePlace& place) {
  if (said_.insert(kernel + ":" + std::to_string(line)).second)
    report.add(synchronisation_line(kernel, line, place));
}

void Driver::report_size(std::string_view kernel, uint64_t instructions) {
  constexpr uint64_t large = 50'000'000;
  if (instructions < large || !said_.insert("large").second) return;
  report.add(json_line(kernel, std::to_string(instructions), "large"));
}

void Driver::note_refusal(const Diagnostic& refusal, const SourcePlace& place) {
  const std::string line = json_line(refusal, place);
  if (said_.insert(line).second) report.add(line);
  notes.add(json_line(refusal));
}

void Driver::report_timeline(abi::ContextObject& context, const std::string& kernel) {
  if (!context.gpu || !report.is_wanted() || !said_.insert("timeline of " + kernel).second) return;
  uint64_t seen = 0;
  const std::vector<BarrierEvent> events = context.gpu->take_timeline(seen);
  if (seen != 0) report.add(json_line(kernel, launches, seen, events));
}

bool Driver::report_breaches(abi::ContextObject& context, const Module* module) {
  if (!context.gpu || !report.is_wanted()) return false;
  const std::vector<Breach> taken = context.gpu->take_breaches();
  for (const Breach& breach : taken) {
    breaches.add(json_line(breach));
    // The first of a place is told at once; then each time that there are twice as many.
    uint64_t& total = breach_totals_[{breach.clause, breach.kernel, breach.line}];
    const bool tells = std::bit_width(total) != std::bit_width(total + breach.count);
    total += breach.count;
    if (!tells) continue;
    Breach all = breach;
    all.count = total;
    if (module != nullptr) {
      all.message = with_sources(all.message, *module);
      all.why = with_sources(all.why, *module);
    }
    const auto place = [&](uint32_t line) { return module == nullptr ? SourcePlace{} : module->place(line); };
    report.add(json_line(all, place(breach.line), place(breach.other_line)));
  }
  return !taken.empty();
}

void Driver::report_breaches(abi::ContextObject& context, const std::string& kernel) {
  const Module* found = nullptr;
  for (const auto& [handle, module] : context.modules.all())
    if (module->module->find_kernel(kernel) != nullptr) found = module->module.get();
  report_breaches(context, found);
}

void Driver::watch_host() {
  if (--calls_ != 0 || !settings_.strict) return;
  std::vector<StreamHistory::Guard> pages;
  const auto add = [&](abi::ContextObject& context) {
    if (!context.gpu) return;
    context.gpu->streams().each_in_flight([&](const StreamHistory::Operation& one) {
      pages.insert(pages.end(), one.guards.begin(), one.guards.end());
    });
  };
  add(*primary_);
  for (const auto& [handle, context] : contexts_.all()) add(*context);
  host_watch::guard(pages);
}

void Driver::release_host() {
  if (calls_++ != 0) return;
  for (const host_watch::Touch& touch : host_watch::release()) {
    const std::string place = host_watch::place_of(touch.instruction);
    const auto tell = [&](abi::ContextObject& context) {
      if (!context.gpu) return;
      const std::string name = context.gpu->touches(touch.address, touch.is_write, place);
      if (!name.empty()) report_breaches(context, name);
    };
    tell(*primary_);
    for (const auto& [handle, context] : contexts_.all()) tell(*context);
  }
}

void Driver::collect_breaches(abi::ContextObject& context) {
  if (!context.gpu) return;
  for (const Breach& breach : context.gpu->take_breaches()) breaches.add(json_line(breach));
}

void Driver::collect_breaches() {
  collect_breaches(*primary_);
  for (const auto& [handle, context] : contexts_.all()) collect_breaches(*context);
}

abi::Result result_of(Diagnostic::Kind kind) {
  using Kind = Diagnostic::Kind;
  switch (kind) {
    case Kind::syntax:
    case Kind::unknown_instruction:
    case Kind::other_target:
      return abi::invalid_ptx;
    case Kind::unsupported_target:
      return abi::no_binary_for_gpu;
    case Kind::illegal_instruction:
      return abi::illegal_instruction;
    case Kind::misaligned_address:
      return abi::misaligned_address;
    case Kind::illegal_address:
      return abi::illegal_address;
    case Kind::assert_failed:
      return abi::assert_failed;
    case Kind::deadlock:
    case Kind::instruction_limit:
      return abi::launch_timeout;
    case Kind::launch_failed:
    case Kind::uninitialised_read:
      break;
  }
  return abi::launch_failed;
}

}  // namespace assay::emulator
