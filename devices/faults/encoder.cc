// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "devices/emulator/encode/map_encoder.h"
#include "devices/emulator/fault.h"
#include "devices/faults/rows.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

/// Tensor maps of the driver: what its encoders refuse, and what they write.
namespace assay::faults {
namespace {

using namespace emulator;
namespace bits = spec::tensor_map;

/// Tiled ones.
const Fault tiled[] = {
    {"encoder_address_alignment_unchecked", "The encoder takes addresses that are no multiple of 16.", "V-05",
     "driver.tensor_map.encode_im2col 72", &Steps::rule, unchecked<"V-05">},
    {"encoder_address_bit_56_dropped", "The encoder drops bit 56 of the address.", "MAP-R01",
     "driver.tensor_map.encode_im2col 27", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "global_address" ? value & ~(uint64_t{1} << 56) : value;
     }},
    // As a public workaround of libraries has it: small, and with gaps between its rows.
    {"encoder_bit_21_of_small_tensors",
     "The encoder sets bit 21 of word 2 for tensors below 128 KiB whose rows are not dense.", "MAP-R05",
     "driver.tensor_map.encode_tiled 193", &Steps::map_written,
     [](TensorMapBytes& map, const EncodeTiledArguments& args) {
       uint64_t rows = 1;
       for (uint32_t i = 1; i < args.rank; ++i) rows *= args.dim[i];
       if (args.rank < 2 || args.dim[0] > 65536 || rows > 65536 || args.stride[0] == 0) return;
       const bool is_small = args.stride[args.rank - 2] <= 131071 / args.dim[args.rank - 1];
       // No element has more than 8 bytes: rows so far apart have gaps.
       const bool has_gaps = args.stride[0] > 8 * args.dim[0];
       if (is_small && has_gaps) map[0x0a] |= std::byte{0x20};
     },
     alone},  // what the driver writes there was read off a driver for sm_90
    {"encoder_box_256_refused", "The encoder refuses a box extent of 256, which the rule allows.", "V-15",
     "driver.tensor_map.encode_tiled 3", &Steps::accepts,
     [](const EncodeTiledArguments& args) {
       for (uint32_t i = 0; i < args.rank; ++i)
         if (args.box[i] == 256) return false;
       return true;
     }},
    {"encoder_box_bytes_in_bits", "The encoder writes the size of the box in bits.", "MAP-R12",
     "driver.tensor_map.encode_im2col 1", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "box_bytes" ? value * 8 : value;
     },
     alone},  // as above
    {"encoder_box_dim_3_off_by_one", "The encoder writes a box extent one too small in dimension 3.",
     "MAP-R11", "driver.tensor_map.encode_tiled 3", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "box_dim" && field.index == 3 && value > 1 ? value - 1 : value;
     }},
    {"encoder_box_range_unchecked", "The encoder takes box extents of 0 and above 256.", "V-15",
     "driver.tensor_map.encode_tiled 544", &Steps::rule, unchecked<"V-15">},
    {"encoder_box_width_unchecked", "The encoder takes boxes that are no multiple of 16 bytes wide.", "V-16",
     "driver.tensor_map.encode_tiled 287", &Steps::rule, unchecked<"V-16">},
    {"encoder_dim_4_without_bias", "The encoder writes the extent of dimension 4 one too large.", "MAP-R09",
     "driver.tensor_map.encode_im2col 11", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "global_dim" && field.index == 4 && value < 0x80000000 ? value + 1 : value;
     }},
    {"encoder_dim_range_unchecked", "The encoder takes extents of 0 and above 2^32.", "V-09",
     "driver.tensor_map.encode_im2col 126", &Steps::rule, unchecked<"V-09">},
    {"encoder_fill_dropped", "The encoder writes zero fill for every map.", "MAP-R06",
     "driver.tensor_map.encode_im2col 1", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t { return field.name == "fill" ? 0 : value; }},
    {"encoder_interleave_32b_as_16b",
     "The encoder writes the code of the 16-byte interleave for the 32-byte one.", "MAP-R04",
     "driver.tensor_map.encode_im2col 1", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "interleave" && value == 2 ? 1 : value;
     }},
    {"encoder_interleave_rank_strict", "The encoder refuses every interleaved map.", "V-04",
     "driver.tensor_map.encode_tiled 5", &Steps::accepts,
     [](const EncodeTiledArguments& args) { return args.interleave == 0; }},
    {"encoder_interleave_rank_unchecked", "The encoder takes interleaved maps of rank 1 and 2.", "V-04",
     "driver.tensor_map.encode_tiled 510", &Steps::rule, unchecked<"V-04">},
    {"encoder_l2_promotion_dropped", "The encoder drops the L2 promotion.", "MAP-R07",
     "driver.tensor_map.encode_im2col 6", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "l2_promotion" ? 0 : value;
     }},
    {"encoder_largest_dim_one_less",
     "The encoder writes one less than 2^32 for an extent of 2^32, and is right for all others.", "MAP-R09",
     "driver.tensor_map.encode_im2col 4", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "global_dim" && value == uint64_t{1} << 32 ? value - 1 : value;
     }},
    {"encoder_nan_fill_unchecked", "The encoder takes NaN fill for integer types.", "V-27",
     "driver.tensor_map.encode_im2col 280", &Steps::rule, unchecked<"V-27">},
    {"encoder_refused_map_kept", "A refused call leaves the map as it was, whatever it is refused for.",
     "V-50", "driver.tensor_map.encode_im2col 8", &Steps::map_refused,
     [](TensorMapBytes& map, const TensorMapBytes& before) { map = before; },
     alone},  // what a later driver leaves there is known of none
    {"encoder_refused_map_keeps_book_keeping",
     "A refused call leaves what the driver keeps behind 0x40 as it was.", "V-50",
     "driver.tensor_map.encode_im2col 8", &Steps::map_refused,
     [](TensorMapBytes& map, const TensorMapBytes& before) {
       std::copy(before.begin() + 0x40, before.end(), map.begin() + 0x40);
     },
     alone},
    {"encoder_refused_map_sets_reserved", "A refused call sets a bit of the map that belongs to no field.",
     "V-50", "driver.tensor_map.encode_im2col 8", &Steps::map_refused,
     [](TensorMapBytes& map, const TensorMapBytes&) { map[127] |= std::byte{0x80}; }, alone},
    {"encoder_replaced_address_keeps_top",
     "cuTensorMapReplaceAddress leaves bits 56:48 of the address as they were.", "MAP-R01",
     "driver.tensor_map.replace_address 5", &Steps::address_replaced,
     [](TensorMapBytes& map, const TensorMapBytes& before) { map[6] = before[6], map[7] = before[7]; }},
    {"encoder_replaced_address_clears_book_keeping",
     "cuTensorMapReplaceAddress clears what the driver keeps behind 0x40.", "V-42",
     "driver.tensor_map.replace_address 1", &Steps::address_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&) {
       std::fill(map.begin() + 0x40, map.end(), std::byte{0});
     },
     alone},
    {"encoder_replaced_address_sets_type",
     "cuTensorMapReplaceAddress of an address above 2^56 clears the tf32 flag and the element type.", "V-42",
     "driver.tensor_map.replace_address 6", &Steps::address_replaced,
     [](TensorMapBytes& map, const TensorMapBytes&) {
       if ((map[7] & std::byte{1}) == std::byte{0}) return;
       spec::put_raw(map, bits::type, 0);
       spec::put_raw(map, bits::tf32, 0);
     }},
    {"encoder_replaced_address_unchecked",
     "cuTensorMapReplaceAddress takes 0 and addresses of any alignment.", "V-42",
     "driver.tensor_map.replace_address 4", &Steps::rule, unchecked<"V-42">},
    {"encoder_stride_alignment_unchecked", "The encoder takes strides that are no multiple of 16.", "V-12",
     "driver.tensor_map.encode_im2col 119", &Steps::rule, unchecked<"V-12">},
    {"encoder_stride_high_bits_dropped", "The encoder drops bits 39:36 of the strides.", "MAP-R08",
     "driver.tensor_map.encode_im2col 11", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "global_stride" ? value & 0xfffffffff : value;
     }},
    {"encoder_stride_range_unchecked", "The encoder takes strides of 2^40 and above.", "V-13",
     "driver.tensor_map.encode_im2col 222", &Steps::rule, unchecked<"V-13">},
    {"encoder_stride_zero_refused", "The encoder refuses a stride of 0, which the rule allows.", "V-12",
     "driver.tensor_map.encode_tiled 93", &Steps::accepts,
     [](const EncodeTiledArguments& args) {
       for (uint32_t i = 0; i + 1 < args.rank; ++i)
         if (args.stride[i] == 0) return false;
       return true;
     }},
    {"encoder_swizzle_64b_as_32b", "The encoder writes the code of the 32-byte swizzle for the 64-byte one.",
     "MAP-R05", "driver.tensor_map.encode_im2col 16", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "swizzle_width" && value == 2 ? 1 : value;
     }},
    {"encoder_swizzle_span_unchecked", "The encoder takes boxes wider than the swizzle span.", "V-23",
     "driver.tensor_map.encode_im2col 358", &Steps::rule, unchecked<"V-23">},
    {"encoder_swizzled_interleave_refused",
     "The encoder refuses the 128-byte swizzle with a 16-byte interleave.", "V-24",
     "driver.tensor_map.encode_tiled 169", &Steps::accepts,
     [](const EncodeTiledArguments& args) {
       return args.interleave != spec::host_interleave::by_16B || args.swizzle != spec::host_swizzle::by_128B;
     }},
    {"encoder_traversal_8_refused",
     "The encoder refuses a traversal stride of 8 in dimension 4, which the rule allows.", "V-18",
     "driver.tensor_map.encode_tiled 315", &Steps::accepts,
     [](const EncodeTiledArguments& args) { return args.rank < 5 || args.traversal[4] != 8; }},
    {"encoder_traversal_misplaced", "The encoder writes traversal stride 1 wherever 8 is asked for.",
     "MAP-R10", "driver.tensor_map.encode_im2col 6", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "element_stride" && value == 8 ? 1 : value;
     }},
    {"encoder_traversal_range_unchecked", "The encoder takes traversal strides above 8.", "V-18",
     "driver.tensor_map.encode_im2col 262", &Steps::rule, unchecked<"V-18">},
    {"encoder_type_bit_dropped", "The encoder drops the highest bit of the element type.", "MAP-R03",
     "driver.tensor_map.encode_im2col 1", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "type" ? value & 7 : value;
     }},
};

