// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/compare.h"

#include <cstdlib>

namespace assay::suites::scalar {

using cuda::check;

Side::Side(const cuda::DeviceSpec& spec)
    // Nobody loads the same module twice, and writing each to the driver's cache takes time.
    : opened_((setenv("CUDA_CACHE_DISABLE", "1", 0), spec)) {
  const cuda::Driver& driver = opened_.driver;
  cuda::Context context = nullptr;
  driver.context_flags(opened_.device, cuda::context_blocking_sync);
  check(driver, driver.context_retain(&context, opened_.device), "cuDevicePrimaryCtxRetain");
  check(driver, driver.context_set_current(context), "cuCtxSetCurrent");
}

void Side::reserve(cuda::DeviceAddress& memory, size_t& bytes, size_t wanted) {
  if (wanted <= bytes) return;
  const cuda::Driver& driver = opened_.driver;
  if (memory != 0) check(driver, driver.memory_free(memory), "cuMemFree");
  bytes = wanted + wanted / 2;
  check(driver, driver.memory_allocate(&memory, bytes), "cuMemAlloc");
}

Results Side::run(const gen::scalar::Module& module) {
  using gen::scalar::threads;
  const cuda::Driver& driver = opened_.driver;
  size_t input_words = 0, result_words = 0;
  for (const gen::scalar::Kernel& kernel : module.kernels) {
    input_words += kernel.values.size();
    result_words += size_t{kernel.slots} * threads;
  }
  reserve(inputs_, input_bytes_, input_words * 8);
  reserve(results_, result_bytes_, result_words * 8);
  cuda::ModuleHandle loaded = nullptr;
  check(driver, driver.module_load(&loaded, module.text.c_str()), "cuModuleLoadData");
  cuda::Stream stream = nullptr;
  check(driver, driver.fill_bytes(results_, 0, result_words * 8, stream), "cuMemsetD8Async");
  std::vector<uint64_t> inputs;
  inputs.reserve(input_words);
  for (const gen::scalar::Kernel& kernel : module.kernels)
    inputs.insert(inputs.end(), kernel.values.begin(), kernel.values.end());
  check(driver, driver.copy_to_device(inputs_, inputs.data(), input_words * 8, stream), "cuMemcpyHtoDAsync");
  cuda::DeviceAddress from = inputs_, to = results_;
  for (size_t k = 0; k < module.kernels.size(); ++k) {
    cuda::Function function = nullptr;
    check(driver, driver.module_function(&function, loaded, ("k" + std::to_string(k)).c_str()),
          "cuModuleGetFunction");
    cuda::LaunchConfig config{};
    config.grid[0] = config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
    config.block[0] = threads;
    void* arguments[] = {&from, &to};
    check(driver, driver.launch(&config, function, arguments, nullptr), "cuLaunchKernelEx");
    from += module.kernels[k].values.size() * 8;
    to += uint64_t{module.kernels[k].slots} * threads * 8;
  }
  std::vector<uint64_t> all(result_words);
  check(driver, driver.copy_to_host(all.data(), results_, result_words * 8, stream), "cuMemcpyDtoHAsync");
  check(driver, driver.stream_synchronize(stream), "cuStreamSynchronize");
  check(driver, driver.module_unload(loaded), "cuModuleUnload");
  Results made;
  auto next = all.begin();
  for (const gen::scalar::Kernel& kernel : module.kernels) {
    const auto end = next + static_cast<ptrdiff_t>(size_t{kernel.slots} * threads);
    made.emplace_back(next, end);
    next = end;
  }
  return made;
}

}  // namespace assay::suites::scalar
