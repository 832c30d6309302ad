// SPDX-License-Identifier: Apache-2.0
// Graphs, pools, cooperative launches and modules that are taken tolerantly, by the driver's calls.
#include <gtest/gtest.h>

#include <functional>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator {
namespace {

const char* const add_for_graphs = R"(
.visible .entry add(.param .u64 to, .param .u32 what)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [to];
	ld.param.u32 %r1, [what];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd1, %rd1, %rd2;
	ld.global.u32 %r3, [%rd1];
	add.u32 %r3, %r3, %r1;
	st.global.u32 [%rd1], %r3;
	ret;
}
)";

class Graphs : public DriverRig {
 protected:
  void SetUp() override {
    start("sm_90a");
    add = function(add_for_graphs, "add");
    data = upload(std::vector<uint32_t>(32, 0));
  }
  void launch(uint32_t what, abi::Stream stream) {
    void* params[] = {&data, &what};
    ASSERT_EQ(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, params, nullptr), abi::success);
  }
  uint32_t first() { return download<uint32_t>(data, 1)[0]; }
  abi::Function add = nullptr;
  abi::DevicePtr data = 0;
};

TEST_F(Graphs, CaptureKeepsWorkAndParametersUntilTheLaunch) {
  abi::Stream stream = nullptr;
  abi::Graph graph = nullptr;
  abi::GraphExec exec = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 0), abi::success);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 0), abi::success);
  launch(3, stream);
  launch(4, stream);
  launch(100, nullptr);  // another stream: at once
  EXPECT_EQ(first(), 100u);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), abi::success);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), abi::success);
  EXPECT_EQ(cuGraphDestroy(graph), abi::success) << "the instance has all that it needs";
  EXPECT_EQ(first(), 100u);
  EXPECT_EQ(cuGraphLaunch(exec, stream), abi::success);
  EXPECT_EQ(first(), 107u);
  EXPECT_EQ(cuGraphLaunch(exec, stream), abi::success);
  EXPECT_EQ(first(), 114u);
  launch(1, stream);
  EXPECT_EQ(first(), 115u) << "the stream captures no longer";
  EXPECT_EQ(cuGraphExecDestroy(exec), abi::success);
  EXPECT_EQ(cuGraphLaunch(exec, stream), abi::invalid_value);
}

TEST_F(Graphs, CaptureEndsWhereItBegan) {
  abi::Stream stream = nullptr;
  abi::Graph graph = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 0), abi::success);
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), abi::stream_capture_unmatched);
  EXPECT_EQ(cuStreamBeginCapture_v2(nullptr, 0), abi::invalid_value);
  EXPECT_EQ(cuStreamBeginCapture_v2(stream, 0), abi::success);
  EXPECT_EQ(cuStreamBeginCapture_v2(stream, 0), abi::invalid_value);
}

TEST_F(Graphs, NodesRunAfterWhatTheyWaitForAndACircleIsRefused) {
  abi::Graph graph = nullptr;
  abi::GraphExec exec = nullptr;
  ASSERT_EQ(cuGraphCreate(&graph, 0), abi::success);
  uint32_t what = 5;
  void* params[] = {&data, &what};
  abi::KernelNodeParams kernel{add, 1, 1, 1, 32, 1, 1, 0, params, nullptr, nullptr, nullptr};
  abi::MemsetNodeParams set{data, 0, 7, 4, 32, 1};
  abi::GraphNode adds = nullptr, sets = nullptr;
  ASSERT_EQ(cuGraphAddKernelNode_v2(&adds, graph, nullptr, 0, &kernel), abi::success);
  ASSERT_EQ(cuGraphAddMemsetNode(&sets, graph, nullptr, 0, &set, context), abi::success);
  ASSERT_EQ(cuGraphAddDependencies_v2(graph, &sets, &adds, nullptr, 1), abi::success);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), abi::success);
  EXPECT_EQ(cuGraphLaunch(exec, nullptr), abi::success);
  EXPECT_EQ(first(), 12u);
  what = 9;
  EXPECT_EQ(cuGraphExecKernelNodeSetParams_v2(exec, adds, &kernel), abi::success);
  EXPECT_EQ(cuGraphLaunch(exec, nullptr), abi::success);
  EXPECT_EQ(first(), 16u);
  ASSERT_EQ(cuGraphAddDependencies_v2(graph, &adds, &sets, nullptr, 1), abi::success);
  EXPECT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), abi::invalid_value);
}

