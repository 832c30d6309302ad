// SPDX-License-Identifier: Apache-2.0
// The driver apart from tensor copies: handles, memory, modules, launches, errors.
#include <gtest/gtest.h>

#include <thread>

#include "devices/emulator/driver/driver_rig.h"
#include "devices/emulator/driver/notes.h"

namespace assay::emulator {
namespace {

class DriverCalls : public DriverRig {};

const std::string add_kernel = R"(.visible .entry add(.param .u64 out, .param .u32 value) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  ld.param.u32 %r1, [value];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd3], %r3;
  ret;
})";

TEST_F(DriverCalls, InitSaysWhatIsWrongWithTheSettings) {
  Driver::instance().shut_down();
  setenv("ASSAY_EMULATOR", "fault=gravity", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuInit(0), abi::invalid_value);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no fault named 'gravity'"), std::string::npos);
  int count = 0;
  EXPECT_EQ(cuDeviceGetCount(&count), abi::not_initialized);
  EXPECT_EQ(cuInit(1), abi::invalid_value);
}

TEST_F(DriverCalls, TheDeviceSaysWhatItIs) {
  start("sm_103a");
  int major = 0, minor = 0, maps = 0, version = 0;
  EXPECT_EQ(cuDeviceGetAttribute(&major, 75, 0), abi::success);
  EXPECT_EQ(cuDeviceGetAttribute(&minor, 76, 0), abi::success);
  EXPECT_EQ(cuDeviceGetAttribute(&maps, 127, 0), abi::success);
  EXPECT_EQ(std::tuple(major, minor, maps), std::tuple(10, 3, 1));
  EXPECT_EQ(cuDriverGetVersion(&version), abi::success);
  EXPECT_GT(version, 13010);
  char name[64] = {};
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, 0), abi::success);
  EXPECT_STREQ(name, "assay emulator (sm_103a)");
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, 1), abi::invalid_device);
  EXPECT_EQ(cuDeviceGetName(nullptr, 10, 0), abi::invalid_value);
  EXPECT_EQ(cuDeviceGetAttribute(&major, 0, 0), abi::invalid_value);
  abi::Device device = 7;
  EXPECT_EQ(cuDeviceGet(&device, 0), abi::success);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cuDeviceGet(&device, 1), abi::invalid_device);
  EXPECT_EQ(cuDeviceGet(nullptr, 0), abi::invalid_value);
}

TEST_F(DriverCalls, ErrorsHaveNames) {
  const char* text = nullptr;
  EXPECT_EQ(cuGetErrorName(abi::misaligned_address, &text), abi::success);
  EXPECT_STREQ(text, "CUDA_ERROR_MISALIGNED_ADDRESS");
  EXPECT_EQ(cuGetErrorString(abi::success, &text), abi::success);
  EXPECT_EQ(cuGetErrorName(static_cast<abi::Result>(12345), &text), abi::invalid_value);
  EXPECT_EQ(text, nullptr);
}

TEST_F(DriverCalls, EntryPointsAreFoundByNameInTheVersionThatIsMeant) {
  void* found = nullptr;
  abi::ProcAddressStatus status;
  EXPECT_EQ(cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 0, &status), abi::success);
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuMemAlloc_v2));
  EXPECT_EQ(status, abi::proc_found);
  EXPECT_EQ(cuGetProcAddress_v2("cuTensorMapEncodeTiled", &found, 12000, 0, nullptr), abi::success);
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuTensorMapEncodeTiled));
  EXPECT_EQ(cuGetProcAddress_v2("cuCtxCreate", &found, 12000, 0, nullptr), abi::success);
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuCtxCreate_v3));
  EXPECT_EQ(cuGetProcAddress_v2("cuCtxCreate", &found, 13000, 0, nullptr), abi::success);
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuCtxCreate_v4));
  EXPECT_EQ(cuGetProcAddress_v2("cuNoSuchThing", &found, 12000, 0, &status), abi::not_found);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(status, abi::proc_not_found);
  EXPECT_EQ(cuGetProcAddress_v2(nullptr, &found, 12000, 0, nullptr), abi::invalid_value);
}

TEST_F(DriverCalls, ContextsAreAStackAndHandlesAreLookedUp) {
  start();
  abi::Context other = nullptr, seen = nullptr;
  ASSERT_EQ(cuCtxCreate_v4(&other, nullptr, 0, 0), abi::success);
  EXPECT_EQ(cuCtxGetCurrent(&seen), abi::success);
  EXPECT_EQ(seen, other);
  const abi::DevicePtr inside = allocate(512);
  EXPECT_EQ(cuCtxPopCurrent_v2(&seen), abi::success);
  EXPECT_EQ(cuMemFree_v2(inside), abi::invalid_value) << "memory belongs to its context";
  EXPECT_EQ(cuCtxDestroy_v2(other), abi::success);
  EXPECT_EQ(cuCtxDestroy_v2(other), abi::invalid_context);
  EXPECT_EQ(cuCtxSetCurrent(other), abi::invalid_context);
  EXPECT_EQ(cuCtxSetCurrent(reinterpret_cast<abi::Context>(0x1234)), abi::invalid_context);
  EXPECT_EQ(cuCtxSetCurrent(nullptr), abi::success);
  EXPECT_EQ(cuCtxSynchronize(), abi::invalid_context);
  // The encoder wants a current context too, also when the primary one is retained.
  abi::TensorMap map;
  EXPECT_EQ(cuTensorMapEncodeTiled(&map, 0, 1, nullptr, nullptr, nullptr, nullptr, nullptr, 0, 0, 0, 0),
            abi::invalid_context);
  // Another thread has a stack of its own.
  ASSERT_EQ(cuCtxSetCurrent(context), abi::success);
  std::thread([&] { EXPECT_EQ(cuCtxSynchronize(), abi::invalid_context); }).join();
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), abi::success);
  EXPECT_EQ(cuCtxSynchronize(), abi::context_is_destroyed);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), abi::invalid_context);
}

TEST_F(DriverCalls, AContextIsNamedOrTheCurrentOne) {
  start();
  abi::Context other = nullptr, attached = nullptr;
  abi::Device device = -1;
  ASSERT_EQ(cuCtxCreate_v2(&other, 0, 0), abi::success);
  EXPECT_EQ(cuCtxAttach(&attached, 1), abi::invalid_value);
  ASSERT_EQ(cuCtxAttach(&attached, 0), abi::success);
  EXPECT_EQ(attached, other);
  EXPECT_EQ(cuCtxDetach(other), abi::success);
  EXPECT_EQ(cuCtxGetDevice_v2(&device, other), abi::success) << "used once more";
  EXPECT_EQ(cuCtxDetach(other), abi::success);
  EXPECT_EQ(cuCtxDetach(other), abi::invalid_context);
  // As an H100 with driver 580 takes them.
  EXPECT_EQ(cuCtxGetDevice_v2(&device, other), abi::success);
  EXPECT_EQ(cuCtxSynchronize_v2(other), abi::context_is_destroyed);
  EXPECT_EQ(cuCtxGetDevice_v2(&device, nullptr), abi::success);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cuCtxSynchronize_v2(nullptr), abi::success);
  abi::Context primary = nullptr;
  abi::DevicePtr memory = 0;
  abi::Stream stream = nullptr;
  abi::Event event = nullptr;
  void* host = nullptr;
  ASSERT_EQ(cuMemAlloc_v2(&memory, 256), abi::success);
  ASSERT_EQ(cuMemAllocHost_v2(&host, 256), abi::success);
  abi::DevicePtr base = 0;
  size_t bytes = 0;
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &bytes, reinterpret_cast<uintptr_t>(host) + 8), abi::success);
  EXPECT_EQ(base, reinterpret_cast<uintptr_t>(host));
  EXPECT_EQ(bytes, 256u);
  EXPECT_EQ(cuProfilerStart(), abi::success);
  EXPECT_EQ(cuProfilerStop(), abi::success);
  ASSERT_EQ(cuStreamCreate(&stream, 1), abi::success);
  ASSERT_EQ(cuEventCreate(&event, 0), abi::success);
  EXPECT_EQ(cuCtxGetCurrent(&primary), abi::success);
  EXPECT_EQ(cuCtxDetach(primary), abi::success) << "the primary one stays";
  ASSERT_EQ(cuCtxPopCurrent_v2(nullptr), abi::success);
  EXPECT_EQ(cuMemFree_v2(memory), abi::success) << "its owner is found";
  EXPECT_NE(cuMemFree_v2(memory), abi::success);
  EXPECT_EQ(cuMemGetInfo_v2(nullptr, nullptr), abi::invalid_context);
  EXPECT_EQ(cuStreamSynchronize(nullptr), abi::invalid_context);
  EXPECT_EQ(cuStreamSynchronize(stream), abi::success);
  EXPECT_EQ(cuEventRecord(event, stream), abi::success);
  EXPECT_EQ(cuEventDestroy_v2(event), abi::success);
  EXPECT_EQ(cuStreamDestroy_v2(stream), abi::success);
  EXPECT_EQ(cuMemFreeHost(host), abi::success);
  EXPECT_EQ(cuDevicePrimaryCtxReset_v2(0), abi::success);
  ASSERT_EQ(cuCtxPushCurrent_v2(primary), abi::success);
  EXPECT_EQ(cuCtxGetDevice(&device), abi::success);
  EXPECT_EQ(cuMemAlloc_v2(&memory, 256), abi::context_is_destroyed);
  void *old = nullptr, *later = nullptr;
  EXPECT_EQ(cuGetProcAddress("cuCtxGetDevice", &old, 12000, 0), abi::success);
  EXPECT_EQ(cuGetProcAddress("cuCtxGetDevice", &later, 13000, 0), abi::success);
  EXPECT_EQ(old, reinterpret_cast<void*>(&cuCtxGetDevice));
  EXPECT_EQ(later, reinterpret_cast<void*>(&cuCtxGetDevice_v2));
}

