// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "devices/emulator/driver/entries.h"
#include "devices/emulator/driver/extra.h"
#include "devices/emulator/driver/state.h"

namespace assay::emulator {

/// For self-tests: a driver that begins anew with the given settings, and a current primary context.
class DriverRig : public testing::Test {
 protected:
  void start(const std::string& settings = "sm_90a,schedule=random:1") {
    Driver::instance().shut_down();
    setenv("ASSAY_EMULATOR", settings.c_str(), 1);
    ASSERT_EQ(cuInit(0), abi::success) << notes();
    target = settings.substr(0, settings.find(','));
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), abi::success);
    ASSERT_EQ(cuCtxSetCurrent(context), abi::success);
  }
  void TearDown() override {
    Driver::instance().shut_down();
    unsetenv("ASSAY_EMULATOR");
  }

  static std::string take(int (*take_lines)(char*, size_t)) {
    std::vector<char> text(1 << 16);
    const int bytes = take_lines(text.data(), text.size());
    return bytes > 0 ? std::string(text.data(), static_cast<size_t>(bytes)) : "";
  }
  static std::string notes() { return take(assay_emulator_take_notes); }
  static std::string breaches() { return take(assay_emulator_take_breaches); }

  /// PTX for the target of this run: header and kernels.
  std::string ptx(const std::string& kernels) const {
    return ".version 9.0\n.target " + target + "\n.address_size 64\n" + kernels;
  }
  abi::Module load(const std::string& kernels) {
    abi::Module module = nullptr;
    EXPECT_EQ(cuModuleLoadData(&module, ptx(kernels).c_str()), abi::success) << notes();
    return module;
  }
  abi::Function function(const std::string& kernels, const char* name) {
    abi::Function found = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&found, load(kernels), name), abi::success) << notes();
    return found;
  }
  abi::DevicePtr allocate(size_t bytes) {
    abi::DevicePtr address = 0;
    EXPECT_EQ(cuMemAlloc_v2(&address, bytes), abi::success);
    return address;
  }
  template <typename T>
  abi::DevicePtr upload(const std::vector<T>& values) {
    const abi::DevicePtr address = allocate(values.size() * sizeof(T));
    EXPECT_EQ(cuMemcpyHtoD_v2(address, values.data(), values.size() * sizeof(T)), abi::success);
    return address;
  }
  template <typename T>
  std::vector<T> download(abi::DevicePtr address, size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cuMemcpyDtoH_v2(values.data(), address, count * sizeof(T)), abi::success);
    return values;
  }
  /// The map of a row of elements of that type of the driver's, at `tensor`, with boxes of `box` of them.
  abi::TensorMap row_map(int type, abi::DevicePtr tensor, uint64_t elements, uint32_t box) {
    abi::TensorMap map;
    const uint64_t stride = 0;
    const uint32_t traversal = 1;
    EXPECT_EQ(cuTensorMapEncodeTiled(&map, type, 1, reinterpret_cast<void*>(tensor), &elements, &stride, &box,
                                     &traversal, 0, 0, 0, 0),
              abi::success);
    return map;
  }
  /// Launches `blocks` CTAs of `threads` in clusters of `cluster` and waits.
  abi::Result run(abi::Function kernel, std::vector<void*> params, unsigned blocks = 1, unsigned threads = 64,
                  unsigned cluster = 0) {
    abi::LaunchAttribute attribute{};
    attribute.id = abi::attribute_cluster_dimension;
    attribute.value.cluster = {cluster, 1, 1};
    abi::LaunchConfig config{blocks, 1, 1, threads, 1, 1, 0, nullptr, &attribute, cluster == 0 ? 0u : 1u};
    const abi::Result launched = cuLaunchKernelEx(&config, kernel, params.data(), nullptr);
    return launched != abi::success ? launched : cuCtxSynchronize();
  }

  /// A 16-bit matrix of `columns` x `rows` in rows of `columns` * 2 bytes.
  abi::TensorMap matrix_map(abi::DevicePtr address, uint64_t columns, uint64_t rows, uint32_t box_columns,
                            uint32_t box_rows, int swizzle) {
    abi::TensorMap map;
    const uint64_t dim[] = {columns, rows}, stride[] = {columns * 2};
    const uint32_t box[] = {box_columns, box_rows}, traversal[] = {1, 1};
    EXPECT_EQ(cuTensorMapEncodeTiled(&map, 1, 2, reinterpret_cast<void*>(address), dim, stride, box,
                                     traversal, 0, swizzle, 0, 0),
              abi::success);
    return map;
  }

  std::string target;
  abi::Context context = nullptr;
};

}  // namespace assay::emulator
