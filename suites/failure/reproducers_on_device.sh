#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stand-alone programs on a real GPU: of each family that the device has, one case as it is (exit code 0 on a device
# that conforms) and one with a planted defect (exit code 1). Needs nvcc. Exit code 0 when every program did so.
#   suites/failure/reproducers_on_device.sh build/release/assay cuda:0 sm_90a FOLDER
# CASE_LIBCUDA names another driver, such as libassay_emulator.so; its kernels are then given as PTX.
set -u
[ $# = 4 ] || { echo "usage: $0 ASSAY DEVICE TARGET FOLDER" >&2; exit 64; }
assay=$1 device=$2 target=${3#sm_} folder=$4
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || { echo "there is no nvcc"; exit 77; }
properties="tma.tiled.load tma.tiled.load.multicast tma.tiled.store driver.tensor_map.encode_tiled"
case $target in
  90a) properties+=" wgmma.f16 wgmma.descriptor mma_sync.f16 barrier.sequence" ;;
  *) properties+=" mma.dense.layout tmem.ld tmem.st pipeline.gemm barrier.sequence tmem.sequence" ;;
esac
mkdir -p "$folder" || exit 2
failed=0
for property in ${PROPERTIES:-$properties}; do
  file=$folder/$property.cu
  found=
  # A case that ends and whose output is judged.
  for index in $(seq 0 60); do
    "$assay" replay "$property@1#$index" --device "$device" --cu "$file" >"$folder/$property.txt" 2>&1 &&
      grep -q 'judges_bytes = true' "$file" && grep -q 'expected_ended = 0,' "$file" && { found=$index; break; }
  done
  [ -n "$found" ] || { echo "FAILED  $property: no case of it conforms"; failed=1; continue; }
  program=$folder/$property
  "$nvcc" -std=c++20 --expt-relaxed-constexpr "$file" -keep -keep-dir "$folder" \
    -gencode "arch=compute_$target,code=sm_$target" -o "$program" >"$program.log" 2>&1 ||
    { echo "FAILED  $property: nvcc, see $program.log"; failed=1; continue; }
  for defect in "" 1; do
    env ${defect:+CASE_PLANT_DEFECT=1} "$program" ${CASE_LIBCUDA:+"$program.ptx"} >"$program.log" 2>&1
    code=$?
    if [ $code = "${defect:-0}" ]; then
      echo "ok      $property#$found${defect:+, planted defect}: exit code $code"
    else
      echo "FAILED  $property#$found${defect:+, planted defect}: exit code $code, see $program.log"
      failed=1
    fi
  done
done
exit $failed
