// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/locate.h"

#include <iostream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/tools/encode_call.h"
#include "reference/spec/near_names.h"
#include "reference/spec/tensor_map.h"

namespace assay::cli {
namespace {

LocateQuestion asked;
std::string row_word, column_word, address_word = "0", leading_word, stride_word, architecture = "sm_100";
bool as_json = false;

struct Layout {
  std::string_view name;
  Located (*locate)(const LocateQuestion&);
};
constexpr Layout layouts[] = {
    {"tile", locate_in_tile}, {"smem", locate_operand}, {"d", locate_accumulator}, {"a", locate_a}};

uint64_t number(const char* option, const std::string& word) {
  const auto value = parse_number(word);
  if (!value || *value > UINT32_MAX)
    throw UsageError(option, "'" + word + "' is not a number of at most 32 bits");
  return *value;
}

/// Options that have nothing to say about what is asked.
void refuse_what_does_not_apply() {
  const bool is_tile = asked.scales.empty() && asked.layout == "tile";
  const bool is_shared = is_tile || (asked.scales.empty() && asked.layout == "smem");
  const struct {
    const char* option;
    bool is_given, applies;
  } rows[] = {{"--box", !asked.box.empty(), is_tile},
              {"--atom", !asked.atom.empty(), is_shared},
              {"--lbo", !leading_word.empty(), is_shared && !is_tile},
              {"--sbo", !stride_word.empty(), is_shared && !is_tile},
              {"--descriptor", !asked.descriptor.empty(), is_shared && !is_tile},
              {"--ws", asked.ws, !is_shared},
              {"--sparse", asked.sparse, !is_shared}};
  for (const auto& row : rows)
    if (row.is_given && !row.applies)
      throw UsageError(row.option, "does not apply to " + (asked.scales.empty() ? "--layout " + asked.layout
                                                                                : std::string("--scales")));
}

Located answer() {
  if (!asked.scales.empty()) {
    refuse_what_does_not_apply();
    return locate_scale(asked);
  }
  for (const Layout& layout : layouts)
    if (layout.name == asked.layout) {
      refuse_what_does_not_apply();
      return layout.locate(asked);
    }
  throw UsageError("--layout", "'" + asked.layout + "' is not a layout; the layouts are tile, smem, d and a" +
                                   spec::did_you_mean(asked.layout, names_of(layouts)));
}

int locate() {
  asked.arch = arch_option("--arch", architecture);
  asked.row = number("--row", row_word);
  asked.column = number("--col", column_word);
  asked.address = number("--address", address_word);
  if (!leading_word.empty()) asked.leading_offset = number("--lbo", leading_word);
  if (!stride_word.empty()) asked.stride_offset = number("--sbo", stride_word);
  Located found = answer();
  if (as_json) {
    found.members["format"] = "assay-locate/1";
    print_json(found.members);
  } else {
    std::cout << found.text;
  }
  return as_expected;
}

const Registered locate_command{
    {.order = 34,
     .name = "locate",
     .help = "where an element lies in a tile, an operand in shared memory, or tensor memory",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           line.option("--row", row_word,
                       "row of the element: m for A and D, n for B, the row of the box for a tile")
               .required();
           line.option("--col", column_word,
                       "its column: k for A and B, n for D, the element within the row for a tile")
               .required();
           line.option(
                   "--layout", asked.layout,
                   "tile: as TMA writes it; smem: operand behind a descriptor; d, a: D or A in tensor memory")
               .offers(names_of(layouts))
               .shows_default();
           line.option("--scales", asked.scales,
                       "locate the scale factor of that element of A or B in tensor memory instead")
               .offers({"a", "b"});
           line.option("--type", asked.type, "element type").shows_default();
           line.option("--swizzle", asked.swizzle, "swizzle of the tile or operand")
               .offers(names_of(spec::swizzles))
               .shows_default();
           line.option("--atom", asked.atom, "atom size of the 128B swizzle")
               .offers({"16B", "32B", "32B_flip8B", "64B"});
           line.option("--box", asked.box,
                       "box of a tile in elements: 64,8 (default: as wide as the swizzle)");
           line.option("--address", address_word, "shared-memory address of the tile or operand")
               .shows_default();
           line.option("--major", asked.major, "major-ness of an smem operand")
               .one_of({"k", "mn"})
               .shows_default();
           line.option("--lbo", leading_word, "leading dimension byte offset (smem)");
           line.option("--sbo", stride_word, "stride dimension byte offset (smem)");
           line.option("--descriptor", asked.descriptor,
                       "descriptor word that replaces --address, --lbo, --sbo and --swizzle (smem)");
           line.option("--m", asked.m, "M of the instruction, both CTAs of a pair together").shows_default();
           line.option("--n", asked.n, "N of the instruction").shows_default();
           line.option("--cta-group", asked.cta_group, ".cta_group of the instruction")
               .between(1, 2)
               .shows_default();
           line.option("--lane-base", asked.lane_base,
                       "first lane, 0 or 16, of layouts that use half of the lanes")
               .shows_default();
           line.option("--block", asked.block, "elements of K per scale factor: 16 or 32").shows_default();
           line.flag("--ws", asked.ws, "the instruction is tcgen05.mma.ws");
           line.flag("--sparse", asked.sparse, "the instruction is tcgen05.mma.sp");
           line.option("--arch", architecture, "target architecture").offers(arch_names()).shows_default();
           line.flag("--json", as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = locate}};

}  // namespace

std::string swizzle_name(const LocateQuestion& question) {
  if (question.atom.empty() || question.atom == "16B") return question.swizzle;
  if (question.swizzle != "128B") throw UsageError("--atom", "only 128B swizzle has atoms of other sizes");
  return question.swizzle + "_atom" + question.atom;
}

nlohmann::json shared_place(uint64_t byte, int bit) {
  return {
      {"byte", byte}, {"bit", bit}, {"piece", byte / 16 % 8}, {"line", byte / 128}, {"bank", byte / 4 % 32}};
}

}  // namespace assay::cli
