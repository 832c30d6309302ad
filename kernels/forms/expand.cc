// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/expand.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace assay::forms {
namespace {

constexpr std::string_view statement = "trap; // assay.forms ";

/// Names that a statement declares beside those of its family: not ones that a family would take.
constexpr std::string_view names_end = "forms_end", names_none = "forms_none", names_list = "forms_list",
                           names_outside = "forms_outside";

struct Statement {
  const Forms* forms;
  std::string_view opcode;
  std::vector<std::string_view> operands;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A string literal of a source may go on in the next line.
std::string joined(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '"') {
      out += text[i];
      continue;
    }
    i = text.find('"', i + 1);
    if (i == std::string_view::npos) break;
  }
  return out;
}

/// `text` lies between "assay.forms " and ";", and lives as long as the statement.
Statement parse(std::string_view text, std::span<const Forms> among) {
  std::vector<std::string_view> items;
  for (;;) {
    const size_t comma = text.find(',');
    items.push_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  const Forms* forms = find_forms(items[0], among);
  if (forms == nullptr)
    throw std::invalid_argument("there is no family of forms '" + std::string(items[0]) + "'");
  const size_t count = forms->operands().size();
  if (items.size() != count + 2)
    throw std::invalid_argument("the forms of " + std::string(items[0]) + " take an opcode and " +
                                std::to_string(count) +
                                " operands: " + std::string(forms->family().operands));
  return {forms, items[1], {items.begin() + 2, items.end()}};
}

/// A statement with the opcodes that `has` says; `end` ends lines.
template <typename Has>
std::string expanded(const Statement& s, const Has& has, std::string_view end) {
  std::string out = "{" + std::string(end);
  const auto line = [&](const std::string& text) {
    if (!text.empty()) out += text + std::string(end);
  };
  const auto label = [](uint32_t opcode) { return "form_" + std::to_string(opcode); };
  line(s.forms->spell_before(s.operands));
  const uint32_t count = s.forms->size();
  if (count == 1) {
    line(has(0) ? s.forms->spell(0, s.operands) : "trap;");
    line(s.forms->spell_after(s.operands));
    return out + "}";
  }
  std::string list;
  for (uint32_t opcode = 0; opcode < count; ++opcode)
    list += (opcode == 0 ? "" : ", ") + (has(opcode) ? label(opcode) : std::string(names_none));
  const std::string outside(names_outside), none(names_none), done(names_end), targets(names_list);
  line(".reg .pred " + outside + ";");
  line("setp.ge.u32 " + outside + ", " + std::string(s.opcode) + ", " + std::to_string(count) + ";");
  line("@" + outside + " bra " + none + ";");
  line(targets + ": .branchtargets " + list + ";");
  line("brx.idx " + std::string(s.opcode) + ", " + targets + ";");
  for (uint32_t opcode = 0; opcode < count; ++opcode)
    if (has(opcode)) line(label(opcode) + ": " + s.forms->spell(opcode, s.operands) + " bra " + done + ";");
  line(none + ": trap;");
  line(done + ":");
  line(s.forms->spell_after(s.operands));
  return out + "}";
}

/// A statement of few forms: each behind a comparison, one alone behind none.
std::string expanded_few(const Statement& s, const std::set<uint32_t>& needed, std::string_view end) {
  std::string out = "{" + std::string(end);
  // Lines of a text end as the statement's do.
  const auto line = [&](std::string_view text) {
    while (!text.empty()) {
      const size_t length = std::min(text.find('\n'), text.size());
      out += std::string(text.substr(0, length)) + std::string(end);
      text.remove_prefix(std::min(length + 1, text.size()));
    }
  };
  line(s.forms->spell_before(s.operands));
  if (needed.empty()) line("trap;");
  if (needed.size() == 1) line(s.forms->spell(*needed.begin(), s.operands));
  if (needed.size() > 1) {
    const std::string outside(names_outside), done(names_end);
    line(".reg .pred " + outside + ";");
    for (const uint32_t opcode : needed) {
      const std::string next = "form_behind_" + std::to_string(opcode);
      line("setp.ne.u32 " + outside + ", " + std::string(s.opcode) + ", " + std::to_string(opcode) + ";");
      line("@" + outside + " bra " + next + ";");
      line(s.forms->spell(opcode, s.operands));
      line("bra " + done + ";");
      line(next + ":");
    }
    line("trap;");
    line(done + ":");
  }
  line(s.forms->spell_after(s.operands));
  return out + "}";
}

/// Calls write(statement) for each statement of the text and copies what lies between.
template <typename Write>
std::string replace_statements(std::string_view text, std::span<const Forms> among, const Write& write) {
  std::string out;
  size_t from = 0;
  for (;;) {
    const size_t at = text.find(statement, from);
    if (at == std::string_view::npos) return out += text.substr(from);
    const size_t end = text.find(';', at + statement.size());
    out += text.substr(from, at - from);
    try {
      if (end == std::string_view::npos) throw std::invalid_argument("the statement does not end in ';'");
      const std::string inside = joined(text.substr(at + statement.size(), end - at - statement.size()));
      out += write(parse(inside, among));
    } catch (const std::invalid_argument& wrong) {
      throw std::invalid_argument("line " +
                                  std::to_string(1 + std::count(text.begin(), text.begin() + at, '\n')) +
                                  ": " + wrong.what());
    }
    from = end + 1;
  }
}

}  // namespace

std::string expand_ptx(std::string_view text, Targets target, uint8_t ptx, std::span<const Forms> among) {
  ptx = std::max(ptx, ptx_of(target));
  std::string out = replace_statements(text, among, [&](const Statement& s) {
    return expanded(
        s,
        [&](uint32_t opcode) {
          const bool has = (s.forms->targets(opcode) & target) != 0;
          if (has) ptx = std::max(ptx, s.forms->ptx(opcode));
          return has;
        },
        "\n");
  });
  const auto set = [&](std::string_view directive, std::string_view value) {
    const size_t at = out.find(directive);
    if (at == std::string::npos)
      throw std::invalid_argument("the text has no " + std::string(directive.substr(1)) + "directive");
    const size_t from = at + directive.size();
    out.replace(from, out.find('\n', from) - from, value);
  };
  set("\n.version ", ptx_text(ptx));
  set("\n.target ", name_of(target));
  return out;
}

std::string expand_source(std::string_view text, const Needed& needed) {
  static const std::set<uint32_t> nothing;
  return replace_statements(text, all_forms(), [&](const Statement& s) {
    const auto found = needed.find(s.forms->family().name);
    return expanded_few(s, found == needed.end() ? nothing : found->second, "\\n\"\n      \"");
  });
}

}  // namespace assay::forms
