// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/spec/mma_kind.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {

/// One dot product as the files of the adder write it: types by name, codes in hexadecimal, "-" for what is
/// not there.
struct DotText {
  std::string family, param_set, k, a_type, b_type, d_type, scale_type, scale_block, a, b, c, scales_a,
      scales_b, d;
  std::string metadata = {};  ///< of a sparse A: a digit a code, "-" or empty without
  uint32_t selector = 0;
  bool is_ordered = false;
};

/// Codes in hexadecimal with blanks between them; "-" is none.
std::vector<uint32_t> codes_of_text(const std::string& text);
/// The code of a type in the instruction descriptor of a kind; nothing where the kind lacks it.
std::optional<uint32_t> type_code(spec::MmaKind kind, bool is_a, std::string_view type);

/// The tcgen05.mma that computes it in every element of D; nothing for other families and for more than 32
/// bytes of an operand.
std::optional<RowCase> tcgen05_dot_as_case(const DotText& dot);

/// The wgmma or mma.sync that computes a dot product in every element of D, of a sparse A too, with a kind on
/// sm_120 alone; nothing for other families. Throws NoCase for types or depths that they lack.
std::optional<RowCase> warp_dot_as_case(const DotText& dot);

/// All registers of a warp before and after mma.sp, lane by lane as rows of files have them.
struct FragmentText {
  std::string a_type, b_type, d_type;
  bool saturates = false;
  uint32_t k = 0;  ///< of the instruction
  uint32_t selector = 0;
  bool is_ordered = false;
  std::vector<uint32_t> a, b, c, d, metadata;  ///< as many a lane as the instruction takes
};
/// The mma.sp that has these registers. Throws NoCase for types or depths that it lacks.
RowCase warp_fragment_as_case(const FragmentText& fragment);

}  // namespace assay::vectors
