// The program that launches a kernel of a PTX file: a host of the driver API like any other.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <deque>

#include "cli/check/ptx_launch.h"
#include "devices/cuda/driver_api.h"
#include "reports/whole_file.h"

namespace assay::cli::check {
namespace {

/// What the parameters of a launch point to.
class Arguments {
 public:
  explicit Arguments(const cuda::Driver& driver) : driver_(driver) {}

  void add(const Argument& argument) {
    switch (argument.kind) {
      case Argument::Kind::number:
        return keep(argument.bytes.data(), argument.bytes.size());
      case Argument::Kind::buffer:
        return keep_address(allocate(argument.size));
      case Argument::Kind::map: {
        const cuda::TensorMap map = encode(argument);
        return keep(&map, sizeof map);
      }
      case Argument::Kind::map_buffer: {
        const cuda::TensorMap map = encode(argument);
        const cuda::DeviceAddress at = allocate(sizeof map);
        cuda::check(driver_, driver_.copy_to_device(at, &map, sizeof map, nullptr), "cuMemcpyHtoDAsync");
        return keep_address(at);
      }
    }
  }
  void** pointers() { return pointers_.data(); }

 private:
  /// Maps are read by the kernel as they lie here: 64-byte aligned copies are the driver's business.
  struct alignas(128) Value {
    unsigned char bytes[128];
  };
  void keep(const void* bytes, size_t size) {
    Value& value = values_.emplace_back();
    std::memcpy(value.bytes, bytes, size);
    pointers_.push_back(value.bytes);
  }
  void keep_address(cuda::DeviceAddress address) { keep(&address, sizeof address); }

  cuda::DeviceAddress allocate(size_t bytes) {
    cuda::DeviceAddress address = 0;
    cuda::check(driver_, driver_.memory_allocate(&address, bytes), "cuMemAlloc");
    cuda::check(driver_, driver_.fill_bytes(address, 0, bytes, nullptr), "cuMemsetD8Async");
    return address;
  }

  static uint64_t element_bytes(int type) {
    constexpr uint64_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4};
    return bytes[type];
  }

  cuda::TensorMap encode(const Argument& argument) {
    cuda::TensorMap map{};
    std::vector<uint64_t> strides;
    uint64_t bytes = element_bytes(argument.element_type);
    for (size_t i = 0; i < argument.extents.size(); ++i) {
      bytes *= argument.extents[i];
      if (i == 0 && argument.pitch != 0) bytes = argument.pitch;
      strides.push_back(bytes);  // the last is not asked for
    }
    const std::vector<uint32_t> steps(argument.extents.size(), 1);
    if (argument.allocation != 0) bytes = argument.allocation;
    const cuda::DeviceAddress base = argument.is_null ? 0 : allocate(bytes);
    if (argument.channels != 0) {
      cuda::check(
          driver_,
          driver_.encode_im2col(&map, argument.element_type, static_cast<uint32_t>(argument.extents.size()),
                                reinterpret_cast<void*>(base), argument.extents.data(), strides.data(),
                                argument.lower.data(), argument.upper.data(), argument.channels,
                                argument.pixels, steps.data(), 0, argument.swizzle, 0, 0),
          "cuTensorMapEncodeIm2col");
      return map;
    }
    cuda::check(
        driver_,
        driver_.encode_tiled(&map, argument.element_type, static_cast<uint32_t>(argument.extents.size()),
                             reinterpret_cast<void*>(base), argument.extents.data(), strides.data(),
                             argument.box.data(), steps.data(), 0, argument.swizzle, 0, 0),
        "cuTensorMapEncodeTiled");
    return map;
  }

  const cuda::Driver& driver_;
  std::deque<Value> values_;
  std::vector<void*> pointers_;
};

/// The only kernel of a module.
cuda::Function only_kernel(cuda::ModuleHandle module) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto enumerate = reinterpret_cast<int (*)(cuda::Function*, unsigned, cuda::ModuleHandle)>(
      dlsym(library, "cuModuleEnumerateFunctions"));
  const auto count =
      reinterpret_cast<int (*)(unsigned*, cuda::ModuleHandle)>(dlsym(library, "cuModuleGetFunctionCount"));
  unsigned there_are = 0;
  cuda::Function kernel = nullptr;
  if (count != nullptr) count(&there_are, module);
  if (there_are != 1)
    throw std::runtime_error("the file has " + std::to_string(there_are) + " kernels; --kernel names one");
  if (enumerate != nullptr) enumerate(&kernel, 1, module);
  return kernel;
}

void launch(char** words, const std::vector<std::string>& arguments) {
  const std::string text = report::read_whole_file(words[0]);
  const auto grid = read_sizes("--grid", words[2]), block = read_sizes("--block", words[3]),
             cluster = read_sizes("--cluster", words[4]);
  const auto shared = read_sizes("--shared", words[5])[0], launches = read_sizes("--launches", words[6])[0];
  const cuda::Driver driver = cuda::Driver::load("libcuda.so.1");
  cuda::Ordinal device = 0;
  cuda::Context context = nullptr;
  cuda::ModuleHandle module = nullptr;
  cuda::Function function = nullptr;
  cuda::check(driver, driver.init(0), "cuInit");
  cuda::check(driver, driver.device_get(&device, 0), "cuDeviceGet");
  cuda::check(driver, driver.context_retain(&context, device), "cuDevicePrimaryCtxRetain");
  cuda::check(driver, driver.context_set_current(context), "cuCtxSetCurrent");
  cuda::check(driver, driver.module_load(&module, text.c_str()), "cuModuleLoadData");
  if (*words[1] == '\0')
    function = only_kernel(module);
  else
    cuda::check(driver, driver.module_function(&function, module, words[1]), "cuModuleGetFunction");
  Arguments values(driver);
  for (const std::string& argument : arguments) values.add(read_argument(argument));
  if (shared != 0)
    cuda::check(
        driver,
        driver.function_set_attribute(function, cuda::function_max_dynamic_shared, static_cast<int>(shared)),
        "cuFuncSetAttribute");
  cuda::LaunchAttribute attribute{};
  attribute.id = cuda::launch_cluster_dimension;
  std::memcpy(attribute.value.cluster_dim, cluster.data(), sizeof attribute.value.cluster_dim);
  cuda::LaunchConfig config{};
  std::memcpy(config.grid, grid.data(), sizeof config.grid);
  std::memcpy(config.block, block.data(), sizeof config.block);
  config.dynamic_shared_bytes = shared;
  config.attributes = &attribute;
  config.attribute_count = cluster[0] == 0 ? 0 : 1;
  for (uint32_t i = 0; i < launches; ++i)
    cuda::check(driver, driver.launch(&config, function, values.pointers(), nullptr), "cuLaunchKernelEx");
  cuda::check(driver, driver.stream_synchronize(nullptr), "cuStreamSynchronize");
}

}  // namespace

int check_launch_main(int argc, char** argv) {
  constexpr int fixed_words =
      9;  // program, check-launch, file, kernel, grid, block, cluster, shared, launches
  if (argc < fixed_words) {
    std::fprintf(stderr, "assay: check-launch is started by 'assay check FILE.ptx'\n");
    return 64;
  }
  try {
    launch(argv + 2, std::vector<std::string>(argv + fixed_words, argv + argc));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay: %s: %s\n", argv[2], error.what());
    return 1;
  }
}

}  // namespace assay::cli::check
