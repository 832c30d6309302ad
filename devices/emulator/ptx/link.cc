// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/module.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx {
namespace {

using Kind = Token::Kind;

enum class Linkage : uint8_t { own, visible, external, weak };

/// Something at module scope: tokens [begin, end).
struct Item {
  size_t begin = 0, end = 0;
  Linkage linkage = Linkage::own;
  bool is_function = false, has_definition = false;
  std::vector<std::string_view> names;
};

/// A text taken apart at module scope.
class Part {
 public:
  explicit Part(const LinkInput& input) : name(input.name), tokens_(tokenize(input.text)) { split(); }

  const std::string name;
  int version = 0;
  std::string target;
  std::vector<Item> items;

  /// The text of an item, names replaced; without .loc where `has_lines` is false.
  std::string text(const Item& item, const std::map<std::string_view, std::string>& renamed,
                   bool has_lines) const {
    std::string made;
    const char* from = tokens_[item.begin].text.data();
    for (size_t i = item.begin; i < item.end; ++i) {
      const Token& token = tokens_[i];
      made.append(from, token.text.data());
      from = token.text.data() + token.text.size();
      if (token.is(".loc") && !has_lines) {
        while (i + 1 < item.end && tokens_[i + 1].line == token.line) ++i;
        from = tokens_[i].text.data() + tokens_[i].text.size() + (tokens_[i].kind == Kind::string);
        continue;
      }
      const auto other = token.kind == Kind::word ? renamed.find(token.text) : renamed.end();
      made += other == renamed.end() ? std::string(token.text) : other->second;
    }
    if (tokens_[item.end - 1].kind == Kind::string) made += '"';
    return made + "\n";
  }

 private:
  const Token& at(size_t i) const { return tokens_[std::min(i, tokens_.size() - 1)]; }
  [[noreturn]] void fail(uint32_t line, const std::string& message) const {
    throw SyntaxError{line, name + ": " + message};
  }

  void split() {
    for (size_t i = 0; at(i).kind != Kind::end;) i = take(i);
    if (version == 0) fail(1, "the text has no .version directive");
    if (target.empty()) fail(1, "the text has no .target directive");
  }

  size_t end_of_line(size_t i) const {
    const uint32_t line = at(i).line;
    while (at(i).kind != Kind::end && at(i).line == line) ++i;
    return i;
  }

  /// Behind what is in parentheses or braces from token i on.
  size_t behind_bracket(size_t i) const {
    int depth = 0;
    do {
      if (at(i).kind == Kind::end) fail(at(i).line, "a bracket is not closed");
      if (at(i).is("(") || at(i).is("{") || at(i).is("[")) ++depth;
      if (at(i).is(")") || at(i).is("}") || at(i).is("]")) --depth;
      ++i;
    } while (depth > 0);
    return i;
  }

  /// One item or directive; returns what comes behind it.
  size_t take(size_t begin) {
    const Token& first = at(begin);
    if (first.is(".version")) {
      const std::string text(at(begin + 1).text);
      const size_t dot = std::min(text.find('.'), text.size());
      version = std::atoi(text.c_str()) * 10 + (dot < text.size() ? std::atoi(text.c_str() + dot + 1) : 0);
      return begin + 2;
    }
    if (first.is(".target")) {
      target = at(begin + 1).text;
      return end_of_line(begin);
    }
    if (first.is(".address_size")) return begin + 2;
    if (first.is(";")) return begin + 1;
    if (first.is(".section")) {
      size_t i = begin;
      while (!at(i).is("{") && at(i).kind != Kind::end) ++i;
      return behind_bracket(i);
    }
    Item item;
    item.begin = begin;
    if (first.is(".file")) {
      item.end = end_of_line(begin);
      items.push_back(item);
      return item.end;
    }
    size_t i = begin;
    for (;; ++i) {
      if (at(i).is(".extern"))
        item.linkage = Linkage::external;
      else if (at(i).is(".weak") || at(i).is(".common"))
        item.linkage = Linkage::weak;
      else if (at(i).is(".visible"))
        item.linkage = Linkage::visible;
      else
        break;
    }
    const bool is_entry = at(i).is(".entry");
    item.is_function = is_entry || at(i).is(".func");
    if (is_entry && item.linkage == Linkage::own) item.linkage = Linkage::visible;
    item.end = item.is_function ? function(i + 1, item) : variable(i, item);
    items.push_back(item);
    return item.end;
  }

  size_t function(size_t i, Item& item) {
    while (at(i).is("(") || at(i).is(".attribute")) i = behind_bracket(at(i).is("(") ? i : i + 1);
    item.names.push_back(at(i).text);
    while (!at(i).is("{") && !at(i).is(";")) {
      if (at(i).kind == Kind::end) fail(at(i).line, "a function has no end");
      ++i;
    }
    item.has_definition = at(i).is("{");
    return item.has_definition ? behind_bracket(i) : i + 1;
  }

