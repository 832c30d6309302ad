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
  const auto gpu = Gpu::create({Target::sm_90});
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

constexpr std::string_view dependent = R"(
.version 9.0
.target sm_90a
.address_size 64
.visible .entry releases(.param .u64 data)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	st.global.u32 [%rd1], 7;
	griddepcontrol.launch_dependents;
	ret;
}
.visible .entry ends(.param .u64 data)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	st.global.u32 [%rd1], 7;
	ret;
}
.visible .entry hurries(.param .u64 data)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	ld.global.u32 %r1, [%rd1];
	ret;
}
.visible .entry elsewhere(.param .u64 data)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	ld.global.u32 %r1, [%rd1+4];
	ret;
}
.visible .entry copies(.param .u64 data)
{
	.shared .align 16 .b8 tile[16];
	.shared .align 8 .b8 bar[8];
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p1, %r1, 0;
	@!%p1 ret;
	mbarrier.init.shared::cta.b64 [bar], 1;
	fence.proxy.async.shared::cta;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 16, [bar];
$wait:
	mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;
	@!%p1 bra $wait;
	ret;
}
.visible .entry waits(.param .u64 data)
{
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p1, %r1, 0;
	@%p1 griddepcontrol.wait;
	bar.sync 0;
	ld.global.u32 %r1, [%rd1];
	ret;
}
)";

// A kernel that may begin early reads what the one in front of it in its stream writes.
TEST(Gpu, ADependentGridWaits) {
  struct Row {
    const char *first, *second;
    uint64_t stream;
    bool begins_early;
    size_t breaches;
  };
  constexpr Row rows[] = {
      {"releases", "hurries", 1, true, 1},  {"releases", "copies", 1, true, 1},
      {"releases", "waits", 1, true, 0},    {"releases", "elsewhere", 1, true, 0},
      {"releases", "hurries", 1, false, 0},  // runs after the first has ended
      {"releases", "hurries", 2, true, 0},   // in another stream, which is another matter
      {"ends", "hurries", 1, true, 0},       // the first lets nobody begin early
  };
  for (const Row& row : rows) {
    Settings settings{Target::sm_90};
    settings.strict = true;
    const auto gpu = Gpu::create(settings);
    const auto loaded = gpu->load(dependent);
    ASSERT_TRUE(std::holds_alternative<std::unique_ptr<Module>>(loaded))
        << std::get<Diagnostic>(loaded).message;
    const uint64_t data = gpu->memory().allocate(16);
    std::vector<std::byte> params(8);
    std::memcpy(params.data(), &data, 8);
    const auto launch = [&](const char* name, uint64_t stream, bool begins_early) {
      LaunchConfig config{std::get<std::unique_ptr<Module>>(loaded)->find_kernel(name),
                          {1, 1, 1},
                          {32, 1, 1},
                          {0, 0, 0},
                          0,
                          params};
      config.stream = stream, config.begins_early = begins_early;
      const auto end = gpu->launch(config);
      ASSERT_FALSE(end) << end->message;
    };
    launch(row.first, 1, true);
    launch(row.second, row.stream, row.begins_early);
    const std::vector<Breach> breaches = gpu->take_breaches();
    EXPECT_EQ(breaches.size(), row.breaches) << row.first << ' ' << row.second;
    for (const Breach& breach : breaches) EXPECT_EQ(breach.clause, "missing-grid-wait");
  }
}

}  // namespace
}  // namespace assay::emulator
