// SPDX-License-Identifier: Apache-2.0
// Every opcode that public kernels use is covered: see testdata/ptx/opcodes.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx_opcodes_test {
namespace {

const std::filesystem::path folder = ASSAY_SOURCE_DIR "/testdata/ptx";

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

/// Opcodes of the text tests whose modules are meant to load.
std::set<std::string> tested_opcodes() {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    const std::string text = content(entry.path());
    if (text.find("expect: load-error") != std::string::npos) continue;
    for (const auto& function : ptx::parse(text).functions)
      for (const auto& statement : function.body)
        if (statement.kind == ptx::Statement::Kind::instruction) found.insert(statement.opcode->text);
  }
  return found;
}

std::variant<std::unique_ptr<Module>, Diagnostic> load(Gpu& gpu, const std::string& instruction) {
  return gpu.load(
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n.reg .b16 %rs<9>;\n"
      ".reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n" +
      instruction + ";\nret;\n}\n");
}

TEST(PtxOpcodes, EveryOneIsTestedOrMarked) {
  const std::set<std::string> tested = tested_opcodes();
  const auto gpu = Gpu::create({});
  std::istringstream lines(content(folder / "opcodes.txt"));
  int tests = 0, loaded = 0, refused = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t semicolon = line.find(" ; "), dash = line.find(" - ");
    if (dash != std::string::npos) {
      const auto result = load(*gpu, line.substr(0, dash));
      ASSERT_TRUE(std::holds_alternative<Diagnostic>(result))
          << line << ": is known by now, take the mark off";
      const Diagnostic& said = std::get<Diagnostic>(result);
      EXPECT_EQ(said.kind, Diagnostic::Kind::unknown_instruction) << line << ": " << said.message;
      EXPECT_EQ(said.line, 9u) << line;
      EXPECT_NE(said.message.find(line.substr(0, dash)), std::string::npos) << said.message;
      ++refused;
    } else if (semicolon != std::string::npos) {
      const auto result = load(*gpu, line.substr(0, semicolon) + " " + line.substr(semicolon + 3));
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

TEST(StrictClauses, EachHasAKernelThatBreaksIt) {
  std::string tests;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ptx") tests += content(entry.path());
  for (const Clause& clause : clauses) {
    EXPECT_NE(tests.find("expect: breach " + std::string(clause.id)), std::string::npos) << clause.id;
    EXPECT_FALSE(clause.sentence.empty() || clause.cite.document.empty() || clause.cite.place.empty())
        << clause.id;
  }
}

}  // namespace
}  // namespace assay::emulator::ptx_opcodes_test
