#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/gemm.h"
#include "reference/model/operand_fields.h"

namespace assay {

template <typename Gemm, typename Visit>
requires std::same_as<std::remove_const_t<Gemm>, GemmCase>
void visit_fields(Gemm& c, const Visit& visit) {
  visit("a_fill", c.a_fill);
  visit("a_gap", c.a_gap);
  visit("a_scale_fill", c.a_scale_fill);
  visit("a_type", c.a_type);
  visit("asking", c.asking);
  visit("b_fill", c.b_fill);
  visit("b_gap", c.b_gap);
  visit("b_scale_fill", c.b_scale_fill);
  visit("b_type", c.b_type);
  visit("c_fill", c.c_fill);
  visit("cta_group", c.cta_group);
  visit("d_gap", c.d_gap);
  visit("grouped", c.grouped);
  visit("k", c.k);
  visit("launch_control", c.launch_control);
  visit("m", c.m);
  visit("n", c.n);
  visit("reduces", c.reduces);
  visit("tile_n", c.tile_n);
  visit("type", c.type);
}

}  // namespace assay

namespace assay::model {

nlohmann::json to_json(const GemmCase& c) {
  return fields::written(c);
}

GemmCase gemm_case_from_json(const nlohmann::json& from) {
  const GemmCase c = fields::read_case<GemmCase>(from);
  if (!fits_rig(c))
    throw std::runtime_error(
        "the pipeline has no such product: type must be 0 to 10, tile_n 32, 64 or 128 (256 with "
        "cta_group 2 and neither scales nor a sparse A, with which 128 needs cta_group 2), m, n and k 1 to " +
        std::to_string(most_gemm_extent) +
        ", k even with 4-bit types, a multiple of 4 with a sparse A and of 128 where a_type and b_type have "
        "fewer than 8 bits, these two 0 but with types 2 and 3, of which they are 0, 1, 3, 4 or 5, gaps "
        "below 64, and asking 0, or up to 3 with launch_control.");
  return c;
}

template nlohmann::json case_schema<GemmCase>();

}  // namespace assay::model
