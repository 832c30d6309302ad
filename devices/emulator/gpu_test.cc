// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/gpu.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstring>

namespace assay::emulator {
namespace {

constexpr std::string_view text = R"(
.version 9.0
.target sm_90a
.address_size 64
.visible .entry sums(.param .u64 out)
{
	.reg .f32 %f<4>;
	.reg .f64 %d<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.f32 %f1, 0f3F800000;
	mov.f32 %f2, 0f30800000;
	add.rn.f32 %f3, %f1, %f2;
	st.global.f32 [%rd1], %f3;
	mov.f64 %d1, 0d3FF0000000000000;
	mov.f64 %d2, 0d3C00000000000000;
	add.rn.f64 %d3, %d1, %d2;
	st.global.f64 [%rd1+8], %d3;
	add.rn.f32 %f3, %f1, 0.0000000001;
	st.global.f32 [%rd1+4], %f3;
	ret;
}
)";

// A program that loads the emulator may have set another rounding; kernels do not see it, and it comes back.
TEST(Gpu, HostRoundingStaysOutside) {
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  const auto gpu = Gpu::create({Target::sm_90a});
  const auto loaded = gpu->load(text);
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<Module>>(loaded))
      << std::get<Diagnostic>(loaded).message;
  const uint64_t out = gpu->memory().allocate(16);
  std::vector<std::byte> params(8);
  std::memcpy(params.data(), &out, 8);
  Kernel* kernel = std::get<std::unique_ptr<Module>>(loaded)->find_kernel("sums");
  const auto end = gpu->launch({kernel, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, params});
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(before);
  ASSERT_FALSE(end) << end->message;
  const auto* floats = reinterpret_cast<const float*>(out);
  EXPECT_EQ(floats[0], 1.0f);
  EXPECT_EQ(floats[1], 1.0f);
  EXPECT_EQ(*reinterpret_cast<const double*>(out + 8), 1.0);
}

}  // namespace
}  // namespace assay::emulator
