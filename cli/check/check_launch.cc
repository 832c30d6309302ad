// SPDX-License-Identifier: Apache-2.0
// The program that launches a kernel of a PTX file: a host of the driver API like any other.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>

#include "cli/check/ptx_launch.h"
#include "cli/command.h"
#include "devices/cuda/driver_api.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

/// What the parameters of a launch point to.
class Arguments {
 public:
  explicit Arguments(const cuda::Driver& driver) : driver_(driver) {}

  void add(const Argument& argument) {
    ++count_;
    is_random_ = argument.is_random;
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
        cuda::DeviceAddress at = 0;
        cuda::check(driver_, driver_.memory_allocate(&at, sizeof map), "cuMemAlloc");
        cuda::check(driver_, driver_.copy_to_device(at, &map, sizeof map, nullptr), "cuMemcpyHtoDAsync");
        return keep_address(at);
      }
    }
  }
  void** pointers() { return pointers_.data(); }

  /// What lies in the buffers and tensors now, after all that was launched.
  void write_memory(const std::string& file) const {
    std::string text;
    const auto append = [&](const void* bytes, size_t size) {
      text.append(static_cast<const char*>(bytes), size);
    };
    for (const Memory& one : memory_) {
      std::vector<char> bytes(one.bytes);
      cuda::check(driver_, driver_.copy_to_host(bytes.data(), one.at, one.bytes, nullptr),
                  "cuMemcpyDtoHAsync");
      cuda::check(driver_, driver_.stream_synchronize(nullptr), "cuStreamSynchronize");
      append(&one.argument, sizeof one.argument);
      append(&one.bytes, sizeof one.bytes);
      append(bytes.data(), bytes.size());
    }
    report::write_whole_file(file, text);
  }

 private:
  /// Device memory of an argument; the words of write_memory are these.
  struct Memory {
    uint32_t argument;
    uint64_t bytes;
    cuda::DeviceAddress at;
  };
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
    memory_.push_back({count_ - 1, bytes, address});
    if (!is_random_) return address;
    std::mt19937_64 random(memory_.size());
    std::vector<unsigned char> text(bytes);
    for (unsigned char& byte : text) byte = static_cast<unsigned char>(random());
    cuda::check(driver_, driver_.copy_to_device(address, text.data(), bytes, nullptr), "cuMemcpyHtoDAsync");
    cuda::check(driver_, driver_.stream_synchronize(nullptr), "cuStreamSynchronize");
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
  std::vector<Memory> memory_;
  uint32_t count_ = 0;  ///< of arguments
  bool is_random_ = false;
  std::deque<Value> values_;
  std::vector<void*> pointers_;
};

/// Of calls that fail by what the file or the options are, whatever the kernel would do.
void check_request(const cuda::Driver& driver, int result, const char* call, const char* option) {
  try {
    cuda::check(driver, result, call);
  } catch (const std::exception& error) {
    throw UsageError(option, error.what());
  }
}

/// Sizes that no device or not this kernel can be launched with.
bool is_about_sizes(int result) {
  constexpr int invalid_value = 1, out_of_resources = 701, cluster_out_of_resources = 912;
  return result == invalid_value || result == out_of_resources || result == cluster_out_of_resources;
}

/// An image that is not PTX, and PTX that does not parse.
bool is_about_text(int result) {
  constexpr int invalid_image = 200, invalid_ptx = 218;
  return result == invalid_image || result == invalid_ptx;
}

/// The only kernel of a module.
cuda::Function only_kernel(const std::string& path, cuda::ModuleHandle module) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto enumerate = reinterpret_cast<int (*)(cuda::Function*, unsigned, cuda::ModuleHandle)>(
      dlsym(library, "cuModuleEnumerateFunctions"));
  const auto count =
      reinterpret_cast<int (*)(unsigned*, cuda::ModuleHandle)>(dlsym(library, "cuModuleGetFunctionCount"));
  unsigned there_are = 0;
  cuda::Function kernel = nullptr;
  if (count != nullptr) count(&there_are, module);
  if (there_are != 1)
    throw UsageError("--kernel", "the file has " + std::to_string(there_are) + " kernels; name one");
  if (enumerate != nullptr) enumerate(&kernel, 1, module);
  return kernel;
}

/// On which device of which driver; where the memory is written afterwards, empty: nowhere.
struct Where {
  std::string driver = "libcuda.so.1";
  int ordinal = 0;
  std::string output;
};

