#include <string_view>

#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/tcgen05_scales.h"
#include "devices/emulator/tensor/tcgen05_sparse.h"

/// Sparse A of tcgen05.mma: where the metadata lie, what a code names, what scales count for.
namespace assay::faults::tcgen05_sparse {
namespace {

using namespace emulator;
using Request = MetadataRequest;
using Descriptor = InstructionDescriptor;

bool is_type(const Descriptor& d, std::string_view name) {
  return d.a->name == name;
}
/// Kinds f16 and tf32.
bool is_wide(const Descriptor& d) {
  return d.a->storage_bits >= 16;
}
bool is_2_of_4(const Descriptor& d) {
  return !d.is_packed && d.a->storage_bits != 32;
}
MetadataCell of_row(Request request, uint32_t row) {
  request.row = row;
  return metadata_cell(request);
}
MetadataCell of_number(Request request, uint32_t number) {
  request.number = number;
  return metadata_cell(request);
}

const Fault rows[] = {
    {"sparse_codes_exchanged", "Neighbouring codes of a row are taken for each other.", "SPARSE-R06",
     &Tcgen05Steps::metadata, [](const Request& r) { return of_number(r, r.number ^ 1); }},
    {"sparse_codes_exchanged_in_mxf4nvf4", "Only in kind::mxf4nvf4 neighbouring codes are exchanged.",
     "SPARSE-R06", &Tcgen05Steps::metadata,
     [](const Request& r) {
       return r.mma->form.kind == MmaKind::mxf4nvf4 ? of_number(r, r.number ^ 1) : metadata_cell(r);
     }},
    {"sparse_columns_exchanged", "The codes of the second half of K lie in the first of two columns.",
     "SPARSE-R06", &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (!is_wide(r.mma->descriptor)) right.column ^= 1;
       return right;
     }},
    {"sparse_metadata_column_of_four",
     "Metadata of 16- and 32-bit types begin at a multiple of four columns: those of two instructions "
     "before.",
     "(ptx, tcgen05, sparse matrices)", &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (is_wide(r.mma->descriptor)) right.column -= r.mma->metadata.column % 4;
       return right;
     }},
    {"sparse_second_column_as_first", "The codes of the second half of K are those of the first.",
     "SPARSE-R06", &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (!is_wide(r.mma->descriptor)) right.column = 0;
       return right;
     }},
    {"sparse_last_row_as_before", "The last row of a CTA has the metadata of the one before it.",
     "SPARSE-R06", &Tcgen05Steps::metadata,
     [](const Request& r) {
       return r.row == r.mma->layout.cta_rows - 1 ? of_row(r, r.row - 1) : metadata_cell(r);
     }},
    {"sparse_columns_wrap_at_256", "Metadata from column 256 on are read 256 columns before.", "SPARSE-R06",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (r.mma->metadata.column >= 256) right.column -= 256;
       return right;
     }},
    {"sparse_selector_ignored", "The selector is taken for 0.", "SPARSE-R07", &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (is_wide(r.mma->descriptor)) right.column = 0;
       return right;
     }},
    {"sparse_selector_ignored_in_tf32", "In kind::tf32 the selector is taken for 0.", "SPARSE-R07",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (is_type(r.mma->descriptor, "tf32")) right.column = 0;
       return right;
     }},
    {"sparse_rows_not_interleaved", "The metadata of kind::f16 lie in their row's own lane.", "SPARSE-R05",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (!is_wide(r.mma->descriptor) || is_type(r.mma->descriptor, "tf32")) return right;
       const uint32_t own = of_row(r, r.row / 16 * 16).lane + r.row % 16;
       right.lane = own - r.number / 4 * 8, right.nibble = r.number;
       return right;
     }},
    {"sparse_upper_rows_in_low_halves", "Rows 8 to 15 of every 16 have the metadata of rows 0 to 7.",
     "SPARSE-R05", &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (is_wide(r.mma->descriptor)) right.nibble %= 4;
       return right;
     }},
    {"sparse_upper_codes_in_lower_lane", "The last four codes of a row are its first four.", "SPARSE-R05",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       return is_wide(r.mma->descriptor) ? of_number(r, r.number % 4) : metadata_cell(r);
     }},
    {"sparse_rows_exchanged_in_bf16", "In bf16 rows r and r + 8 have each other's metadata.", "SPARSE-R05",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       return is_type(r.mma->descriptor, "bf16") ? of_row(r, r.row ^ 8) : metadata_cell(r);
     }},
    {"sparse_other_half_of_lanes",
     "Where D lies in 16 of every 32 lanes the metadata are read in the others.", "SPARSE-R08",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (r.mma->layout.is_scattered) right.lane ^= 16;
       return right;
     }},
    {"sparse_pair_lower_half_of_lanes",
     "On a pair with M of 128 the metadata are read in the lower 16 lanes.", "SPARSE-R08",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       MetadataCell right = metadata_cell(r);
       if (r.mma->layout.name == 'C') right.lane &= ~16u;
       return right;
     }},
    {"sparse_ws_last_group_as_before", "With M of 32 the last group of lanes has the metadata of the third.",
     "SPARSE-R09", &Tcgen05Steps::metadata,
     [](const Request& r) {
       Request other = r;
       if (r.group == 3) other.group = 2;
       return metadata_cell(other);
     }},

    {"sparse_places_exchanged", "Bits 3:2 of a code name the place of the first kept element.", "SPARSE-R02",
     &Tcgen05Steps::met,
     [](const Descriptor& d, uint32_t code, uint32_t number) {
       return met_element(d, is_2_of_4(d) ? (code << 2 | code >> 2) & 0xf : code, number);
     }},
    {"sparse_place_3_as_2", "A kept element in the last place meets the one before it.", "SPARSE-R02",
     &Tcgen05Steps::met,
     [](const Descriptor& d, uint32_t code, uint32_t number) -> uint32_t {
       const uint32_t right = met_element(d, code, number);
       return is_2_of_4(d) && right == 3 ? 2 : right;
     }},
    {"sparse_i8_code_1001_as_1000",
     "In kind::i8 code 1001 counts as 1000.",
     "SPARSE-R02",
     &Tcgen05Steps::metadata_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t {
       return d.d->name == "s32" && code == 0b1001 ? 0b1000 : code;
     },
     {.alone = true}},  // kind::i8 is not on sm_103a (IDESC-R18)
    {"sparse_tf32_second_as_first", "In tf32 a kept element meets the first of two, whatever the code.",
     "SPARSE-R03", &Tcgen05Steps::metadata_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t {
       return is_type(d, "tf32") && code == 0b1110 ? 0b0100 : code;
     }},
    {"sparse_pairs_as_2_of_4",
     "In the kinds of packed 4-bit elements a place is one of elements, not of pairs.", "SPARSE-R04",
     &Tcgen05Steps::met,
     [](const Descriptor& d, uint32_t code, uint32_t number) -> uint32_t {
       if (!d.is_packed) return met_element(d, code, number);
       return (number % 2 == 0 ? code & 3 : code >> 2) + number / 2 * 4;
     }},
    {"sparse_pair_elements_swapped", "The elements of a pair are met in the other order.", "SPARSE-R04",
     &Tcgen05Steps::met,
     [](const Descriptor& d, uint32_t code, uint32_t number) -> uint32_t {
       return met_element(d, code, number) ^ (d.is_packed ? 1 : 0);
     }},
    {"sparse_code_1101_rarely_1100", "Code 1101 counts as 1100 where e2m3 is multiplied by e2m1.",
     "SPARSE-R02", &Tcgen05Steps::metadata_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t {
       return is_type(d, "e2m3") && d.b->name == "e2m1" && code == 0b1101 ? 0b1100 : code;
     }},
    {"sparse_row_77_of_256_columns",
     "With N of 256 row 77 has the metadata of row 76.",
     "SPARSE-R06",
     &Tcgen05Steps::metadata,
     [](const Request& r) {
       return r.mma->descriptor.n == 256 && r.row == 77 ? of_row(r, 76) : metadata_cell(r);
     },
     {.rare = true}},
    {"sparse_scale_of_two_blocks", "A scale of A counts for two blocks of a sparse K.", "SPARSE-R11",
     &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleRequest other = r;
       if (r.is_a && r.mma->form.is_sparse) other.number /= 2;
       return scale_cell(other);
     }},
};

}  // namespace
}  // namespace assay::faults::tcgen05_sparse
