// SPDX-License-Identifier: Apache-2.0
// Text tests: every testdata/ptx/*.ptx is a module with comments that say how its kernels are run and what
// must come of it. They are found by wildcard; a new test is a new file. A file holds one or more runs; each
// starts with `run:` and what follows, up to the next `run:`, belongs to it. One clause a line, each after
// `//`:
//
//   run: KERNEL [grid=X,Y,Z] [block=X,Y,Z] [cluster=X,Y,Z] [smem=BYTES]
//   [target=sm_90a, or any other of reference/spec/arch.h]
//        [strict] [tmem_base=lowest] [schedules=eager,lazy,random:1] [limit=THREAD_INSTRUCTIONS]
//     Sizes default to 1, the target to what .target says, schedules to eager,lazy,random:1,random:2: a run
//     must hold under each. Random schedules move tensor memory, unless tmem_base says otherwise.
//   arg: NAME buffer TYPE COUNT [= VALUES]      pointer to COUNT elements of global memory, zero where VALUES
//   end arg: NAME TYPE = VALUES                     the bytes of the values themselves (several: a struct or
//   array)
//     In the order of the kernel's parameters. TYPE: u8 s8 u16 s16 u32 s32 u64 s64 f32 f64.
//   expect: NAME = VALUES                       first elements of a buffer after the launch
//   expect: NAME[I] = VALUES                    from element I on
//   expect: NAME within REL = VALUES            floats, up to the relative error REL (0 must be 0)
//   expect: error KIND [line=N|line=@MARK] [TEXT]        the launch ends with this kind; TEXT is part of what
//   is said expect: load-error KIND [line=N|line=@MARK] [TEXT]   the module is refused (KERNEL may be any
//   word then) expect: breach CLAUSE [line=N|line=@MARK]            reported; all breaches of a run must be
//   expected expect: race-free, of a strict run that has no breach, expect: stdout TEXT what printf wrote, \n
//   as written; or stderr
//
//   VALUES: numbers (12 -3 0x1f 1.5 inf nan; for floats 0x... is the bit pattern), A..B (each integer from A
//   to B), V*N (V repeated N times), _ (any value). @MARK names the line that ends in the comment //@MARK.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/stream_history.h"
#include "devices/emulator/ptx_pairs.h"
#include "devices/emulator/ptx_text_file.h"
#include "devices/emulator/race/rows.h"

