#include "suites/reproducer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

#include "kernels/params/batch.h"
#include "kernels/params/gemm.h"
#include "kernels/params/sequence.h"
#include "kernels/params/source.h"
#include "kernels/params/tcgen05.h"
#include "kernels/params/tiled_copy.h"
#include "kernels/params/wgmma.h"
#include "suites/words.h"

namespace assay::suites {
namespace {

/// A source file of more than this is no pleasure to anybody.
constexpr size_t most_output_bytes = 512 << 10;

/// What host.inc is: a raw string.
constexpr const char* host_text =
#include "suites/reproducer_host.inc"
    ;

/// How a family's kernel is launched for one record.
struct Launch {
  const char* file = nullptr;
  std::string kernel;
  uint32_t cluster_size = 1, clusters = 1, threads = params::probe_threads;
  uint32_t shared_bytes = params::window_alignment;
  const char* flavour = nullptr;  ///< of the host part: a macro
  bool has_map = false, map_in_output = false;
};

template <typename Record>
Record as(const std::vector<std::byte>& bytes) {
  Record record;
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

const char* wgmma_kernel(uint32_t form) {
  using params::MmaTypes;
  const MmaTypes types = params::wgmma_form_types(form);
  constexpr const char* by_types[] = {"wgmma_f32_f16", "wgmma_f16_f16", "wgmma_f32_bf16", "wgmma_f32_tf32"};
  if (types <= MmaTypes::f32_tf32_tf32) return by_types[static_cast<size_t>(types)];
  return types <= MmaTypes::f16_e5m2_e5m2 ? "wgmma_fp8" : "wgmma_i8";
}

std::optional<Launch> launch_of(std::string_view family, const std::vector<std::byte>& bytes) {
  Launch launch;
  if (family == "tma_tiled_copy") {
    const auto r = as<params::TiledCopyRecord>(bytes);
    if (r.flags & params::tiled_replace_swizzle_96B) return std::nullopt;  // needs sm_103a alone
    const bool store = r.op == params::TiledOp::store;
    launch.file = "kernels/tma_tiled_copy.cu";
    launch.kernel = store                ? "tma_tiled_store"
                    : r.cluster_size > 1 ? "tma_tiled_load_multicast"
                                         : "tma_tiled_load";
    launch.cluster_size = r.cluster_size;
    launch.shared_bytes += r.window_bytes;
    launch.has_map = true;
    launch.map_in_output = store;
  } else if (family == "tcgen05_mma") {
    const auto r = as<params::Tcgen05MmaRecord>(bytes);
    launch.file = "kernels/tcgen05_mma.cu";
    launch.kernel = r.cta_group == 2           ? "tcgen05_mma_pair"
                    : r.flags & params::mma_ws ? "tcgen05_mma_ws"
                                               : "tcgen05_mma";
    launch.cluster_size = r.cta_group;
    launch.shared_bytes += r.window_bytes;
    if (r.image.row_bytes != 0) launch.flavour = "CASE_HAS_IMAGE";
  } else if (family == "sequence") {
    const auto r = as<params::SequenceRecord>(bytes);
    launch.file = "kernels/sequence.cu";
    launch.kernel = r.is_tmem      ? "tmem_sequence"
                    : r.is_cluster ? "barrier_cluster_sequence"
                                   : "barrier_sequence";
    if (r.is_cluster) launch.cluster_size = 2, launch.threads = 32;
    if (r.is_tmem) launch.shared_bytes += params::tmem_sequence_operand_bytes;
  } else if (family == "tmem_access") {
    const auto r = as<params::TmemAccessRecord>(bytes);
    launch.file = "kernels/tmem_ld_st.cu";
    launch.kernel = r.is_store ? "tmem_st" : "tmem_ld";
    if (r.is_store) launch.shared_bytes += params::probe_threads * params::tmem_registers * 4;
  } else if (family == "wgmma") {
    const auto r = as<params::WgmmaRecord>(bytes);
    launch.file = "kernels/wgmma.cu";
    launch.kernel = wgmma_kernel(r.form);
    launch.shared_bytes += r.window_bytes;
  } else if (family == "mma_sync") {
    launch.file = "kernels/mma_sync.cu";
    launch.kernel = "mma_sync";
  } else if (family == "encode_tiled") {
    launch.file = "kernels/params/encode_tiled.h";
    launch.flavour = "CASE_IS_ENCODE";
  } else if (family == "gemm") {
    const auto r = as<params::GemmRecord>(bytes);
    launch.file = "kernels/gemm_pipeline.cu";
    launch.kernel = r.cta_group == 2 ? "gemm_pipeline_pair" : "gemm_pipeline";
    launch.cluster_size = params::gemm_cluster(r.cta_group);
    launch.clusters = std::min(2u, params::gemm_tiles_m(r) * params::gemm_tiles_n(r));
    launch.threads = params::gemm_threads;
    launch.shared_bytes += params::gemm_shared_bytes;
    launch.flavour = "CASE_IS_GEMM";
  } else {
    return std::nullopt;
  }
  return launch;
}

void expand(const std::string& path, std::set<std::string>& once, std::string& text) {
  const char* content = nullptr;
  for (size_t i = 0; i < assay_kernel_source_count; ++i)
    if (path == assay_kernel_sources[i].path) content = assay_kernel_sources[i].text;
  if (content == nullptr) throw std::runtime_error("the program has no text of " + path);
  if (!path.ends_with(".inc") && !once.insert(path).second) return;
  std::string_view rest = content;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    constexpr std::string_view include = "#include \"";
    if (line.starts_with(include))
      expand(std::string(line.substr(include.size(), line.find('"', include.size()) - include.size())), once,
             text);
    else if (line != "#pragma once")
      text += std::string(line) + "\n";
  }
}

std::string hex_literal(const std::vector<uint8_t>& bytes) {
  constexpr size_t a_line = 50;
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % a_line == 0) text += i == 0 ? "\n    \"" : "\"\n    \"";
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return bytes.empty() ? "\"\"" : text + "\"";
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) >= 32 && static_cast<unsigned char>(c) < 127)
      out += c;
    else
      out += '?';
  }
  return out + "\"";
}

