#include "cli/locate.h"

#include <iostream>

#include "cli/arch_option.h"
#include "cli/command.h"
#include "cli/json_line.h"
#include "cli/number_words.h"
#include "reference/spec/near_names.h"

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
      throw UsageError(row.option, "has no meaning for " + (asked.scales.empty() ? "--layout " + asked.layout
                                                                                 : std::string("--scales")));
}

Located answer() {
  if (!asked.scales.empty()) refuse_what_does_not_apply();
  if (!asked.scales.empty()) return locate_scale(asked);
  std::vector<std::string_view> names;
  for (const Layout& layout : layouts) {
    if (layout.name == asked.layout) return refuse_what_does_not_apply(), layout.locate(asked);
    names.push_back(layout.name);
  }
  throw UsageError("--layout", "'" + asked.layout + "' is none of tile smem d a" +
                                   spec::did_you_mean(asked.layout, names));
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

const Registered command{
    {.order = 34,
     .name = "locate",
     .help = "where an element lies in a tile, an operand in shared memory, or tensor memory",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           line.option("--row", row_word, "m of A and D, n of B; of a tile the row of the box").required();
           line.option("--col", column_word, "k of A and B, n of D; of a tile the element of its row")
               .required();
           line.option("--layout", asked.layout,
                       "tile (as TMA writes it), smem (an operand through a descriptor), d or a (in tensor "
                       "memory)")
               .shows_default();
           line.option("--scales", asked.scales,
                       "a or b: the scale factor of that element, in tensor memory");
           line.option("--type", asked.type, "of an element").shows_default();
           line.option("--swizzle", asked.swizzle, "none, 32B, 64B, 128B, 96B, 128B_atom32B, ...")
               .shows_default();
           line.option("--atom", asked.atom, "of --swizzle 128B: 16B, 32B, 32B_flip8B or 64B");
           line.option("--box", asked.box,
                       "of a tile: elements and rows, 64,8 (default: as wide as the swizzle)");
           line.option("--address", address_word, "of the tile or the operand in shared memory")
               .shows_default();
           line.option("--major", asked.major, "of smem: k or mn").one_of({"k", "mn"}).shows_default();
           line.option("--lbo", leading_word, "of smem: leading byte offset");
           line.option("--sbo", stride_word, "of smem: stride byte offset");
           line.option("--descriptor", asked.descriptor,
                       "of smem: the descriptor word instead of --address, --lbo, --sbo and --swizzle");
           line.option("--m", asked.m, "rows of D, over both CTAs of a pair").shows_default();
           line.option("--n", asked.n, "columns of D").shows_default();
           line.option("--cta-group", asked.cta_group, "of tcgen05.mma").between(1, 2).shows_default();
           line.option("--lane-base", asked.lane_base, "0 or 16, in layouts that use half of the lanes")
               .shows_default();
           line.option("--block", asked.block, "elements of K that a scale is for: 16 or 32").shows_default();
           line.flag("--ws", asked.ws, "tcgen05.mma.ws");
           line.flag("--sparse", asked.sparse, "tcgen05.mma.sp");
           line.option("--arch", architecture, "of the device").shows_default();
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
