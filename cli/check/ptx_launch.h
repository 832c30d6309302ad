// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli::check {

/// How a kernel of a PTX file is launched.
struct PtxLaunch {
  std::string kernel;  ///< empty: the only one of the file
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};  ///< cluster 0: none
  uint32_t shared_bytes = 0;                                                ///< dynamic
  uint32_t launches = 1;               ///< one after another, with the same arguments
  std::vector<std::string> arguments;  ///< see read_argument
};

/// "2", "2,3" or "2,3,1", of 32 bits each. Throws UsageError that names the option.
std::array<uint32_t, 3> read_sizes(const std::string& option, std::string_view text);
/// One number from `least` on, of 32 bits. Throws UsageError that names the option.
uint32_t read_size(const std::string& option, std::string_view text, uint32_t least = 0);

/// The names after .entry in a PTX text, in its order.
std::vector<std::string> kernels_of(std::string_view ptx);
/// Throws UsageError, which names the kernels, where `kernel` is not one of the file's or, empty, does not
/// say which of several. Says nothing of a text without kernels: the driver refuses it.
void check_kernel_name(const std::string& file, std::string_view ptx, const std::string& kernel);

/// The words after "// launch:" in a PTX text, as the options of `assay check` are spelt: a file may say how
/// it is launched. Empty: it does not.
std::vector<std::string> launch_words(std::string_view ptx);

/// An argument of a kernel, as it is typed:
///   u32:5 s32:-1 u64:0x10 f32:1.5 f64:2 u16:7 u8:1    a number
///   buffer:4096[,random]                                address of so many bytes of device memory, all 0
///   map:f16,64x32,box=64x8[,swizzle=128B]               a tensor map by value, of a dense tensor of its own
///   map_buffer:f16,64x32,box=64x8[,swizzle=128B]        address of such a map in device memory
///   map:f16,64x8x8x1,channels=64,pixels=8[,lower=-1x-1][,upper=0x0]   likewise, an im2col map
/// Sizes begin with the innermost dimension; pitch=BYTES gives the second dimension another stride, null
/// makes the tensor's address 0, bytes=N allocates N bytes for the tensor instead of as many as it has.
/// Memory is zeroed; with random it has the same arbitrary bytes in every run.
struct Argument {
  enum class Kind { number, buffer, map, map_buffer };
  Kind kind = Kind::number;
  std::vector<unsigned char> bytes;  ///< number
  size_t size = 0;                   ///< buffer
  int element_type = 0, swizzle = 0;
  std::vector<uint64_t> extents;
  std::vector<uint32_t> box;
  uint64_t pitch = 0;                 ///< bytes, 0: dense
  uint64_t allocation = 0;            ///< bytes, 0: the tensor's own
  uint32_t channels = 0, pixels = 0;  ///< of an im2col map; channels 0: a tiled one
  std::vector<int> lower, upper;      ///< corners of its bounding box, one for each spatial dimension
  bool is_null = false, is_random = false;
};
Argument read_argument(const std::string& text);

/// The words with which this program is started again, to launch a kernel with whatever driver it finds
/// there.
std::vector<std::string> launch_command(const std::string& program, const std::string& file,
                                        const PtxLaunch& launch);

/// What `assay check-launch FILE KERNEL GRID BLOCK CLUSTER SHARED LAUNCHES ARGUMENT...` does: 0, or after a
/// sentence on stderr 64, where the file or the options cannot be launched on any run, or 1.
int check_launch_main(int argc, char** argv);

/// What a kernel left in the memory of one of its arguments.
struct ArgumentMemory {
  uint32_t argument = 0;
  std::vector<unsigned char> bytes;
  bool operator==(const ArgumentMemory&) const = default;
};

/// The words with which this program is started again to run a launch once: `code` is PTX or a cubin,
/// `driver` the path of a driver's library, `ordinal` its device. The memory is written to `output` at the
/// end; a run of more than run_limit_seconds is ended by SIGALRM.
std::vector<std::string> run_command(const std::string& program, const std::string& driver, int ordinal,
                                     const std::string& output, const std::string& code,
                                     const PtxLaunch& launch);
inline constexpr unsigned run_limit_seconds = 60;
std::vector<ArgumentMemory> read_memory(const std::string& output);

/// What `assay check-run DRIVER ORDINAL OUTPUT CODE KERNEL ...` does, the rest as for check-launch.
int check_run_main(int argc, char** argv);

}  // namespace assay::cli::check