// What an H100 with driver 580 takes and refuses.
TEST_F(DriverCalls, FunctionsHoldTheirNextLaunch) {
  start();
  const char* text =
      ".version 9.0\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .f32 value)\n{\n"
      ".reg .b64 %rd<2>;\n.reg .f32 %f1;\n.reg .b32 %r<3>;\n"
      "ld.param.u64 %rd1, [out];\nld.param.f32 %f1, [value];\n"
      "mov.u32 %r1, %nctaid.x;\nmov.u32 %r2, %ntid.x;\n"
      "st.global.f32 [%rd1], %f1;\nst.global.u32 [%rd1+4], %r1;\n"
      "st.global.u32 [%rd1+8], %r2;\nret;\n}\n";
  abi::Module module = nullptr;
  abi::Function function = nullptr;
  abi::DevicePtr memory = 0;
  ASSERT_EQ(cuModuleLoadData(&module, text), abi::success);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "k"), abi::success);
  ASSERT_EQ(cuMemAlloc_v2(&memory, 12), abi::success);
  EXPECT_EQ(cuFuncSetBlockShape(function, 0, 1, 1), abi::invalid_value);
  EXPECT_EQ(cuFuncSetBlockShape(function, 2048, 1, 1), abi::invalid_value);
  EXPECT_EQ(cuFuncSetBlockShape(function, 32, 2, 1), abi::success);
  EXPECT_EQ(cuFuncSetSharedSize(function, 128), abi::success);
  EXPECT_EQ(cuParamSetv(function, 0, &memory, sizeof memory), abi::success);
  EXPECT_EQ(cuParamSetf(function, 8, 1.5f), abi::success);
  EXPECT_EQ(cuParamSetSize(function, 12), abi::success);
  EXPECT_EQ(cuLaunchGrid(function, 0, 1), abi::invalid_value);
  EXPECT_EQ(cuLaunchGrid(function, 3, 1), abi::success);
  struct {
    float value;
    uint32_t ctas, threads;
  } seen{};
  EXPECT_EQ(cuMemcpyDtoH_v2(&seen, memory, sizeof seen), abi::success);
  EXPECT_EQ(seen.value, 1.5f);
  EXPECT_EQ(seen.ctas, 3u);
  EXPECT_EQ(seen.threads, 32u);
  EXPECT_EQ(cuParamSeti(function, 8, 7), abi::success);
  EXPECT_EQ(cuLaunch(function), abi::success);
  EXPECT_EQ(cuMemcpyDtoH_v2(&seen, memory, sizeof seen), abi::success);
  EXPECT_EQ(seen.ctas, 1u);
}

