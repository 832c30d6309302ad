// SPDX-License-Identifier: Apache-2.0
#include "suites/run/run_identity.h"

#include <unistd.h>
#include <algorithm>

#include <ctime>
#include <thread>

#include "kernels/params/image.h"

namespace assay::suites {
namespace {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// Who compiled the embedded kernels: PTX text names its compiler in its first line.
std::string kernel_words() {
  std::string compiler;
  size_t cubins = 0;
  for (size_t i = 0; i < assay_kernel_image_count; ++i) {
    const AssayKernelImage& image = assay_kernel_images[i];
    const std::string_view text(reinterpret_cast<const char*>(image.begin),
                                static_cast<size_t>(image.end - image.begin));
    if (std::string_view(image.kind) == "cubin")
      ++cubins;
    else if (compiler.empty() && text.starts_with("// nvcc "))
      compiler = text.substr(3, text.find('\n') - 3);
  }
  return "PTX text of CUDA Toolkit " + compiler +
         (cubins == 0 ? ", no cubins: built without nvcc" : ", " + std::to_string(cubins) + " cubins");
}

std::string evidence_words(const DeviceIdentity& identity) {
  return (identity.evidence == Evidence::silicon ? "silicon " : "emulator ") + identity.architecture;
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  return text;
}

int threads_of(const RunOptions& options) {
  if (options.threads > 0) return options.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

report::RunInfo run_info(const RunOptions& options) {
  report::RunInfo info;
  info.started_utc = utc_now();
  info.host = host_name();
  info.run_id = info.started_utc + "-" + info.host + "-" + std::to_string(getpid()) + "-" +
                std::to_string(options.seed);
  if (options.shards > 1) info.run_id += "-" + std::to_string(options.shard);
  info.command_line = options.command_line;
  info.version = options.version;
  info.commit = options.commit;
  info.seed = options.seed;
  info.shard = options.shard;
  info.shards = options.shards;
  info.flaky_warns = options.flaky_warns;
  info.options = options_text(options);
  info.environment = {{"host cores", std::to_string(std::thread::hardware_concurrency())},
                      {"threads", std::to_string(threads_of(options))},
                      {"kernels", kernel_words()}};
  if (options.budget) info.environment.emplace_back("budget, ms", std::to_string(options.budget->count()));
  if (options.cases) info.environment.emplace_back("cases a property", std::to_string(*options.cases));
  if (options.shards > 1)
    info.environment.emplace_back("shard",
                                  std::to_string(options.shard) + " of " + std::to_string(options.shards));
  return info;
}

report::DeviceInfo device_info(const DeviceIdentity& identity) {
  report::DeviceInfo info{identity.spec,         evidence_words(identity),
                          identity.architecture, identity.name,
                          identity.uuid,         identity.facts};
  if (identity.driver_version != 0)
    info.facts.insert(info.facts.begin(), {"driver API", std::to_string(identity.driver_version)});
  if (identity.sm_count != 0) info.facts.emplace_back("SMs", std::to_string(identity.sm_count));
  return info;
}

}  // namespace assay::suites
