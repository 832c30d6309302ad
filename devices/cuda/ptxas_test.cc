// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/ptxas.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "kernels/forms/assembler/spellings.h"
#include "kernels/params/assembler.h"

namespace assay::cuda {
namespace {

/// A program that stands in for ptxas: a shell script, told what to do with the module in $3.
class Stub {
 public:
  explicit Stub(const std::string& body) {
    static int number = 0;  // what an assembler knows is asked once of a path
    path_ = testing::TempDir() + "ptxas_stub_" + std::to_string(getpid()) + "_" + std::to_string(++number);
    std::ofstream(path_) << "#!/bin/sh\n" << body;
    chmod(path_.c_str(), 0700);
  }
  ~Stub() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<AskedSpelling> all_of(std::string_view family) {
  const uint32_t table = forms::find_spelling_table(family).value();
  std::vector<AskedSpelling> made;
  for (uint32_t i = 0; i < forms::spellings(table).forms().size(); ++i) made.push_back({table, i});
  return made;
}

/// Names the line of every instruction that holds a word, as ptxas does.
constexpr const char* refuses_fences =
    "if grep -q 'fence::' \"$3\"; then grep -n 'fence::' \"$3\" | sed 's/\\([0-9]*\\):.*/ptxas x.ptx, line "
    "\\1; "
    "error   : no/'; exit 255; fi\n";

/// That of the spellings of tcgen05.wait the program `stub` refuses those for which refuses(text) holds.
void expect_refused(const Stub& stub, bool (*refuses)(const std::string&)) {
  const std::vector<AskedSpelling> asked = all_of("asked.tcgen05.wait");
  const std::vector<Taken> taken = assembled_by(stub.path(), forms::target_of(spec::Arch::sm_100), asked);
  ASSERT_EQ(taken.size(), asked.size());
  for (size_t i = 0; i < asked.size(); ++i) {
    const std::string text = forms::spellings(asked[i].table).instruction(asked[i].number);
    EXPECT_EQ(taken[i], refuses(text) ? Taken::refused : Taken::taken) << text;
  }
}
bool is_plain_store_wait(const std::string& text) {
  return text == "tcgen05.wait::st.sync.aligned;";
}

TEST(Ptxas, WhatItNamesByLineIsRefusedAndTheRestTriedAgain) {
  const Stub stub(refuses_fences);
  expect_refused(stub, [](const std::string& text) { return text.find("fence::") != text.npos; });
}

TEST(Ptxas, ARefusalWithoutLinesIsBisected) {
  const Stub stub("if grep -q 'wait::st.sync.aligned' \"$3\"; then echo 'ptxas fatal : no'; exit 255; fi\n");
  expect_refused(stub, is_plain_store_wait);
}

// "ptxas <builtin>, line 6" is a line of what it puts in an instruction's place, not of the module.
TEST(Ptxas, LinesOfAnotherFileBlameNoSpelling) {
  const Stub stub(
      "if grep -q 'wait::st.sync.aligned' \"$3\"; then echo 'ptxas <builtin>, line 6; fatal   : no'; exit "
      "255; "
      "fi\n");
  expect_refused(stub, is_plain_store_wait);
}

TEST(Ptxas, OneThatTakesEverythingIsSeen) {
  const Stub stub("exit 0\n");
  for (const Taken taken :
       assembled_by(stub.path(), forms::target_of(spec::Arch::sm_100), all_of("asked.tcgen05.wait")))
    EXPECT_EQ(taken, Taken::taken);
}

TEST(Ptxas, OneThatCannotBeAskedDeclines) {
  EXPECT_EQ(ptxas_declines({}, forms::target_of(spec::Arch::sm_100)),
            "there is no ptxas: set ASSAY_PTXAS, or add the CUDA Toolkit to PATH");
  EXPECT_EQ(ptxas_declines({"/no/such/ptxas"}, forms::target_of(spec::Arch::sm_100)),
            "'/no/such/ptxas' could not be run to its end");
  const Stub killed("kill -9 $$\n");
  EXPECT_EQ(ptxas_declines({killed.path()}, forms::target_of(spec::Arch::sm_100)),
            "'" + killed.path() + "' could not be run to its end");
}

/// Takes versions up to one, and nothing for sm_107a.
std::string takes_up_to(const char* version) {
  return "grep -q 'target sm_107a' \"$3\" && exit 1; v=$(sed -n 's/^.version //p' \"$3\"); "
         "[ \"$(printf '%s\\n%s\\n' \"$v\" " +
         std::string(version) + " | sort -V | tail -1)\" = " + version + " ]\n";
}

TEST(Ptxas, WhatIsNewerThanAnAssemblerIsNotAsked) {
  const Stub stub(takes_up_to("9.2"));
  const forms::Targets target = forms::target_of(spec::Arch::sm_100);
  EXPECT_EQ(newest_ptx(stub.path(), target), 92);
  EXPECT_EQ(newest_ptx(stub.path(), forms::target_of(spec::Arch::sm_107)), 0);
  const std::vector<AskedSpelling> asked = all_of("asked.later.ignore_oob"),
                                   later = all_of("asked.later.multicast");
  for (const Taken taken : assembled_by(stub.path(), target, asked)) EXPECT_EQ(taken, Taken::taken);
  for (size_t i = 0; i < later.size(); ++i) {
    const uint8_t ptx = forms::spellings(later[i].table).ptx(later[i].number, target);
    EXPECT_TRUE(ptx == 93 || ptx == 94);
    EXPECT_EQ(assembled_by(stub.path(), target, {&later[i], 1}).front(), Taken::not_asked);
  }
}

TEST(Ptxas, ThoseOfTheEnvironmentComeFirst) {
  const Stub stub("exit 0\n");
  setenv("ASSAY_PTXAS", (stub.path() + ",/no/such/ptxas").c_str(), 1);
  EXPECT_EQ(find_ptxas(), (std::vector<std::string>{stub.path(), "/no/such/ptxas"}));
  EXPECT_EQ(ptxas_declines(find_ptxas(), forms::target_of(spec::Arch::sm_100)),
            "'/no/such/ptxas' could not be run to its end");
  unsetenv("ASSAY_PTXAS");
}

TEST(Ptxas, WhatSeveralSayIsOneWord) {
  using enum Taken;
  EXPECT_EQ(combined({taken}), 1u);
  EXPECT_EQ(combined({refused, refused}), 0u);
  EXPECT_EQ(combined({taken, taken, taken}), 1u);
  EXPECT_EQ(combined({refused, taken, taken}), params::assemblers_disagree + (6u << 8));
  // Who does not know the version has no say.
  EXPECT_EQ(combined({not_asked, taken}), 1u);
  EXPECT_EQ(combined({refused, not_asked}), 0u);
  EXPECT_EQ(combined({not_asked, not_asked}), params::not_assembled);
}

}  // namespace
}  // namespace assay::cuda
