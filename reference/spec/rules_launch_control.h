// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

/// Rules on clusterlaunchcontrol: clusters that run cancel others of their grid and do their work. Section
/// numbers are those of PTX ISA 9.0.
namespace assay::spec {

namespace launch_control_cites {
/// Not on sm_90 (PTX ISA notes and target notes of both instructions).
inline constexpr OnArch from_sm_100_on{false, true, true, true};
inline constexpr Cite request{"ptx", "9.7.13.17, clusterlaunchcontrol.try_cancel"};
inline constexpr Cite answer{"ptx", "9.7.13.18, clusterlaunchcontrol.query_cancel"};
}  // namespace launch_control_cites

inline constexpr std::array launch_control_rules{
    Rule{
        "CLC-R01",
        "a request that succeeds cancels one cluster of the grid that has not started: none of its CTAs runs",
        {{launch_control_cites::request, launch_control_cites::answer}},
        launch_control_cites::from_sm_100_on,
        ""},
    Rule{"CLC-R02",
         "query_cancel.is_canceled is true of the answer to a request that cancelled a cluster, and false of "
         "one that cancelled nothing",
         {{launch_control_cites::answer}},
         launch_control_cites::from_sm_100_on,
         ""},
    Rule{"CLC-R03",
         "query_cancel.get_first_ctaid gives the %ctaid of the first CTA of the cluster that was cancelled, "
         "which no other answer of the grid has",
         {{launch_control_cites::answer, launch_control_cites::request}},
         launch_control_cites::from_sm_100_on,
         ""},
    Rule{
        "CLC-R04",
        "an answer has 16 bytes, which are written asynchronously, and as many are completed on the mbarrier "
        "of the request afterwards",
        {{launch_control_cites::request}},
        launch_control_cites::from_sm_100_on,
        ""},
    Rule{
        "CLC-R05",
        ".multicast::cluster::all: every CTA of the cluster that asks has the answer at its own address, and "
        "its completion on its own mbarrier",
        {{launch_control_cites::request}},
        launch_control_cites::from_sm_100_on,
        ""},
    Rule{"CLC-R06",
         "a CTA that has found a request to have cancelled nothing makes no other",
         {{launch_control_cites::request}},
         launch_control_cites::from_sm_100_on,
         ""},
};

}  // namespace assay::spec
