// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/spellings.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/expand.h"
#include "kernels/forms/families.h"

namespace assay::forms {
namespace {

constexpr std::string_view property_of_kernels = "kernels";
constexpr std::string_view registers =
    ".reg .b32 r<160>;\n.reg .b64 l<8>;\n.reg .b16 h<8>;\n.reg .f64 d<16>;\n.reg .pred p<4>;\n";

/// The i-th operand of a family as one of those registers.
std::string register_for(const Forms& forms, size_t i) {
  const std::span<const Operand> operands = forms.operands();
  size_t before = 0;
  for (size_t j = 0; j < i; ++j) before += operands[j].kind == operands[i].kind;
  return operands[i].kind + std::to_string(before);
}

std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

/// What a stored case calls a choice.
std::string name_in(const Axis& axis, const Choice& choice) {
  const auto twins = std::count_if(axis.choices.begin(), axis.choices.end(),
                                   [&](const Choice& c) { return c.text == choice.text; });
  return twins == 1 ? std::string(choice.text) : "=" + std::to_string(choice.value);
}

}  // namespace

Spellings::Spellings(const SpellingTable& table) : table_(&table), forms_(*table.family) {
  for (size_t i = 0; i < forms_.operands().size(); ++i) operands_.push_back(register_for(forms_, i));
}

std::string Spellings::instruction(uint32_t number) const {
  return forms_.spell(number, views(operands_));
}

std::string Spellings::entry(uint32_t number, std::string_view name) const {
  const std::vector<std::string_view> operands = views(operands_);
  std::string text = ".visible .entry " + std::string(name) + "()\n{\n" + std::string(registers) + "{\n";
  for (const std::string& part :
       {forms_.spell_before(operands), instruction(number), forms_.spell_after(operands)})
    if (!part.empty()) text += part + "\n";
  return text + "}\nret;\n}\n";
}

uint8_t Spellings::ptx(uint32_t number, Targets target) const {
  if (table_->ptx != nullptr) return table_->ptx(forms_.picks(number), target);
  const bool is_of_kernels = table_->property == property_of_kernels;
  return std::max(is_of_kernels ? forms_.ptx(number) : uint8_t{90}, ptx_of(target));
}

Legality Spellings::legality(uint32_t number, Targets target) const {
  if (table_->legality == nullptr) return legal_if((forms_.targets(number) & target) != 0);
  return table_->legality(forms_.picks(number), target);
}

std::vector<uint32_t> Spellings::asked(Targets target) const {
  const std::span<const Axis> axes = table_->family->axes;
  std::vector<uint8_t> is_taken(forms_.size());
  for (uint32_t i = 0; i < forms_.size(); ++i) is_taken[i] = legality(i, target) != Legality::illegal;
  const auto has_taken_neighbour = [&](uint32_t number) {
    std::vector<const Choice*> picks = forms_.picks(number);
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      const Choice* const own = picks[axis];
      for (const Choice& other : axes[axis].choices) {
        picks[axis] = &other;
        const std::optional<uint32_t> found = forms_.find(picks);
        if (found && is_taken[*found]) return true;
      }
      picks[axis] = own;
    }
    return false;
  };
  std::vector<uint32_t> asked;
  for (uint32_t i = 0; i < forms_.size(); ++i)
    if (is_taken[i] || has_taken_neighbour(i)) asked.push_back(i);
  if (!asked.empty()) return asked;
  for (uint32_t i = 0; i < forms_.size(); ++i)
    if (std::any_of(spec::all_archs.begin(), spec::all_archs.end(),
                    [&](spec::Arch arch) { return legality(i, target_of(arch)) == Legality::legal; }))
      asked.push_back(i);
  return asked;
}

std::vector<std::string> Spellings::choices(uint32_t number) const {
  std::vector<std::string> names;
  const std::vector<const Choice*> picks = forms_.picks(number);
  for (size_t axis = 0; axis < picks.size(); ++axis)
    names.push_back(name_in(table_->family->axes[axis], *picks[axis]));
  return names;
}