namespace assay::emulator {
namespace {

using namespace text;

const std::map<std::string, Diagnostic::Kind> kinds = {
    {"syntax", Diagnostic::Kind::syntax},
    {"unsupported_target", Diagnostic::Kind::unsupported_target},
    {"unknown_instruction", Diagnostic::Kind::unknown_instruction},
    {"illegal_instruction", Diagnostic::Kind::illegal_instruction},
    {"misaligned_address", Diagnostic::Kind::misaligned_address},
    {"illegal_address", Diagnostic::Kind::illegal_address},
    {"launch_failed", Diagnostic::Kind::launch_failed},
    {"uninitialised_read", Diagnostic::Kind::uninitialised_read},
    {"assert_failed", Diagnostic::Kind::assert_failed},
    {"deadlock", Diagnostic::Kind::deadlock},
    {"instruction_limit", Diagnostic::Kind::instruction_limit},
};

std::string shown(const OpenBarrier& b) {
  std::string text = "; mbarrier of cta " + std::to_string(b.cta) + ": phase " + std::to_string(b.phase) +
                     ", " + std::to_string(b.pending) + " of " + std::to_string(b.expected) +
                     " arrivals pending, " + std::to_string(b.bytes) + " bytes pending";
  for (const BarrierWait& wait : b.waits)
    text += ", " + std::to_string(wait.threads.size()) + " threads from " + std::to_string(wait.threads[0]) +
            " wait for phase " + std::to_string(wait.parity);
  return text;
}

std::string shown(const Diagnostic& d) {
  std::string text = "line " + std::to_string(d.line) + ", " + d.thread + ": " + d.message + " (kind " +
                     std::to_string(static_cast<int>(d.kind)) + ", kernel " + d.kernel + ")";
  for (const OpenBarrier& barrier : d.barriers) text += shown(barrier);
  return text;
}

void check_diagnostic(const Expectation& want, const Diagnostic& got) {
  ASSERT_TRUE(kinds.contains(want.subject)) << want.subject;
  EXPECT_EQ(kinds.at(want.subject), got.kind) << shown(got);
  if (want.line != 0) {
    EXPECT_EQ(want.line, got.line) << shown(got);
  }
  EXPECT_NE(shown(got).find(want.text), std::string::npos)
      << "'" << want.text << "' is not in: " << shown(got);
}

void check_values(const Expectation& want, const Argument& argument) {
  const auto words = expand(want.values);
  ASSERT_FALSE(words.empty()) << "expect: " << want.subject << " names no values";
  const size_t size = size_of(argument.type);
  ASSERT_LE((want.first + words.size()) * size, argument.bytes.size()) << "more values than elements";
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "_") continue;
    const std::byte* got = reinterpret_cast<const std::byte*>(argument.address) + (want.first + i) * size;
    const auto expected = text::encode(argument.type, words[i]);
    uint64_t got_bits = 0, want_bits = 0;
    std::memcpy(&got_bits, got, size);
    std::memcpy(&want_bits, expected.data(), size);
    bool is_equal = got_bits == want_bits;
    if (argument.type[0] == 'f' && !is_equal) {
      double g, w;
      float narrow;
      std::memcpy(&g, got, sizeof g * (size == 8));
      std::memcpy(&w, expected.data(), sizeof w * (size == 8));
      if (size == 4) {
        std::memcpy(&narrow, got, 4), g = static_cast<double>(narrow);
        std::memcpy(&narrow, expected.data(), 4), w = static_cast<double>(narrow);
      }
      is_equal = (words[i] == "nan" && g != g) || std::fabs(g - w) <= want.tolerance * std::fabs(w);
    }
    EXPECT_TRUE(is_equal) << want.subject << "[" << want.first + i << "]: expected " << words[i] << " (0x"
                          << std::hex << want_bits << "), got 0x" << got_bits;
  }
}

void check_breaches(const TextRun& run, const std::vector<Breach>& breaches) {
  std::vector<bool> is_explained(breaches.size());
  for (const Expectation& want : run.expectations) {
    if (want.kind != "breach") continue;
    bool is_found = false;
    for (size_t i = 0; i < breaches.size(); ++i)
      // A race has two ends, of which either may come first.
      if (breaches[i].clause == want.subject &&
          (want.line == 0 || want.line == breaches[i].line || want.line == breaches[i].other_line)) {
        is_found = is_explained[i] = true;
        EXPECT_FALSE(breaches[i].thread.empty());
        EXPECT_EQ(breaches[i].kernel, run.kernel);
      }
    EXPECT_TRUE(is_found) << "no breach of " << want.subject << " at line " << want.line;
  }
  for (size_t i = 0; i < breaches.size(); ++i)
    EXPECT_TRUE(is_explained[i]) << "breach of " << breaches[i].clause << " at line " << breaches[i].line
                                 << ", " << breaches[i].thread << ": " << breaches[i].message;
}

/// What is written to stdout or stderr while it lives.
class Captured {
 public:
  explicit Captured(std::FILE* stream) : stream_(stream) {
    std::fflush(stream_);
    saved_ = dup(fileno(stream_));
    file_ = std::tmpfile();
    dup2(fileno(file_), fileno(stream_));
  }
  std::string take() {
    std::fflush(stream_);
    dup2(saved_, fileno(stream_));
    close(saved_);
    std::string text;
    std::rewind(file_);
    for (int c; (c = std::fgetc(file_)) != EOF;) text += static_cast<char>(c);
    std::fclose(file_);
    return text;
  }

 private:
  std::FILE* stream_;
  int saved_;
  std::FILE* file_;
};

