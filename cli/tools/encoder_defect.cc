// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/encode_call.h"

#include <cstring>
#include <exception>
#include <memory>

#include "devices/device.h"
#include "kernels/params/encode_tiled.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::cli {
namespace {

/// A tensor of bf16, by what the reports of the defect tell apart.
struct Tensor {
  uint64_t rows, row_bytes, pitch;
  bool is_small() const { return rows * pitch < 128 * 1024; }
  bool has_gaps() const { return pitch > row_bytes; }
};
constexpr Tensor tensors[] = {
    {64, 128, 128},  {1, 256, 256},    {1024, 64, 64},    {256, 256, 256},   // small and dense
    {64, 128, 256},  {64, 128, 1024},  {127, 64, 1024},   {127, 512, 1024},  // small, with gaps
    {128, 64, 1024}, {1024, 256, 256}, {4096, 256, 1024}, {8192, 512, 512},  // 128 KiB and more
};

params::EncodeTiledRecord record_of(const Tensor& tensor) {
  params::EncodeTiledRecord record{};
  params::EncodeTiledArgs& args = record.args;
  args.global_address = uint64_t{1} << 32;
  args.data_type = spec::find_data_type("bf16")->host;
  args.rank = 2;
  args.global_dim[0] = tensor.row_bytes / 2;
  args.global_dim[1] = tensor.rows;
  args.global_stride[0] = tensor.pitch;
  args.box_dim[0] = 32;
  args.box_dim[1] = 1;
  args.element_stride[0] = args.element_stride[1] = 1;
  return record;
}

constexpr int bit = 85;

bool has_bit(const spec::TensorMapBytes& map) {
  return (std::to_integer<unsigned>(map[bit / 8]) >> bit % 8 & 1) != 0;
}

/// How many of the tensors of each sort have the bit.
struct EncodedCounts {
  int small_dense = 0, small_gaps = 0, large = 0;
  int of_small_dense = 0, of_small_gaps = 0, of_large = 0;
};

std::string part(int count, int of, const char* what) {
  return std::to_string(count) + " of " + std::to_string(of) + " " + what;
}

EncoderDefect judge(const EncodedCounts& n) {
  EncoderDefect answer{.is_known = true};
  answer.is_there = n.small_dense + n.small_gaps != 0;
  const std::string all =
      part(n.small_gaps, n.of_small_gaps, "tensors below 128 KiB with gaps between their rows") + ", " +
      part(n.small_dense, n.of_small_dense, "dense ones below it") + ", " +
      part(n.large, n.of_large, "larger ones");
  if (answer.is_there)
    answer.words = "the encoder sets bit 85 of tensor maps (" + all +
                   "): a known driver defect, copies may read up to 128 KiB from the tensor's address; clear "
                   "it with map[10] &= ~0x20";
  else if (n.large != 0)
    answer.words = "the encoder sets bit 85 of tensor maps for larger tensors only (" + all + ")";
  else
    answer.words = "the encoder leaves bit 85 of tensor maps clear (" +
                   std::to_string(n.of_small_gaps + n.of_small_dense + n.of_large) + " tensors tried)";
  return answer;
}

EncoderDefect ask(Device& device) {
  Batch& batch = device.acquire();
  batch.family = "encode_tiled";
  batch.count = std::size(tensors);
  const auto records = batch.as<params::EncodeTiledRecord>();
  for (size_t i = 0; i < std::size(tensors); ++i) records[i] = record_of(tensors[i]);
  device.submit(batch);
  device.wait(batch);
  EncodedCounts counts;
  int refused = 0;
  for (size_t i = 0; i < std::size(tensors); ++i) {
    if (batch.ends[i].ended != Ended::done) {
      ++refused;
      continue;
    }
    spec::TensorMapBytes map;
    std::memcpy(map.data(), &batch.output[i * map.size()], map.size());
    const bool is_set = has_bit(map);
    if (!tensors[i].is_small())
      counts.large += is_set, ++counts.of_large;
    else if (tensors[i].has_gaps())
      counts.small_gaps += is_set, ++counts.of_small_gaps;
    else
      counts.small_dense += is_set, ++counts.of_small_dense;
  }
  device.release(batch);
  if (refused != 0)
    return {.words = "the encoder refuses " + std::to_string(refused) + " of " +
                     std::to_string(std::size(tensors)) + " legal tensors"};
  return judge(counts);
}

}  // namespace

EncoderDefect ask_for_bit_85(const std::string& spec) {
  try {
    DeviceLimits limits;
    limits.batches = 1;
    const std::unique_ptr<Device> device = open_device(spec, limits);
    return ask(*device);
  } catch (const std::exception& failure) {
    return {.words = failure.what()};
  }
}

}  // namespace assay::cli