  size_t variable(size_t i, Item& item) {
    item.has_definition = item.linkage != Linkage::external;
    bool wants_name = true;
    while (!at(i).is(";")) {
      if (at(i).kind == Kind::end) fail(at(i).line, "a declaration is not ended");
      if (at(i).is("(") || at(i).is("{") || at(i).is("[")) {
        i = behind_bracket(i);
        continue;
      }
      if (at(i).is(",")) wants_name = true;
      if (wants_name && at(i).kind == Kind::word && at(i).text[0] != '.') {
        item.names.push_back(at(i).text);
        wants_name = false;
      }
      ++i;
    }
    return i + 1;
  }

  std::vector<Token> tokens_;
};

/// Which text defines a name for all of them.
using Owners = std::map<std::string_view, size_t>;

void add_definitions(const std::vector<Part>& parts, Linkage linkage, Owners& owners) {
  for (size_t i = 0; i < parts.size(); ++i)
    for (const Item& item : parts[i].items) {
      if (item.linkage != linkage || !item.has_definition) continue;
      for (const std::string_view name : item.names) {
        const auto [owner, is_new] = owners.emplace(name, i);
        if (!is_new && linkage == Linkage::visible)
          throw SyntaxError{0, "'" + std::string(name) + "' is defined in " + parts[owner->second].name +
                                   " and in " + parts[i].name};
      }
    }
}

/// Names of a text's own that another text has too.
std::map<std::string_view, std::string> own_names(const std::vector<Part>& parts, size_t which) {
  std::map<std::string_view, std::string> renamed;
  std::set<std::string_view> others;
  for (size_t i = 0; i < parts.size(); ++i)
    if (i != which)
      for (const Item& item : parts[i].items) others.insert(item.names.begin(), item.names.end());
  for (const Item& item : parts[which].items)
    if (item.linkage == Linkage::own)
      for (const std::string_view name : item.names)
        if (others.contains(name)) renamed[name] = std::string(name) + "$" + std::to_string(which);
  return renamed;
}

/// The target of texts for both, each of which is compiled for the device by itself: the later one. Empty
/// where the earlier one is of its own architecture alone (ptx, .target).
std::string joined(const std::string& a, const std::string& b) {
  if (a.empty() || a == b) return b;
  const auto number = [](const std::string& target) { return std::atoi(target.c_str() + 3); };
  const auto is_plain = [](const std::string& target) { return std::isdigit(target.back()) != 0; };
  const bool b_is_later = number(b) != number(a) ? number(b) > number(a) : is_plain(a);
  const std::string &later = b_is_later ? b : a, &earlier = b_is_later ? a : b;
  return is_plain(earlier) ? later : "";
}

}  // namespace

std::string link(const std::vector<LinkInput>& inputs) {
  if (inputs.empty()) throw SyntaxError{0, "nothing was given to the linker"};
  std::vector<Part> parts;
  parts.reserve(inputs.size());
  int version = 0;
  std::string target;
  for (const LinkInput& input : inputs) {
    try {
      parts.emplace_back(input);
    } catch (const SyntaxError& error) {
      if (error.message.starts_with(input.name + ": ")) throw;
      throw SyntaxError{error.line, input.name + ": " + error.message};
    }
    version = std::max(version, parts.back().version);
    const std::string both = joined(target, parts.back().target);
    if (both.empty())
      throw SyntaxError{0, parts[0].name + " is for " + target + " and " + parts.back().name + " for " +
                               parts.back().target};
    target = both;
  }
  Owners owners;
  add_definitions(parts, Linkage::visible, owners);
  add_definitions(parts, Linkage::weak, owners);
  std::string text = ".version " + std::to_string(version / 10) + "." + std::to_string(version % 10) +
                     "\n.target " + target + "\n.address_size 64\n";
  std::set<std::string_view> declared;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto renamed = own_names(parts, i);
    for (const Item& item : parts[i].items) {
      if (item.names.empty()) {
        if (i == 0) text += parts[i].text(item, renamed, true);
        continue;
      }
      const std::string_view name = item.names[0];
      const auto owner = owners.find(name);
      if (item.linkage == Linkage::weak && item.has_definition && owner->second != i) continue;
      // One declaration of what nobody defines; of what somebody defines, that of functions alone.
      if (item.linkage == Linkage::external && !item.is_function &&
          (owner != owners.end() || !declared.insert(name).second))
        continue;
      text += parts[i].text(item, renamed, i == 0);
    }
  }
  return text;
}

}  // namespace assay::emulator::ptx
