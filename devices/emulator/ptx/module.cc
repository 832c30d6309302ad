// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/module.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "devices/emulator/ptx/lowerer.h"
#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx {
namespace {

constexpr uint64_t most_bytes = 1ull << 32;
/// From this size on a variable gets pages of its own, which cost nothing until they are touched.
constexpr uint64_t own_pages = 1ull << 16;

template <typename F>
void for_each_variable(const ModuleSyntax& module, F f) {
  const auto is_placed = [](const Variable& variable) {
    return variable.space == Space::global || variable.space == Space::constant;
  };
  for (const Variable& variable : module.variables)
    if (is_placed(variable)) f(variable);
  for (const FunctionSyntax& function : module.functions)
    for (const Statement& statement : function.body)
      for (const Variable& variable : statement.variables)
        if (is_placed(variable)) f(variable);
}

}  // namespace

Variables::Variables(const ModuleSyntax& module, Memory& memory) : memory_(memory) {
  for_each_variable(module, [&](const Variable& variable) {
    if (variable.is_extern)
      throw SyntaxError{variable.line,
                        "the variable '" + variable.name + "' is external, and nothing else is linked"};
    if (variable.bytes() > most_bytes)
      throw SyntaxError{variable.line, "the variable '" + variable.name + "' is larger than 4 GiB"};
    const uint64_t address = place(variable);
    if (address == 0) throw SyntaxError{variable.line, "there is no memory for '" + variable.name + "'"};
    if (!addresses_.emplace(variable_key(variable), address).second)
      throw SyntaxError{variable.line, "'" + variable.name + "' is declared twice"};
    named_.emplace(variable.name, std::make_pair(address, variable.bytes()));
  });
  for_each_variable(module, [&](const Variable& variable) { initialise(module, variable); });
  for (const auto& [address, bytes] : mapped_) memory_.map_host(reinterpret_cast<void*>(address), bytes);
}

uint64_t Variables::place(const Variable& variable) {
  if (variable.bytes() >= own_pages) {
    const uint64_t address = memory_.allocate(variable.bytes());
    if (address != 0) own_.push_back(std::make_unique<OwnPages>(memory_, address));
    return address;
  }
  const size_t alignment = std::max<size_t>(variable.alignment, 16);
  const size_t bytes = (variable.bytes() + alignment) / alignment * alignment;
  blocks_.emplace_back(static_cast<std::byte*>(std::aligned_alloc(alignment, bytes)), std::free);
  if (blocks_.back() == nullptr) return 0;
  std::memset(blocks_.back().get(), 0, bytes);
  const uint64_t address = reinterpret_cast<uint64_t>(blocks_.back().get());
  mapped_.emplace_back(address, variable.bytes());
  return address;
}

Variables::~Variables() {
  for (const auto& [address, bytes] : mapped_) memory_.unmap_host(reinterpret_cast<void*>(address));
}

void Variables::initialise(const ModuleSyntax& module, const Variable& variable) {
  if (variable.initial.empty()) return;
  const uint32_t size = type_bytes(variable.type);
  auto* const place = reinterpret_cast<std::byte*>(addresses_.find(variable_key(variable))->second);
  for (const Initial& element : variable.initial) {
    uint64_t bits = element.bits;
    if (!element.symbol.empty()) {
      const auto found = named_.find(element.symbol);
      const uint64_t address =
          found != named_.end() ? found->second.first : function_address(module, element.symbol);
      if (address == 0)
        throw SyntaxError{
            variable.line,
            "'" + element.symbol + "' in an initialiser is neither a global variable nor a function"};
      bits += address;
    } else if (element.real_bits != 0) {
      bits = real_immediate(bits, element.real_bits, variable.type);
    }
    if ((element.index + 1) * size > variable.bytes())
      throw SyntaxError{variable.line, "'" + variable.name + "' has more initial values than elements"};
    std::memcpy(place + element.index * size, &bits, std::min<size_t>(size, sizeof bits));
  }
}

std::string target_mismatch(std::string_view module_target, Target device) {
  const std::string shown = "the module is for " + std::string(module_target) + ", the device is " +
                            std::string(target_name(device));
  std::string_view rest = module_target;
  if (!rest.starts_with("sm_")) return "'" + std::string(module_target) + "' is not a target";
  rest.remove_prefix(3);
  int wanted = 0;
  size_t digits = 0;
  for (; digits < rest.size() && digits < 4 && std::isdigit(static_cast<unsigned char>(rest[digits]));
       ++digits)
    wanted = wanted * 10 + (rest[digits] - '0');
  const std::string_view suffix = rest.substr(digits);
  const int have = spec::capability(device);
  if (digits < 2 || (suffix != "" && suffix != "a" && suffix != "f"))
    return "'" + std::string(module_target) + "' is not a target";
  const bool fits = suffix == "a"   ? wanted == have
                    : suffix == "f" ? wanted / 10 == have / 10 && wanted <= have
                                    : wanted <= have;
  return fits ? "" : shown;
}

namespace {

/// A name that may be one of a range: what stands before its number, and the number.
struct Numbered {
  std::string_view stem;
  uint64_t number = 0;
};

std::optional<Numbered> numbered(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  // %r07 is not %r7.
  if (digits == name.size() || digits == 0 || name.size() - digits >= 10 ||
      (name[digits] == '0' && digits + 1 != name.size()))
    return std::nullopt;
  Numbered made{name.substr(0, digits)};
  for (const char digit : name.substr(digits))
    made.number = made.number * 10 + static_cast<uint64_t>(digit - '0');
  return made;
}

}  // namespace

bool Scopes::declare(const std::string& name, Symbol symbol) {
  Level& level = levels_.back();
  if (symbol.is_range) {
    const bool covers_a_name = std::any_of(level.names.begin(), level.names.end(), [&](const auto& one) {
      const auto other = numbered(one.first);
      return other && other->stem == name && other->number < symbol.count;
    });
    return !covers_a_name && level.ranges.emplace(name, std::move(symbol)).second;
  }
  if (const auto one = numbered(name)) {
    const auto range = level.ranges.find(one->stem);
    if (range != level.ranges.end() && one->number < range->second.count) return false;
  }
  return level.names.emplace(name, std::move(symbol)).second;
}

Symbol* Scopes::find(std::string_view name, uint64_t& number) {
  number = 0;
  const std::optional<Numbered> one = numbered(name);
  for (size_t level = levels_.size(); level-- > 0;) {
    auto& [names, ranges] = levels_[level];
    if (!names.empty())
      if (const auto found = names.find(name); found != names.end()) return &found->second;
    if (!one || ranges.empty()) continue;
    const auto range = ranges.find(one->stem);
    if (range != ranges.end() && one->number < range->second.count) {
      number = one->number;
      return &range->second;
    }
  }
  return nullptr;
}

}  // namespace assay::emulator::ptx
