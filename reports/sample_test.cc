// SPDX-License-Identifier: Apache-2.0
#include "reports/sample_test.h"

#include <unistd.h>

#include <array>

namespace assay::report {
namespace {

const std::array<const char*, 16> types = {"u8",       "u16",   "u32",       "s32",      "u64",     "s64",
                                           "f16",      "f32",   "f64",       "bf16",     "f32.ftz", "tf32",
                                           "tf32.ftz", "b4x16", "b4x16_p64", "b6x16_p32"};
const std::array<const char*, 6> swizzles = {"none", "32B", "64B", "128B", "128B_atom32B", "96B"};
const std::array<const char*, 3> interleaves = {"none", "16B", "32B"};
const std::array<const char*, 5> edges = {"inside", "upper0", "upper+", "lower", "outside"};

const char* const dimension = "type x rank x interleave x swizzle x edges x strides";

std::vector<CoverageCell> coverage(bool hopper, bool store, uint64_t scale) {
  std::vector<CoverageCell> cells;
  uint64_t state = 88172645463325252u;
  for (size_t t = 0; t < types.size(); ++t)
    for (int rank = 1; rank <= 5; ++rank)
      for (size_t il = 0; il < interleaves.size(); ++il)
        for (size_t sw = 0; sw < swizzles.size(); ++sw)
          for (size_t e = 0; e < edges.size(); ++e)
            for (const char* stride : {"dense", "strided"}) {
              state ^= state << 13, state ^= state >> 7, state ^= state << 17;
              const bool reachable = !(il != 0 && rank < 3) && !(il == 2 && sw != 1) &&
                                     !(hopper && (t >= 13 || sw >= 4)) && !(store && e == 3);
              CoverageCell cell{dimension, {}, 0, reachable};
              cell.cell = std::string(types[t]) + "/" + std::to_string(rank) + "/" + interleaves[il] + "/" +
                          swizzles[sw] + "/" + edges[e] + "/" + stride;
              if (reachable && state % 97 != 0)
                cell.count = scale * (1 + state % 1000) / (rank * (t % 4 + 1));
              cells.push_back(std::move(cell));
            }
  return cells;
}

CaseRow violation(int i) {
  CaseRow row;
  row.property = "tma.tiled.store", row.device = "cuda:0";
  row.index = 1000 + 37 * i;
  row.verdict = Verdict::violates;
  const char* const how[] = {"tma.tiled.store TILE-R14 done bytes[upper0]",
                             "tma.tiled.store TILE-R09 done bytes[swizzle]",
                             "tma.tiled.store TILE-R14 done bytes[upper1]"};
  row.signature = how[i % 3];
  row.case_id = "9f3c0a61d2b44e7788ab53100000" + std::to_string(1000 + i);
  row.case_json =
      R"({"direction":"store","map":{"box_dim":[40,3],"data_type":"f16","element_stride":[1,1],)"
      R"("global_dim":[37,9],"global_stride":[80],"interleave":"none","rank":2,"swizzle":"128B"},)"
      R"("coord":[0,)" +
      std::to_string(i) + "]}";
  row.message = "tma.tiled.store: f16 box 40x3 over the right edge: byte 74 of row " + std::to_string(i % 9) +
                " written 0x3c, must stay 0xcd (16-byte piece at column 32 is clipped at element 37)";
  row.detail =
      "ran on SM 17, shared-memory address 0x400\ndevice: no error reported\n2 of 2 repetitions alike";
  row.replay = "assay replay tma.tiled.store@17#" + std::to_string(row.index) + " --device cuda:0";
  row.rules = {"TILE-R14", "TILE-R09"};
  row.fields = {{"element type", "f16 (2 bytes)"},
                {"rank", "2"},
                {"tensor", "37 x 9"},
                {"global stride", "80 bytes"},
                {"box", "40 x 3"},
                {"element stride", "1, 1"},
                {"coordinates", "0, " + std::to_string(i)},
                {"interleave", "none"},
                {"swizzle", "128B"},
                {"shared-memory offset", "1024"},
                {"fill", "zero"}};
  row.expected_end = "done", row.observed_end = "done";
  row.bytes_offset = 64 + 80 * static_cast<uint64_t>(i % 9);
  for (int b = 0; b < 96; ++b) {
    row.expected.push_back(static_cast<uint8_t>(b < 10 ? 0x3c + b * 5 : 0xcd));
    row.observed.push_back(b >= 10 && b < 16 ? static_cast<uint8_t>(0x40 + b + i) : row.expected.back());
    row.defined.push_back(b >= 80 && b < 84 ? 0 : 0xff);
  }
  row.differing_bytes = 6;
  return row;
}

const std::vector<RuleCount> rules = {
    {"TILE-R01",
     "A box element inside the tensor arrives at the position that its box coordinates and the pitch give.",
     "ptx 5.5.3", 4'182'004, 0, ""},
    {"TILE-R03", "An element outside the tensor is filled with zero, or with NaN where the map says so.",
     "ptx 5.5.3.1", 1'922'113, 0, "TMA-AMB-05"},
    {"TILE-R09", "Swizzle exchanges 16-byte chunks by bits of the absolute shared-memory address.",
     "ptx 5.5.7", 2'000'512, 8, ""},
    {"TILE-R14", "A store clips dimension 0 in whole 16-byte pieces.", "h200 S-01", 412'881, 16, ""},
    {"TILE-R17", "The transaction count is the full box, in bounds or not.", "h200 L-04", 4'182'004, 0,
     "TMA-AMB-18"},
    {"V-12", "Each global stride is a multiple of 16 and less than 2^40.", "driver cuTensorMapEncodeTiled",
     99'120, 0, ""},
    {"V-30", "Element types 13 to 15 and swizzles 4 to 6 need compute capability 10.",
     "driver cuTensorMapEncodeTiled", 0, 0, ""},
};

PropertyTotals totals_of(uint64_t conforms, double seconds) {
  PropertyTotals t;
  t.planned = t.issued = conforms;
  t.counts = {{Verdict::conforms, conforms}};
  t.seconds = seconds, t.device_busy_seconds = seconds * 0.71, t.host_busy_seconds = seconds * 11.4;
  t.tile_bytes = conforms * 2304;
  t.fingerprint = "b1946ac92492d2347c6235b4d2611184";
  t.complete = true;
  return t;
}

void fill_hung(Recorder& recorder, const std::string& device) {
  PropertyTotals hung = totals_of(4000, 8.8);
  hung.planned = 5000, hung.issued = 4002;
  hung.counts.emplace_back(Verdict::hung, 1);
  hung.counts.emplace_back(Verdict::crashed, 1);
  hung.reason = "the budget ended first";
  recorder.set_totals(device, "tma.tiled.load.multicast", hung);
  CaseRow row = violation(1);
  row.property = "tma.tiled.load.multicast", row.index = 4001, row.verdict = Verdict::hung;
  row.signature = "tma.tiled.load.multicast TILE-R17 hung";
  row.message =
      "multicast load to 4 CTAs never completed: barrier of CTA 2 still awaits 2,048 of 4,096 bytes after "
      "5 s";
  row.expected.clear(), row.observed.clear(), row.defined.clear(), row.differing_bytes = 0;
  row.expected_end = "done", row.observed_end = "hung";
  row.replay = "assay replay tma.tiled.load.multicast@17#4001 --device cuda:0";
  recorder.add_case(row);
  row.verdict = Verdict::crashed, row.index = 4002, row.signature = "tma.tiled.load.multicast crash 11";
  row.message = "the process that owns the device died of signal 11 while this case alone was running";
  row.observed_end = "crashed", row.replay = "assay replay tma.tiled.load.multicast@17#4002 --device cuda:0";
  recorder.add_case(row);
}

void fill_device(Recorder& recorder, const std::string& device, bool silicon, const SampleSize& size) {
  const uint64_t n = size.conforming;
  recorder.set_totals(device, "tma.tiled.load", totals_of(n, 1.9));
  recorder.set_coverage(device, "tma.tiled.load", coverage(silicon, false, n / 1000 + 1));
  const RuleCount swizzle{"TILE-R09", rules[2].words, rules[2].cite, 2'000'504, 0, ""};
  recorder.set_rules(device, "tma.tiled.load", {rules[0], rules[1], swizzle, rules[4]});

  PropertyTotals store = totals_of(n / 2, 1.1);
  if (silicon) {
    store.issued = store.planned = n / 2 + static_cast<uint64_t>(size.failures);
    store.counts.emplace_back(Verdict::violates, size.failures);
    for (int i = 0; i < size.failures; ++i) recorder.add_case(violation(i));
    CaseRow shrunk = violation(0);
    shrunk.shrunk_from = shrunk.case_id, shrunk.case_id = "77aa0000000000000000000000000001";
    shrunk.replay = "assay replay 'tma.tiled.store@17#1000/0.2.1' --device cuda:0";
    recorder.add_case(shrunk);
    recorder.set_rules(device, "tma.tiled.store", {rules[2], rules[3]});
  } else {
    recorder.set_rules(device, "tma.tiled.store", {{"TILE-R14", rules[3].words, rules[3].cite, 5120, 0, ""}});
  }
  recorder.set_totals(device, "tma.tiled.store", store);
  recorder.set_coverage(device, "tma.tiled.store", coverage(silicon, true, n / 2000 + 1));

  PropertyTotals encode = totals_of(n * 2, 4.2);
  encode.counts = {{Verdict::conforms, n * 2 - 40}, {Verdict::adopted_reading, 40}};
  recorder.set_totals(device, "driver.tensor_map.encode_tiled", encode);
  recorder.set_rules(device, "driver.tensor_map.encode_tiled", {rules[5], rules[6]});

  PropertyTotals declined = totals_of(0, 0);
  declined.planned = declined.issued = 0;
  declined.counts = {{Verdict::declined, 0}};
  declined.reason =
      silicon ? "sm_90 has no 96B swizzle" : "the emulated sm_100 has no 96B swizzle; use emulator:sm_103a";
  recorder.set_totals(device, "tma.tiled.load.swizzle_96B", declined);

  if (silicon) fill_hung(recorder, device);
  recorder.set_readings(
      device,
      {{"TMA-AMB-04", "Row pitch and transaction bytes when the inner box is narrower than the swizzle span",
        "P", "pitch is the span, bytes are rows times the inner box", "P", "default confirmed", 48'211,
        "c0ffee"},
       {"TMA-AMB-05", "Bits of an out-of-bounds NaN", "P", "every 16 bits 0x7FF7", "P", "default confirmed",
        12'004, "f00d"},
       {"X-05", "Is there an upper limit on the global address?", silicon ? "B" : "A",
        silicon ? "addresses from 2^57 on are refused" : "none: any aligned address is accepted", "A",
        silicon ? "rival adopted" : "default confirmed", 40, "deadbeef"},
       {"TMA-AMB-11", "Row pitch of a 96B swizzle", "", "", "A", "not decided", 0, ""}});
}

}  // namespace

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "assay_reports_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create a folder like " + pattern);
  folder_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

RunInfo sample_run() {
  return {"r-2026-11-21-a41f",
          "2026-11-21T02:14:05",
          "assay run 'tma.*' 'driver.*' --device all --cases 100000 --seed 17",
          "0.1.0",
          "2b2b494",
          "lab-gpu-07",
          17,
          {{"operating system", "Debian 12"},
           {"CPU", "16 cores"},
           {"CUDA Toolkit", "13.0"},
           {"compiler", "g++ 12.2"}}};
}

void fill_sample(const std::filesystem::path& file, const SampleSize& size) {
  const auto recorder = Recorder::create(file, sample_run());
  recorder->add_device({"cuda:0",
                        "silicon sm_90",
                        "sm_90",
                        "NVIDIA H200",
                        "GPU-5f1b2a9e-7c1d-4e0a-9a31-3b2f60c4d7aa",
                        {{"driver", "580.159.04"},
                         {"VBIOS", "96.00.A5.00.01"},
                         {"SM count", "132"},
                         {"ECC", "on"},
                         {"SM clock", "1980 MHz"}}});
  recorder->add_device({"emulator:sm_100a,schedule=random:5",
                        "emulator sm_100",
                        "sm_100",
                        "assay emulator",
                        "",
                        {{"completion schedule", "random, seed 5"}, {"worker processes", "2"}}});
  const std::vector<PropertyInfo> properties = {
      {"tma.tiled.load",
       "A tiled load puts every element of the box where the swizzled layout says, fills the rest and "
       "signals the whole box.",
       {"TILE-R01", "TILE-R03", "TILE-R09", "TILE-R17"}},
      {"tma.tiled.store",
       "A tiled store writes the elements inside the tensor and nothing else.",
       {"TILE-R09", "TILE-R14"}},
      {"driver.tensor_map.encode_tiled",
       "The driver accepts exactly the legal maps and writes the 1024 bits that they mean.",
       {"V-12", "V-30"}},
      {"tma.tiled.load.swizzle_96B", "A load with the 96B swizzle follows its own pattern.", {"TILE-R21"}},
      {"tma.tiled.load.multicast",
       "A multicast load delivers the box to every CTA in the mask.",
       {"TILE-R17"}}};
  for (const char* device : {"cuda:0", "emulator:sm_100a,schedule=random:5"})
    for (const PropertyInfo& property : properties) recorder->plan(device, property, 0);
  fill_device(*recorder, "cuda:0", true, size);
  fill_device(*recorder, "emulator:sm_100a,schedule=random:5", false, size);
  PropertyTotals multicast;
  multicast.planned = multicast.issued = 5000, multicast.counts = {{Verdict::conforms, 5000}},
  multicast.seconds = 1.25;
  multicast.complete = true;
  recorder->set_totals("emulator:sm_100a,schedule=random:5", "tma.tiled.load.multicast", multicast);
  recorder->add_finding("cuda:0", "driver and document differ",
                        "X-13: im2colWide accepts interleave 16B, which the driver API page forbids");
  recorder->add_finding("emulator:sm_100a,schedule=random:5", "strict mode",
                        "proxy-fence: kernel tiled_store, PTX line 214: st.shared is read by cp.async.bulk "
                        "without fence.proxy.async");
  if (size.hostile_names) {
    recorder->plan("cuda:0", {hostile, "claims " + hostile, {hostile}}, 7);
    recorder->add_finding("cuda:0", hostile, hostile);
    CaseRow row = violation(2);
    row.property = hostile, row.message = hostile + "\nsecond line", row.signature = hostile,
    row.replay = hostile;
    row.detail = hostile, row.case_json = hostile, row.case_id = hostile, row.rules = {hostile};
    row.fields.emplace_back(hostile, hostile);
    row.expected_end = row.observed_end = hostile;
    recorder->add_case(row);
    recorder->set_rules("cuda:0", hostile, {{hostile, hostile, hostile, 3, 1, hostile}});
    recorder->set_coverage(
        "cuda:0", hostile,
        {{hostile + " x " + hostile, hostile + "/" + hostile, 1, true}, {"a x b", "only one", 0, true}});
  }
  if (size.finish) recorder->finish(1, "2026-11-21T02:14:31");
}

void fill_one(const std::filesystem::path& file, const PropertyTotals& totals, uint64_t planned) {
  const auto recorder = Recorder::create(file, sample_run());
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  recorder->plan("cuda:0", {"tma.tiled.load", "claim", {}}, planned);
  recorder->set_totals("cuda:0", "tma.tiled.load", totals);
  recorder->finish(0, "2026-11-21T02:14:31");
}

}  // namespace assay::report
