// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_mma.h"

#include <algorithm>
#include <cstring>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/tcgen05_scales.h"
#include "devices/emulator/tensor/tcgen05_steps.h"
#include "devices/emulator/tensor/tmem_copy.h"

namespace assay::emulator {
namespace {

[[noreturn]] void refuse(const std::string& why,
                         Diagnostic::Kind kind = Diagnostic::Kind::illegal_instruction) {
  trap(kind, "tcgen05.mma: " + why);
}

template <typename T>
T decoded(const std::variant<T, std::string>& result) {
  if (const std::string* wrong = std::get_if<std::string>(&result)) refuse(*wrong);
  return std::get<T>(result);
}

SmemMatrix decode_matrix(uint64_t word, char name, const InstructionDescriptor& d, const MmaForm& form,
                         const Settings& settings, const DeviceReadings& readings) {
  const spec::Format& format = name == 'A' ? *d.a : *d.b;
  const bool is_mn_major = name == 'A' ? d.transpose_a : d.transpose_b;
  SmemMatrix matrix;
  matrix.descriptor = decoded(decode_smem_descriptor(word, settings.target));
  matrix.format = &format;
  matrix.is_mn_major = is_mn_major;
  matrix.choose(readings);
  // The scaled kinds leave nothing open: 16 bytes a group, or in mxf4 and mxf4nvf4 no padding.
  if (has_block_scaling(form.kind)) matrix.is_packed = d.is_packed;
  if (const std::string wrong = wrong_combination(matrix, readings); !wrong.empty())
    refuse("matrix " + std::string(1, name) + ": " + wrong);
  tcgen05_steps_for(settings).smem(matrix.descriptor);
  return matrix;
}

void check_lanes(const Mma& mma) {
  const std::string places = mma.layout.is_scattered ? "0 or 16" : "0";
  const auto check = [&](const TmemAddress& address, const char* name) {
    if (address.lane != 0 && !(mma.layout.is_scattered && address.lane == 16))
      refuse(std::string("lane ") + std::to_string(address.lane) + " of the address of " + name +
                 "; layout " + mma.layout.name + " starts at lane " + places,
             Diagnostic::Kind::misaligned_address);
  };
  check(mma.d, "D");
  // Libraries keep a byte number in the two highest bits of these addresses (cutlass, tmem_sf_frg).
  for (const TmemAddress& address : {mma.a_scales, mma.b_scales})
    if ((address.lane & 0x3fff) != 0)
      refuse("lane " + std::to_string(address.lane & 0x3fff) +
                 " of the address of scales, which start at lane 0",
             Diagnostic::Kind::misaligned_address);
  if (mma.form.is_sparse) {
    check(mma.metadata, "the metadata");
    if (mma.metadata.lane != mma.d.lane)
      refuse("the metadata and D start at different lanes", Diagnostic::Kind::misaligned_address);
    if (mma.metadata.column % 2 != 0)
      refuse("the metadata start at column " + std::to_string(mma.metadata.column) +
                 " of tensor memory; they start at an even one",
             Diagnostic::Kind::misaligned_address);
  }
  if (!mma.form.a_in_tmem) return;
  check(mma.a, "A");
  if (mma.a.lane != mma.d.lane)
    refuse("A and D start at different lanes", Diagnostic::Kind::misaligned_address);
}

void decode_mask(Mma& mma, uint64_t word, const Settings& settings) {
  ColumnMask mask = decoded(decode_column_mask(word));
  const uint32_t most = mma.descriptor.m == 32 ? 16 : 32;
  const bool is_bound = mma.readings.is({"AMB-04", "always"}) ||
                        (mma.readings.is({"AMB-04", "where_b_is_reused"}) && mma.form.reuses_b);
  if (mask.shift > most)
    refuse("a column shift of " + std::to_string(mask.shift) + "; with M " +
           std::to_string(mma.descriptor.m) + " it is at most " + std::to_string(most));
  if (is_bound && mask.shift > mma.descriptor.max_shift)
    refuse("a column shift of " + std::to_string(mask.shift) +
           " where B is reused and the instruction descriptor "
           "allows " +
           std::to_string(mma.descriptor.max_shift));
  const Tcgen05Steps& steps = tcgen05_steps_for(settings);
  steps.mask(mask);
  if (mma.form.reuses_b) mask.shift = steps.reused_shift(mask.shift, mma.descriptor.max_shift);
  mma.b_matrix.first_row = mask.shift;
  mma.zeroed = zeroed_columns(mask, mma.descriptor.m, mma.descriptor.n, mma.readings);
  if (std::find(mma.zeroed.begin(), mma.zeroed.end(), 1) == mma.zeroed.end()) mma.zeroed.clear();
}

/// One instruction at work.
class Work {
 public:
  Work(const Mma& mma, Cluster& cluster)
      : mma_(mma),
        cluster_(cluster),
        steps_(tcgen05_steps_for(cluster.settings())),
        k_(mma.descriptor.k()),
        b_k_(mma.descriptor.b_k()) {}

  void run();

 private:
  Cta& cta(uint32_t i) const { return *cluster_.ctas[mma_.first_rank() + i]; }
  TensorMemory& tensor(uint32_t i) const;
  void read_b();
  void read_a_from_tensor_memory(TensorMemory& tensor, uint32_t group);
  uint32_t element_of_cell(const uint32_t* cells, uint32_t k) const;
  uint32_t lane_moved_to(uint32_t lane) const;
  void shift_a(TensorMemory& tensor);
  void multiply(uint32_t cta, uint32_t group);
  void multiply_scaled(TileProduct product, uint32_t cta, uint32_t group);
  void multiply_sparse(TileProduct product, uint32_t cta, uint32_t group, uint32_t first_row);
  void take_scales(uint32_t cta, uint32_t group);
  /// The first lane of a group, counted from the first of all.
  uint32_t group_lane(uint32_t group) const {
    return steps_.lane_group(mma_.layout, group) * mma_.layout.group_lanes;
  }
  bool is_disabled(uint32_t cta, uint32_t lane) const;
  void note_accumulation(TensorMemory& tensor);
  void write_row(uint32_t cta, uint32_t group, uint32_t row, const uint32_t* results);

  const Mma& mma_;
  Cluster& cluster_;
  const Tcgen05Steps& steps_;
  const uint32_t k_, b_k_;
  std::vector<uint32_t> a_, b_, d_, before_, met_;
  std::vector<uint16_t> met_places_;
  std::vector<uint8_t> a_unwritten_, b_unwritten_, d_unwritten_;
  /// Of the rows of a group of lanes; of its columns, as each of the partitions in it has them.
  Scales a_scales_;
  std::vector<Scales> b_scales_;
};

TensorMemory& Work::tensor(uint32_t i) const {
  TensorMemory& owner = tensor_memory(cta(i));
  const auto check = [&](uint32_t first, uint32_t count, const std::string& name) {
    if (owner.is_allocated(first, count)) return;
    const std::string of = " of " + name + ", in CTA " + std::to_string(cta(i).rank) + " of the cluster,";
    refuse(owner.not_allocated(first, count, of), Diagnostic::Kind::illegal_address);
  };
  check(mma_.d.column, mma_.layout.group_columns, "D");
  if (mma_.form.is_sparse) check(mma_.metadata.column, metadata_extent(mma_), "the metadata");
  if (mma_.form.a_in_tmem) check(mma_.a.column, mma_.descriptor.a_columns(), "A");
  if (has_block_scaling(mma_.form.kind)) {
    check(mma_.a_scales.column, scale_extent(mma_, true), "the scales of A");
    check(mma_.b_scales.column, scale_extent(mma_, false), "the scales of B");
  }
  return owner;
}

void Work::read_b() {
  const uint32_t halves = mma_.form.cta_group, rows = mma_.b_matrix.rows;
  b_.resize(static_cast<size_t>(mma_.descriptor.n) * b_k_);
  b_unwritten_.resize(mma_.descriptor.n);
  for (uint32_t rank = 0; rank < halves; ++rank) {
    const uint32_t half = halves == 2 ? steps_.half_of_b(rank) : 0;
    const std::span<uint32_t> codes(b_.data() + static_cast<size_t>(half) * rows * b_k_,
                                    static_cast<size_t>(rows) * b_k_);
    read_matrix(mma_.b_matrix, cta(rank), {codes, {b_unwritten_.data() + half * rows, rows}});
  }
  for (uint32_t n = 0; n < mma_.zeroed.size(); ++n) {
    if (mma_.zeroed[n] == 0) continue;
    std::fill_n(b_.begin() + static_cast<ptrdiff_t>(n) * b_k_, b_k_, 0);
    b_unwritten_[n] = 0;
  }
}

uint32_t Work::element_of_cell(const uint32_t* cells, uint32_t k) const {
  const int bits = mma_.descriptor.a->storage_bits;
  if (mma_.descriptor.is_packed) return cells[k / 8] >> k % 8 * 4 & 0xf;
  if (bits == 32) return cells[k];
  if (bits == 16) return cells[k / 2] >> k % 2 * 16 & 0xffff;
  const uint32_t byte = cells[k / 4] >> k % 4 * 8 & 0xff;
  if (bits == 8) return byte;
  if (bits == 6) return byte & 0x3f;
  return (mma_.readings.is({"AMB-21", "bits_5_to_2"}) ? byte >> 2 : byte) & 0xf;
}

void Work::read_a_from_tensor_memory(TensorMemory& tensor, uint32_t group) {
  for (uint32_t row = 0; row < mma_.layout.cta_rows; ++row) {
    uint32_t lane = mma_.a.lane + mma_.layout.lane(row) + group_lane(group);
    if (mma_.form.shifts_a && !mma_.readings.is({"AMB-07", "shifts_what_it_leaves"}))
      lane = lane_moved_to(lane);
    const uint32_t* cells = tensor.cells(lane) + mma_.a.column;
    for (uint32_t k = 0; k < k_; ++k) a_[static_cast<size_t>(row) * k_ + k] = element_of_cell(cells, k);
    a_unwritten_[row] =
        std::memchr(tensor.written(lane) + mma_.a.column, 0, mma_.descriptor.a_columns()) != nullptr;
  }
}

/// The lane whose row moves to this one.
uint32_t Work::lane_moved_to(uint32_t lane) const {
  if (!steps_.shifts_a(lane)) return lane;
  return lane / 32 * 32 + shifted_lane(lane % 32);
}

void Work::shift_a(TensorMemory& tensor) {
  // Lanes upwards: each takes from one that has not been written.
  for (uint32_t lane = 0; lane < TensorMemory::lanes; ++lane) {
    const uint32_t from = lane_moved_to(lane);
    std::copy_n(tensor.cells(from) + mma_.a.column, mma_.descriptor.a_columns(),
                tensor.cells(lane) + mma_.a.column);
    std::copy_n(tensor.written(from) + mma_.a.column, mma_.descriptor.a_columns(),
                tensor.written(lane) + mma_.a.column);
  }
}

bool Work::is_disabled(uint32_t cta, uint32_t lane) const {
  if (!mma_.disabled_lanes) return false;
  uint32_t place = cta;
  // Whose words come first (AMB-28).
  if (mma_.form.cta_group == 2 && mma_.readings.is({"AMB-28", "issuing_cta_first"}))
    place = cta ^ (mma_.cta_rank & 1);
  const uint32_t word = steps_.lane_word(place * 4 + lane / 32, mma_.form.cta_group * 4);
  return (*mma_.disabled_lanes)[word] >> lane % 32 & 1;
}

void Work::write_row(uint32_t cta, uint32_t group, uint32_t row, const uint32_t* results) {
  const uint32_t lane = mma_.d.lane + mma_.layout.lane(row) + group_lane(group);
  if (steps_.keeps_lane(is_disabled(cta, lane))) return;
  TensorMemory& tensor = *this->cta(cta).tensor;
  const uint32_t width = mma_.layout.group_columns;
  uint32_t* cells = tensor.cells(lane) + mma_.d.column;
  uint8_t* written = tensor.written(lane) + mma_.d.column;
  if (mma_.descriptor.d->storage_bits == 32) {
    std::copy_n(results, width, cells);
  } else {
    constexpr uint32_t garbage = 0xdead0000;
    const uint32_t kept = mma_.readings.is({"AMB-24", "unchanged"}) ? 0xffff0000 : 0;
    const uint32_t added = mma_.readings.is({"AMB-24", "anything"}) ? garbage : 0;
    for (uint32_t i = 0; i < width; ++i) cells[i] = results[i] | (cells[i] & kept) | added;
  }
  if (a_unwritten_[row]) {
    std::fill_n(written, width, uint8_t{0});
    return;
  }
  if (mma_.reads_d && std::memchr(written, 0, width) != nullptr) note_accumulation(tensor);
  const uint8_t* const b_unwritten = b_unwritten_.data() + group * width;
  for (uint32_t i = 0; i < width; ++i)
    written[i] = static_cast<uint8_t>((b_unwritten[i] == 0) & ((written[i] != 0) | !mma_.reads_d));
}

void Work::note_accumulation(TensorMemory& tensor) {
  if (!cluster_.async.running()) return;
  const Issuer& by = *cluster_.async.running();
  const auto is_known = [&](const TensorMemory::Accumulation& one) {
    return one.by.line == by.line && one.first == mma_.d.column;
  };
  auto& all = tensor.accumulations;
  if (std::none_of(all.begin(), all.end(), is_known))
    all.push_back({mma_.d.column, mma_.layout.group_columns, by});
}

/// The lanes of D say which partitions work, and each reads its own copy.
void Work::take_scales(uint32_t cta, uint32_t group) {
  TensorMemory& tensor = *this->cta(cta).tensor;
  const uint32_t rows = mma_.layout.cta_rows, width = mma_.layout.group_columns;
  const uint32_t first_partition = group_lane(group) / 32;
  a_scales_ = {}, b_scales_.clear();
  const auto as_counted = [&](Scales scales) {
    for (uint8_t& code : scales.codes) code = steps_.scale_code(mma_.descriptor, code);
    return scales;
  };
  for (uint32_t row = 0; row < rows; row += 32) {
    const uint32_t partition = first_partition + row / 32;
    const Scales some = as_counted(read_scales(mma_, true, tensor, partition, row, 32, steps_.scale));
    a_scales_.codes.insert(a_scales_.codes.end(), some.codes.begin(), some.codes.end());
    a_scales_.is_unwritten.insert(a_scales_.is_unwritten.end(), some.is_unwritten.begin(),
                                  some.is_unwritten.end());
    b_scales_.push_back(
        as_counted(read_scales(mma_, false, tensor, partition, group * width, width, steps_.scale)));
  }
}

void Work::multiply(uint32_t cta, uint32_t group) {
  TensorMemory& tensor = *this->cta(cta).tensor;
  const uint32_t rows = mma_.layout.cta_rows, width = mma_.layout.group_columns;
  d_.resize(static_cast<size_t>(rows) * width);
  const uint32_t code_mask = mma_.descriptor.d->storage_bits == 16 ? 0xffff : ~0u;
  if (mma_.reads_d)
    for (uint32_t row = 0; row < rows; ++row) {
      const uint32_t lane = mma_.d.lane + mma_.layout.lane(row) + group_lane(group);
      const uint32_t* cells = tensor.cells(lane) + mma_.d.column;
      uint32_t* const d = d_.data() + static_cast<size_t>(row) * width;
      for (uint32_t i = 0; i < width; ++i) d[i] = cells[i] & code_mask;
    }
  const bool skips = mma_.readings.is({"NUM-AMB-16", "skipped"}) && !mma_.zeroed.empty();
  if (skips) before_ = d_;
  TileProduct product;
  product.adder = Adder::tcgen05;
  product.target = cluster_.settings().target;
  product.sm = cluster_.launch.multiprocessor(this->cta(cta));
  product.a_format = mma_.descriptor.a;
  product.b_format = mma_.descriptor.b;
  product.d_format = mma_.descriptor.d;
  product.m = rows;
  product.n = width;
  product.k = k_;
  product.negate_a = mma_.descriptor.negate_a;
  product.negate_b = mma_.descriptor.negate_b;
  product.reads_c = mma_.reads_d;
  product.scale_input_d = static_cast<int>(mma_.scale_input_d);
  product.saturates = mma_.descriptor.saturates;
  product.a = a_;
  product.b = std::span<const uint32_t>(b_).subspan(static_cast<size_t>(group) * width * b_k_,
                                                    static_cast<size_t>(width) * b_k_);
  product.d = d_;
  if (has_block_scaling(mma_.form.kind))
    multiply_scaled(product, cta, group);
  else if (mma_.form.is_sparse)
    multiply_sparse(product, cta, group, 0);
  else
    multiply_tile(product, cluster_.settings());
  for (uint32_t row = 0; row < rows; ++row) {
    uint32_t* results = d_.data() + static_cast<size_t>(row) * width;
    if (skips)
      for (uint32_t i = 0; i < width; ++i)
        if (mma_.zeroed[group * width + i])
          results[i] = mma_.reads_d ? before_[static_cast<size_t>(row) * width + i] : 0;
    write_row(cta, group, row, results);
  }
}

/// Partitions that have the same scales of B together, any other alone.
void Work::multiply_scaled(TileProduct product, uint32_t cta, uint32_t group) {
  take_scales(cta, group);
  product.scale_format = mma_.descriptor.scale;
  product.scale_block = mma_.form.scale_block;
  product.adds_groups = mma_.descriptor.is_packed;
  const uint32_t rows = product.m, partitions = rows / 32;
  const size_t scales = product.k / product.scale_block, width = product.n;
  const std::span<uint32_t> a = a_, d = d_;
  for (uint32_t first = 0, end; first < partitions; first = end) {
    for (end = first + 1; end < partitions && b_scales_[end].codes == b_scales_[first].codes;) ++end;
    if (first != 0 && cluster_.strict && cluster_.async.running())
      cluster_.strict->scales_differ(*cluster_.async.running());
    product.m = (end - first) * 32;
    product.a = a.subspan(size_t{first} * 32 * k_, size_t{product.m} * k_);
    product.d = d.subspan(first * 32 * width, product.m * width);
    product.a_scales = std::span(a_scales_.codes).subspan(first * 32 * scales, product.m * scales);
    product.b_scales = b_scales_[first].codes;
    if (mma_.form.is_sparse)
      multiply_sparse(product, cta, group, first * 32);
    else
      multiply_tile(product, cluster_.settings());
  }
  for (uint32_t row = 0; row < rows; ++row) a_unwritten_[row] |= a_scales_.is_unwritten[row];
  for (const Scales& one : b_scales_)
    for (size_t i = 0; i < width; ++i) b_unwritten_[group * width + i] |= one.is_unwritten[i];
}

/// Rows [first_row, first_row + product.m), each with what it meets of B.
void Work::multiply_sparse(TileProduct product, uint32_t cta, uint32_t group, uint32_t first_row) {
  TensorMemory& tensor = *this->cta(cta).tensor;
  const bool by_halves = mma_.descriptor.a->storage_bits == 32;
  const std::span<const uint32_t> a = product.a, b = product.b;
  const std::span<uint32_t> d = product.d;
  const uint32_t rows = product.m;
  met_.resize(by_halves ? size_t{product.n} * k_ : 0);
  met_places_.resize(by_halves ? 0 : size_t{rows} * k_);
  for (uint32_t row = 0; row < rows; ++row) {
    const RowMetadata metadata =
        read_metadata(mma_, tensor, steps_.lane_group(mma_.layout, group), first_row + row, steps_);
    if (metadata.is_unwritten) a_unwritten_[first_row + row] = 1;
    if (by_halves) {
      meet_halves(mma_.descriptor, metadata.codes, b, steps_.met, met_);
      product.m = 1, product.b = met_;
      product.a = a.subspan(size_t{row} * k_, k_);
      product.d = d.subspan(size_t{row} * product.n, product.n);
      multiply_tile(product, cluster_.settings());
    } else {
      met_places(mma_.descriptor, metadata.codes, steps_.met,
                 std::span(met_places_).subspan(size_t{row} * k_, k_));
    }
  }
  if (by_halves) return;
  product.met = met_places_, product.b_k = b_k_;
  multiply_tile(product, cluster_.settings());
}

void Work::run() {
  const uint32_t ctas = mma_.form.cta_group;
  for (uint32_t i = 0; i < ctas; ++i) tensor(i);
  read_b();
  a_.resize(static_cast<size_t>(mma_.layout.cta_rows) * k_);
  a_unwritten_.resize(mma_.layout.cta_rows);
  for (uint32_t i = 0; i < ctas; ++i) {
    if (!mma_.form.a_in_tmem) read_matrix(mma_.a_matrix, cta(i), {a_, a_unwritten_});
    for (uint32_t group = 0; group < mma_.layout.groups; ++group) {
      if (mma_.form.a_in_tmem) read_a_from_tensor_memory(tensor(i), group);
      multiply(i, group);
    }
    if (mma_.form.shifts_a && !mma_.readings.is({"AMB-07", "shifts_what_it_multiplies"})) shift_a(tensor(i));
  }
  cluster_.moved();
}

}  // namespace

Mma decode_mma(const MmaForm& form, const MmaOperands& operands, uint32_t cta_rank,
               const Settings& settings) {
  const Tcgen05Steps& steps = tcgen05_steps_for(settings);
  Mma mma;
  mma.form = form;
  mma.readings = DeviceReadings(settings);
  mma.tensor_columns = facts_of(settings.target).tensor_columns;
  mma.cta_rank = cta_rank;
  const auto instruction =
      decode_instruction_descriptor(operands.instruction, form, settings.target, mma.readings);
  if (const auto* wrong = std::get_if<DescriptorRefusal>(&instruction)) refuse(wrong->sentence());
  mma.descriptor = std::get<InstructionDescriptor>(instruction);
  steps.instruction(mma.descriptor);
  const InstructionDescriptor& d = mma.descriptor;
  if (form.shifts_a && d.m < 128) refuse("M " + std::to_string(d.m) + " with .ashift; it is 128 or 256");
  mma.layout = accumulator_layout(form, d.m, d.n);
  mma.d = TmemAddress::decode(operands.d_address);
  mma.a_scales = TmemAddress::decode(operands.a_scale_address);
  mma.b_scales = TmemAddress::decode(operands.b_scale_address);
  mma.metadata = TmemAddress::decode(operands.metadata_address);
  if (form.a_in_tmem)
    mma.a = TmemAddress::decode(operands.a_address);
  else
    mma.a_matrix = decode_matrix(operands.a_descriptor, 'A', d, form, settings, mma.readings);
  mma.b_matrix = decode_matrix(operands.b_descriptor, 'B', d, form, settings, mma.readings);
  mma.a_matrix.rows = mma.layout.cta_rows;
  mma.a_matrix.k = d.k();
  mma.b_matrix.k = d.b_k();
  mma.b_matrix.rows = d.n / form.cta_group;
  mma.reads_d = steps.reads_d(operands.enable_input_d);
  mma.scale_input_d = operands.scale_input_d;
  mma.disabled_lanes = operands.disabled_lanes;
  check_lanes(mma);
  if (operands.column_mask) decode_mask(mma, *operands.column_mask, settings);
  steps.decoded(mma);
  return mma;
}

void perform_mma(const Mma& mma, Cluster& cluster) {
  Work(mma, cluster).run();
}

WorkAccess access_of(const Mma& mma) {
  WorkAccess access;
  access.work = {IssuedWork::Kind::mma, 0, mma.d, mma.descriptor.m, mma.descriptor.n};
  for (uint32_t i = 0; i < mma.form.cta_group; ++i) {
    const uint32_t rank = mma.first_rank() + i;
    const auto add_shared = [&](const SmemMatrix& matrix) {
      const std::vector<SharedRange> some = matrix_ranges(matrix, rank);
      access.shared_reads.insert(access.shared_reads.end(), some.begin(), some.end());
    };
    if (!mma.form.a_in_tmem) add_shared(mma.a_matrix);
    add_shared(mma.b_matrix);
    for (uint32_t group = 0; group < mma.layout.groups; ++group)
      for (uint32_t row = 0; row < mma.layout.cta_rows; ++row) {
        const uint32_t lane = mma.layout.lane(row) + group * mma.layout.group_lanes;
        access.writes.push_back({rank, mma.d.lane + lane, mma.d.column, mma.layout.group_columns});
        if (mma.form.a_in_tmem)
          access.reads.push_back({rank, mma.a.lane + lane, mma.a.column, mma.descriptor.a_columns()});
        if (mma.form.is_sparse)
          access.reads.push_back({rank, mma.metadata.lane + lane, mma.metadata.column, metadata_extent(mma)});
        if (mma.form.shifts_a)
          access.writes.push_back({rank, mma.a.lane + lane, mma.a.column, mma.descriptor.a_columns()});
      }
    if (!has_block_scaling(mma.form.kind)) continue;
    for (uint32_t lane = 0; lane < TensorMemory::lanes; ++lane) {
      access.reads.push_back({rank, lane, mma.a_scales.column, scale_extent(mma, true)});
      access.reads.push_back({rank, lane, mma.b_scales.column, scale_extent(mma, false)});
    }
  }
  return access;
}

}  // namespace assay::emulator
