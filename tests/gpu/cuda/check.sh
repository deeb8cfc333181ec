#!/usr/bin/env bash
# What is checked on a machine with an NVIDIA GPU: ./dev gpu-check runs it, and so does an unpacked gpu-kit.
#   check.sh LOADLINE GPU_TESTS OUT [STEP...]
# Steps, in this order unless some are named: facts correct targets profiler memcheck standard torch racecheck
# initcheck.
# Each takes nine minutes at most and leaves OUT/STEP.log; all that is in OUT is packed into OUT.tar.gz. A step's
# exit code 77 means that it could not be done here. LOADLINE_GPU_CHECK_SECONDS is how long a step may take.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
loadline=$1 tests=$2 out=${3%/}
shift 3
steps=("$@")
((${#steps[@]})) || steps=(facts correct targets profiler memcheck standard torch racecheck initcheck)
seconds=${LOADLINE_GPU_CHECK_SECONDS:-540}
failed=() skipped=()

say() { printf '%s\n' "$@" >&2; }

command -v nvidia-smi >/dev/null && timeout 60 nvidia-smi -L >&2 || {
    say 'There is no NVIDIA GPU, or no driver for it: nothing can be checked here.' \
        'What can be proved without one is part of ./dev test.'
    exit 1
}
mkdir -p "$out"

# PyTorch brings a cuBLAS that the loader does not know of.
cublas_of_python() {
    python3 - <<'END' 2>/dev/null || true
import glob, importlib.util
found = importlib.util.find_spec("nvidia")
for place in found.submodule_search_locations if found else []:
    for name in sorted(glob.glob(place + "/*/lib/libcublas.so.1*")):
        print(name)
        raise SystemExit
END
}
if [[ -z ${LOADLINE_CUBLAS:-} ]] && ! ldconfig -p 2>/dev/null | grep libcublas.so >/dev/null; then
    LOADLINE_CUBLAS=$(cublas_of_python)
fi
[[ -z ${LOADLINE_CUBLAS:-} ]] || export LOADLINE_CUBLAS

# step NAME COMMAND...: one part, its output kept; counts failures and skips. Tests of which none ran have failed.
step() {
    local name=$1 status=0 log=$out/$1.log begin=$SECONDS
    say "== $name"
    "${@:2}" >"$log" 2>&1 || status=$?
    grep -E '% of |limit |cuBLAS |: read |ERROR SUMMARY|RACECHECK SUMMARY|FAILED|PASSED|^torch ' "$log" >&2 || true
    say "   $((SECONDS - begin)) s"
    case $status in
        0) if grep -q '^\[  PASSED  \] 0 tests' "$log"; then
               failed+=("$name: all of it was skipped, see $log")
           elif grep -q '^\[  SKIPPED \]' "$log"; then
               skipped+=("$name: parts of it, see $log")
           fi ;;
        77) skipped+=("$name: $(tail -n 1 "$log")") ;;
        124) failed+=("$name: not done after $seconds s, see $log") ;;
        *) failed+=("$name: see $log") ;;
    esac
}

# What is here; nothing else is of use where the program finds no GPU.
facts() {
    timeout 60 nvidia-smi
    ldconfig -p | grep -E 'libcuda|libnvidia-ml|libcublas' || true
    echo "LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}"
    timeout 60 "$loadline" bench --list | tee "$out/devices.txt"
    grep -q 'cuda:0' "$out/devices.txt"
}

# What binds our kernel: instructions issued, the ALU, wavefronts of shared memory, bytes of L2 and memory,
# stalls.
profile() {
    local ncu log=$out/profiler.log status=0
    ncu=$(command -v ncu || ls /usr/local/cuda/bin/ncu 2>/dev/null || true)
    if [[ -z $ncu ]]; then
        echo 'Nsight Compute (ncu) is not installed'
        return 77
    fi
    LOADLINE_GPU_CHECK=profiler timeout "$seconds" "$ncu" --clock-control none --kernel-name regex:swapAbKernel \
        --section SpeedOfLight --section ComputeWorkloadAnalysis --section MemoryWorkloadAnalysis \
        --section MemoryWorkloadAnalysis_Tables --section SchedulerStats --section WarpStateStats \
        --section InstructionStats --print-details all "$tests" --gtest_filter='Profiled.*' || status=$?
    if grep -q ERR_NVGPUCTRPERM "$log"; then
        echo 'the driver keeps its counters to administrators'
        return 77
    fi
    return "$status"
}

sanitize() {
    local sanitizer
    sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
    if [[ -z $sanitizer ]]; then
        echo 'compute-sanitizer is not installed'
        return 77
    fi
    # Our kernels, not cuBLAS's; calls that fail within libraries are theirs, our own are all looked at.
    LOADLINE_GPU_CHECK=small timeout "$seconds" "$sanitizer" --tool "$1" --target-processes all \
        --report-api-errors no --error-exitcode 1 "$tests" \
        --gtest_filter='OnDevice.*-OnDevice.*Cublas*:OnDevice.APairTakesWhatItsPartsTake:OnDevice.FullSizesMatchFloat64'
}

compare() {
    command -v python3 >/dev/null || { echo 'there is no python3, so no PyTorch'; return 77; }
    timeout "$seconds" python3 "$here/compare_torch.py" --loadline "$loadline" --shapes "$here/compare_shapes.json" --out "$out"
}

for name in "${steps[@]}"; do
    case $name in
        facts)
            step facts facts
            if ((${#failed[@]})); then
                say "loadline bench --list names no cuda:0, so there is nothing to check; see $out/facts.log."
                break
            fi ;;
        memcheck | racecheck | initcheck) step "$name" sanitize "$name" ;;
        profiler) step profiler profile ;;
        correct) step correct timeout "$seconds" "$tests" --gtest_filter='OnDevice.*' ;;
        targets) step targets env LOADLINE_GPU_CHECK=targets timeout "$seconds" "$tests" --gtest_filter='Targets.*' ;;
        standard) step standard timeout "$seconds" "$loadline" bench --device cuda:0 --preset standard \
            --out "$out/profile.json" ;;
        torch) step torch compare ;;
        *) say "There is no step '$name'."; exit 2 ;;
    esac
done

tar -C "$(dirname "$out")" -czf "$out.tar.gz" "$(basename "$out")"
say '' "Everything is in $out.tar.gz."
((${#skipped[@]} == 0)) || say 'Not done:' "${skipped[@]/#/  }"
if ((${#failed[@]})); then
    say 'Failed:' "${failed[@]/#/  }"
    exit 1
fi
say 'All that was done is right.'
