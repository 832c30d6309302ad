// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/descriptor.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::spec {
namespace {

std::string hex(uint64_t value, int bits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", bits / 4, static_cast<unsigned long long>(value));
  return text;
}

std::string bit_range(const Field& field) {
  const int low = field.parts[0].lsb, high = low + field.parts[0].width - 1;
  return std::to_string(low) + (high == low ? "" : ".." + std::to_string(high));
}

/// What the raw bits say: the meaning of a code, a number with its unit (the note of its field).
std::string value_text(const Descriptor& descriptor, const Field& field, uint64_t raw) {
  switch (field.kind) {
    case FieldKind::reserved:
      return "must be 0";
    case FieldKind::coded: {
      const std::string_view words = meaning(descriptor, field, raw);
      return words.empty() ? "no meaning" : std::string(words);
    }
    case FieldKind::number:
      break;
  }
  const uint64_t value = field.value_of(raw);
  if (field.note == "bytes") return hex(value, 20) + " bytes (" + std::to_string(value) + ")";
  return std::to_string(value) + (field.note.empty() ? "" : " " + std::string(field.note));
}

}  // namespace

std::string_view meaning(const Descriptor& descriptor, const Field& field, uint64_t raw) {
  for (const Code& code : descriptor.codes)
    if (code.raw == raw && is_label(code.field, field)) return code.meaning;
  return {};
}

const Field* find_field(const Descriptor& descriptor, std::string_view name) {
  for (const Field& field : descriptor.fields)
    if (label(field) == name) return &field;
  return nullptr;
}

std::string show_text(const Descriptor& descriptor, uint64_t word, std::span<const RuleBroken> broken) {
  std::string text = std::string(descriptor.title) + " " + hex(word, descriptor.bits) + "\n";
  for (const Field& field : descriptor.fields) {
    const uint64_t raw = get_raw(word, field);
    if (field.kind == FieldKind::reserved && raw == 0) continue;
    char line[160];
    std::snprintf(line, sizeof line, "  %-20s %-26s bits %-7s raw %s%s\n", label(field).c_str(),
                  value_text(descriptor, field, raw).c_str(), bit_range(field).c_str(), hex(raw, 4).c_str(),
                  allows(descriptor, field, raw) ? "" : "  !");
    text += line;
  }
  for (const RuleBroken& one : broken)
    text += "violates " + std::string(one.rule->id) + " (" + std::string(one.field) +
            "): " + std::string(one.rule->words) + " [" + std::string(one.rule->cites[0].document) + ", " +
            std::string(one.rule->cites[0].place) + "]\n";
  if (broken.empty()) text += "no violation\n";
  return text;
}

std::string show_json(const Descriptor& descriptor, uint64_t word, std::span<const RuleBroken> broken) {
  nlohmann::ordered_json json;
  json["descriptor"] = descriptor.name;
  json["word"] = hex(word, descriptor.bits);
  json["fields"] = nlohmann::ordered_json::array();
  for (const Field& field : descriptor.fields) {
    const uint64_t raw = get_raw(word, field);
    nlohmann::ordered_json row;
    row["name"] = label(field);
    row["lsb"] = field.parts[0].lsb;
    row["width"] = field.parts[0].width;
    row["raw"] = raw;
    if (field.kind == FieldKind::number) row["value"] = field.value_of(raw);
    if (field.kind == FieldKind::number && !field.note.empty()) row["unit"] = field.note;
    if (field.kind == FieldKind::coded) row["meaning"] = meaning(descriptor, field, raw);
    row["legal"] = allows(descriptor, field, raw);
    json["fields"].push_back(row);
  }
  json["violations"] = nlohmann::ordered_json::array();
  for (const RuleBroken& one : broken)
    json["violations"].push_back({{"rule", one.rule->id},
                                  {"field", one.field},
                                  {"words", one.rule->words},
                                  {"document", one.rule->cites[0].document},
                                  {"place", one.rule->cites[0].place}});
  return json.dump(2);
}

