#include "reference/model/scale_copy.h"

#include "reference/model/tcgen05_mma_form.h"
#include "reference/model/tcgen05_mma_scale.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/smem_desc.h"

namespace assay::model {

using spec::rule;

uint32_t filled_scale_columns(const Tcgen05MmaCase& c, bool is_a) {
  const uint32_t read = scale_columns(c, is_a);
  return c.scales_copied ? (read + scale_copy_columns - 1) / scale_copy_columns * scale_copy_columns : read;
}

uint32_t copied_scale_bytes(const Tcgen05MmaCase& c, bool is_a) {
  if (!c.scales_copied) return 0;
  return (is_a ? c.a_scales : c.b_scales).columns / scale_copy_columns * scale_copy_bytes;
}

uint64_t scale_copy_descriptor() {
  // Eight rows of 16 bytes lie together, the next eight behind them; of the one column nothing leads on.
  return spec::encode_smem_desc(matrix_of({.start = 0, .leading_offset = 16, .stride_offset = 128}));
}

uint32_t scale_copy_source(const Tcgen05MmaCase& c, const spec::Readings& readings, uint32_t cta) {
  if (c.cta_group == 1) return 0;
  const uint32_t from = readings.is({"AMB-27", "memory_of_issuer"}) ? (c.odd_cta_issues ? 1u : 0u) : cta;
  if (readings.bend() == nullptr || readings.bend()->tmem_copy.source_cta == nullptr) return from;
  return static_cast<uint32_t>(readings.bend()->tmem_copy.source_cta(static_cast<int>(from)));
}

bool have_scales_apart(const Tcgen05MmaCase& c, std::span<const uint32_t> cells) {
  if (!c.scales_copied) return false;
  for (const ScalesInTensorMemory& scales : {c.a_scales, c.b_scales})
    for (size_t lane = 0; lane < size_t{c.cta_group} * tmem_lanes; ++lane) {
      const size_t first = lane / tmem_lanes * tmem_lanes + lane % 32;
      for (size_t column = scales.column; column < scales.column + scales.columns; ++column)
        if (cells[lane * c.alloc_columns + column] != cells[first * c.alloc_columns + column]) return true;
    }
  return false;
}

void mark_scale_copy_rules(const Tcgen05MmaCase& c, spec::RuleSet& rules) {
  if (!c.scales_copied) return;
  rules.set(rule("TCP-R05")).set(rule("TCP-R13")).set(rule("SMEM-R11")).set(rule("SMEM-R12"));
  if (c.cta_group == 2) rules.set(rule("TCP-R08"));
}

}  // namespace assay::model