TEST_F(DriverCalls, GarbageHandlesAreRefused) {
  start();
  const auto garbage = reinterpret_cast<void*>(0xdeadbeef);
  abi::Function function = nullptr;
  int value = 0;
  unsigned count = 0;
  float time = 0;
  EXPECT_EQ(cuModuleGetFunction(&function, static_cast<abi::Module>(garbage), "k"), abi::invalid_handle);
  EXPECT_EQ(cuModuleUnload(nullptr), abi::invalid_handle);
  EXPECT_EQ(cuModuleGetFunctionCount(&count, static_cast<abi::Module>(garbage)), abi::invalid_handle);
  EXPECT_EQ(cuFuncGetAttribute(&value, 0, static_cast<abi::Function>(garbage)), abi::invalid_handle);
  EXPECT_EQ(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), abi::invalid_handle);
  EXPECT_EQ(
      cuLaunchKernel(static_cast<abi::Function>(garbage), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
      abi::invalid_handle);
  EXPECT_EQ(cuLaunchKernelEx(nullptr, static_cast<abi::Function>(garbage), nullptr, nullptr),
            abi::invalid_value);
  EXPECT_EQ(cuStreamSynchronize(static_cast<abi::Stream>(garbage)), abi::invalid_handle);
  EXPECT_EQ(cuStreamDestroy_v2(nullptr), abi::invalid_handle);
  EXPECT_EQ(cuEventRecord(static_cast<abi::Event>(garbage), nullptr), abi::invalid_handle);
  EXPECT_EQ(cuEventElapsedTime_v2(&time, nullptr, nullptr), abi::invalid_handle);
  EXPECT_EQ(cuLibraryUnload(static_cast<abi::Library>(garbage)), abi::invalid_handle);
  EXPECT_EQ(cuKernelGetFunction(&function, static_cast<abi::Kernel>(garbage)), abi::invalid_handle);
  EXPECT_EQ(cuMemFree_v2(0x1234), abi::invalid_value);
  EXPECT_EQ(cuMemFreeHost(garbage), abi::invalid_value);
  EXPECT_EQ(cuMemHostUnregister(garbage), abi::host_memory_not_registered);
  EXPECT_EQ(cuMemAlloc_v2(nullptr, 16), abi::invalid_value);
  EXPECT_EQ(cuMemcpyHtoD_v2(0x1000, &value, 4), abi::invalid_value);
  EXPECT_EQ(cuMemsetD32_v2(0x1000, 0, 1), abi::invalid_value);
  EXPECT_EQ(cuTensorMapReplaceAddress(nullptr, garbage), abi::invalid_value);
  EXPECT_EQ(cuCtxSynchronize(), abi::success) << "refusals do not stick";
}

TEST_F(DriverCalls, MemoryIsWhatAPointerSaysItIs) {
  start();
  abi::DevicePtr address = allocate(1000), base = 0;
  EXPECT_EQ(address % 256, 0u);
  size_t bytes = 0, free_before = 0, free_after = 0, total = 0;
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &bytes, address + 999), abi::success);
  EXPECT_EQ(std::pair(base, bytes), std::pair(address, size_t{1000}));
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &bytes, address + 1000), abi::not_found);
  abi::MemoryType type{};
  EXPECT_EQ(cuPointerGetAttribute(&type, abi::pointer_memory_type, address), abi::success);
  EXPECT_EQ(type, abi::memory_device);
  EXPECT_EQ(cuMemsetD16_v2(address, 0xabcd, 500), abi::success);
  EXPECT_EQ(cuMemsetD16_v2(address, 0, 501), abi::invalid_value);
  EXPECT_EQ(cuMemsetD16_v2(address + 1, 0, 1), abi::invalid_value);
  EXPECT_EQ(download<uint16_t>(address, 500)[499], 0xabcd);
  uint32_t word = 7;
  EXPECT_EQ(cuMemcpyDtoH_v2(&word, address + 998, 4), abi::invalid_value) << "two bytes too many";
  const abi::DevicePtr second = allocate(1000);
  EXPECT_EQ(cuMemcpyDtoD_v2(second, address, 1000), abi::success);
  EXPECT_EQ(cuMemcpy(reinterpret_cast<uintptr_t>(&word), second, 4), abi::success);
  EXPECT_EQ(word, 0xabcdabcdu);
  EXPECT_EQ(cuMemGetInfo_v2(&free_before, &total), abi::success);
  EXPECT_EQ(cuMemFree_v2(second), abi::success);
  EXPECT_EQ(cuMemFree_v2(second), abi::invalid_value);
  EXPECT_EQ(cuMemGetInfo_v2(&free_after, &total), abi::success);
  EXPECT_EQ(free_after - free_before, 1000u);
  abi::DevicePtr too_much = 0;
  EXPECT_EQ(cuMemAlloc_v2(&too_much, total + 1), abi::out_of_memory);
  EXPECT_EQ(cuMemAlloc_v2(&too_much, SIZE_MAX), abi::out_of_memory);
}

