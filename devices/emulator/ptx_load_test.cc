// SPDX-License-Identifier: Apache-2.0
// Modules that cannot be loaded are refused with the right kind, line and words; nothing that a module holds
// crashes the front end or the machine.

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/ptx/parser.h"
#include "devices/emulator/ptx_pairs.h"

namespace assay::emulator {
namespace {

const std::string head = ".version 9.0\n.target sm_100a\n.address_size 64\n";

struct Refused {
  const char* name;
  std::string text;
  Diagnostic::Kind kind;
  uint32_t line;
  std::string words;
};

std::string ptx_kernel(const std::string& body) {
  return head +
         ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
         body + "\nret;\n}\n";
}

using PtxKind = Diagnostic::Kind;
const Refused refused[] = {
    {"empty", "", PtxKind::syntax, 1, "no .version"},
    {"no_target", ".version 9.0\n", PtxKind::syntax, 1, "no .target"},
    {"newer_version", ".version 9.9\n.target sm_100a\n", PtxKind::unsupported_target, 1, "newer than 9.5"},
    {"undeclared_version", ptx_kernel("mbarrier.init.layout::v1.shared.b64 [%r1], 1;"),
     PtxKind::unknown_instruction, 9, "needs PTX 9.3; the module declares 9.0"},
    {"other_target", ".version 9.0\n.target sm_90a\n", PtxKind::unsupported_target, 2, "sm_90a"},
    {"earlier_version", ".version 8.5\n.target sm_100a\n", PtxKind::syntax, 2,
     "sm_100a needs PTX 8.6; the module declares 8.5"},
    {"later_family", ".version 9.0\n.target sm_103f\n", PtxKind::unsupported_target, 2, "sm_103f"},
    {"no_such_target", ".version 9.0\n.target volta\n", PtxKind::unsupported_target, 2, "not a target"},
    {"address_size", ".version 9.0\n.target sm_100a\n.address_size 32\n", PtxKind::syntax, 3,
     ".address_size 64"},
    {"garbage", head + "hello\n", PtxKind::syntax, 4, "'hello'"},
    {"bad_character", head + "`", PtxKind::syntax, 4, "does not belong in PTX"},
    {"open_comment", head + "/* ...", PtxKind::syntax, 4, "comment is not closed"},
    {"open_body", head + ".entry k()\n{\nret;\n", PtxKind::syntax, 7, "not closed"},
    {"unknown", ptx_kernel("frobnicate.u32 %r1, %r2;"), PtxKind::unknown_instruction, 9, "frobnicate.u32"},
    {"unknown_qualifier", ptx_kernel("ld.global.sideways.u32 %r1, [%rd1];"), PtxKind::unknown_instruction, 9,
     "ld.global.sideways.u32"},
    {"unknown_type", ptx_kernel("add.u13 %r1, %r2, %r3;"), PtxKind::unknown_instruction, 9, "add.u13"},
    {"undeclared", ptx_kernel("add.u32 %r1, %r2, %r9;"), PtxKind::syntax, 9, "'%r9' is neither declared"},
    {"undeclared_label", ptx_kernel("bra NOWHERE;"), PtxKind::syntax, 9, "'NOWHERE' is not declared"},
    {"outer_label_only", ptx_kernel("bra INNER;\n{\nINNER:\n}"), PtxKind::syntax, 9,
     "'INNER' is not declared"},
    {"twice", ptx_kernel("A:\nA:"), PtxKind::syntax, 10, "'A' is defined twice"},
    {"register_twice", ptx_kernel(".reg .b32 %r<3>;"), PtxKind::syntax, 9, "'%r' is declared twice"},
    {"few_operands", ptx_kernel("add.u32 %r1, %r2;"), PtxKind::syntax, 9, "'add.u32' takes"},
    {"destination", ptx_kernel("add.u32 7, %r1, %r2;"), PtxKind::syntax, 9, "'add.u32' takes"},
    {"no_semicolon", ptx_kernel("add.u32 %r1, %r2, %r3"), PtxKind::syntax, 10, "expected ',' or ';'"},
    {"guard", ptx_kernel("@%r1 bra A;\nA:"), PtxKind::syntax, 9, "not a predicate"},
    {"vector_length", ptx_kernel("ld.global.v4.u32 {%r1, %r2}, [%rd1];"), PtxKind::syntax, 9,
     "'ld.global.v4.u32' takes"},
    {"narrow_register", ptx_kernel("ld.global.u64 %r1, [%rd1];"), PtxKind::syntax, 9,
     "'ld.global.u64' takes"},
    {"no_function", ptx_kernel("call.uni nothing, ();"), PtxKind::syntax, 9, "'nothing'"},
    {"arguments", head + ".func f(.param .b32 a)\n{\nret;\n}\n.entry k()\n{\ncall f;\n}\n", PtxKind::syntax,
     10, "parameters"},
    {"float_digits", ptx_kernel("mov.f32 %r1, 0f12;"), PtxKind::syntax, 9, "8 hexadecimal digits"},
    {"big_shared",
     head + ".shared .b8 a[300000];\n.entry k()\n{\n.reg .b32 %r<2>;\nld.shared.u32 %r1, [a];\n}\n",
     PtxKind::syntax, 8, "exceeds the window"},
    {"two_kernels", head + ".entry k()\n{\n}\n.entry k()\n{\n}\n", PtxKind::syntax, 7, "defined twice"},
    {"external", head + ".extern .global .u32 x;\n", PtxKind::syntax, 4, "external"},
    {"initial", head + ".global .u32 x[1] = {1, 2};\n", PtxKind::syntax, 4, "more initial values"},
    {"later_engine", ptx_kernel("wgmma.fence.sync.aligned;"), PtxKind::unknown_instruction, 9, "wgmma.fence"},
    {"indirect_call", ptx_kernel("call (%r1), %rd1, ();"), PtxKind::syntax, 9, "names a .callprototype"},
    {"deep_scopes", ptx_kernel(std::string(1000, '{') + std::string(1000, '}')), PtxKind::syntax, 9,
     "nested too deeply"},
    {"deep_vectors", ptx_kernel("mov.b32 %r1, " + std::string(1000, '{')), PtxKind::syntax, 9,
     "nested too deeply"},
};

std::ostream& operator<<(std::ostream& out, const Refused& one) {
  return out << one.name;
}

class PtxRefused : public testing::TestWithParam<Refused> {};

TEST_P(PtxRefused, WithKindLineAndWords) {
  const Refused& want = GetParam();
  const auto gpu = Gpu::create({});
  const auto result = gpu->load(want.text);
  ASSERT_TRUE(std::holds_alternative<Diagnostic>(result)) << "it was loaded";
  const Diagnostic& got = std::get<Diagnostic>(result);
  EXPECT_EQ(got.kind, want.kind) << got.message;
  EXPECT_EQ(got.line, want.line) << got.message;
  EXPECT_NE(got.message.find(want.words), std::string::npos) << got.message;
}

INSTANTIATE_TEST_SUITE_P(Modules, PtxRefused, testing::ValuesIn(refused),
                         [](const auto& info) { return info.param.name; });

TEST(PtxTargets, LoadWhereTheirSuffixAllows) {
  struct Row {
    const char* module;
    bool on_90a, on_100a, on_103a, on_107a, on_110a;
  };
  for (const Row& row :
       {Row{"sm_90a", true, false, false, false, false}, Row{"sm_100a", false, true, false, false, false},
        Row{"sm_103a", false, false, true, false, false}, Row{"sm_100f", false, true, true, true, false},
        Row{"sm_103f", false, false, true, true, false}, Row{"sm_80", true, true, true, true, true},
        Row{"sm_90", true, true, true, true, true}, Row{"sm_100", false, true, true, true, true},
        Row{"sm_103", false, false, true, true, true}, Row{"sm_107a", false, false, false, true, false},
        Row{"sm_107f", false, false, false, true, false}, Row{"sm_107", false, false, false, true, true},
        Row{"sm_110a", false, false, false, false, true}, Row{"sm_110f", false, false, false, false, true},
        Row{"sm_120", false, false, false, false, false}}) {
    const std::pair<Target, bool> devices[] = {{Target::sm_90, row.on_90a},
                                               {Target::sm_100, row.on_100a},
                                               {Target::sm_103, row.on_103a},
                                               {Target::sm_107, row.on_107a},
                                               {Target::sm_110, row.on_110a}};
    for (const auto& [target, loads] : devices) {
      Settings settings;
      settings.target = target;
      const auto result =
          Gpu::create(settings)->load(std::string(".version 9.4\n.target ") + row.module + "\n");
      EXPECT_EQ(!std::holds_alternative<Diagnostic>(result), loads)
          << row.module << " on " << static_cast<int>(target);
    }
  }
}

/// Answers of ptxas 13.0, for sm_100a, sm_103a and sm_110a.
TEST(PtxTargets, HaveInstructionsOfTheirOwn) {
  struct Row {
    const char* instruction;
    std::array<bool, 3> loads;
  };
  for (const Row& row :
       {Row{"tcgen05.mma.cta_group::1.kind::f16 [r0], d0, d1, r1, p;", {true, true, true}},
        Row{"tcgen05.mma.cta_group::1.kind::f16 [r0], d0, d1, r1, p, 3;", {true, true, false}},
        Row{"tcgen05.mma.cta_group::1.kind::i8 [r0], d0, d1, r1, p;", {true, false, true}},
        Row{"tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {r0, r1}, r2, [r3];", {false, true, true}},
        Row{"tcgen05.shift.cta_group::1.down [r0];", {true, true, true}},
        Row{"cvt.rs.f16x2.f32 r0, f0, f1, r1;", {true, true, false}},
        Row{"redux.sync.min.f32 f0, f1, r0;", {true, true, false}},
        Row{"redux.sync.min.u32 r1, r2, r0;", {true, true, true}}}) {
    const Target targets[] = {Target::sm_100, Target::sm_103, Target::sm_110};
    for (size_t i = 0; i < std::size(targets); ++i) {
      Settings settings;
      settings.target = targets[i];
      const auto result = Gpu::create(settings)->load(
          ".version 9.0\n.target " + std::string(target_name(targets[i])) +
          "\n.address_size 64\n.visible .entry k() {\n.reg .pred p; .reg .b32 r<4>; .reg .b64 d<2>; "
          ".reg .f32 f<2>;\n" +
          row.instruction + "\nret;\n}\n");
      EXPECT_EQ(!std::holds_alternative<Diagnostic>(result), row.loads[i])
          << row.instruction << " on " << target_name(targets[i]);
    }
  }
}

TEST(PtxModules, MayEndInNulBytes) {
  const auto gpu = Gpu::create({});
  const std::string text = ptx_kernel("") + std::string(37, '\0');
  auto loaded = gpu->load(text);
  ASSERT_FALSE(std::holds_alternative<Diagnostic>(loaded)) << std::get<Diagnostic>(loaded).message;
  EXPECT_NE(std::get<0>(loaded)->find_kernel("k"), nullptr);
}

/// The same numbers everywhere.
struct PtxRandom {
  uint64_t state;
  uint64_t below(uint64_t n) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % n;
  }
};

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// One small damage: a line lost, doubled, moved, or two words of the module exchanged, or a byte changed.
void damage(std::vector<std::string>& lines, PtxRandom& random) {
  const size_t at = random.below(lines.size()), other = random.below(lines.size());
  switch (random.below(5)) {
    case 0:
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<ptrdiff_t>(other), lines[at]);
      break;
    case 2:
      std::swap(lines[at], lines[other]);
      break;
    case 3: {
      const size_t a = lines[at].rfind('%'), b = lines[other].rfind('%');
      if (a == std::string::npos || b == std::string::npos) return damage(lines, random);
      lines[at] = lines[at].substr(0, a) + lines[other].substr(b);
      break;
    }
    default:
      if (lines[at].empty()) return damage(lines, random);
      lines[at][random.below(lines[at].size())] = static_cast<char>(32 + random.below(95));
  }
}

