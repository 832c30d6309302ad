// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "reference/spec/rule.h"
#include "suites/run/family.h"

/// What a device did where no document says what it must do, in words that count well: few, and the same ones
/// for the same behaviour.
namespace assay::suites {

/// How the bytes that nothing defines came out.
enum class OpenBytes : uint8_t { as_they_were, as_if_right, zeros, others };

/// `before`: what an instruction that does nothing leaves, open where `mask` is 0. `right`: what the same
/// instruction without what is wrong with it gives, where its own mask, if any, defines it; empty: there is
/// none.
OpenBytes open_bytes(std::span<const std::byte> output, std::span<const std::byte> before,
                     std::span<const std::byte> mask, std::span<const std::byte> right,
                     std::span<const std::byte> right_mask);

/// "done, D as it was, where IDESC-R05 is broken". `of`: what the open bytes are; empty where they were not
/// read.
std::string open_result(const RecordEnd& end, std::string_view of, OpenBytes bytes,
                        const spec::RuleSet& broken);
/// The same of a case that a family judges by its bytes. `right`: the case without what is wrong with it;
/// what that gives is not looked for where it demands nothing either.
std::string open_result_beside(const Family&, const Case& right, std::string_view of, const Expected&,
                               const spec::Readings&, const RecordEnd& end,
                               std::span<const std::byte> output);

}  // namespace assay::suites