Settings settings_of(const TextRun& run, const std::string& schedule) {
  Settings settings;
  settings.target = spec::parse_arch(run.target).value_or(Target::sm_100);
  settings.completion = schedule == "eager"  ? Completion::eager
                        : schedule == "lazy" ? Completion::lazy
                                             : Completion::random;
  if (schedule == "explore") {
    settings.completion = Completion::lazy;
    settings.is_stepwise = settings.strict = true;
    settings.explore_seconds = 1000;
  }
  if (schedule.rfind("random:", 0) == 0) settings.seed = std::stoull(schedule.substr(7));
  settings.moves_tensor_memory = settings.completion == Completion::random && !run.keeps_tensor_memory;
  settings.strict = settings.warns = run.strict;
  settings.instruction_limit = run.limit;
  return settings;
}

/// Places the arguments in memory and in the parameters.
void place_arguments(Gpu& gpu, const Kernel& kernel, TextRun& run, std::vector<std::byte>& params) {
  ASSERT_EQ(kernel.params().size(), run.arguments.size()) << "the kernel has another number of parameters";
  params.resize(kernel.param_bytes());
  for (size_t i = 0; i < run.arguments.size(); ++i) {
    Argument& argument = run.arguments[i];
    const ParamDeclaration& declared = kernel.params()[i];
    if (argument.is_buffer) {
      argument.address = gpu.memory().allocate(argument.bytes.size());
      ASSERT_NE(argument.address, 0u);
      std::memcpy(reinterpret_cast<void*>(argument.address), argument.bytes.data(), argument.bytes.size());
      ASSERT_EQ(declared.size, 8u) << declared.name;
      std::memcpy(params.data() + declared.offset, &argument.address, 8);
    } else {
      ASSERT_EQ(declared.size, argument.bytes.size()) << declared.name;
      std::memcpy(params.data() + declared.offset, argument.bytes.data(), argument.bytes.size());
    }
  }
}

void execute(const std::string& text, TextRun run, const std::string& schedule) {
  SCOPED_TRACE("kernel " + run.kernel + ", schedule " + schedule);
  ASSERT_FALSE(run.expectations.empty()) << "the run expects nothing";
  const auto gpu = Gpu::create(settings_of(run, schedule));
  auto loaded = gpu->load(text);
  const auto first = run.expectations[0];
  if (first.kind == "load-error") {
    ASSERT_TRUE(std::holds_alternative<Diagnostic>(loaded)) << "the module was loaded";
    return check_diagnostic(first, std::get<Diagnostic>(loaded));
  }
  ASSERT_FALSE(std::holds_alternative<Diagnostic>(loaded)) << shown(std::get<Diagnostic>(loaded));
  Module& module = *std::get<std::unique_ptr<Module>>(loaded);
  Kernel* kernel = module.find_kernel(run.kernel);
  ASSERT_NE(kernel, nullptr) << "no kernel " << run.kernel;
  std::vector<std::byte> params;
  ASSERT_NO_FATAL_FAILURE(place_arguments(*gpu, *kernel, run, params));
  LaunchConfig config{kernel, run.grid, run.block, run.cluster, run.smem, params};
  Captured output(stdout), errors(stderr);
  const auto end = gpu->launch(config);
  const std::string on_stderr = errors.take(), on_stdout = output.take();
  bool expects_error = false;
  for (const Expectation& want : run.expectations) {
    if (want.kind == "error") {
      expects_error = true;
      EXPECT_TRUE(end.has_value()) << "the launch ended well";
      if (end) check_diagnostic(want, *end);
    } else if (want.kind == "stdout" || want.kind == "stderr") {
      EXPECT_EQ(want.kind == "stdout" ? on_stdout : on_stderr, want.text);
    } else if (want.kind == "values") {
      const auto argument = std::find_if(run.arguments.begin(), run.arguments.end(),
                                         [&](const Argument& one) { return one.name == want.subject; });
      ASSERT_TRUE(argument != run.arguments.end() && argument->is_buffer) << "no buffer " << want.subject;
      check_values(want, *argument);
    }
  }
  if (!expects_error) {
    EXPECT_FALSE(end.has_value()) << shown(*end);
  }
  check_breaches(run, gpu->take_breaches());
}