TEST(PtxModules, DamagedOnesNeverCrash) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/testdata/ptx"))
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  int refusals = 0, launches = 0, ends = 0;
  for (uint64_t i = 0; i < 1500; ++i) {
    PtxRandom random{i};
    auto lines = lines_of(paths[random.below(paths.size())]);
    for (uint64_t n = 1 + random.below(3); n > 0; --n) damage(lines, random);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    Settings settings;
    settings.target = text.find(".target sm_90a") != std::string::npos ? Target::sm_90 : Target::sm_100;
    settings.strict = random.below(2);
    settings.seed = i;
    settings.instruction_limit = 20'000;
    const auto gpu = Gpu::create(settings);
    const auto loaded = gpu->load(text);
    if (const auto* diagnostic = std::get_if<Diagnostic>(&loaded)) {
      ++refusals;
      EXPECT_FALSE(diagnostic->message.empty());
      continue;
    }
    Module& module = *std::get<0>(loaded);
    for (const std::string& name : module.kernel_names()) {
      if (name == "prints") continue;
      Kernel* ptx_kernel = module.find_kernel(name);
      // Pointers to one small buffer, whatever the kernel wants.
      const uint64_t buffer = gpu->memory().allocate(512);
      std::vector<std::byte> params(ptx_kernel->param_bytes());
      for (const ParamDeclaration& param : ptx_kernel->params())
        if (param.size == 8) std::memcpy(params.data() + param.offset, &buffer, 8);
      ++launches;
      if (gpu->launch({ptx_kernel, {2, 1, 1}, {40, 1, 1}, {0, 0, 0}, 64, params})) ++ends;
    }
  }
  // The damage must be of all three kinds, or the test says little.
  EXPECT_GT(refusals, 200);
  EXPECT_GT(launches, 500);
  EXPECT_GT(ends, 100);
}

