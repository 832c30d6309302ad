#include "kernels/forms/records.h"

namespace assay::forms {
namespace {

uint32_t mma_opcode(const params::Tcgen05MmaRecord& r, params::Collector how) {
  const Forms& forms = forms_of(r);
  const uint32_t kind = static_cast<uint32_t>(r.kind), collector = static_cast<uint32_t>(how);
  const uint32_t a = r.flags & params::mma_a_in_tmem ? 1 : 0;
  if (r.flags & params::mma_ws)
    return forms.opcode({kind, a, r.flags & params::mma_zero_column_mask ? 1u : 0u,
                         collector == 0 ? 0 : r.collector_buffer * 4 + collector});
  return forms.opcode({kind, a, r.flags & params::mma_disable_output_lane ? 1u : 0u, collector,
                       r.flags & params::mma_scale_input_d ? r.scale_input_d + 1u : 0u});
}

}  // namespace

const Forms& forms_of(const params::Tcgen05MmaRecord& r) {
  static const Forms &one = forms("tcgen05.mma"), &pair = forms("tcgen05.mma.pair"),
                     &ws = forms("tcgen05.mma.ws");
  return r.flags & params::mma_ws ? ws : r.cta_group == 2 ? pair : one;
}
uint32_t opcode_of(const params::Tcgen05MmaRecord& r) {
  return mma_opcode(r, r.collector);
}
uint32_t filling_opcode_of(const params::Tcgen05MmaRecord& r) {
  return mma_opcode(r, params::Collector::fill);
}

const Forms& forms_of(const params::TmemAccessRecord& r) {
  static const Forms &ld = forms("tcgen05.ld"), &st = forms("tcgen05.st");
  return r.is_store ? st : ld;
}
uint32_t opcode_of(const params::TmemAccessRecord& r) {
  return forms_of(r).opcode({static_cast<uint32_t>(r.shape), r.count, r.packs, r.split});
}

const Forms& forms_of(const params::WgmmaRecord&) {
  static const Forms& all = forms("wgmma");
  return all;
}
uint32_t opcode_of(const params::WgmmaRecord& r) {
  return forms_of(r).opcode({static_cast<uint32_t>(params::wgmma_form_types(r.form)),
                             params::wgmma_form_n(r.form), params::wgmma_form_modifiers(r.form)});
}

const Forms& forms_of(const params::MmaSyncRecord&) {
  static const Forms& all = forms("mma.sync");
  return all;
}
uint32_t opcode_of(const params::MmaSyncRecord& r) {
  return forms_of(r).opcode({static_cast<uint32_t>(params::mma_sync_form_types(r.form)),
                             params::mma_sync_form_m(r.form) << 8 | params::mma_sync_form_k(r.form)});
}

const Forms& forms_of(const params::MmaSyncF64Record&) {
  static const Forms& all = forms("mma.sync.f64");
  return all;
}
uint32_t opcode_of(const params::MmaSyncF64Record& r) {
  return r.m > 0xff || r.k > 0xff ? Forms::none : forms_of(r).opcode({r.m << 8 | r.k});
}

}  // namespace assay::forms