TEST_F(DriverCalls, KernelsWriteRegisteredHostMemory) {
  start();
  std::vector<uint32_t> block(64, 0);
  ASSERT_EQ(cuMemHostRegister_v2(block.data(), 256, 2), abi::success);
  EXPECT_EQ(cuMemHostRegister_v2(block.data() + 8, 16, 0), abi::host_memory_already_registered);
  abi::DevicePtr address = 0;
  ASSERT_EQ(cuMemHostGetDevicePointer_v2(&address, block.data(), 0), abi::success);
  uint32_t value = 100;
  ASSERT_EQ(run(function(add_kernel, "add"), {&address, &value}), abi::success) << notes();
  EXPECT_EQ(block[63], 163u);
  ASSERT_EQ(cuMemHostUnregister(block.data()), abi::success);
  EXPECT_EQ(run(function(add_kernel, "add"), {&address, &value}), abi::illegal_address);
}

TEST_F(DriverCalls, ModulesThatAreNoneGetTheDriversCode) {
  start();
  abi::Module module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, nullptr), abi::invalid_value);
  EXPECT_EQ(cuModuleLoadData(nullptr, "x"), abi::invalid_value);
  EXPECT_EQ(cuModuleLoadData(&module, ""), abi::invalid_image);
  EXPECT_EQ(cuModuleLoadData(&module, "hello"), abi::invalid_image);
  EXPECT_EQ(cuModuleLoadData(&module,
                             "\x7f"
                             "ELF and so on"),
            abi::no_binary_for_gpu);
  EXPECT_NE(notes().find("cubin"), std::string::npos);
  EXPECT_EQ(cuModuleLoadData(&module, ptx(".visible .entry k( {").c_str()), abi::invalid_ptx);
  EXPECT_NE(notes().find("\"kind\":\"syntax\""), std::string::npos);
  EXPECT_EQ(
      cuModuleLoadData(&module,
                       ".version 8.7\n.target sm_80\n.address_size 64\n.visible .entry k() { frobnicate; }"),
      abi::invalid_ptx);
  EXPECT_EQ(cuModuleLoad(&module, "/no/such/file.ptx"), abi::file_not_found);
  char log[256] = {};
  abi::JitOption options[] = {abi::jit_error_log, abi::jit_error_log_size};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  EXPECT_EQ(
      cuModuleLoadDataEx(&module, ptx(".visible .entry k() { frobnicate; }").c_str(), 2, options, values),
      abi::invalid_ptx);
  EXPECT_NE(std::string(log).find("frobnicate"), std::string::npos) << log;
  EXPECT_NE(std::string(log).find("line 4"), std::string::npos) << log;
  abi::Function found = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, ptx(add_kernel).c_str()), abi::success);
  EXPECT_EQ(cuModuleGetFunction(&found, module, "subtract"), abi::not_found);
  EXPECT_EQ(cuModuleUnload(module), abi::success);
  EXPECT_EQ(cuModuleGetFunction(&found, module, "add"), abi::invalid_handle);
}

