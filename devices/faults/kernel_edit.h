#pragma once

#include <string>
#include <string_view>

/// Kernels made wrong: PTX text in, PTX text with as many lines out, so that what is reported still names the
/// line.
namespace assay::faults {

/// Every instruction whose text begins so is left out.
std::string without(std::string_view ptx, std::string_view instruction);

/// `to` stands wherever `from` did.
std::string replaced(std::string_view ptx, std::string_view from, std::string_view to);

/// In each entry and function, the last wait on an mbarrier before the first instruction that begins with
/// `use` succeeds at once. `nth` 1: the wait before that one. A label may stand before the instruction.
std::string without_wait_before(std::string_view ptx, std::string_view use, int nth = 0);

/// In every line that has `word`, `from` is written as `to`.
std::string altered(std::string_view ptx, std::string_view word, std::string_view from, std::string_view to);

}  // namespace assay::faults