std::vector<std::string> files() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/testdata/ptx"))
    if (entry.path().extension() == ".ptx") found.push_back(entry.path().stem());
  std::sort(found.begin(), found.end());
  return found;
}

class PtxText : public testing::TestWithParam<std::string> {};

TEST_P(PtxText, Holds) {
  const TextFile file(std::string(ASSAY_SOURCE_DIR "/testdata/ptx/") + GetParam() + ".ptx");
  ASSERT_FALSE(file.runs.empty()) << "no run: in the file";
  for (const TextRun& run : file.runs)
    for (const std::string& schedule : run.schedules) execute(file.text, run, schedule);
}

/// The module with every kernel renamed and its parameters declared in the opposite order, on the same lines.
std::string disguised(const std::string& text) {
  static const std::regex entry(R"((\.entry\s+)([\w$]+)(\s*\()([^)]*)\))");
  std::string made;
  auto rest = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), entry), end; match != end; ++match) {
    made.append(rest, (*match)[0].first);
    rest = (*match)[0].second;
    std::vector<std::string> params;
    std::istringstream list((*match)[4].str());
    for (std::string one; std::getline(list, one, ',');) params.push_back(one);
    std::reverse(params.begin(), params.end());
    made += (*match)[1].str() + "disguised_" + (*match)[2].str() + (*match)[3].str();
    for (size_t i = 0; i < params.size(); ++i) made += (i ? "," : "") + params[i];
    made += ")";
  }
  return made.append(rest, text.cend());
}

// The emulator runs PTX, not kernels that it knows: names and the order of parameters mean nothing to it.
TEST_P(PtxText, HoldsForRenamedKernelsWithReorderedParameters) {
  const TextFile file(std::string(ASSAY_SOURCE_DIR "/testdata/ptx/") + GetParam() + ".ptx");
  const std::string text = disguised(file.text);
  ASSERT_NE(text, file.text);
  for (TextRun run : file.runs) {
    run.kernel = "disguised_" + run.kernel;
    std::reverse(run.arguments.begin(), run.arguments.end());
    execute(text, run, run.schedules.back());
  }
}

size_t count_races(const std::vector<Breach>& breaches) {
  return static_cast<size_t>(
      std::count_if(breaches.begin(), breaches.end(), [](const Breach& one) { return one.is_race; }));
}

/// The races that are found in a run, whatever clauses say.
size_t races_of(const std::string& text, TextRun run) {
  const auto gpu = Gpu::create(settings_of(run, "eager"));
  auto loaded = gpu->load(text);
  if (std::holds_alternative<Diagnostic>(loaded)) return 0;
  Module& module = *std::get<std::unique_ptr<Module>>(loaded);
  Kernel* const kernel = module.find_kernel(run.kernel);
  std::vector<std::byte> params;
  place_arguments(*gpu, *kernel, run, params);
  gpu->launch({kernel, run.grid, run.block, run.cluster, run.smem, params});
  return count_races(gpu->take_breaches());
}

std::vector<Pair> all_pairs() {
  std::vector<Pair> found;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/testdata/ptx"))
    if (entry.path().extension() == ".pairs") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths)
    for (Pair& pair : read_pairs(path)) found.push_back(std::move(pair));
  return found;
}

