// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tmem/copy_cases.h"
#include "kernels/forms/records.h"
#include "kernels/params/tensor_copy.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/spec/rules.h"
#include "suites/run/bytes.h"
#include "suites/run/family_of.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/run/words.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

using params::TiledCopyRecord;

/// Runs in the kernel of loads in a cluster, which has all that it takes to tell whom a signal reached.
class Commit final : public PlainFamily<CommitCase, TiledCopyRecord, suites::simpler> {
 public:
  /// `most_ctas`: of a cluster.
  Commit(std::string_view name, uint32_t most_ctas) : name_(name), most_ctas_(most_ctas) {}
  std::string_view name() const override { return name_; }
  uint32_t output_bytes(const Case& any) const override {
    return commit_window_bytes * any.as<CommitCase>().cluster_size;
  }
  uint32_t batch_key(const Case& any) const override { return any.as<CommitCase>().cluster_size; }

  void complete(const CommitCase& c, const spec::Readings&, TiledCopyRecord& r) const override {
    r.op = params::CopyOp::load;
    r.flags = params::copy_commits | (c.barrier_offset != 0 ? params::copy_far_barrier : 0u) |
              (c.multicast ? 0u : params::copy_unicast);
    r.expect_tx = c.tracked_bytes;
    r.opcode = forms::commit_opcode(c.multicast, c.is_generic);
    r.window_bytes = commit_window_bytes;
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank) r.signals |= (c.cta_mask >> rank & 1u) << 2 * rank;
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    const auto r = record_from<TiledCopyRecord>(bytes);
    return launch_by(forms::commit_launch_of(r), {{"tcgen05.commit", {r.opcode}}});
  }
  uint64_t pace() const override { return 64; }

  void predict(const Case& any, const spec::Readings&, Scratch& scratch, Expected& e) const override {
    const CommitCase& c = any.as<CommitCase>();
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank)
      std::memcpy(&bytes[size_t{rank} * commit_window_bytes], arena().data(), commit_window_bytes);
    e = {};
    e.judges_bytes = true;
    e.bytes = bytes;
    e.rules.set(spec::rule("SYNC-R01"));
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const CommitCase& c = any.as<CommitCase>();
    std::vector<std::pair<std::string, std::string>> list{
        {"instruction", c.multicast ? "tcgen05.commit to the mbarriers of mask " + hex_words(c.cta_mask)
                                    : "tcgen05.commit to the mbarrier of CTA " +
                                          std::to_string(std::countr_zero(c.cta_mask))},
        {"cluster", std::to_string(c.cluster_size) + ", issuer " + std::to_string(c.issuer_rank)}};
    tell(c, list);
    return list;
  }
  std::string brief(const Case& any) const override {
    const CommitCase& c = any.as<CommitCase>();
    return " cluster " + std::to_string(c.cluster_size) + " mask " + hex_words(c.cta_mask);
  }
  int issuing_rank(const Case& any) const override { return any.as<CommitCase>().issuer_rank; }

  Case from_json(const nlohmann::json& json) const override {
    const CommitCase c = model::case_from_json<CommitCase>(json);
    require_cluster(c.cluster_size, most_ctas_);
    return c;
  }

 private:
  const std::string_view name_;
  const uint32_t most_ctas_;
};

const Family& commit_family() {
  static const Commit family("tcgen05_commit", params::portable_cluster);
  return family;
}
const Family& commit_non_portable_family() {
  static const Commit family("tcgen05_commit_non_portable", params::largest_cluster);
  return family;
}

/// Clusters of two CTAs, then of four, then of eight, by the CTAs that are told.
constexpr uint32_t first_of_two = 0, first_of_four = 4, first_of_eight = 4 + 16, cell_count = 4 + 16 + 256;
uint32_t cell_of(const CommitCase& c) {
  return (c.cluster_size == 2   ? first_of_two
          : c.cluster_size == 4 ? first_of_four
                                : first_of_eight) +
         c.cta_mask;
}
CellSpace commit_cells() {
  return {"cluster x mask", cell_count,
          [](uint32_t cell, spec::Arch) {
            const uint32_t first = cell < first_of_four    ? first_of_two
                                   : cell < first_of_eight ? first_of_four
                                                           : first_of_eight;
            const uint32_t size = first == first_of_two ? 2 : first == first_of_four ? 4 : 8;
            return "cluster of " + std::to_string(size) + ", mask " + hex_words(cell - first);
          },
          [](spec::Arch) {
            std::vector<uint32_t> all;
            for (uint32_t cell = 0; cell < cell_count; ++cell)
              if (cell != first_of_two && cell != first_of_four && cell != first_of_eight)
                all.push_back(cell);
            return all;
          }};
}
void cover_commit(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, cell_of(any.as<CommitCase>()));
}

std::optional<std::string> needs_commit(spec::Arch arch) {
  if (spec::has_tcgen05(arch)) return std::nullopt;
  return std::string(spec::name(arch)) + " has no tcgen05.commit";
}

const Registered multicast({
    .name = "tmem.commit.multicast",
    .claim = "tcgen05.commit arrives once at the mbarrier of each CTA in its mask, or at the one that its "
             "address names, and at no other, in clusters of up to eight; a barrier that also expects bytes "
             "waits for them too",
    .family = commit_family,
    .share = 0.3,
    .generate = generate_case<make_commit>,
    .spaces = {commit_cells()},
    .cover = cover_commit,
    .declines = needs_commit,
});

void cover_large_cluster(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  cover_members(any.as<CommitCase>().cta_mask, sink);
}

const Registered large_cluster({
    .name = "tmem.commit.non_portable_cluster",
    .claim = "in a cluster of sixteen CTAs tcgen05.commit arrives once at the mbarrier of each CTA in its "
             "mask, or at the one that its address names, and at no other",
    .family = commit_non_portable_family,
    .share = 0.2,
    .generate = generate_case<make_commit_non_portable>,
    .spaces = {cluster_members()},
    .cover = cover_large_cluster,
    .declines = needs_commit,
});

}  // namespace
}  // namespace assay::suites