TEST_F(DriverCalls, LaunchesAreChecked) {
  start();
  const abi::Function kernel = function(add_kernel, "add");
  abi::DevicePtr out = allocate(4096);
  uint32_t value = 1;
  std::vector<void*> params{&out, &value};
  const auto launch = [&](unsigned grid, unsigned block, unsigned shared) {
    return cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared, nullptr, params.data(), nullptr);
  };
  EXPECT_EQ(launch(0, 32, 0), abi::invalid_value);
  EXPECT_EQ(launch(1, 0, 0), abi::invalid_value);
  EXPECT_EQ(launch(1, 1025, 0), abi::invalid_value);
  EXPECT_EQ(launch(1, 32, 48 * 1024), abi::success);
  EXPECT_EQ(launch(1, 32, 48 * 1024 + 1), abi::invalid_value) << "more has to be asked for";
  EXPECT_EQ(cuFuncSetAttribute(kernel, abi::function_max_dynamic_shared, 227 * 1024), abi::success);
  EXPECT_EQ(launch(1, 32, 227 * 1024), abi::success);
  EXPECT_EQ(cuFuncSetAttribute(kernel, abi::function_max_dynamic_shared, 227 * 1024 + 1), abi::invalid_value);
  EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr), abi::invalid_value);
  params[1] = nullptr;
  EXPECT_EQ(launch(1, 32, 0), abi::invalid_value);
  EXPECT_NE(notes().find("takes 2 parameters"), std::string::npos);
  params[1] = &value;
  EXPECT_EQ(run(kernel, params, 4, 32, 3), abi::invalid_value) << "4 CTAs are no clusters of 3";
  EXPECT_EQ(run(kernel, params, 16, 32, 16), abi::invalid_cluster_size);
  EXPECT_EQ(cuFuncSetAttribute(kernel, abi::function_non_portable_cluster, 1), abi::success);
  EXPECT_EQ(run(kernel, params, 16, 32, 16), abi::success);
  // One buffer with both parameters instead of an array of pointers.
  struct {
    abi::DevicePtr out;
    uint32_t value;
  } buffer{out, 41};
  size_t size = 12;
  void* extra[] = {reinterpret_cast<void*>(abi::param_buffer), &buffer,
                   reinterpret_cast<void*>(abi::param_buffer_size), &size, nullptr};
  EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), abi::success);
  EXPECT_EQ(download<uint32_t>(out, 2)[1], 42u);
  size_t offset = 0, bytes = 0;
  EXPECT_EQ(cuFuncGetParamInfo(kernel, 1, &offset, &bytes), abi::success);
  EXPECT_EQ(std::pair(offset, bytes), std::pair(size_t{8}, size_t{4}));
  int blocks = 0;
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0), abi::success);
  EXPECT_EQ(blocks, 2);
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 100 * 1024), abi::success);
  EXPECT_EQ(blocks, 2);
}

TEST_F(DriverCalls, LibrariesLoadWhereTheyAreUsed) {
  start();
  abi::Library library = nullptr;
  abi::Kernel kernel = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, ptx(add_kernel).c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
            abi::success);
  EXPECT_EQ(cuLibraryGetKernel(&kernel, library, "subtract"), abi::not_found);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "add"), abi::success);
  abi::DevicePtr out = allocate(4096);
  uint32_t value = 5;
  EXPECT_EQ(run(reinterpret_cast<abi::Function>(kernel), {&out, &value}), abi::success)
      << "a kernel handle will do";
  EXPECT_EQ(download<uint32_t>(out, 2)[1], 6u);
  EXPECT_EQ(cuLibraryUnload(library), abi::success);
  EXPECT_EQ(run(reinterpret_cast<abi::Function>(kernel), {&out, &value}), abi::invalid_handle);
}

TEST_F(DriverCalls, EventsMeasureAndStreamsBelongToTheirContext) {
  start();
  abi::Stream stream = nullptr;
  abi::Event first = nullptr, second = nullptr, untimed = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 1), abi::success);
  ASSERT_EQ(cuEventCreate(&first, 0), abi::success);
  ASSERT_EQ(cuEventCreate(&second, 0), abi::success);
  ASSERT_EQ(cuEventCreate(&untimed, abi::event_disable_timing), abi::success);
  float time = -1;
  EXPECT_EQ(cuEventElapsedTime_v2(&time, first, second), abi::invalid_handle) << "not recorded yet";
  EXPECT_EQ(cuEventRecord(first, stream), abi::success);
  EXPECT_EQ(cuStreamWaitEvent(nullptr, first, 0), abi::success);
  EXPECT_EQ(cuEventRecord(second, stream), abi::success);
  EXPECT_EQ(cuEventElapsedTime_v2(&time, first, second), abi::success);
  EXPECT_GE(time, 0);
  EXPECT_EQ(cuEventRecord(untimed, stream), abi::success);
  EXPECT_EQ(cuEventElapsedTime_v2(&time, first, untimed), abi::invalid_handle);
  int called = 0;
  EXPECT_EQ(cuLaunchHostFunc(
                stream, [](void* data) { ++*static_cast<int*>(data); }, &called),
            abi::success);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(cuStreamDestroy_v2(stream), abi::success);
  EXPECT_EQ(cuStreamSynchronize(stream), abi::invalid_handle);
}

