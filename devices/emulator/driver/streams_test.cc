// SPDX-License-Identifier: Apache-2.0
// What orders operations of different streams, by the driver's calls.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator {
namespace {

const char* const add_one_in_stream = R"(
.visible .entry add_one(.param .u64 to)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [to];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd1, %rd1, %rd2;
	ld.global.u32 %r3, [%rd1];
	add.u32 %r3, %r3, 1;
	st.global.u32 [%rd1], %r3;
	ret;
}
)";

class StreamOrder : public DriverRig {
 protected:
  void SetUp() override {
    start("sm_90a,strict,schedule=lazy");
    kernel = function(add_one_in_stream, "add_one");
    data = allocate(bytes);
    ASSERT_EQ(cuMemAllocHost_v2(&pinned, bytes), abi::success);
    std::memset(pinned, 0, bytes);
    for (abi::Stream* const stream : {&one, &two}) ASSERT_EQ(cuStreamCreate(stream, 0), abi::success);
    ASSERT_EQ(cuStreamCreate(&apart, 1), abi::success);
    ASSERT_EQ(cuEventCreate(&event, 0), abi::success);
  }
  void launch(abi::Stream stream) {
    void* params[] = {&data};
    ASSERT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, params, nullptr), abi::success);
  }
  void download(abi::Stream stream) {
    ASSERT_EQ(cuMemcpyDtoHAsync_v2(pinned, data, bytes, stream), abi::success);
  }
  void upload(abi::Stream stream) {
    ASSERT_EQ(cuMemcpyHtoDAsync_v2(data, pinned, bytes, stream), abi::success);
  }
  void fill(abi::Stream stream) { ASSERT_EQ(cuMemsetD32Async(data, 0, 32, stream), abi::success); }
  void record(abi::Stream stream) { ASSERT_EQ(cuEventRecord(event, stream), abi::success); }
  void wait(abi::Stream stream) { ASSERT_EQ(cuStreamWaitEvent(stream, event, 0), abi::success); }
  /// The line of the finding in what the calls made, or nothing.
  std::string found() {
    const std::string all = breaches();
    if (all.find("missing-stream-order") == all.npos) return all;
    for (const char* const line : {at_load, at_store})
      if (all.find(line) != all.npos) return line;
    return all;
  }
  static constexpr size_t bytes = 128;
  static constexpr const char *at_load = R"("line":13)", *at_store = R"("line":15)";
  abi::Function kernel = nullptr;
  abi::DevicePtr data = 0;
  void* pinned = nullptr;
  abi::Stream one = nullptr, two = nullptr, apart = nullptr;
  abi::Event event = nullptr;
};

TEST_F(StreamOrder, ACopyInAnotherStreamNeedsAnEventOrAWait) {
  launch(one), download(two);
  EXPECT_EQ(found(), at_store);
  EXPECT_EQ(cuCtxSynchronize(), abi::success);
  launch(one), record(one), wait(two), download(two);
  EXPECT_EQ(found(), "");
  EXPECT_EQ(cuCtxSynchronize(), abi::success);
  launch(one), download(one), launch(one);
  EXPECT_EQ(found(), "") << "a stream is in order";
  launch(two);
  EXPECT_EQ(found(), at_load);
  for (const auto& wait_for_it : std::vector<std::function<abi::Result()>>{
           [] { return cuCtxSynchronize(); }, [&] { return cuStreamSynchronize(two); },
           [&] { return cuStreamQuery(two); }, [&] { return record(two), cuEventSynchronize(event); }}) {
    EXPECT_EQ(wait_for_it(), abi::success);
    download(one), launch(one), record(one);
    EXPECT_EQ(cuEventQuery(event), abi::success);
    launch(two);
    EXPECT_EQ(found(), "");
  }
}

TEST_F(StreamOrder, AnEventIsForWhatWasGivenBeforeIt) {
  record(one);
  launch(one), wait(two), download(two);
  EXPECT_EQ(found(), at_store);
}

TEST_F(StreamOrder, WhatACopyOrAFillWritesIsNotReadBeside) {
  upload(one), launch(two);
  EXPECT_EQ(found(), at_load);
  EXPECT_EQ(cuCtxSynchronize(), abi::success);
  fill(one), launch(two);
  EXPECT_EQ(found(), at_load);
  EXPECT_EQ(cuCtxSynchronize(), abi::success);
  download(one), launch(two);
  EXPECT_EQ(found(), at_store) << "the copy reads what the kernel writes";
}

TEST_F(StreamOrder, TheNullStreamWaitsForBlockingStreamsAndTheyForIt) {
  launch(one), launch(nullptr), launch(two);
  EXPECT_EQ(found(), "");
  launch(apart);
  EXPECT_EQ(found(), at_load);
}

TEST_F(StreamOrder, AGraphIsInTheStreamThatItIsLaunchedIn) {
  abi::Graph graph = nullptr;
  abi::GraphExec exec = nullptr;
  ASSERT_EQ(cuStreamBeginCapture_v2(two, 0), abi::success);
  launch(two);
  ASSERT_EQ(cuStreamEndCapture(two, &graph), abi::success);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), abi::success);
  launch(one);
  ASSERT_EQ(cuGraphLaunch(exec, one), abi::success);
  EXPECT_EQ(found(), "");
  download(two);
  EXPECT_EQ(found(), at_store);
}