TEST_F(Graphs, PoolsRememberTheirAttributesAndManagedMemoryIsKnown) {
  abi::MemoryPool pool = nullptr, mine = nullptr;
  ASSERT_EQ(cuDeviceGetDefaultMemPool(&pool, 0), abi::success);
  uint64_t threshold = 12345, read = 0;
  EXPECT_EQ(cuMemPoolSetAttribute(pool, 4, &threshold), abi::success);
  EXPECT_EQ(cuMemPoolGetAttribute(pool, 4, &read), abi::success);
  EXPECT_EQ(read, threshold);
  EXPECT_EQ(cuMemPoolDestroy(pool), abi::invalid_value) << "the device's own";
  const abi::MemPoolProps props{1, 0, {1, 0}, nullptr, 0, 0, {}};
  ASSERT_EQ(cuMemPoolCreate(&mine, &props), abi::success);
  abi::DevicePtr address = 0, managed = 0;
  EXPECT_EQ(cuMemAllocFromPoolAsync(&address, 100, mine, nullptr), abi::success);
  EXPECT_EQ(cuMemPoolDestroy(mine), abi::success);
  EXPECT_EQ(cuMemAllocFromPoolAsync(&address, 100, mine, nullptr), abi::invalid_value);
  ASSERT_EQ(cuMemAllocManaged(&managed, 64, 1), abi::success);
  bool is_managed = false;
  EXPECT_EQ(cuPointerGetAttribute(&is_managed, abi::pointer_is_managed, managed + 10), abi::success);
  EXPECT_TRUE(is_managed);
  EXPECT_EQ(cuPointerGetAttribute(&is_managed, abi::pointer_is_managed, data), abi::success);
  EXPECT_FALSE(is_managed);
}

TEST_F(Graphs, ACopyThatRunsOffItsAllocationIsRefusedAndNamed) {
  const abi::DevicePtr small = allocate(64);
  EXPECT_EQ(cuMemcpy(data, small, 65), abi::invalid_value);
  EXPECT_NE(notes().find("65 bytes at the source are not all in one allocation"), std::string::npos);
  EXPECT_EQ(cuMemcpy(data, 0, 4), abi::invalid_value);
}

TEST_F(Graphs, CooperativeGridsThatDoNotFitAreRefused) {
  uint32_t what = 1;
  void* params[] = {&data, &what};
  EXPECT_EQ(cuLaunchCooperativeKernel(add, 4, 1, 1, 32, 1, 1, 0, nullptr, params), abi::success);
  EXPECT_EQ(cuLaunchCooperativeKernel(add, 16 * 32 + 1, 1, 1, 32, 1, 1, 0, nullptr, params),
            abi::cooperative_launch_too_large);
}

const char* const mixed = R"(
.visible .entry known() { ret; }
.visible .entry unknown(.param .u32 x) {
	.reg .b32 %r<2>;
	nonsense.of.some.kind %r1;
	other.nonsense %r1;
	ret;
}
.visible .entry broken() { add.u32 ,,; ret; }
)";

TEST_F(Graphs, ATolerantModuleRefusesOnlyTheLaunchesThatNeedWhatIsNotKnown) {
  abi::Module module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, ptx(mixed).c_str()), abi::invalid_ptx) << "as silicon's drivers do";
  start("sm_90a,tolerant");
  abi::Function known = nullptr, unknown = nullptr, broken = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, ptx(mixed).c_str()), abi::success) << notes();
  ASSERT_EQ(cuModuleGetFunction(&known, module, "known"), abi::success);
  ASSERT_EQ(cuModuleGetFunction(&unknown, module, "unknown"), abi::success);
  ASSERT_EQ(cuModuleGetFunction(&broken, module, "broken"), abi::success);
  EXPECT_EQ(run(known, {}), abi::success);
  uint32_t x = 0;
  EXPECT_EQ(run(unknown, {&x}), abi::not_supported);
  const std::string said = notes();
  EXPECT_NE(said.find("\"kernel\":\"unknown\",\"line\":8"), std::string::npos) << said;
  EXPECT_EQ(run(broken, {}), abi::not_supported);
  EXPECT_EQ(run(known, {}), abi::success) << "no error stays";
  std::string later = ptx(mixed);
  later.replace(later.find(".version ") + 9, 3, "9.4");
  EXPECT_EQ(cuModuleLoadData(&module, later.c_str()), abi::success) << "what is new there may not be needed";
  later.replace(later.find("9.4"), 3, "9.6");
  EXPECT_EQ(cuModuleLoadData(&module, later.c_str()), abi::no_binary_for_gpu);
}