std::vector<uint64_t> legal_edges(const Descriptor& descriptor, const Field& field) {
  std::vector<uint64_t> edges;
  if (field.kind == FieldKind::coded) {
    for (uint64_t raw = 0; raw <= low_bits(field.width()); ++raw)
      if (allows(descriptor, field, raw)) edges.push_back(raw);
    return edges;
  }
  if (field.kind == FieldKind::reserved && field.hardware != HardwareUse::ignores) return {0};
  const uint64_t most = field.kind == FieldKind::reserved ? low_bits(field.width()) : field.max_raw;
  edges = {0, 1, most / 2, most - 1, most};
  std::erase_if(edges, [&](uint64_t raw) { return raw > most; });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::vector<uint64_t> illegal_raws(const Descriptor& descriptor, const Field& field) {
  std::vector<uint64_t> raws;
  const uint64_t all = low_bits(field.width());
  if (field.kind == FieldKind::reserved) {
    for (int bit = 0; bit < field.width(); ++bit) raws.push_back(uint64_t{1} << bit);
    if (field.width() > 1) raws.push_back(all);
  } else if (field.kind == FieldKind::coded) {
    for (uint64_t raw = 0; raw <= all; ++raw) raws.push_back(raw);
  } else if (field.max_raw < all) {
    raws = {field.max_raw + 1, all};
    if (raws[0] == raws[1]) raws.pop_back();
  }
  std::erase_if(raws, [&](uint64_t raw) { return allows(descriptor, field, raw); });
  return raws;
}

std::vector<OneFieldWrong> one_field_wrong(const Descriptor& descriptor, uint64_t legal) {
  std::vector<OneFieldWrong> wrong;
  for (const Field& field : descriptor.fields)
    for (const uint64_t raw : illegal_raws(descriptor, field))
      wrong.push_back({&field, with_raw(legal, field, raw)});
  return wrong;
}

uint64_t mutate(const Descriptor& descriptor, uint64_t word, uint64_t (*random)(void* state), void* state) {
  const auto below = [&](uint64_t n) { return random(state) % n; };
  const Field& field = descriptor.fields[below(descriptor.fields.size())];
  switch (below(4)) {
    case 0: {
      const std::vector<uint64_t> edges = legal_edges(descriptor, field);
      return edges.empty() ? word : with_raw(word, field, edges[below(edges.size())]);
    }
    case 1:
      return with_raw(word, field, random(state));
    case 2:
      return with_raw(word, field, get_raw(word, descriptor.fields[below(descriptor.fields.size())]));
    default:
      return word ^ uint64_t { 1 } << below(static_cast<uint64_t>(descriptor.bits));
  }
}

namespace {

std::string describe(const Descriptor& descriptor, uint64_t word, std::span<const RuleBroken> broken,
                     bool json) {
  return json ? show_json(descriptor, word, broken) : show_text(descriptor, word, broken);
}

/// Runs of zeroed columns for each M, for people.
std::string mask_text(uint64_t word) {
  std::string text;
  for (const int m : {128, 64, 32}) {
    const std::vector<bool> zeroed = zeroed_columns(decode_zero_column_mask(word), m, 128);
    text += "  M " + std::to_string(m) + ", columns 0 to 127 (1: zeroed)\n    ";
    for (const bool bit : zeroed) text += bit ? '1' : '0';
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<std::string_view> describable_words() {
  std::vector<std::string_view> names{smem_desc.name, wgmma_smem_desc.name};
  for (int kind = 0; kind < mma_kind_count; ++kind)
    names.push_back(descriptor_of(static_cast<MmaKind>(kind)).name);
  names.push_back(zero_column_mask.name);
  return names;
}

std::optional<int> bits_of_word(std::string_view as) {
  for (int kind = 0; kind < mma_kind_count; ++kind)
    if (as == descriptor_of(static_cast<MmaKind>(kind)).name) return 32;
  const auto names = describable_words();
  return std::find(names.begin(), names.end(), as) == names.end() ? std::nullopt : std::optional(64);
}

std::optional<std::string> describe_word(uint64_t word, std::string_view as, bool json) {
  if (as == smem_desc.name) return describe(smem_desc, word, smem_desc_violations(word, {}), json);
  if (as == wgmma_smem_desc.name) return describe(wgmma_smem_desc, word, {}, json);
  if (as == zero_column_mask.name) {
    const std::string text = describe(zero_column_mask, word, zero_column_mask_violations(word, {}), json);
    return json ? text : text + mask_text(word);
  }
  for (int kind = 0; kind < mma_kind_count; ++kind) {
    const MmaKindRow& row = row_of(static_cast<MmaKind>(kind));
    if (as != descriptor_of(row.kind).name) continue;
    if (word >> 32 != 0) {
      return json ? R"({"error": "the word has more than 32 bits, an instruction descriptor has 32"})"
                  : "the word has more than 32 bits, an instruction descriptor has 32\n";
    }
    const auto low = static_cast<uint32_t>(word);
    return describe(descriptor_of(row.kind), low, instr_desc_violations(low, {.kind = row.kind}), json);
  }
  return std::nullopt;
}

}  // namespace assay::spec
