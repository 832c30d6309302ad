#include "reference/model/gather_json.h"

#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/tiled_fields.h"

namespace assay {

// Beside the type, where the templates of case_fields.h find it.
template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, GatherCase>
void visit_fields(Copy& copy, const Visit& visit) {
  visit("cta_group", copy.cta_group);
  visit("peer_barrier", copy.peer_barrier);
  visit("tile", copy.tile);
  visit("unicast", copy.unicast);
}

}  // namespace assay

namespace assay::model {

nlohmann::json to_json(const GatherCase& copy) {
  return fields::written(copy);
}
GatherCase gather_case_from_json(const nlohmann::json& from) {
  return fields::read_case<GatherCase>(from);
}

template nlohmann::json case_schema<GatherCase>();

}  // namespace assay::model