/// Those of im2col and of im2col::w.
const Fault encoder_im2col[] = {
    {"encoder_im2col_channels_256_refused", "The im2col encoder refuses 256 channels.", "V-32",
     "driver.tensor_map.encode_im2col 6", &Steps::accepts_im2col,
     [](const EncodeIm2colArguments& args) { return args.channels != 256; }},
    {"encoder_im2col_channels_off_by_one", "The channels of a pixel are written one too small above 128.",
     "MAP-R15", "driver.tensor_map.encode_im2col 1", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "channels" && value > 128 ? value - 1 : value;
     }},
    {"encoder_im2col_channels_range_unchecked", "The im2col encoder takes any number of channels.", "V-32",
     "driver.tensor_map.encode_im2col 502", &Steps::rule, unchecked<"V-32">},
    {"encoder_im2col_channels_width_unchecked",
     "The im2col encoder takes pixels that are no multiple of 16 bytes wide.", "V-35",
     "driver.tensor_map.encode_im2col 160", &Steps::rule, unchecked<"V-35">},
    {"encoder_im2col_corner_of_depth_sign_lost", "A negative upper corner of D is written as its magnitude.",
     "MAP-R16", "driver.tensor_map.encode_im2col 18", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       const auto corner = static_cast<int32_t>(static_cast<uint32_t>(value));
       const bool is_it = field.name == "upper_corner" && field.index == 2;
       return is_it && corner < 0 ? static_cast<uint32_t>(-corner) : value;
     }},
    {"encoder_im2col_corner_range_unchecked", "The im2col encoder takes corners of any size.", "V-31",
     "driver.tensor_map.encode_im2col 88", &Steps::rule, unchecked<"V-31">},
    {"encoder_im2col_corners_exchanged", "At rank 4 the corners of W and H are swapped.", "MAP-R16",
     "driver.tensor_map.encode_im2col 1", &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.rank != 4 || args.wide) return;
       std::swap(map[0x38], map[0x39]);
       std::swap(map[0x3a], map[0x3b]);
     }},
    {"encoder_im2col_empty_box_unchecked", "The im2col encoder takes pixel boxes without pixels.", "V-34",
     "driver.tensor_map.encode_im2col 87", &Steps::rule, unchecked<"V-34">},
    {"encoder_im2col_lowest_corner_refused", "The im2col encoder refuses the lowest corner of rank 5.",
     "V-31", "driver.tensor_map.encode_im2col 11", &Steps::accepts_im2col,
     [](const EncodeIm2colArguments& args) {
       if (args.rank != 5 || args.wide) return true;
       for (int k = 0; k < 3; ++k)
         if (args.lower[k] == -16) return false;
       return true;
     }},
    {"encoder_im2col_mode_lost", "An im2col map of rank 5 says that it is tiled.", "MAP-R14",
     "driver.tensor_map.encode_im2col 4", &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.rank == 5 && !args.wide) spec::put_raw(map, bits::mode, 0);
     }},
    {"encoder_im2col_pixels_range_unchecked", "The im2col encoder takes any number of pixels.", "V-33",
     "driver.tensor_map.encode_im2col 462", &Steps::rule, unchecked<"V-33">},
    {"encoder_im2col_pixels_without_bias", "The pixels of a column are written as they are.", "MAP-R17",
     "driver.tensor_map.encode_im2col 1", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "pixels" && value < 1024 ? value + 1 : value;
     }},
    {"encoder_im2col_upper_as_lower", "The upper corners are written in place of the lower ones too.",
     "MAP-R16", "driver.tensor_map.encode_im2col 1", &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.wide) return;
       map[0x38] = map[0x3a];
       map[0x39] = map[0x3b];
     }},
    {"encoder_im2col_wide_height_cornered", "The wide encoder writes the lower corner of W for H as well.",
     "MAP-R16", "driver.tensor_map.encode_im2col_wide 11", &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.wide && args.rank == 4) map[0x39] = map[0x38];
     },
     alone},  // what a later driver writes there nobody has read off it
    {"encoder_im2col_wide_mode_unchecked", "The wide encoder takes any mode.", "V-40",
     "driver.tensor_map.encode_im2col_wide 590", &Steps::rule, unchecked<"V-40">},
};

}  // namespace
}  // namespace assay::faults