/// As the program's End, with a second end that is as good, or -1.
struct EndCode {
  int ended, code, or_ended;
};
EndCode code_of(model::End end) {
  switch (end) {
    case model::End::done:
      return {0, 0, -1};
    case model::End::rejected:
      return {3, 1, -1};
    case model::End::illegal_instruction:
      return {4, 715, -1};
    case model::End::misaligned_address:
      return {4, 716, -1};
    case model::End::illegal_address:
      return {4, 700, -1};
    case model::End::never_completes:
      return {1, 0, -1};
    case model::End::early_surplus:
      return {2, 0, 1};
    case model::End::undefined:
      break;
  }
  return {-1, 0, -1};
}

/// "90a": instructions of these families exist for such targets alone, and -arch=sm_90a would compile for
/// compute_90 as well.
const char* target_of(spec::Arch arch) {
  const std::string_view name = spec::name(arch);
  return name == "sm_90" ? "90a" : name == "sm_100" ? "100a" : "103a";
}

}  // namespace

std::string kernel_text(const std::string& path) {
  std::set<std::string> once;
  std::string text;
  expand(path, once, text);
  return text;
}

std::optional<std::string> reproducer(const Property& property, const Outcome& outcome,
                                      const report::CaseRow& row, spec::Arch arch) {
  const Family& family = property.family();
  const size_t output_bytes = family.output_bytes(outcome.what);
  if (family.record_bytes() == 0 || output_bytes > most_output_bytes) return std::nullopt;
  std::vector<std::byte> record(family.record_bytes());
  const spec::Readings defaults(arch);
  family.write_record(outcome.what, 0, defaults, record.data());
  const std::optional<Launch> launch = launch_of(family.name(), record);
  if (!launch) return std::nullopt;
  // The reading that the run chose may allow more; the program judges by the default one.
  Scratch scratch;
  Expected expected;
  family.predict(outcome.what, defaults, scratch, expected);
  if (expected.may_crash) return std::nullopt;  // then it is no defect that the program ends
  ExpectedOutput whole;
  if (expected.judges_bytes) whole = family.expected_output(outcome.what, expected);
  whole.bytes.resize(output_bytes);
  whole.defined.resize(output_bytes);
  const EndCode end = code_of(expected.end);

  const std::string target = target_of(arch);
  std::string text = "// " + std::string(property.name) + ": " + std::string(property.claim) + "\n// " +
                     row.message.substr(0, row.message.find('\n')) + "\n";
  for (const auto& [name, value] : row.fields) text += "//   " + name + ": " + value + "\n";
  text +=
      "// Stand-alone: nvcc -std=c++20 --expt-relaxed-constexpr -gencode arch=compute_" + target +
      ",code=sm_" + target +
      " -o case THIS_FILE && ./case\n// Exit code: 0 as expected, 1 not as expected, 2 could not run.\n\n";
  text += kernel_text(launch->file);
  text += "\n";
  if (!launch->kernel.empty()) text += "#define KERNEL " + launch->kernel + "\n";
  if (launch->has_map) text += "#define CASE_HAS_MAP\n";
  if (launch->flavour != nullptr) text += "#define " + std::string(launch->flavour) + "\n";
  text += "\nnamespace {\n\nconst char about[] = " + literal(row.message) + ";\n";
  if (!launch->kernel.empty())
    text += "const char kernel_name[] = " + literal(launch->kernel) +
            ";\nconst unsigned cluster_size = " + std::to_string(launch->cluster_size) +
            ", ctas = " + std::to_string(launch->clusters * launch->cluster_size) +
            ", threads = " + std::to_string(launch->threads) +
            ", shared_bytes = " + std::to_string(launch->shared_bytes) + ";\n";
  if (launch->has_map)
    text += std::string("const bool map_in_output = ") + (launch->map_in_output ? "true" : "false") + ";\n";
  text += "const int expected_ended = " + std::to_string(end.ended) +
          ", or_ended = " + std::to_string(end.or_ended) + ", expected_code = " + std::to_string(end.code) +
          ";\n";
  text += "const char expected_words[] = " + literal(words(expected.end)) + ";\n";
  text += std::string("const bool judges_bytes = ") + (expected.judges_bytes ? "true" : "false") + ";\n";
  text += "const unsigned long output_bytes = " + std::to_string(output_bytes) + ";\n";
  text += "alignas(16) const unsigned char record_bytes[] = {";
  for (size_t i = 0; i < record.size(); ++i)
    text += (i % 24 == 0 ? "\n    " : "") + std::to_string(static_cast<int>(record[i])) + ",";
  text += "};\nconst char expected_hex[] = " + hex_literal(whole.bytes) + ";\n";
  text += "const char defined_hex[] = " + hex_literal(whole.defined) + ";\n\n}  // namespace\n";
  text += host_text;
  return text;
}

}  // namespace assay::suites
