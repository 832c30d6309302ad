// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/form.h"

#include <algorithm>
#include <stdexcept>

namespace assay::forms {
namespace {

[[noreturn]] void refuse(const Family& family, const std::string& what) {
  throw std::invalid_argument("forms of " + std::string(family.name) + ": " + what);
}

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Fills in the slots of one text.
class Speller {
 public:
  Speller(const Family& family, std::span<const Operand> names, std::span<const std::string_view> as,
          Picks picks)
      : family_(family), names_(names), as_(as), picks_(picks) {}

  std::string spell(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const size_t at = text.find_first_of("$<");
      out += text.substr(0, at);
      if (at == std::string_view::npos) break;
      text.remove_prefix(at);
      const char kind = text.front();
      if (kind == '<' && text.size() > 1 && text[1] >= '0' && text[1] <= '9') {  // .reg .b32 d<128>
        out += kind;
        text.remove_prefix(1);
        continue;
      }
      size_t end = 1;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string_view name = text.substr(1, end - 1);
      if (kind == '<' && (end == text.size() || text[end] != '>'))
        refuse(family_, "a slot is not closed: " + std::string(text.substr(0, 20)));
      out += kind == '$' ? std::string(operand(name)) : slot(name);
      text.remove_prefix(end + (kind == '<' ? 1 : 0));
    }
    return out;
  }

 private:
  std::string_view operand(std::string_view name) const {
    const auto found =
        std::find_if(names_.begin(), names_.end(), [&](const Operand& o) { return o.name == name; });
    if (found == names_.end()) refuse(family_, "there is no operand '" + std::string(name) + "'");
    return as_[static_cast<size_t>(found - names_.begin())];
  }
  std::string slot(std::string_view name) {
    if (++depth_ > 8) refuse(family_, "the slot '" + std::string(name) + "' stands in itself");
    std::string text;
    const auto axis =
        std::find_if(family_.axes.begin(), family_.axes.end(), [&](const Axis& a) { return a.name == name; });
    if (axis != family_.axes.end() && !picks_.empty())
      text = spell(picks_[static_cast<size_t>(axis - family_.axes.begin())]->text);
    else if (family_.slot != nullptr)
      text = spell(family_.slot(name, picks_));
    else
      refuse(family_, "there is no axis '" + std::string(name) + "'");
    --depth_;
    return text;
  }

  const Family& family_;
  std::span<const Operand> names_;
  std::span<const std::string_view> as_;
  Picks picks_;
  int depth_ = 0;
};

/// "to:l size": a 64-bit register and one of 32 bits.
std::vector<Operand> operands_of(const Family& family) {
  std::vector<Operand> operands;
  for (std::string_view text = family.operands; !text.empty();) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const size_t colon = std::min(word.find(':'), word.size());
    const std::string_view kind = colon == word.size() ? "r" : word.substr(colon + 1);
    if (colon == 0 || kind.size() != 1 || std::string_view("rlhd").find(kind) == std::string_view::npos)
      refuse(family, "no operand is written '" + std::string(word) + "'");
    operands.push_back({word.substr(0, colon), kind.front()});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return operands;
}

}  // namespace

std::string ptx_text(uint8_t version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

Forms::Forms(const Family& family) : family_(&family), operands_(operands_of(family)) {
  uint32_t combinations = 1;
  for (const Axis& axis : family.axes) {
    combinations *= static_cast<uint32_t>(axis.choices.size());
    ByValue& by_value = axes_.emplace_back();
    by_value.choices = static_cast<uint32_t>(axis.choices.size());
    for (uint32_t i = by_value.choices; i-- > 0;) {  // of equal values the first
      const uint32_t value = axis.choices[i].value;
      if (value >= ByValue::values) continue;
      if (value >= by_value.numbers.size()) by_value.numbers.resize(value + 1, ByValue::absent);
      by_value.numbers[value] = static_cast<uint16_t>(i);
    }
  }
  opcodes_.assign(combinations, none);
  // Every process that names a family comes by here, and few of the combinations of a large one exist.
  std::vector<const Choice*> picks = picks_of_code(0);
  const auto next = [&] {
    for (size_t axis = picks.size(); axis-- > 0;) {
      const std::span<const Choice> choices = family.axes[axis].choices;
      if (++picks[axis] != choices.data() + choices.size()) return;
      picks[axis] = choices.data();
    }
  };
  for (uint32_t code = 0; code < combinations; ++code, next()) {
    if (family.exists != nullptr && !family.exists(picks)) continue;
    opcodes_[code] = size();
    codes_.push_back(code);
  }
}

std::vector<const Choice*> Forms::picks_of_code(uint32_t code) const {
  std::vector<const Choice*> picks(family_->axes.size());
  for (size_t axis = picks.size(); axis-- > 0;) {
    const std::span<const Choice> choices = family_->axes[axis].choices;
    picks[axis] = &choices[code % choices.size()];
    code /= static_cast<uint32_t>(choices.size());
  }
  return picks;
}

std::vector<const Choice*> Forms::picks(uint32_t opcode) const {
  return picks_of_code(codes_.at(opcode));
}

uint8_t Forms::targets(uint32_t opcode) const {
  uint8_t targets = family_->targets;
  const std::vector<const Choice*> chosen = picks(opcode);
  for (const Choice* choice : chosen) targets &= choice->targets;
  if (family_->lacking != nullptr) targets &= ~family_->lacking(chosen);
  return targets;
}

uint8_t Forms::ptx(uint32_t opcode) const {
  const std::vector<const Choice*> chosen = picks(opcode);
  uint8_t version = family_->ptx;
  for (const Choice* choice : chosen) version = std::max(version, choice->ptx);
  return family_->combined_ptx == nullptr ? version : std::max(version, family_->combined_ptx(chosen));
}

uint32_t Forms::opcode(std::initializer_list<uint32_t> values) const {
  if (values.size() != axes_.size())
    refuse(*family_,
           "asked for by " + std::to_string(values.size()) + " values, not " + std::to_string(axes_.size()));
  uint32_t code = 0;
  const ByValue* axis = axes_.data();
  for (const uint32_t value : values) {
    uint32_t number = value < axis->numbers.size() ? axis->numbers[value] : ByValue::absent;
    if (value >= ByValue::values) {
      const std::span<const Choice> choices = family_->axes[static_cast<size_t>(axis - axes_.data())].choices;
      const auto found = std::ranges::find(choices, value, &Choice::value);
      if (found != choices.end()) number = static_cast<uint32_t>(found - choices.begin());
    }
    if (number == ByValue::absent) return none;
    code = code * axis->choices + number;
    ++axis;
  }
  return opcodes_[code];
}

std::optional<uint32_t> Forms::find(Picks picks) const {
  uint32_t code = 0;
  for (size_t axis = 0; axis < picks.size(); ++axis) {
    const std::span<const Choice> choices = family_->axes[axis].choices;
    code = code * static_cast<uint32_t>(choices.size()) + static_cast<uint32_t>(picks[axis] - choices.data());
  }
  if (opcodes_[code] == none) return std::nullopt;
  return opcodes_[code];
}

std::string Forms::spell(uint32_t opcode, std::span<const std::string_view> operands) const {
  return Speller(*family_, operands_, operands, picks(opcode)).spell(family_->text);
}
std::string Forms::spell_before(std::span<const std::string_view> operands) const {
  return Speller(*family_, operands_, operands, {}).spell(family_->before);
}
std::string Forms::spell_after(std::span<const std::string_view> operands) const {
  return Speller(*family_, operands_, operands, {}).spell(family_->after);
}

}  // namespace assay::forms
