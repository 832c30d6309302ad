// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/element_steps.h"

#include <gtest/gtest.h>

#include "suites/failure/element_words.h"
#include "suites/run/property.h"

/// The steps that explain an element, against the prediction of the whole output.
namespace assay::suites {
namespace {

constexpr std::string_view steps_differ = "these steps give";

/// Elements of the output in turn, as if each were the first wrong one; how many were explained.
uint64_t explain(const Property& property, spec::Arch arch, uint64_t cases) {
  const Family& family = property.family();
  const spec::Readings readings(arch);
  uint64_t explained = 0;
  Scratch scratch;
  for (uint64_t index = 0; index < cases; ++index) {
    Case c;
    property.generate(3, property.name, index, arch, c);
    Expected expected;
    family.predict(c, readings, scratch, expected);
    if (expected.end != model::End::done || !expected.judges_bytes) continue;
    const ExpectedOutput right = family.expected_output(c, expected);
    std::vector<uint8_t> wrong = right.bytes;
    for (uint64_t i = 0; i < 6; ++i) {
      // Toward the end, where the output of a pipeline has D.
      const uint64_t byte = right.bytes.size() - 1 - (index * 7919 + i * 40503) % (right.bytes.size() / 2);
      if (right.defined[byte] == 0) continue;
      wrong[byte] ^= 1;
      const Diagnosis made = family.diagnose(c, readings, right, wrong, byte);
      wrong[byte] ^= 1;
      if (!made.first.starts_with("D[")) continue;
      ++explained;
      for (const std::string& line : made.lines)
        EXPECT_EQ(line.find(steps_differ), std::string::npos)
            << property.name << " " << index << ", byte " << byte << ": " << made.first << "\n"
            << line;
    }
  }
  return explained;
}

TEST(ElementSteps, LeadToWhatIsPredicted) {
  for (const auto& [name, arch] : {std::pair("wgmma.f16", spec::Arch::sm_90),
                                   {"wgmma.bf16", spec::Arch::sm_90},
                                   {"wgmma.tf32", spec::Arch::sm_90},
                                   {"wgmma.fp8", spec::Arch::sm_90},
                                   {"wgmma.i8", spec::Arch::sm_90},
                                   {"wgmma.descriptor", spec::Arch::sm_90},
                                   {"mma_sync.f16", spec::Arch::sm_90},
                                   {"mma_sync.fp8", spec::Arch::sm_90},
                                   {"mma_sync.i8", spec::Arch::sm_90},
                                   {"mma_sync.sparse.f8f6f4", spec::Arch::sm_120},
                                   {"mma_sync.sparse.mxf8f6f4", spec::Arch::sm_120},
                                   {"mma_sync.sparse.mxf4", spec::Arch::sm_120},
                                   {"mma_sync.sparse.mxf4nvf4", spec::Arch::sm_120},
                                   {"mma.dense.f16", spec::Arch::sm_100},
                                   {"mma.dense.tf32", spec::Arch::sm_100},
                                   {"mma.dense.f8f6f4", spec::Arch::sm_100},
                                   {"mma.dense.i8", spec::Arch::sm_100},
                                   {"mma.dense.layout", spec::Arch::sm_100},
                                   {"mma.dense.pair", spec::Arch::sm_100},
                                   {"mma.ws.layout", spec::Arch::sm_100},
                                   {"mma.ws.column_shift", spec::Arch::sm_100},
                                   {"mma.ws.zero_column_mask", spec::Arch::sm_103},
                                   {"pipeline.gemm", spec::Arch::sm_100},
                                   {"pipeline.scaled", spec::Arch::sm_100},
                                   {"pipeline.sparse", spec::Arch::sm_100}}) {
    const Property* property = find_property(name);
    ASSERT_NE(property, nullptr) << name;
    EXPECT_GT(explain(*property, arch, 25), 20u) << name;
  }
}

}  // namespace
}  // namespace assay::suites
