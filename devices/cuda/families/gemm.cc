#include "kernels/params/gemm.h"

#include <algorithm>

#include "devices/cuda/families/gemm_words.h"
#include "devices/cuda/families/tensor_memory.h"
#include "kernels/params/arena.h"

namespace assay::cuda {
namespace {

using params::GemmRecord;
using params::GemmType;

const char* wrong_shape(const GemmRecord& r) {
  if (r.type > GemmType::e4m3) return "type must be 0 to 2";
  if (!params::is_gemm_tile_n(r.tile_n, r.cta_group))
    return "tile_n must be 32, 64 or 128, or 256 with cta_group 2";
  if (r.m < 1 || r.n < 1 || r.k < 1) return "m, n and k must be 1 or more";
  // Beyond what any output holds, and far from where a 32-bit coordinate ends.
  if (r.m > 1u << 20 || r.n > 1u << 20 || r.k > 1u << 20) return "m, n and k must be at most 1048576";
  const uint32_t bytes = params::gemm_element_bytes(r.type);
  if (r.a_pitch % 16 || r.b_pitch % 16 || r.d_pitch % 16) return "pitches must be multiples of 16";
  if (r.a_pitch < r.k * bytes || r.b_pitch < r.k * bytes || r.d_pitch < r.n * 4)
    return "a pitch must be no shorter than its row";
  return nullptr;
}

const char* wrong(const GemmRecord& r, const GemmRecord& first, const BatchView&) {
  if (r.cta_group != 1 && r.cta_group != 2) return "cta_group must be 1 or 2";
  if (r.cta_group != first.cta_group) return "cta_group must be that of the whole batch";
  if (const char* shape = wrong_shape(r)) return shape;
  if (r.output_bytes != params::gemm_output_bytes(r)) return "output_bytes must be gemm_output_bytes()";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<GemmRecord>(batch, wrong);
}

/// A matrix in the slot, rows of `columns` elements; boxes as the pipeline loads or stores them.
struct Matrix {
  int data_type;
  uint64_t address;
  uint64_t columns, rows, pitch;
  uint32_t box_columns, box_rows;
};

// cuda.h: CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapL2promotion.
constexpr int type_uint8 = 0, type_float16 = 6, type_float32 = 7, type_bfloat16 = 9;
constexpr int swizzle_128b = 3, l2_promotion_128b = 2;

Result encode(const Driver& driver, const Matrix& matrix, uint8_t* map) {
  const uint64_t dims[] = {matrix.columns, matrix.rows}, strides[] = {matrix.pitch};
  const uint32_t box[] = {matrix.box_columns, matrix.box_rows}, steps[] = {1, 1};
  TensorMap encoded;
  if (const Result refused = driver.encode_tiled(
          &encoded, matrix.data_type, 2, reinterpret_cast<void*>(matrix.address), dims, strides, box, steps,
          /*interleave=*/0, swizzle_128b, l2_promotion_128b, /*oob_fill=*/0))
    return refused;
  std::copy_n(reinterpret_cast<const uint8_t*>(&encoded), 128, map);
  return 0;
}

Result encode_maps(const Driver& driver, DeviceAddress output, GemmRecord& r) {
  const uint32_t bytes = params::gemm_element_bytes(r.type);
  const int type = r.type == GemmType::f16    ? type_float16
                   : r.type == GemmType::bf16 ? type_bfloat16
                                              : type_uint8;
  const uint32_t box_k = params::gemm_stage_bytes / bytes;
  const uint64_t slot = output + r.output_offset;
  // A pair's load of A goes to two CTAs in halves, and so does every load of B.
  const Matrix matrices[] = {
      {type, slot + params::gemm_header_bytes, r.k, r.m, r.a_pitch, box_k, params::gemm_tile_m / r.cta_group},
      {type, slot + params::gemm_b_offset(r), r.k, r.n, r.b_pitch, box_k, uint32_t{r.tile_n} / 2},
      {type_float32, slot + params::gemm_d_offset(r), r.n, r.m, r.d_pitch, 32, 32}};
  for (size_t i = 0; i < 3; ++i)
    if (const Result refused = encode(driver, matrices[i], r.maps[i])) return refused;
  return 0;
}

void run(OpenedDevice& device, Job& job) {
  const Slot& slot = device.slot(job.batch);
  ProbeGroup fill{}, multiply{};
  uint64_t tiles = 0;
  for (const uint32_t index : job.group) {
    GemmRecord& r = reinterpret_cast<GemmRecord*>(job.memory.records)[index];
    job.note_call(index);
    if (const Result refused = encode_maps(device.driver, slot.output, r)) {
      job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
      continue;
    }
    fill.records.push_back(index);
    tiles += uint64_t{params::gemm_tiles_m(r)} * params::gemm_tiles_n(r);
    multiply.cluster_size = params::gemm_cluster(r.cta_group);
  }
  job.clear_call();
  if (fill.records.empty()) return;
  multiply.records = fill.records;
  multiply.threads = params::gemm_threads;
  multiply.dynamic_shared_bytes = params::gemm_shared_bytes + params::window_alignment;
  const uint32_t ctas = std::min(static_cast<uint32_t>(device.sm_count), most_gemm_ctas);
  const uint32_t fit = device.emulator ? 2 : std::max(1u, ctas / multiply.cluster_size);
  multiply.clusters = static_cast<uint32_t>(std::min<uint64_t>(fit, tiles));
  fill.function = device.function("gemm_pipeline", "gemm_fill");
  multiply.function =
      device.function("gemm_pipeline", multiply.cluster_size == 4 ? "gemm_pipeline_pair" : "gemm_pipeline");
  // In this order: launches of a batch run one after the other.
  run_probes(
      device, job,
      {sizeof(GemmRecord), false, false, {std::move(fill), std::move(multiply)}, output_slot_of<GemmRecord>});
  // Clusters on many multiprocessors make a product: the one that stored last is not where it was made.
  for (const uint32_t index : job.group) job.memory.ends[index].sm = ~0u;
}

const Family family{"gemm", sizeof(GemmRecord), check_batch, declines_tcgen05, run, &gemm_names};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda
