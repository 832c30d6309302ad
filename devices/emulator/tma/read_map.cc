// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "devices/emulator/tma/shape.h"
#include "devices/emulator/tma/steps.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::emulator {
namespace {

namespace map = spec::tensor_map;
using Kind = Diagnostic::Kind;

constexpr uint32_t interleaved_by_32B = 2;  // the last code of the field (H200)

bool is_integer(uint32_t type_code) {
  return type_code < type_codes::first_float;
}
bool is_padded(uint32_t type_code) {
  return type_code == type_codes::b4x16_p64 || type_code == type_codes::b6x16_p32;
}

/// Takes one map apart; the first fault ends it.
class MapReader {
 public:
  MapReader(const TensorCopyRequest& request, const Steps& steps, const DeviceReadings& readings)
      : request_(request), steps_(steps) {
    shape_.readings = readings;
  }

  std::variant<TiledShape, TensorCopyFault> read() {
    if (modes() && type() && extents() && swizzle() && packed() && alignment()) return shape_;
    return *fault_;
  }

 private:
  uint64_t raw(const spec::Field& field) const { return spec::get_raw(request_.map, field); }
  uint64_t value(const spec::Field& field) const { return spec::get(request_.map, field); }

  bool require(std::string_view id, bool holds, Kind kind, std::string message) {
    if (steps_.rule(id, holds)) return true;
    fault_ = TensorCopyFault{kind, "tensor map: " + std::move(message) + " (" + std::string(id) + ")"};
    return false;
  }
  bool legal(std::string_view id, bool holds, std::string message) {
    return require(id, holds, Kind::illegal_instruction, std::move(message));
  }

  bool modes() {
    const int rank = static_cast<int>(raw(map::rank)) + 1;
    const uint64_t interleave = raw(map::interleave);
    shape_.rank = request_.rank;
    const bool wide = is_wide(request_.mode), im2col = wide || request_.mode == TensorCopyMode::im2col;
    if (!legal("mode", (raw(map::mode) != 0) == im2col,
               im2col ? "it is a tiled map, the instruction is im2col"
                      : "it is an im2col map, the instruction is tiled"))
      return false;
    if (im2col && is_from_sm_100(request_.target) && !wide_mode(wide)) return false;
    if (!legal("rank", rank == request_.rank,
               "its rank is " + std::to_string(rank) + ", that of the instruction " +
                   std::to_string(request_.rank)))
      return false;
    if (!legal("I-05", interleave <= interleaved_by_32B && (interleave == 0 || rank >= 3),
               "interleave code " + std::to_string(interleave) + " with rank " + std::to_string(rank)))
      return false;
    interleave_bytes_ = interleave == 0 ? 0 : 16u << (interleave - 1);
    shape_.slice_bytes = interleave_bytes_;
    return true;
  }

  bool wide_mode(bool wide) {
    if (!legal("IM2W-R11", (raw(spec::tensor_map::wide) != 0) == wide,
               wide ? "the instruction is im2col::w, the map not one of the wide encoder"
                    : "the map is one of the wide encoder, the instruction is im2col"))
      return false;
    const bool as_128 = request_.mode == TensorCopyMode::im2col_w_128;
    return !wide || legal("IM2W-R11",
                          (raw(spec::tensor_map::wide_128) != 0) == as_128 ||
                              shape_.readings.is({"TMA-AMB-43", "mode_of_instruction"}),
                          "the instruction is im2col::w, the map of mode im2col::w::128, or the other way");
  }

  bool type() {
    const auto code = static_cast<uint32_t>(raw(map::type));
    const bool tf32 = raw(map::tf32) != 0, sm_90 = !is_from_sm_100(request_.target);
    shape_.type_code = code;
    shape_.flushes_subnormals = code == type_codes::f32_ftz;
    shape_.nan_fill = raw(map::fill) != 0;
    if (!legal("type", code <= (sm_90 ? type_codes::bf16 : type_codes::b6x16_p32),
               "type code " + std::to_string(code) + " does not exist on this architecture"))
      return false;
    // What only a load looks at, only a load checks (H200: MF-01).
    const bool load = request_.kind == TensorCopyKind::load,
               can_be_tf32 = code == type_codes::f32 || code == type_codes::f32_ftz;
    shape_.is_tf32 = tf32 && can_be_tf32;
    if (!legal("AMB-27", !load || !tf32 || can_be_tf32, "tf32 flag on type code " + std::to_string(code)))
      return false;
    if (!legal("F-04", !load || !shape_.nan_fill || !(is_integer(code) || code >= type_codes::b4x16),
               "NaN fill on type code " + std::to_string(code)))
      return false;
    const spec::DataType* row = spec::find_data_type_by_code(code, tf32 && can_be_tf32);
    if (row == nullptr) return legal("type", false, "type code " + std::to_string(code) + " is not known");
    if (!reduction(code)) return false;
    shape_.element_bits = row->bits;
    shape_.cell_elements = 128 / row->bits;
    if (is_padded(code)) {
      shape_.cell_elements = 16;
      shape_.cell_global_bytes = code == type_codes::b6x16_p32 ? 12 : 8;
      shape_.packs_6bit = code == type_codes::b6x16_p32 && request_.kind == TensorCopyKind::store;
    }
    if (request_.mode == TensorCopyMode::tile && shape_.readings.is({"TMA-AMB-12", "counts_elements"}))
      shape_.slice_bytes = 0;
    if (shape_.interleaved()) {
      shape_.element_bits = 8 * shape_.slice_bytes;
      shape_.cell_elements = 1;
      shape_.cell_global_bytes = shape_.cell_shared_bytes = shape_.slice_bytes;
    }
    return true;
  }

  /// Which operations exist on which types (H200: TMA-AMB-24); tf32 is reduced as f32 is (H200: R-04).
  bool reduction(uint32_t code) {
    if (!request_.reduction) return true;
    constexpr std::optional<ReduceType> none;
    constexpr std::optional<ReduceType> types[] = {none,
                                                   none,
                                                   ReduceType::u32,
                                                   ReduceType::s32,
                                                   ReduceType::u64,
                                                   ReduceType::s64,
                                                   ReduceType::f16,
                                                   ReduceType::f32,
                                                   ReduceType::f32_ftz,
                                                   ReduceType::f64,
                                                   ReduceType::bf16};
    const auto type = code < std::size(types) ? types[code] : none;
    if (type) shape_.reduction = Reduction{*request_.reduction, *type};
    return legal("AMB-24", type && is_tensor_reduction(*shape_.reduction),
                 "this reduction does not exist on type code " + std::to_string(code));
  }

  bool extents() {
    for (int i = 0; i < shape_.rank; ++i) {
      shape_.dim[i] = value(map::global_dim[i]);
      shape_.box[i] = static_cast<uint32_t>(value(map::box_dim[i]));
      shape_.traversal[i] = static_cast<uint32_t>(value(map::element_stride[i]));
      if (i > 0) shape_.stride[i] = value(map::global_stride[i - 1]);
      if (!legal("L-03", shape_.dim[i] <= uint64_t{1} << 31 || shape_.readings.is({"X-06", "usable"}),
                 "dimension " + std::to_string(i) + " has " + std::to_string(shape_.dim[i]) +
                     " elements; the hardware takes 2^31"))
        return false;
      if (!legal("I-06", i == 0 || interleave_bytes_ != 32 || shape_.stride[i] % 32 == 0,
                 "stride " + std::to_string(shape_.stride[i]) + " is not a multiple of 32"))
        return false;
    }
    if (is_of_four_rows(request_.mode) &&
        !legal("GATH-R05", shape_.box[1] == 1 || shape_.readings.is({"TMA-AMB-41", "height_ignored"}),
               "its box is " + std::to_string(shape_.box[1]) + " rows high"))
      return false;
    const uint64_t inner_bits = uint64_t{shape_.box[0]} * shape_.element_bits;
    return legal(
        "W-06", interleave_bytes_ != 0 || inner_bits % 128 == 0,
        "its box is " + std::to_string(inner_bits) + " bits wide, which is not a multiple of 16 bytes");
  }

  bool swizzle() {
    static constexpr SwizzleKind widths[] = {SwizzleKind::none, SwizzleKind::span_32, SwizzleKind::span_64,
                                             SwizzleKind::span_128};
    static constexpr SwizzleKind atoms[] = {SwizzleKind::span_128, SwizzleKind::span_128_atom_32,
                                            SwizzleKind::span_128_atom_32_flip_8,
                                            SwizzleKind::span_128_atom_64};
    const uint64_t width = raw(map::swizzle_width);
    // Bit 21, the top of the field, is cleared on the host by libraries and written 0 by tensormap.replace;
    // what it means is not known, so it means nothing here.
    const uint64_t atom = raw(map::swizzle_atomicity) & 3;
    shape_.swizzle = widths[width];
    uint32_t span = width == 0 ? 0 : 16u << width;
    if (is_from_sm_100(request_.target) && width != 0) {
      if (!legal("V-22", atom == 0 || width == 3,
                 "swizzle atomicity " + std::to_string(atom) + " exists for the 128B swizzle only"))
        return false;
      if (width == 3) shape_.swizzle = atoms[atom];
    }
    if (facts_of(request_.target).has_96B_swizzle && raw(map::swizzle_96B) != 0) {
      if (!legal("V-45", width == 0 && interleave_bytes_ == 0 && !is_padded(shape_.type_code),
                 "96B swizzle with interleave, another swizzle or a padded type"))
        return false;
      shape_.swizzle = SwizzleKind::span_96;
      span = 96;
    }
    if (interleave_bytes_ != 0) return true;  // dense rows, however wide (H200: W-04)
    const uint32_t inner = row_bytes();
    if (!legal(
            span == 96 ? "V-45" : "W-06", span == 0 || inner <= span,
            "its box is " + std::to_string(inner) + " bytes wide, the swizzle spans " + std::to_string(span)))
      return false;
    shape_.span = span == 96 && shape_.readings.is({"TMA-AMB-11", "rows_128_apart"}) ? 128 : span;
    return true;
  }

  /// Bytes of a row in shared memory, not interleaved.
  uint32_t row_bytes() const { return shape_.box[0] / shape_.cell_elements * shape_.cell_shared_bytes; }

  /// PTX ISA 9.0, restrictions on tensor copies, and the driver's rules on the types.
  bool packed() {
    const uint32_t code = shape_.type_code;
    if (code < type_codes::b4x16) return true;
    const bool store = request_.kind == TensorCopyKind::store;
    if (code == type_codes::b4x16)
      return legal("V-11", interleave_bytes_ != 0 || shape_.dim[0] % 2 == 0, "an odd row of 4-bit elements");
    if (!legal("V-25", interleave_bytes_ == 0, "an interleaved map of a padded type")) return false;
    if (!legal("TILE-R54", !store || code == type_codes::b6x16_p32, "b4x16_p64 can be loaded only"))
      return false;
    const uint32_t row_unit = is_relaxed() ? 64 : 128, stride_unit = is_relaxed() ? 16 : 32;
    if (!legal("V-10", shape_.dim[0] % row_unit == 0,
               "rows of a padded type are multiples of " + std::to_string(row_unit) + " elements"))
      return false;
    const bool half_box = is_relaxed() && shape_.box[0] == 64;
    if (!legal("V-17", shape_.box[0] == 128 || half_box, "the box of a padded type is 128 elements wide"))
      return false;
    for (int i = 1; i < shape_.rank; ++i)
      if (!legal("V-14", shape_.stride[i] % stride_unit == 0,
                 "strides of a padded type are multiples of " + std::to_string(stride_unit)))
        return false;
    const bool atom_64 = shape_.swizzle == SwizzleKind::span_128_atom_64;
    const bool any_atom = shape_.readings.is({"TMA-AMB-15", "all_both_ways"});
    const bool swizzle_fits =
        shape_.swizzle == SwizzleKind::none || shape_.swizzle == SwizzleKind::span_128 ||
        shape_.swizzle == SwizzleKind::span_128_atom_32 || (atom_64 && (store || any_atom)) ||
        (is_relaxed() && shape_.swizzle == SwizzleKind::span_64);
    return legal("V-26", swizzle_fits, "this swizzle and direction are not for a padded type");
  }

  /// sm_103a halves what the other targets ask of a map that 6-bit elements are stored by (PTX ISA 9.0,
  /// restrictions for sm_103a on b6p2x16).
  bool is_relaxed() const { return facts_of(request_.target).relaxes_b6_stores && shape_.packs_6bit; }

  bool alignment() {
    shape_.address = raw(map::global_address);
    const uint32_t unit = interleave_bytes_ == 32 || (is_padded(shape_.type_code) && !is_relaxed()) ? 32 : 16;
    return require("I-06", shape_.address % unit == 0, Kind::misaligned_address,
                   "its address is not a multiple of " + std::to_string(unit));
  }

  const TensorCopyRequest& request_;
  const Steps& steps_;
  TiledShape shape_;
  uint32_t interleave_bytes_ = 0;  ///< as the map says, whatever dimension 0 counts
  std::optional<TensorCopyFault> fault_;
};

}  // namespace

std::variant<TiledShape, TensorCopyFault> read_tensor_map(const TensorCopyRequest& request,
                                                          const Steps& steps,
                                                          const DeviceReadings& readings) {
  return MapReader(request, steps, readings).read();
}

}  // namespace assay::emulator