std::optional<uint32_t> Spellings::find(std::span<const std::string> choices) const {
  const std::span<const Axis> axes = table_->family->axes;
  if (choices.size() != axes.size()) return std::nullopt;
  std::vector<const Choice*> picks;
  for (size_t axis = 0; axis < axes.size(); ++axis)
    for (const Choice& choice : axes[axis].choices)
      if (name_in(axes[axis], choice) == choices[axis]) {
        picks.push_back(&choice);
        break;
      }
  return picks.size() == axes.size() ? forms_.find(picks) : std::nullopt;
}

std::string module_head(Targets target, uint8_t ptx) {
  return ".version " + ptx_text(ptx) + "\n.target " + std::string(name_of(target)) + "\n.address_size 64\n";
}

std::span<const SpellingTable> spelling_tables() {
  static const std::vector<SpellingTable> all = [] {
    std::vector<SpellingTable> made;
    for (const SpellingTable* table : {&asked_tcgen05_mma,
                                       &asked_tcgen05_mma_operands,
                                       &asked_tcgen05_mma_addresses,
                                       &asked_tcgen05_mma_scales,
                                       &asked_tcgen05_mma_sparse,
                                       &asked_tcgen05_ld,
                                       &asked_tcgen05_st,
                                       &asked_tcgen05_ld_red,
                                       &asked_tcgen05_cp,
                                       &asked_tcgen05_shift,
                                       &asked_tcgen05_alloc,
                                       &asked_tcgen05_dealloc,
                                       &asked_tcgen05_commit,
                                       &asked_tcgen05_wait,
                                       &asked_wgmma_types,
                                       &asked_wgmma_extents,
                                       &asked_wgmma_immediates,
                                       &asked_mma_sync,
                                       &asked_mma_sync_f64,
                                       &asked_mma_sync_kind,
                                       &asked_mma_sync_block_scale,
                                       &asked_mma_sync_selectors,
                                       &asked_tensor_load,
                                       &asked_tensor_store,
                                       &asked_tensor_reduce,
                                       &asked_tensor_prefetch,
                                       &asked_tensormap_replace,
                                       &asked_wgmma_sp_types,
                                       &asked_wgmma_sp_extents,
                                       &asked_wgmma_sp_immediates,
                                       &asked_wgmma_sp_selectors,
                                       &asked_mma_sp,
                                       &asked_mma_sp_selectors,
                                       &asked_mma_sp_kind,
                                       &asked_mma_sp_block_scale,
                                       &asked_mma_sp_kind_selectors,
                                       &asked_mma_sp_kind_scales,
                                       &asked_later_copy,
                                       &asked_later_ignore_oob,
                                       &asked_later_store,
                                       &asked_later_layout,
                                       &asked_later_wait,
                                       &asked_later_alloc,
                                       &asked_later_commit,
                                       &asked_later_wait_group,
                                       &asked_later_query})
      made.push_back(*table);
    for (const Family* family : all_families())
      made.push_back({property_of_kernels, family,
                      family == &mma_sync_kind ? legality_of_probed_kinds : nullptr,
                      "(the rows of the kernels themselves)"});
    return made;
  }();
  return all;
}

const Spellings& spellings(uint32_t table) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<Spellings>> made(spelling_tables().size());
  const std::scoped_lock lock(mutex);
  std::unique_ptr<Spellings>& one = made.at(table);
  if (!one) one = std::make_unique<Spellings>(spelling_tables()[table]);
  return *one;
}

std::optional<uint32_t> find_spelling_table(std::string_view family) {
  const std::span<const SpellingTable> all = spelling_tables();
  for (uint32_t i = 0; i < all.size(); ++i)
    if (all[i].family->name == family) return i;
  return std::nullopt;
}

}  // namespace assay::forms