TEST_F(DriverCalls, NotesComeInWholeLinesAndOnce) {
  start();
  abi::Module module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, "hello"), abi::invalid_image);
  EXPECT_EQ(cuModuleLoadData(&module, "goodbye"), abi::invalid_image);
  const int all = -assay_emulator_take_notes(nullptr, 0);
  char small[8];
  const int first = -assay_emulator_take_notes(small, sizeof small);
  ASSERT_GT(first, 8);
  EXPECT_EQ(all, 2 * (first - 1) + 1);
  std::vector<char> one(static_cast<size_t>(first));
  EXPECT_EQ(assay_emulator_take_notes(one.data(), one.size()), first - 1);
  EXPECT_EQ(one[one.size() - 2], '\n');
  EXPECT_EQ(assay_emulator_take_notes(one.data(), one.size()), first - 1);
  EXPECT_EQ(assay_emulator_take_notes(one.data(), one.size()), 0);
}

TEST_F(DriverCalls, ARunawayKernelEndsAtTheLimit) {
  start("sm_90a,limit=100000");
  const std::string count =
      ".visible .entry count() {\n.reg .b32 %r<2>;\nmov.u32 %r1, 0;\nLOOP:\nadd.u32 %r1, %r1, 1;\nbra "
      "LOOP;\n}";
  EXPECT_EQ(run(function(count, "count"), {}, 1, 32), abi::launch_timeout);
  const std::string note = notes();
  EXPECT_NE(note.find("\"kind\":\"instruction_limit\""), std::string::npos) << note;
}

TEST_F(DriverCalls, Im2colMapsAreEncodedAndWrongCallsRefused) {
  start();
  abi::TensorMap map;
  const uint64_t dims[] = {64, 9, 14, 8}, strides[] = {128, 1152, 16128};
  const int lower[] = {-1, -2}, upper[] = {-3, 4};
  const uint32_t traversal[] = {1, 2, 3, 1};
  const auto encode = [&](uint32_t pixels) {
    return cuTensorMapEncodeIm2col(&map, 6, 4, reinterpret_cast<void*>(0x1000), dims, strides, lower, upper,
                                   64, pixels, traversal, 0, 3, 0, 0);
  };
  EXPECT_EQ(encode(1025), abi::invalid_value);
  ASSERT_EQ(encode(33), abi::success);
  uint32_t words[32];
  std::memcpy(words, &map, sizeof words);
  EXPECT_EQ(words[2], 0x00006331u);   // im2col, rank 4, f16, swizzle 128B
  EXPECT_EQ(words[13], 0x3f000088u);  // 64 channels, traversal strides 1 2 3 1
  EXPECT_EQ(words[14], 0x04fdfeffu);  // corners: upper H W, lower H W
  EXPECT_EQ(words[15], 32u);
  EXPECT_EQ(words[16], 64u * 33 * 2);
  EXPECT_EQ(cuTensorMapEncodeIm2colWide(&map, 6, 4, reinterpret_cast<void*>(0x1000), dims, strides, -1, -3,
                                        64, 33, traversal, 0, 1, 3, 0, 0),
            abi::success);
  std::memcpy(words, &map, sizeof words);
  EXPECT_EQ(words[14], 0x00fd00ffu);
  EXPECT_EQ(cuTensorMapEncodeIm2col(&map, 6, 4, nullptr, dims, strides, nullptr, upper, 64, 33, traversal, 0,
                                    3, 0, 0),
            abi::invalid_value);
  EXPECT_NE(notes().find("a real driver crashes"), std::string::npos);
}

TEST(Report, SaysTheSourceOfEachLineOfPtxThatItNames) {
  const char* const text = R"(.version 9.0
.target sm_100a
.address_size 64
.visible .entry k()
{
	.loc	2 40 5, function_name $L__info, inlined_at 1 12 7
	bar.sync 	0;
	ret;
}
.file	1 "/src/kernel.cu"
.file	2 "/src/tile.h"
)";
  const auto gpu = Gpu::create({});
  auto loaded = gpu->load(text);
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<Module>>(loaded))
      << std::get<Diagnostic>(loaded).message;
  const Module& module = *std::get<std::unique_ptr<Module>>(loaded);
  EXPECT_EQ(with_sources("the store at PTX line 7, PTX line 1, line 7", module),
            "the store at PTX line 7 (tile.h:40, called from kernel.cu:12), PTX line 1, line 7");
}

}  // namespace
}  // namespace assay::emulator
