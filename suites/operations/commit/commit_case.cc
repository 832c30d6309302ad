#include "suites/operations/commit/commit_case.h"

#include <bit>

#include "generators/rig.h"
#include "kernels/params/batch.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"

namespace assay {

// Beside the type, where the templates of case_fields.h find it.
template <typename Commit, typename Visit>
requires std::same_as<std::remove_const_t<Commit>, CommitCase>
void visit_fields(Commit& c, const Visit& visit) {
  visit("barrier_offset", c.barrier_offset);
  visit("cluster_size", c.cluster_size);
  visit("cta_mask", c.cta_mask);
  visit("generic", c.is_generic);
  visit("issuer_rank", c.issuer_rank);
  visit("issuer_thread", c.issuer_thread);
  visit("multicast", c.multicast);
  visit("tracked_bytes", c.tracked_bytes);
}

std::string what_is_wrong(const CommitCase& c) {
  const auto field = [](const char* name, uint32_t value, const char* why) {
    return "field '" + std::string(name) + "' of the case is " + std::to_string(value) + "; " + why + ".";
  };
  if (!std::has_single_bit(c.cluster_size) || c.cluster_size == 1 || c.cluster_size > params::largest_cluster)
    return field("cluster_size", c.cluster_size, "it is 2, 4, 8 or 16");
  if (c.issuer_rank >= c.cluster_size) return field("issuer_rank", c.issuer_rank, "there is no such CTA");
  if (c.issuer_thread >= 128) return field("issuer_thread", c.issuer_thread, "a CTA has 128 threads");
  if (c.cta_mask == 0 || (c.cta_mask >> c.cluster_size) != 0)
    return field("cta_mask", c.cta_mask, "it names CTAs of the cluster, one at least");
  if (!c.multicast && !std::has_single_bit(c.cta_mask))
    return field("cta_mask", c.cta_mask, "without a multicast it is one bit");
  if (c.barrier_offset != 0 && (c.barrier_offset % 8 != 0 || c.barrier_offset < commit_window_bytes ||
                                c.barrier_offset > gen::rig::max_window_bytes))
    return field("barrier_offset", c.barrier_offset, "the mbarriers lie on 8 bytes behind the window");
  if (c.tracked_bytes >= 1u << 20)
    return field("tracked_bytes", c.tracked_bytes, "an mbarrier takes up to 1048575");
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