/// One kernel of a pair, with its arguments in memory.
class LoadedPair {
 public:
  LoadedPair(const Pair& pair, bool is_mended, const std::string& schedule)
      : settings_(settings_of(pair.run, schedule)), run_(pair.run), gpu_(Gpu::create(settings_)) {
    auto loaded = gpu_->load(pair.text[is_mended]);
    if (const auto* refused = std::get_if<Diagnostic>(&loaded)) {
      ADD_FAILURE() << shown(*refused) << "\n" << pair.text[is_mended];
      return;
    }
    module_ = std::move(std::get<std::unique_ptr<Module>>(loaded));
    kernel_ = module_->find_kernel("pair");
    while (streams_ < pair.streams) gpu_->streams().add_stream(++streams_, true);
    host_reads_ = pair.host_reads;
    for (uint64_t* const buffer : {&out_, &place_}) *buffer = gpu_->memory().allocate(bytes);  // zero
    if (host_reads_) gpu_->streams().add_host(out_, out_ + bytes);
    params_.resize(kernel_->param_bytes());
    std::memcpy(params_.data() + kernel_->params()[0].offset, &out_, 8);
    std::memcpy(params_.data() + kernel_->params()[1].offset, &place_, 8);
    encode(32, params_.data() + kernel_->params()[2].offset);
    copy_map(32);
  }
  /// Puts a map with that box behind `place`.
  void copy_map(uint32_t box) { encode(box, reinterpret_cast<std::byte*>(place_ + bytes - 128)); }
  std::optional<Diagnostic> launch(bool begins_early = false) {
    if (kernel_ == nullptr) return std::nullopt;
    LaunchConfig config{kernel_, run_.grid, run_.block, run_.cluster, 0, params_};
    config.begins_early = begins_early, config.stream = streams_ == 0 ? 0 : streams_--;
    gpu_->streams().begin(config.stream);
    const auto end = gpu_->launch(config);
    gpu_->streams().end();
    if (host_reads_) gpu_->touches(out_, false, "program+0x1234");
    return end;
  }
  std::optional<Exploration> take_exploration() { return gpu_->take_exploration(); }
  std::vector<Breach> take_breaches() { return gpu_->take_breaches(); }

 private:
  static constexpr uint64_t bytes = 4096;
  void encode(uint32_t box, std::byte* to) {
    const uint64_t dim[] = {1024}, stride[] = {0};
    const uint32_t boxes[] = {box}, traversal[] = {1};
    alignas(64) std::array<std::byte, 128> map{};
    EncodeTiledArguments args;
    args.map = map.data();
    args.data_type = 2, args.rank = 1, args.address = out_, args.dim = dim, args.stride = stride;
    args.box = boxes, args.traversal = traversal;
    args.interleave = args.swizzle = args.l2_promotion = args.fill = 0;
    EXPECT_EQ(encode_tiled(args, settings_), "");
    std::memcpy(to, map.data(), map.size());
  }
  Settings settings_;
  TextRun run_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<Module> module_;
  Kernel* kernel_ = nullptr;
  uint64_t out_ = 0, place_ = 0, streams_ = 0;
  bool host_reads_ = false;
  std::vector<std::byte> params_;
};

/// Runs one kernel of a pair and returns what is found. `end`: how the launch ended, if not well.
std::vector<Breach> breaches_of(const Pair& pair, bool is_mended, const std::string& schedule,
                                std::optional<Diagnostic>* end = nullptr) {
  LoadedPair loaded(pair, is_mended, schedule);
  std::optional<Diagnostic> ended;
  for (int i = 0; i < pair.launches && !ended; ++i) ended = loaded.launch(pair.launches > 1);
  if (end != nullptr) *end = ended;
  const auto orders = loaded.take_exploration();
  EXPECT_TRUE(!orders || orders->why_not_all.empty()) << orders->why_not_all;
  return loaded.take_breaches();
}

class EachPair : public testing::TestWithParam<Pair> {};

TEST_P(EachPair, NameTheDefectAtItsLineAndAreSilentWhereItIsMended) {
  const Pair& pair = GetParam();
  std::string said;
  for (const std::string& schedule : pair.run.schedules) {
    SCOPED_TRACE(schedule);
    std::optional<Diagnostic> end;
    for (const Breach& one : breaches_of(pair, true, schedule, &end))
      ADD_FAILURE() << "mended: " << one.clause << " at line " << one.line << ": " << one.message << "\n"
                    << pair.text[1];
    EXPECT_FALSE(end) << shown(*end) << pair.text[1];
    if (pair.finds.empty()) continue;
    ASSERT_NE(pair.line, 0u) << "no line ends in //@";
    ASSERT_NE(pair.text[0], pair.text[1]);
    bool is_named = false;
    std::string all;
    std::vector<Breach> breaches = breaches_of(pair, false, schedule, &end);
    for (const auto& [name, kind] : kinds)
      if (end && end->kind == kind)
        breaches.push_back({name, end->kernel, end->line, end->thread, 1, end->message});
    for (const Breach& one : breaches) {
      const bool is_it = std::find(pair.finds.begin(), pair.finds.end(), one.clause) != pair.finds.end();
      is_named |= is_it && (one.line == pair.line || one.other_line == pair.line);
      all += "\n" + one.clause + " at line " + std::to_string(one.line) + ": " + one.message + "; " + one.why;
    }
    said += all;
    EXPECT_TRUE(is_named) << "line " << pair.line << all << "\n" << pair.text[0];
    std::string name = pair.run.kernel;
    std::replace(name.begin(), name.end(), '_', '-');
    for (const Breach& one : breaches)
      EXPECT_TRUE(name != pair.finds[0] || one.clause == name) << all << "\n" << pair.text[0];
  }
  EXPECT_NE(said.find(pair.says), said.npos) << pair.says << "\nin" << said;
}

