// What libassay_emulator.so gives away and what it is made of: a driver, with nothing of the reference in it.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <string>

#define ASSAY_NO_DRIVER_PROTOTYPES
#include "devices/emulator/driver/entries.h"

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

std::set<std::string> exported() {
  std::set<std::string> names;
  std::istringstream lines(output_of("nm -D --defined-only '" + library + "'"));
  for (std::string address, kind, name; lines >> address >> kind >> name;) names.insert(name);
  return names;
}

TEST(EmulatorLibrary, ExportsTheDriverAndNothingElse) {
  const auto names = exported();
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
  for (const char* room :
       {"assay::model::", "assay::numerics::", "assay::layout::", "assay::gen::", "assay::report::"})
    EXPECT_EQ(symbols.find(room), std::string::npos) << room << " is linked into the emulator";
}

}  // namespace
}  // namespace assay::emulator