void launch(const Where& where, char** words, const std::vector<std::string>& arguments) {
  const std::string text = report::read_whole_file(words[0]);
  const auto grid = read_sizes("--grid", words[2]), block = read_sizes("--block", words[3]),
             cluster = read_sizes("--cluster", words[4]);
  const uint32_t shared = read_size("--shared", words[5]), launches = read_size("--launches", words[6], 1);
  const cuda::Driver driver = cuda::Driver::load(where.driver.c_str());
  cuda::Ordinal device = 0;
  cuda::Context context = nullptr;
  cuda::ModuleHandle module = nullptr;
  cuda::Function function = nullptr;
  cuda::check(driver, driver.init(0), "cuInit");
  cuda::check(driver, driver.device_get(&device, where.ordinal), "cuDeviceGet");
  cuda::check(driver, driver.context_retain(&context, device), "cuDevicePrimaryCtxRetain");
  cuda::check(driver, driver.context_set_current(context), "cuCtxSetCurrent");
  const int loaded = driver.module_load(&module, text.c_str());
  if (is_about_text(loaded)) check_request(driver, loaded, "cuModuleLoadData", "not PTX");
  cuda::check(driver, loaded, "cuModuleLoadData");
  if (*words[1] == '\0')
    function = only_kernel(where.driver, module);
  else
    check_request(driver, driver.module_function(&function, module, words[1]), "cuModuleGetFunction",
                  "--kernel");
  Arguments values(driver);
  for (const std::string& argument : arguments) values.add(read_argument(argument));
  if (shared != 0)
    check_request(
        driver,
        driver.function_set_attribute(function, cuda::function_max_dynamic_shared, static_cast<int>(shared)),
        "cuFuncSetAttribute", "--shared");
  cuda::LaunchAttribute attribute{};
  attribute.id = cuda::launch_cluster_dimension;
  std::memcpy(attribute.value.cluster_dim, cluster.data(), sizeof attribute.value.cluster_dim);
  cuda::LaunchConfig config{};
  std::memcpy(config.grid, grid.data(), sizeof config.grid);
  std::memcpy(config.block, block.data(), sizeof config.block);
  config.dynamic_shared_bytes = shared;
  config.attributes = &attribute;
  config.attribute_count = cluster[0] == 0 ? 0 : 1;
  for (uint32_t i = 0; i < launches; ++i) {
    const int result = driver.launch(&config, function, values.pointers(), nullptr);
    if (i == 0 && is_about_sizes(result))
      check_request(driver, result, "cuLaunchKernelEx", "--grid, --block, --cluster, --shared");
    cuda::check(driver, result, "cuLaunchKernelEx");
  }
  cuda::check(driver, driver.stream_synchronize(nullptr), "cuStreamSynchronize");
  if (!where.output.empty()) values.write_memory(where.output);
}

/// The words of a launch begin at `first`: file, kernel, grid, block, cluster, shared, launches, arguments.
int launch_of_words(const Where& where, int argc, char** argv, int first, const char* started_by) {
  constexpr int fixed_words = 7;
  if (argc < first + fixed_words) {
    std::fprintf(stderr, "assay: %s is started by '%s'\n", argv[1], started_by);
    return 64;
  }
  try {
    launch(where, argv + first, std::vector<std::string>(argv + first + fixed_words, argv + argc));
    return 0;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "assay: %s: %s\n", argv[first], error.what());
    return usage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay: %s: %s\n", argv[first], error.what());
    return 1;
  }
}

}  // namespace

int check_launch_main(int argc, char** argv) {
  return launch_of_words({}, argc, argv, 2, "assay check FILE.ptx");
}

int check_run_main(int argc, char** argv) {
  constexpr int place_words = 5;  // program, check-run, driver, ordinal, output
  Where where;
  if (argc > place_words) where = {argv[2], std::atoi(argv[3]), argv[4]};
  alarm(run_limit_seconds);
  return launch_of_words(where, argc, argv, place_words, "assay check --compilers");
}

std::vector<ArgumentMemory> read_memory(const std::string& output) {
  const std::string text = report::read_whole_file(output);
  std::vector<ArgumentMemory> all;
  for (size_t at = 0; at < text.size();) {
    ArgumentMemory& one = all.emplace_back();
    uint64_t bytes = 0;
    std::memcpy(&one.argument, text.data() + at, sizeof one.argument);
    std::memcpy(&bytes, text.data() + at + sizeof one.argument, sizeof bytes);
    at += sizeof one.argument + sizeof bytes;
    one.bytes.assign(text.begin() + static_cast<ptrdiff_t>(at),
                     text.begin() + static_cast<ptrdiff_t>(at + bytes));
    at += bytes;
  }
  return all;
}

}  // namespace assay::cli::check