TEST_F(Graphs, AllRefusalsOfAFileAreListedWithTheirLines) {
  std::vector<char> text(1 << 14);
  ASSERT_GT(assay_emulator_list_refusals(ptx(mixed).c_str(), text.data(), text.size()), 0);
  const std::string listed = text.data();
  for (const char* line : {"\"line\":8", "\"line\":9", "\"line\":12"})
    EXPECT_NE(listed.find(line), std::string::npos) << line << " in " << listed;
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 3) << listed;
}

/// The driver's kernel that lets its dependent begin, and a dependent that does not wait.
const char* const dependents = R"(
.visible .entry releases(.param .u64 data)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	st.global.u32 [%rd1], 7;
	griddepcontrol.launch_dependents;
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
)";

// A dependent overtakes the kernel that is launched right before it, and no other.
TEST_F(Graphs, WhatIsWaitedForIsNotOvertaken) {
  start("sm_90a,strict");
  data = allocate(64);
  const abi::Module module = load(dependents);
  abi::Function first_kernel = nullptr, second_kernel = nullptr;
  ASSERT_EQ(cuModuleGetFunction(&first_kernel, module, "releases"), abi::success);
  ASSERT_EQ(cuModuleGetFunction(&second_kernel, module, "hurries"), abi::success);
  abi::Stream stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 0), abi::success);
  abi::Event event = nullptr;
  ASSERT_EQ(cuEventCreate(&event, 0), abi::success);
  uint32_t word = 0;
  const std::pair<const char*, std::function<abi::Result()>> rows[] = {
      {"nothing", [] { return abi::success; }},
      {"cuFuncGetAttribute",
       [&] { return cuFuncGetAttribute(reinterpret_cast<int*>(&word), 0, first_kernel); }},
      {"cuEventRecord", [&] { return cuEventRecord(event, stream); }},
      {"cuStreamSynchronize", [&] { return cuStreamSynchronize(stream); }},
      {"cuStreamQuery", [&] { return cuStreamQuery(stream); }},
      {"cuStreamWaitEvent", [&] { return cuStreamWaitEvent(stream, event, 0); }},
      {"cuEventSynchronize", [&] { return cuEventSynchronize(event); }},
      {"cuEventQuery", [&] { return cuEventQuery(event); }},
      {"cuCtxSynchronize", [] { return cuCtxSynchronize(); }},
      {"cuCtxSynchronize_v2", [&] { return cuCtxSynchronize_v2(context); }},
      {"cuMemcpyDtoHAsync", [&] { return cuMemcpyDtoHAsync_v2(&word, data, 4, stream); }},
      {"cuMemsetD32Async", [&] { return cuMemsetD32Async(data + 16, 1, 1, stream); }},
      {"cuLaunchHostFunc",
       [&] {
         return cuLaunchHostFunc(
             stream, [](void*) {}, nullptr);
       }},
  };
  for (size_t i = 0; i < std::size(rows); ++i) {
    const auto& [name, between] = rows[i];
    abi::LaunchAttribute attribute{};
    attribute.id = abi::attribute_programmatic_stream_serialization;
    attribute.value.bytes[0] = 1;
    abi::LaunchConfig config{1, 1, 1, 32, 1, 1, 0, stream, &attribute, 1};
    void* params[] = {&data};
    ASSERT_EQ(cuLaunchKernelEx(&config, first_kernel, params, nullptr), abi::success);
    ASSERT_EQ(between(), abi::success) << name;
    ASSERT_EQ(cuLaunchKernelEx(&config, second_kernel, params, nullptr), abi::success);
    EXPECT_EQ(breaches().find("missing-grid-wait") != std::string::npos, i < 3) << name;
    ASSERT_EQ(cuCtxSynchronize(), abi::success);
  }
}

}  // namespace
}  // namespace assay::emulator
