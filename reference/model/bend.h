#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/model/encode_bend.h"
#include "reference/model/mma_bend.h"
#include "reference/model/reduction_bend.h"
#include "reference/model/tiled_bend.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// One rule altered: what a device would do that had it wrong in this one way. A prediction made with a bend
/// in its Readings is that of such a device; a failing case is explained by the rule whose bend gives what
/// came out. Written from the sentences of the rules: left out, off by one, rounded the other way, a field
/// too narrow, two things exchanged.
struct Bend {
  spec::RuleIndex rule = 0;
  std::string_view words;    ///< what such a device did: goes on after "as if "
  bool is_left_out = false;  ///< the rule forbids something, and is not checked
  TiledBend copy;
  EncodeBend encode;
  MmaBend mma;
  ReductionBend reduction;
};

/// By what they change.
std::span<const Bend> tiled_bends();
std::span<const Bend> encode_bends();
std::span<const Bend> reduction_bends();
std::span<const Bend> mma_bends();
std::span<const Bend> hopper_bends();
std::span<const Bend> tmem_access_bends();

/// True when the bend of these readings leaves the rule out.
bool is_left_out(const spec::Readings& readings, spec::RuleIndex rule);

}  // namespace assay::model
