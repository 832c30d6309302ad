// SPDX-License-Identifier: Apache-2.0
#include "suites/run/places.h"

#include <iterator>

namespace assay::suites {
namespace {

/// The first row whose id matches: a whole one, or all that begin so where it ends in '-'. Ids not listed
/// show in loads.
constexpr DecidingPlace places[] = {
    {"TMA-AMB-08", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-16", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-19", "tma.tiled.store.faults", "sm_90a", 40},
    {"X-06", "tma.tiled.load.faults", "sm_90a", 48},
    {"TMA-AMB-10", "tma.tiled.load", "sm_100a", 4000},
    {"TMA-AMB-12", "tma.tiled.load", "sm_90a", 300},  // most interleaved cases end by their time limit
    {"TMA-AMB-11", "tma.tiled.load", "sm_103a", 4000},
    {"TMA-AMB-15", "driver.tensor_map.encode_tiled", "sm_100a", 8000},
    {"TMA-AMB-33", "tma.tiled.load", "sm_100a", 4000},
    {"TMA-AMB-34", "tma.tiled.load.faults", "sm_100a", 60},
    {"TMA-AMB-32", "tma.tiled.store", "sm_90a", 4000},
    {"X-17", "tma.tiled.store", "sm_90a", 4000},
    {"TMA-AMB-09", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-17", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-20", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"TMA-AMB-28", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"AMB-01", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-02", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-03", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"AMB-04", "mma.ws.column_shift", "sm_100a", 200},
    {"AMB-05", "mma.dense.layout", "sm_100a", 120},
    {"AMB-06", "tmem.shift", "sm_100a", 120},
    {"AMB-07", "mma.dense.ashift", "sm_100a", 60},
    {"AMB-08", "mma.descriptor.one_field_wrong", "sm_100a", 60},
    {"AMB-09", "mma.scaled.pair", "sm_100a", 120},
    {"AMB-11", "mma.scaled.mxf4nvf4", "sm_100a", 40},
    {"AMB-12", "mma.scaled.k96", "sm_103a", 40},
    {"AMB-14", "mma.scaled.k96", "sm_103a", 40},
    {"AMB-16", "mma.scaled.pair", "sm_100a", 60},
    {"AMB-19", "mma.sparse.f16", "sm_100a", 60},
    {"AMB-20", "mma.sparse.f16", "sm_100a", 200},
    {"AMB-45", "mma.sparse.ws", "sm_100a", 60},
    {"AMB-46", "mma.scaled.k96", "sm_103a", 200},
    {"AMB-51", "mma.scaled.k96", "sm_103a", 200},
    {"NUM-AMB-07", "mma.scaled.mxf4", "sm_100a", 200},
    {"NUM-AMB-11", "mma.scaled.mxf4nvf4", "sm_100a", 120},
    {"NUM-AMB-18", "mma.scaled.mxf4nvf4", "sm_100a", 300},
    {"NUM-AMB-19", "mma.scaled.k96", "sm_103a", 120},
    {"NUM-AMB-20", "mma.scaled.mxf8f6f4", "sm_100a", 120},
    {"NUM-AMB-21", "mma_sync.sparse.f8f6f4", "sm_120a", 120},
    {"AMB-21", "mma.dense.layout", "sm_100a", 120},
    {"AMB-22", "mma.dense.layout", "sm_100a", 120},
    {"AMB-23", "tmem.st", "sm_100a", 120},
    {"AMB-24", "mma.dense.f16", "sm_100a", 120},
    {"AMB-25", "tmem.cp", "sm_100a", 120},
    {"AMB-27", "tmem.cp", "sm_100a", 120},
    {"AMB-28", "mma.dense.output_lanes", "sm_100a", 200},
    {"AMB-30", "mma.dense.f8f6f4", "sm_100a", 120},
    {"AMB-32", "mma.dense.layout", "sm_100a", 240},
    {"AMB-38", "tmem.cp.order", "sm_100a", 120},
    {"AMB-52", "mma.scaled.refill", "sm_100a", 120},
    {"AMB-47", "tmem.cp.decompress", "sm_100a", 120},
    {"TMEM-AMB-01", "tmem.lane_window", "sm_100a", 60},
    {"AMB-48", "tmem.cp.decompress", "sm_100a", 120},
    {"AMB-49", "tmem.ld.red", "sm_103a", 200},
    {"NUM-AMB-01", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-02", "mma.dense.f16", "sm_100a", 600},
    {"NUM-AMB-03", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-05", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-08", "mma.dense.f8f6f4", "sm_100a", 120},
    {"NUM-AMB-17", "mma.dense.f16", "sm_100a", 300},
    {"NUM-AMB-16", "mma.ws.zero_column_mask", "sm_100a", 120},
    {"TMA-AMB-30", "tma.im2col.load.faults", "sm_90a", 60},
    {"TMA-AMB-02", "tma.im2col.load", "sm_90a", 3000},
    {"TMA-AMB-03", "tma.im2col.load", "sm_90a", 3000},
    {"TMA-AMB-23", "tma.im2col.load", "sm_90a", 4000},
    {"TMA-AMB-13", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-14", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-42", "tma.im2col_w.load", "sm_100a", 1500},
    {"TMA-AMB-43", "tma.im2col_w.load.faults", "sm_100a", 54},
    {"TMA-AMB-21", "tma.gather4.load", "sm_100a", 40},
    {"TMA-AMB-41", "tma.gather4.load.faults", "sm_100a", 45},
    {"X-07", "driver.tensor_map.encode_im2col", "sm_90a", 8000},
    {"X-12", "driver.tensor_map.encode_im2col_wide", "sm_90a", 8000},
    {"X-13", "driver.tensor_map.encode_im2col_wide", "sm_90a", 8000},
    {"BULK-AMB-01", "bulk.copy.odd_sizes", "sm_90a", 30},
    {"BULK-AMB-03", "bulk.copy.faults", "sm_90a", 200},
    {"BULK-AMB-02", "bulk.reduce.global", "sm_90a", 2000},
    {"MBAR-AMB-01", "barrier.found", "sm_90a", 60},
    {"TMA-AMB-22", "tma.map.memory", "sm_90a", 24},
    {"TMA-AMB-27", "tma.map.replace", "sm_90a", 400},
    {"REPL-AMB-01", "tma.map.replace", "sm_90a", 400},
    {"REPL-AMB-02", "tma.map.replace", "sm_90a", 400},
    {"X-", "driver.tensor_map.encode_tiled", "sm_90a", 8000},
    {"", "tma.tiled.load", "sm_90a", 4000},
};

}  // namespace

const DecidingPlace& deciding_place(std::string_view question) {
  for (const DecidingPlace& where : places)
    if (question == where.question ||
        (where.question.ends_with('-') && question.starts_with(where.question)) || where.question.empty())
      return where;
  return places[std::size(places) - 1];
}

bool says_anything(const spec::Reading& reading) {
  return reading.words.starts_with("anything");
}

}  // namespace assay::suites
