// SPDX-License-Identifier: Apache-2.0
// What libassay_emulator.so gives away and what it is made of: a driver, with nothing of the reference in it.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#define ASSAY_NO_DRIVER_PROTOTYPES
#include "devices/emulator/driver/entries.h"
#include "devices/emulator/driver/settings.h"

namespace assay::emulator {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, pipe)) != 0;) text.append(part, n);
  pclose(pipe);
  return text;
}

const std::string library = std::string(ASSAY_BINARY_DIR) + "/libassay_emulator.so";
const std::string fault_library = std::string(ASSAY_BINARY_DIR) + "/libassay_faults.so";

std::set<std::string> exported(const std::string& library) {
  std::set<std::string> names;
  std::istringstream lines(output_of("nm -D --defined-only '" + library + "'"));
  for (std::string address, kind, name; lines >> address >> kind >> name;) names.insert(name);
  return names;
}

TEST(EmulatorLibrary, ExportsTheDriverAndNothingElse) {
  const auto names = exported(library);
  ASSERT_FALSE(names.empty()) << library;
  for (const std::string& name : names)
    EXPECT_TRUE(name.starts_with("cu") || name.starts_with("assay_emulator_")) << name;
#define ASSAY_EXPORTED(name, ...) EXPECT_TRUE(names.count(#name)) << #name " is not exported";
  ASSAY_DRIVER_ENTRIES(ASSAY_EXPORTED)
#undef ASSAY_EXPORTED
  EXPECT_TRUE(names.count("assay_emulator_take_notes"));
  EXPECT_TRUE(names.count("assay_emulator_take_breaches"));
  EXPECT_TRUE(names.count("assay_emulator_describe_faults"));
}

TEST(EmulatorLibrary, ContainsNothingOfTheReference) {
  const std::string symbols = output_of("nm -C '" + library + "'");
  ASSERT_NE(symbols.find("assay::emulator::"), std::string::npos) << "no symbol table to look at";
  // Of reference/spec the tables of fields alone. What is inlined leaves no name: cmake/layers.cmake follows
  // includes.
  for (const char* part :
       {"assay::model::", "assay::numerics::", "assay::layout::", "assay::gen::", "assay::report::",
        "assay::suites::", "assay::spec::rule", "assay::spec::question", "assay::spec::Readings",
        "assay::spec::instr_desc_", "assay::spec::smem_desc_", "_violations("})
    EXPECT_EQ(symbols.find(part), std::string::npos) << part << " is linked into the emulator";
}

TEST(EmulatorLibrary, ContainsNoFault) {
  const std::string symbols = output_of("nm -C '" + library + "'");
  ASSERT_NE(symbols.find("assay::emulator::"), std::string::npos) << "no symbol table to look at";
  EXPECT_EQ(symbols.find("assay::faults::"), std::string::npos);
}

TEST(FaultLibrary, ExportsItsRowsAndNothingElse) {
  EXPECT_EQ(exported(fault_library), std::set<std::string>{"assay_faults"});
}

/// The emulator of a folder, as a program that loads it meets it.
struct Loaded {
  explicit Loaded(const std::filesystem::path& folder)
      : handle(dlopen((folder / "libassay_emulator.so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) return;
    describe = reinterpret_cast<decltype(describe)>(dlsym(handle, "assay_emulator_describe_faults"));
    init = reinterpret_cast<decltype(init)>(dlsym(handle, "cuInit"));
  }
  ~Loaded() {
    if (handle != nullptr) dlclose(handle);
  }
  void* handle;
  int (*describe)(char*, size_t) = nullptr;
  int (*init)(unsigned) = nullptr;
};

TEST(FaultLibrary, IsLoadedFromBesideTheEmulator) {
  const Loaded emulator(ASSAY_BINARY_DIR);
  ASSERT_NE(emulator.describe, nullptr) << dlerror();
  const int size = -emulator.describe(nullptr, 0);
  ASSERT_GT(size, 1);
  std::string text(static_cast<size_t>(size), ' ');
  ASSERT_EQ(emulator.describe(text.data(), text.size()), size - 1);
  text.pop_back();
  EXPECT_EQ(text, described_faults()) << "what is linked into this program";
}

TEST(FaultLibrary, WhereItIsMissingTheEmulatorWorksAndSaysSo) {
  std::string folder = testing::TempDir() + "alone.XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::filesystem::copy(library, folder);
  {
    const Loaded emulator(folder);
    ASSERT_NE(emulator.init, nullptr) << dlerror();
    EXPECT_EQ(emulator.describe(nullptr, 0), -1);
    setenv("ASSAY_EMULATOR", "sm_90a,fault=tx_16_short", 1);
    testing::internal::CaptureStderr();
    EXPECT_NE(emulator.init(0), 0);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("faults are unavailable"), std::string::npos) << said;
    EXPECT_NE(said.find("libassay_faults.so"), std::string::npos) << said;
    setenv("ASSAY_EMULATOR", "sm_90a", 1);
    EXPECT_EQ(emulator.init(0), 0);
    unsetenv("ASSAY_EMULATOR");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace assay::emulator
