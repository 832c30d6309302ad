// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/record.h"
#include "reports/sample_test.h"

namespace assay::report {

/// A run of 100 cases of tma.tiled.load on a GPU.
struct SampleNight {
  std::string started;  ///< also the id of the run
  std::string driver = "580.1";
  std::vector<std::string> ways = {};  ///< signatures, a failing case of each
  std::string fingerprint = "0a";
  std::string uuid = "GPU-1";
};

inline void write_night(const std::filesystem::path& file, const SampleNight& night) {
  RunInfo run = sample_run();
  run.run_id = run.started_utc = night.started;
  const auto recorder = Recorder::create(file, run);
  recorder->add_device({"cuda:0",
                        "silicon sm_90",
                        "sm_90",
                        "NVIDIA H200",
                        night.uuid,
                        {{"kernel-mode driver", night.driver}}});
  recorder->plan("cuda:0", {"tma.tiled.load", "claim", {}}, 100);
  PropertyState state;
  state.totals.planned = state.totals.issued = 100;
  state.totals.counts = {{Verdict::conforms, 100 - night.ways.size()},
                         {Verdict::violates, night.ways.size()}};
  state.totals.fingerprint = night.fingerprint, state.totals.seconds = 2, state.totals.complete = true;
  for (const std::string& signature : night.ways) {
    FailureKindRow kind;
    kind.signature = signature, kind.count = 1;
    state.kinds.push_back(kind);
  }
  recorder->set_state("cuda:0", "tma.tiled.load", state);
  recorder->finish(!night.ways.empty(), night.started);
}

}  // namespace assay::report