// Every opcode that public kernels use is covered: see testdata/ptx/opcodes.txt.

const std::filesystem::path opcodes_folder = ASSAY_SOURCE_DIR "/testdata/ptx";

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

/// Opcodes of the text tests whose modules are meant to load.
std::set<std::string> tested_opcodes() {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(opcodes_folder)) {
    if (entry.path().extension() != ".ptx") continue;
    const std::string text = content(entry.path());
    if (text.find("expect: load-error") != std::string::npos) continue;
    for (const auto& function : ptx::parse(text).functions)
      for (const auto& statement : function.body)
        if (statement.kind == ptx::Statement::Kind::instruction) found.insert(statement.opcode->text);
  }
  return found;
}

std::variant<std::unique_ptr<Module>, Diagnostic> load_opcodes(Gpu& gpu, const std::string& instruction) {
  return gpu.load(
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n.reg .b16 %rs<9>;\n"
      ".reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n" +
      instruction + ";\nret;\n}\n");
}

TEST(PtxOpcodes, EveryOneIsTestedOrMarked) {
  const std::set<std::string> tested = tested_opcodes();
  const auto gpu = Gpu::create({});
  std::istringstream lines(content(opcodes_folder / "opcodes.txt"));
  int tests = 0, loaded = 0, refused = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t semicolon = line.find(" ; "), dash = line.find(" - ");
    if (dash != std::string::npos) {
      const auto result = load_opcodes(*gpu, line.substr(0, dash));
      ASSERT_TRUE(std::holds_alternative<Diagnostic>(result))
          << line << ": is known by now, take the mark off";
      const Diagnostic& said = std::get<Diagnostic>(result);
      EXPECT_EQ(said.kind, Diagnostic::Kind::unknown_instruction) << line << ": " << said.message;
      EXPECT_EQ(said.line, 9u) << line;
      EXPECT_NE(said.message.find(line.substr(0, dash)), std::string::npos) << said.message;
      ++refused;
    } else if (semicolon != std::string::npos) {
      const auto result = load_opcodes(*gpu, line.substr(0, semicolon) + " " + line.substr(semicolon + 3));
      EXPECT_FALSE(std::holds_alternative<Diagnostic>(result))
          << line << ": " << std::get<Diagnostic>(result).message;
      ++loaded;
    } else {
      EXPECT_TRUE(tested.contains(line)) << line << " is in no text test";
      ++tests;
    }
  }
  EXPECT_GT(tests, 350);
  EXPECT_GT(loaded, 30);
  EXPECT_GT(refused, 2);
}

