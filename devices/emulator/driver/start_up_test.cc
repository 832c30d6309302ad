// SPDX-License-Identifier: Apache-2.0
// What others' tools call before and around their first kernel, in their order, on the shipped library:
// Triton as its driver.c does (triton-lang/triton at 04e0bbd482a6, third_party/nvidia/backend), and programs
// of cuda-python, whose bindings get each function from cuGetProcAddress. Written from their public sources,
// not recorded from a run.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "devices/emulator/driver/entries.h"

namespace assay::emulator {
namespace {

/// The library as a process of another finds it, and how that process gets its functions.
class StartUp : public testing::Test {
 protected:
  void SetUp() override {
    setenv("ASSAY_EMULATOR", "sm_90a,tolerant", 1);
    library_ = dlopen(ASSAY_BINARY_DIR "/libassay_emulator.so", RTLD_LAZY | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
  }
  void TearDown() override { unsetenv("ASSAY_EMULATOR"); }

  template <typename Entry>
  Entry* by_dlsym(const char* name) {
    void* found = dlsym(library_, name);
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Entry*>(found);
  }
  /// The version that a function of the name has since the toolkit that introduced it.
  template <typename Entry>
  Entry* by_proc_address(const char* name, int version) {
    void* found = nullptr;
    abi::ProcAddressStatus status{};
    const auto get = by_dlsym<decltype(cuGetProcAddress_v2)>("cuGetProcAddress_v2");
    EXPECT_EQ(get(name, &found, version, 0, &status), abi::success) << name;
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Entry*>(found);
  }
  /// The current context, or the primary one of the device.
  abi::Context primary_context(abi::Device device) {
    abi::Context context = nullptr;
    EXPECT_EQ(by_dlsym<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent")(&context), abi::success);
    if (context != nullptr) return context;
    EXPECT_EQ(by_dlsym<decltype(cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain")(&context, device),
              abi::success);
    EXPECT_EQ(by_dlsym<decltype(cuCtxSetCurrent)>("cuCtxSetCurrent")(context), abi::success);
    return context;
  }

 private:
  void* library_ = nullptr;
};

#define LINKED(name) by_dlsym<decltype(name)>(#name)
#define ASKED(name, entry, version) by_proc_address<decltype(entry)>(name, version)

/// As Triton writes them: vectors of one element, dynamic shared memory under a name of the module, two
/// scratch pointers behind the parameters. Adds the words of 128 threads to those of their neighbours.
constexpr const char* kernel = R"(.version 8.7
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 global_smem[];
.visible .entry add_neighbour(
	.param .u64 .ptr .global .align 1 add_neighbour_param_0,
	.param .u32 add_neighbour_param_1,
	.param .u64 .ptr .global .align 1 add_neighbour_param_2,
	.param .u64 .ptr .global .align 1 add_neighbour_param_3
)
.reqntid 128
{
	.reg .pred %p<2>;
	.reg .b32 %r<12>;
	.reg .b64 %rd<4>;
	ld.param.b64 %rd1, [add_neighbour_param_0];
	ld.param.b32 %r1, [add_neighbour_param_1];
	mov.u32 %r2, %tid.x;
	setp.lt.s32 %p1, %r2, %r1;
	mad.wide.s32 %rd2, %r2, 4, %rd1;
	mov.u32 %r3, 0x0;
	@%p1 ld.global.b32 { %r3 }, [ %rd2 + 0 ];
	mov.b32 %r4, global_smem;
	shl.b32 %r5, %r2, 2;
	add.s32 %r6, %r4, %r5;
	st.shared.b32 [ %r6 + 0 ], { %r3 };
	bar.sync 0;
	xor.b32 %r7, %r5, 4;
	add.s32 %r8, %r4, %r7;
	ld.shared.b32 { %r9 }, [ %r8 + 0 ];
	add.s32 %r10, %r9, %r3;
	@%p1 st.global.b32 [ %rd2 + 0 ], { %r10 };
	ret;
}
)";

constexpr unsigned threads = 128;

void expect_neighbours_added(const std::array<uint32_t, threads>& words) {
  for (uint32_t i = 0; i < threads; ++i) EXPECT_EQ(words[i], 3 * i + 3 * (i ^ 1)) << i;
}
std::array<uint32_t, threads> thrice_the_index() {
  std::array<uint32_t, threads> words{};
  for (uint32_t i = 0; i < threads; ++i) words[i] = 3 * i;
  return words;
}

TEST_F(StartUp, Triton) {
  // PyTorch initialises the driver, owns the primary context and the memory.
  abi::Device device = -1;
  ASSERT_EQ(LINKED(cuInit)(0), abi::success);
  ASSERT_EQ(LINKED(cuDeviceGet)(&device, 0), abi::success);
  // get_device_properties: shared memory opted in, registers, multiprocessors, warp, clocks, bus.
  for (const int attribute : {97, 12, 16, 10, 13, 36, 37}) {
    int value = 0;
    EXPECT_EQ(LINKED(cuDeviceGetAttribute)(&value, attribute, device), abi::success) << attribute;
    EXPECT_GT(value, 0) << attribute;
  }
  // load_binary, with shared memory above 48 KiB.
  ASSERT_NE(primary_context(device), nullptr);
  abi::Module module = nullptr;
  abi::Function function = nullptr;
  ASSERT_EQ(LINKED(cuModuleLoadData)(&module, kernel), abi::success);
  ASSERT_EQ(LINKED(cuModuleGetFunction)(&function, module, "add_neighbour"), abi::success);
  int registers = -1, local_bytes = -1, most_threads = -1, static_bytes = -1;
  EXPECT_EQ(LINKED(cuFuncGetAttribute)(&registers, 4, function), abi::success);
  EXPECT_EQ(LINKED(cuFuncGetAttribute)(&local_bytes, 3, function), abi::success);
  EXPECT_EQ(LINKED(cuFuncGetAttribute)(&most_threads, 0, function), abi::success);
  EXPECT_GT(registers, 0);
  EXPECT_EQ(local_bytes, 0) << "it spills nothing";
  EXPECT_EQ(most_threads, 128) << "of .reqntid";
  int opted_in = 0, of_multiprocessor = 0;
  EXPECT_EQ(LINKED(cuDeviceGetAttribute)(&opted_in, 97, device), abi::success);
  EXPECT_EQ(LINKED(cuFuncSetCacheConfig)(function, 1), abi::success);
  EXPECT_EQ(LINKED(cuDeviceGetAttribute)(&of_multiprocessor, 81, device), abi::success);
  EXPECT_EQ(LINKED(cuFuncGetAttribute)(&static_bytes, 1, function), abi::success);
  EXPECT_GT(of_multiprocessor, opted_in) << "a CTA reserves 1 KiB";
  EXPECT_EQ(LINKED(cuFuncSetAttribute)(function, 8, opted_in - static_bytes), abi::success);
  // cuda_utils: the size of printf's buffer, clusters that fit.
  size_t buffer = 0;
  EXPECT_EQ(LINKED(cuCtxGetLimit)(&buffer, 1), abi::success);
  EXPECT_EQ(LINKED(cuCtxSetLimit)(1, 2 * buffer), abi::success);
  abi::LaunchAttribute cluster{};
  cluster.id = abi::attribute_cluster_dimension;
  cluster.value.cluster = {2, 1, 1};
  abi::LaunchConfig config{2, 1, 1, threads, 1, 1, 65536, nullptr, &cluster, 1};
  int clusters = 0;
  EXPECT_EQ(LINKED(cuFuncSetAttribute)(function, 14, 1), abi::success);
  EXPECT_EQ(LINKED(cuOccupancyMaxActiveClusters)(&clusters, function, &config), abi::success);
  EXPECT_GT(clusters, 0);
  // The launch: pointers of tensors are asked about, the rest is passed as it is.
  std::array<uint32_t, threads> words = thrice_the_index();
  abi::DevicePtr memory = 0, pointer = 0, scratch = 0;
  ASSERT_EQ(LINKED(cuMemAlloc_v2)(&memory, sizeof words), abi::success);
  ASSERT_EQ(LINKED(cuMemcpyHtoD_v2)(memory, words.data(), sizeof words), abi::success);
  ASSERT_EQ(LINKED(cuPointerGetAttribute)(&pointer, static_cast<abi::PointerAttribute>(3), memory),
            abi::success);
  EXPECT_EQ(pointer, memory);
  int count = threads;
  void* parameters[] = {&pointer, &count, &scratch, &scratch};
  config = {1, 1, 1, threads, 1, 1, 65536, nullptr, nullptr, 0};
  ASSERT_EQ(LINKED(cuLaunchKernelEx)(&config, function, parameters, nullptr), abi::success);
  ASSERT_EQ(LINKED(cuMemcpyDtoH_v2)(words.data(), memory, sizeof words), abi::success);
  expect_neighbours_added(words);
  // Programmatic dependent launches carry attribute 6.
  abi::LaunchAttribute programmatic{};
  programmatic.id = 6;
  programmatic.value.bytes[0] = 1;
  config.attributes = &programmatic, config.attribute_count = 1;
  EXPECT_EQ(LINKED(cuLaunchKernelEx)(&config, function, parameters, nullptr), abi::success);
  EXPECT_EQ(LINKED(cuMemFree_v2)(memory), abi::success);
  EXPECT_EQ(LINKED(cuModuleUnload)(module), abi::success);
}

TEST_F(StartUp, CudaPython) {
  // A driver that is older than a name gives no function; the bindings then raise only where it is called.
  void* none = this;
  abi::ProcAddressStatus status{};
  LINKED(cuGetProcAddress_v2)("cuNoSuchFunction", &none, 13000, 0, &status);
  EXPECT_EQ(none, nullptr);
  int version = 0, devices = 0;
  ASSERT_EQ(ASKED("cuInit", cuInit, 2000)(0), abi::success);
  EXPECT_EQ(ASKED("cuDriverGetVersion", cuDriverGetVersion, 2020)(&version), abi::success);
  EXPECT_GE(version, 13000);
  EXPECT_EQ(ASKED("cuDeviceGetCount", cuDeviceGetCount, 2000)(&devices), abi::success);
  ASSERT_GE(devices, 1);
  abi::Device device = -1;
  abi::Context context = nullptr;
  ASSERT_EQ(ASKED("cuDeviceGet", cuDeviceGet, 2000)(&device, 0), abi::success);
  ASSERT_EQ(ASKED("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain, 7000)(&context, device),
            abi::success);
  ASSERT_EQ(ASKED("cuCtxSetCurrent", cuCtxSetCurrent, 4000)(context), abi::success);
  int major = 0, minor = -1, least = 0, greatest = 0;
  EXPECT_EQ(ASKED("cuDeviceGetAttribute", cuDeviceGetAttribute, 2000)(&major, 75, device), abi::success);
  EXPECT_EQ(ASKED("cuDeviceGetAttribute", cuDeviceGetAttribute, 2000)(&minor, 76, device), abi::success);
  EXPECT_EQ(std::pair(major, minor), std::pair(9, 0));
  abi::Uuid uuid{};
  EXPECT_EQ(ASKED("cuDeviceGetUuid", cuDeviceGetUuid, 11040)(&uuid, device), abi::success);
  EXPECT_EQ(ASKED("cuCtxGetStreamPriorityRange", cuCtxGetStreamPriorityRange, 5050)(&least, &greatest),
            abi::success);
  abi::Stream stream = nullptr;
  ASSERT_EQ(ASKED("cuStreamCreateWithPriority", cuStreamCreateWithPriority, 5050)(&stream, 1, greatest),
            abi::success);
  // An object of compiled code is a library; its kernels have attributes of a device.
  abi::Library library = nullptr;
  abi::Kernel handle = nullptr;
  ASSERT_EQ(ASKED("cuLibraryLoadData", cuLibraryLoadData, 12000)(&library, kernel, nullptr, nullptr, 0,
                                                                 nullptr, nullptr, 0),
            abi::success);
  ASSERT_EQ(ASKED("cuLibraryGetKernel", cuLibraryGetKernel, 12000)(&handle, library, "add_neighbour"),
            abi::success);
  int most_threads = 0;
  EXPECT_EQ(ASKED("cuKernelGetAttribute", cuKernelGetAttribute, 12000)(&most_threads, 0, handle, device),
            abi::success);
  EXPECT_EQ(most_threads, 128);
  // Memory of the device's pool, in the order of the stream; a kernel's handle is launched as it is.
  abi::MemoryPool pool = nullptr;
  abi::DevicePtr memory = 0, scratch = 0;
  std::array<uint32_t, threads> words = thrice_the_index();
  ASSERT_EQ(ASKED("cuDeviceGetMemPool", cuDeviceGetMemPool, 11020)(&pool, device), abi::success);
  ASSERT_EQ(
      ASKED("cuMemAllocFromPoolAsync", cuMemAllocFromPoolAsync, 11020)(&memory, sizeof words, pool, stream),
      abi::success);
  const auto copy = ASKED("cuMemcpyAsync", cuMemcpyAsync, 4000);
  ASSERT_EQ(copy(memory, reinterpret_cast<uintptr_t>(words.data()), sizeof words, stream), abi::success);
  int count = threads;
  void* parameters[] = {&memory, &count, &scratch, &scratch};
  const abi::LaunchConfig config{1, 1, 1, threads, 1, 1, 4 * threads, stream, nullptr, 0};
  ASSERT_EQ(ASKED("cuLaunchKernelEx", cuLaunchKernelEx, 11060)(
                &config, reinterpret_cast<abi::Function>(handle), parameters, nullptr),
            abi::success);
  ASSERT_EQ(copy(reinterpret_cast<uintptr_t>(words.data()), memory, sizeof words, stream), abi::success);
  ASSERT_EQ(ASKED("cuStreamSynchronize", cuStreamSynchronize, 2000)(stream), abi::success);
  expect_neighbours_added(words);
  EXPECT_EQ(ASKED("cuMemFreeAsync", cuMemFreeAsync, 11020)(memory, stream), abi::success);
  EXPECT_EQ(ASKED("cuStreamDestroy", cuStreamDestroy_v2, 4000)(stream), abi::success);
  EXPECT_EQ(ASKED("cuLibraryUnload", cuLibraryUnload, 12000)(library), abi::success);
  EXPECT_EQ(ASKED("cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease_v2, 11000)(device), abi::success);
}

}  // namespace
}  // namespace assay::emulator