TEST_F(StreamOrder, CallsThatComeBackWhenTheCopyIsDoneAreAWait) {
  std::vector<uint32_t> pageable(32);
  launch(one);
  ASSERT_EQ(cuMemcpyDtoHAsync_v2(pageable.data(), data, bytes, one), abi::success);
  launch(two);
  EXPECT_EQ(found(), "") << "memory that is not pinned";
  ASSERT_EQ(cuMemcpyDtoH_v2(pageable.data(), data, bytes), abi::success);
  launch(apart);
  EXPECT_EQ(found(), "");
}

TEST_F(StreamOrder, AnEventOfTheNullStreamIsBehindBlockingStreams) {
  launch(one), record(nullptr);
  EXPECT_EQ(cuEventSynchronize(event), abi::success);
  launch(apart);
  EXPECT_EQ(found(), "");
}

TEST_F(StreamOrder, TheStreamOfAThreadIsABlockingOne) {
  launch(abi::stream_per_thread), launch(nullptr), launch(abi::stream_per_thread);
  EXPECT_EQ(found(), "");
  launch(one);
  EXPECT_EQ(found(), at_load);
}

TEST_F(StreamOrder, ALaunchOfAGraphComesBehindItsLast) {
  abi::Graph graph = nullptr;
  abi::GraphExec exec = nullptr;
  ASSERT_EQ(cuStreamBeginCapture_v2(two, 0), abi::success);
  launch(two);
  ASSERT_EQ(cuStreamEndCapture(two, &graph), abi::success);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), abi::success);
  ASSERT_EQ(cuGraphLaunch(exec, one), abi::success);
  ASSERT_EQ(cuGraphLaunch(exec, two), abi::success);
  EXPECT_EQ(found(), "");
  launch(one);
  EXPECT_EQ(found(), at_load);
}

/// The host touches memory that a stream is at work on.
class HostOrder : public StreamOrder {
 protected:
  static constexpr size_t shared_bytes = 8192;
  void SetUp() override {
    StreamOrder::SetUp();
    ASSERT_EQ(cuMemAllocManaged(&managed, shared_bytes, 1), abi::success);
    words = reinterpret_cast<volatile uint32_t*>(managed);
    for (size_t i = 0; i < shared_bytes / 4; ++i) words[i] = 0;
  }
  volatile uint32_t* in_pinned() { return static_cast<volatile uint32_t*>(pinned); }
  /// What is found of the host, by its kernel or call, and at which line.
  std::string found_of_host() {
    EXPECT_EQ(cuCtxSynchronize(), abi::success);
    const std::string all = breaches();
    if (all.find("missing-host-wait") == all.npos) return all;
    for (const char* const name : {at_load, at_store, "cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync"})
      if (all.find(name) != all.npos) return name;
    return all;
  }
  abi::DevicePtr managed = 0;
  volatile uint32_t* words = nullptr;
};

TEST_F(HostOrder, WaitsBeforeItReadsWhatACopyBrings) {
  download(one);
  [[maybe_unused]] uint32_t word = in_pinned()[3];
  EXPECT_EQ(found_of_host(), "cuMemcpyDtoHAsync");
  download(one);
  EXPECT_EQ(cuStreamSynchronize(one), abi::success);
  word = in_pinned()[3];
  download(one), record(one);
  EXPECT_EQ(cuEventSynchronize(event), abi::success);
  word = in_pinned()[3];
  EXPECT_EQ(found_of_host(), "");
}

TEST_F(HostOrder, WaitsBeforeItWritesWhatACopyReads) {
  upload(one);
  [[maybe_unused]] const uint32_t word = in_pinned()[3];
  EXPECT_EQ(found_of_host(), "") << "both read";
  upload(one);
  in_pinned()[3] = 7;
  EXPECT_EQ(found_of_host(), "cuMemcpyHtoDAsync");
  EXPECT_EQ(in_pinned()[3], 7u);
}

TEST_F(HostOrder, WaitsBeforeItTouchesManagedMemoryOfAKernel) {
  data = managed;
  launch(one);
  EXPECT_EQ(words[3], 1u);
  EXPECT_EQ(found_of_host(), at_store);
  launch(one);
  EXPECT_EQ(words[40], 0u) << "the kernel has 32 words";
  words[1500] = 1;
  EXPECT_EQ(found_of_host(), "");
  EXPECT_EQ(words[3], 2u);
}

TEST_F(HostOrder, FindsInACallOfTheStreamWhatItTouches) {
  data = managed;
  EXPECT_EQ(cuLaunchHostFunc(
                one, [](void* at) { ++*static_cast<uint32_t*>(at); }, reinterpret_cast<void*>(managed)),
            abi::success);
  launch(one);
  EXPECT_EQ(cuLaunchHostFunc(
                one, [](void* at) { ++*static_cast<uint32_t*>(at); }, reinterpret_cast<void*>(managed)),
            abi::success);
  EXPECT_EQ(found_of_host(), "");
  EXPECT_EQ(words[0], 3u);
}

TEST_F(HostOrder, MayTalkToAKernelByStrongAccesses) {
  for (const char* const access : {"st.global", "ld.global"}) {
    std::string text = add_one_in_stream;
    text.replace(text.find(access), 9, std::string(access, 2) + ".volatile.global");
    kernel = function(text.c_str(), "add_one");
    data = managed;
    launch(one);
    words[3] = words[3] + 1;
    EXPECT_EQ(found_of_host(), "") << access;
  }
}

TEST_F(StreamOrder, FreedMemoryIsAnotherPlace) {
  launch(one);
  ASSERT_EQ(cuMemFreeAsync(data, one), abi::success);
  data = allocate(bytes);
  download(two);
  EXPECT_EQ(found(), "");
}

}  // namespace
}  // namespace assay::emulator