/// In lines of at most 110 columns.
std::string wrapped(const std::string& text) {
  std::string made;
  std::istringstream words(text);
  size_t column = 0;
  for (std::string word; words >> word; column += word.size() + 1) {
    const bool is_full = column + word.size() > 110;
    if (column != 0) made += is_full ? "\n" : " ";
    if (is_full) column = 0;
    made += word;
  }
  return made;
}

std::string page_of_clauses() {
  std::map<std::string, text::Pair> pairs;
  for (text::Pair& pair : text::read_pairs(opcodes_folder / "clauses.pairs"))
    pairs.emplace(pair.run.kernel, std::move(pair));
  std::string page = content(ASSAY_SOURCE_DIR "/docs/clauses.md");
  constexpr std::string_view mark = "<!-- generated below -->\n";
  page.erase(page.find(mark) + mark.size());
  for (const bool is_warning : {false, true}) {
    page += is_warning ? "\n# Warnings\n" : "\n# Clauses\n";
    for (const Clause& clause : clauses) {
      if (clause.is_warning != is_warning) continue;
      std::string name(clause.id);
      std::replace(name.begin(), name.end(), '-', '_');
      EXPECT_TRUE(pairs.contains(name)) << "testdata/ptx/clauses.pairs has no example of " << clause.id;
      EXPECT_FALSE(clause.sentence.empty() || clause.cite.document.empty() || clause.cite.place.empty());
      text::Pair& pair = pairs[name];
      if (const size_t at = pair.body.find("//@"); at != std::string::npos) pair.body.replace(at, 3, "// <-");
      std::string sentence = std::string(clause.sentence) + ".";
      const bool is_instruction = sentence.substr(0, sentence.find(' ')).find('.') != std::string::npos;
      if (!is_instruction) sentence[0] = static_cast<char>(std::toupper(sentence[0]));
      page += "\n## " + std::string(clause.id) + "\n\n" + wrapped(sentence) + "\n" +
              (pair.about.empty() ? "" : "\n" + pair.about) + "\n```diff\n" + pair.body + "```\n\n" +
              (clause.cite.document == "ptx"     ? "PTX ISA: "
               : clause.cite.document == "guide" ? "CUDA C++ Programming Guide: "
                                                 : "CUDA driver API: ") +
              std::string(clause.cite.place) + "\n";
    }
  }
  return page;
}

// docs/clauses.md, of the rows and testdata/ptx/clauses.pairs; EachPair runs these.
TEST(StrictClauses, EachHasAnExampleOnThePage) {
  const std::string path = ASSAY_SOURCE_DIR "/docs/clauses.md", page = page_of_clauses();
  if (std::getenv("ASSAY_WRITE_CLAUSES") != nullptr) std::ofstream(path) << page;
  EXPECT_EQ(content(path), page) << "ASSAY_WRITE_CLAUSES=1 writes it";
}

}  // namespace
}  // namespace assay::emulator
