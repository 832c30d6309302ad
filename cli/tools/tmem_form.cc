// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/tmem_form.h"

#include "cli/command_line.h"
#include "reference/spec/instr_desc.h"

namespace assay::cli {

const layout::DLayoutRow& tmem_form(const LocateQuestion& question, bool is_scaled) {
  if (!spec::is_sm_10x(question.arch))
    throw UsageError("--arch", std::string(spec::name(question.arch)) + " has no tensor memory");
  const layout::DLayoutRow* const form =
      layout::find_d_layout(question.m, question.cta_group, question.ws, question.sparse);
  if (form == nullptr) {
    std::string forms;
    for (const layout::DLayoutRow& row : layout::d_layouts)
      if (row.cta_group == question.cta_group && row.ws.value_or(question.ws) == question.ws &&
          row.sparse.value_or(question.sparse) == question.sparse)
        forms += (forms.empty() ? "" : ", ") + std::to_string(row.m);
    throw UsageError(
        "--m", "this form of tcgen05.mma has no M of " + std::to_string(question.m) +
                   (forms.empty() ? "; .ws and .cta_group::2 exclude each other" : "; it has " + forms));
  }
  for (int kind = 0; kind < spec::mma_kind_count; ++kind) {
    const spec::MmaKindRow& row = spec::row_of(static_cast<spec::MmaKind>(kind));
    if (is_scaled && !row.is_mx) continue;
    const spec::InstrUse use{.kind = row.kind,
                             .arch = question.arch,
                             .cta_group = question.cta_group,
                             .ws = question.ws,
                             .sparse = question.sparse};
    if (spec::legal_shape(use, question.sparse, question.m, question.n, false)) return *form;
  }
  throw UsageError("--n", "no kind of tcgen05.mma" + std::string(is_scaled ? " with scale factors" : "") +
                              " has M " + std::to_string(question.m) + " and N " +
                              std::to_string(question.n) + " in this form");
}

std::string form_words(const LocateQuestion& question, const layout::DLayoutRow& form) {
  return std::string("tcgen05.mma") + (question.ws ? ".ws" : "") + (question.sparse ? ".sp" : "") + ", M " +
         std::to_string(form.m) + ", cta_group::" + std::to_string(form.cta_group) + ": layout " +
         std::string(1, form.letter) + " (data path " + std::string(form.datapath) + ")";
}

void demand_below(const std::string& option, uint64_t index, int count, const std::string& of_what) {
  if (index < static_cast<uint64_t>(count)) return;
  throw UsageError(
      option, std::to_string(index) + " is out of range; there are " + std::to_string(count) + " " + of_what);
}

}  // namespace assay::cli
