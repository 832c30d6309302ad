#include <utility>

#include "devices/emulator/encode/encode_im2col.h"
#include "devices/emulator/fault.h"
#include "reference/spec/im2col_map_bits.h"

/// im2col tensor maps: what the encoders refuse, and what they write.
namespace assay::faults::encoder_im2col {
namespace {

using namespace emulator;
namespace bits = spec::tensor_map;

const Fault rows[] = {
    {"encoder_im2col_channels_256_refused", "The im2col encoder refuses 256 channels.", "V-32",
     &Steps::accepts_im2col, [](const EncodeIm2colArguments& args) { return args.channels != 256; }},
    {"encoder_im2col_channels_off_by_one", "The channels of a pixel are written one too small above 128.",
     "MAP-R15", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "channels" && value > 128 ? value - 1 : value;
     }},
    {"encoder_im2col_channels_range_unchecked", "The im2col encoder takes any number of channels.", "V-32",
     &Steps::rule, [](std::string_view id, bool holds) { return id == "V-32" || holds; }},
    {"encoder_im2col_channels_width_unchecked",
     "The im2col encoder takes pixels that are no multiple of 16 bytes wide.", "V-35", &Steps::rule,
     [](std::string_view id, bool holds) { return id == "V-35" || holds; }},
    {"encoder_im2col_corner_of_depth_sign_lost", "A negative upper corner of D is written as its magnitude.",
     "MAP-R16", &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       const auto corner = static_cast<int32_t>(static_cast<uint32_t>(value));
       const bool is_it = field.name == "upper_corner" && field.index == 2;
       return is_it && corner < 0 ? static_cast<uint32_t>(-corner) : value;
     }},
    {"encoder_im2col_corner_range_unchecked", "The im2col encoder takes corners of any size.", "V-31",
     &Steps::rule, [](std::string_view id, bool holds) { return id == "V-31" || holds; }},
    {"encoder_im2col_corners_exchanged", "At rank 4 the corners of W and H change places.", "MAP-R16",
     &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.rank != 4 || args.wide) return;
       std::swap(map[0x38], map[0x39]);
       std::swap(map[0x3a], map[0x3b]);
     }},
    {"encoder_im2col_empty_box_unchecked", "The im2col encoder takes pixel boxes without pixels.", "V-34",
     &Steps::rule, [](std::string_view id, bool holds) { return id == "V-34" || holds; }},
    {"encoder_im2col_lowest_corner_refused", "The im2col encoder refuses the lowest corner of rank 5.",
     "V-31", &Steps::accepts_im2col,
     [](const EncodeIm2colArguments& args) {
       if (args.rank != 5 || args.wide) return true;
       for (int k = 0; k < 3; ++k)
         if (args.lower[k] == -16) return false;
       return true;
     }},
    {"encoder_im2col_mode_lost", "An im2col map of rank 5 says that it is tiled.", "MAP-R14",
     &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.rank == 5 && !args.wide) spec::put_raw(map, bits::mode, 0);
     }},
    {"encoder_im2col_pixels_range_unchecked", "The im2col encoder takes any number of pixels.", "V-33",
     &Steps::rule, [](std::string_view id, bool holds) { return id == "V-33" || holds; }},
    {"encoder_im2col_pixels_without_bias", "The pixels of a column are written as they are.", "MAP-R17",
     &Steps::encoded,
     [](const spec::Field& field, uint64_t value) -> uint64_t {
       return field.name == "pixels" && value < 1024 ? value + 1 : value;
     }},
    {"encoder_im2col_upper_as_lower", "The upper corners are written in place of the lower ones too.",
     "MAP-R16", &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.wide) return;
       map[0x38] = map[0x3a];
       map[0x39] = map[0x3b];
     }},
    {"encoder_im2col_wide_height_cornered",
     "The wide encoder writes the lower corner of W for H as well.",
     "MAP-R16",
     &Steps::im2col_map_written,
     [](TensorMapBytes& map, const EncodeIm2colArguments& args) {
       if (args.wide && args.rank == 4) map[0x39] = map[0x38];
     },
     {.alone = true}},  // what a later driver writes there nobody has read off it
    {"encoder_im2col_wide_mode_unchecked", "The wide encoder takes any mode.", "V-40", &Steps::rule,
     [](std::string_view id, bool holds) { return id == "V-40" || holds; }},
};

}  // namespace
}  // namespace assay::faults::encoder_im2col