// What the host copies over a map in global memory shows to copies after an acquire, as what kernels write.
TEST(Pairs, AMapThatTheHostHasChangedIsAcquired) {
  const std::vector<Pair> pairs = all_pairs();
  const auto pair = std::find_if(pairs.begin(), pairs.end(),
                                 [](const Pair& one) { return one.run.kernel == "map_in_global_memory"; });
  ASSERT_NE(pair, pairs.end());
  for (const bool is_acquired : {false, true})
    for (const bool is_changed : {false, true}) {
      LoadedPair loaded(*pair, is_acquired, "lazy");
      EXPECT_FALSE(loaded.launch());
      if (is_changed) loaded.copy_map(16);
      loaded.launch();
      const std::vector<Breach> breaches = loaded.take_breaches();
      const bool is_found = std::any_of(breaches.begin(), breaches.end(), [&](const Breach& one) {
        return one.clause == "missing-tensormap-fence" && one.line == pair->line;
      });
      EXPECT_EQ(is_found, is_changed && !is_acquired) << is_acquired << is_changed;
    }
}

INSTANTIATE_TEST_SUITE_P(All, EachPair, testing::ValuesIn(all_pairs()),
                         [](const auto& info) { return info.param.run.kernel; });

class RaceRow : public testing::TestWithParam<size_t> {
 public:
  ~RaceRow() override { race::changed = {}; }
};

// Of the litmus tests testdata/ptx/race_*.ptx: without the row one that is race-free is not, and one that is
// racy is not found where the row orders whatever its condition says.
TEST_P(RaceRow, IsNeededAndOrdersNoMoreThanItSays) {
  const int row = static_cast<int>(race::orderings[GetParam()].row);
  bool is_needed = false, is_kept = false;
  for (const std::string& name : files()) {
    if (name.rfind("race_", 0) != 0) continue;
    const TextFile file(std::string(ASSAY_SOURCE_DIR "/testdata/ptx/") + name + ".ptx");
    for (const TextRun& run : file.runs) {
      race::changed = {-1, -1, true};
      const size_t races = races_of(file.text, run);
      race::changed = {row, -1, true};
      is_needed |= races == 0 && races_of(file.text, run) != 0;
      race::changed = {-1, row, true};
      is_kept |= races != 0 && races_of(file.text, run) == 0;
    }
  }
  for (const Pair& pair : all_pairs()) {
    const auto races = [&](bool is_mended, race::Changed changed) {
      race::changed = changed;
      return count_races(breaches_of(pair, is_mended, "eager"));
    };
    is_needed |= races(true, {-1, -1, true}) == 0 && races(true, {row, -1, true}) != 0;
    if (!pair.finds.empty())
      is_kept |= races(false, {-1, -1, true}) != 0 && races(false, {-1, row, true}) == 0;
  }
  EXPECT_TRUE(is_needed) << "no race-free test needs it";
  EXPECT_TRUE(is_kept) << "no racy test shows that it would order too much";
}

INSTANTIATE_TEST_SUITE_P(Rows, RaceRow, testing::Range<size_t>(0, std::size(race::orderings)),
                         [](const auto& info) {
                           std::string name(race::orderings[info.param].id);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(Files, PtxText, testing::ValuesIn(files()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace assay::emulator
