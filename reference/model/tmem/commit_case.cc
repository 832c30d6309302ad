// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/commit_case.h"

#include <bit>

#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"
#include "reference/model/rig.h"

namespace assay {

std::string what_is_wrong(const CommitCase& c) {
  const auto field = [](const char* name, uint32_t value, const char* why) {
    return "field '" + std::string(name) + "' of the case is " + std::to_string(value) + "; " + why + ".";
  };
  if (std::string wrong = model::fields::wrong_field(c); !wrong.empty()) return wrong;
  if (c.issuer_rank >= c.cluster_size) return field("issuer_rank", c.issuer_rank, "there is no such CTA");
  if (c.cta_mask == 0 || (c.cta_mask >> c.cluster_size) != 0)
    return field("cta_mask", c.cta_mask, "it names CTAs of the cluster, one at least");
  if (!c.multicast && !std::has_single_bit(c.cta_mask))
    return field("cta_mask", c.cta_mask, "without a multicast it is one bit");
  if (c.barrier_offset != 0 && c.barrier_offset < commit_window_bytes)
    return field("barrier_offset", c.barrier_offset, "the mbarriers lie behind the window");
  return {};
}

nlohmann::json to_json(const CommitCase& c) {
  return model::fields::written(c);
}

CommitCase commit_case_from_json(const nlohmann::json& from) {
  const auto c = model::fields::read_case<CommitCase>(from);
  if (const std::string wrong = what_is_wrong(c); !wrong.empty()) throw std::runtime_error(wrong);
  return c;
}

nlohmann::json commit_case_schema() {
  return model::fields::schema_of(CommitCase());
}

}  // namespace assay
