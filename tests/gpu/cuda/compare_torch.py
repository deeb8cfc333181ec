# PyTorch's fp16 linear and int4 weight-only matmul beside our kernels on the same GPU: PyTorch, ours, PyTorch again.
# PyTorch is timed as our protocol times: one node of a CUDA graph over rotated copies of the weights.
#   compare_torch.py --loadline PROGRAM --shapes FILE --out FOLDER
# Leaves FOLDER/torch.csv (a profile's columns, for bench --import), FOLDER/ours.json and the table that it prints.
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys

try:
    import torch
except ImportError:
    print("PyTorch is not installed: nothing to compare with")
    sys.exit(77)
if not torch.cuda.is_available():
    print("PyTorch sees no GPU: nothing to compare with")
    sys.exit(77)

ROWS = [1, 2, 4, 8, 32, 128]  # of the preset quick
SAMPLES = 25


def rotations(bytes_per_copy):
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    return max(2, min(64, -(-max(4 * l2, 256 << 20) // bytes_per_copy)))


def graph_node_us(calls):
    """Median time of one call: a graph of all calls, replayed between two events."""
    torch.cuda.synchronize()  # the other stream must find the weights made
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for call in calls[:3]:
            call()
    torch.cuda.synchronize()
    nodes = max(len(calls), 32)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(nodes):
            calls[i % len(calls)]()
    times = []
    for i in range(SAMPLES + 2):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(200_000)  # some 0.1 ms: the replay is queued before the device begins, as in our protocol
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        if i >= 2:
            times.append(begin.elapsed_time(end) * 1000 / nodes)
    return statistics.median(times)


def fp16_linear(k, n, m):
    weights = [torch.randn(n, k, device="cuda", dtype=torch.float16) for _ in range(rotations(2 * k * n))]
    x = torch.randn(m, k, device="cuda", dtype=torch.float16)
    return [lambda w=w: torch.nn.functional.linear(x, w) for w in weights]


def int4_weight_only(k, n, m, group=128):
    packed = [
        torch._convert_weight_to_int4pack(
            torch.randint(0, 256, (n, k // 2), device="cuda", dtype=torch.uint8), 8)
        for _ in range(rotations(k * n // 2))
    ]
    scales = torch.rand(k // group, n, 2, device="cuda", dtype=torch.bfloat16)
    x = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
    return [lambda w=w: torch._weight_int4pack_mm(x, w, group, scales) for w in packed]


KERNELS = {"torch_fp16_linear": (16, fp16_linear), "torch_int4_pack_mm": (4, int4_weight_only)}


def torch_times(sizes):
    """(kernel, K, N, M) -> microseconds, or the reason why there are none."""
    times = {}
    with torch.no_grad():
        for k, n in sizes:
            for m in ROWS:
                for name, (_, make) in KERNELS.items():
                    try:
                        times[name, k, n, m] = graph_node_us(make(k, n, m))
                    except (RuntimeError, AttributeError, NotImplementedError, TypeError) as error:
                        times[name, k, n, m] = (str(error).splitlines() or [type(error).__name__])[0]
                    torch.cuda.empty_cache()
    return times


def our_times(loadline, shapes, path):
    subprocess.run([loadline, "bench", "--device", "cuda:0", "--shapes", shapes, "--k", "4", "--preset", "quick",
                    "--out", path], check=True, stdout=subprocess.DEVNULL)
    with open(path) as file:
        points = json.load(file)["points"]
    return {(p["kernel"], *map(int, p["shape"].split("x")), p.get("rows_m", 0)): p["time_us"] for p in points}


def merged(first, second):
    """The mean of both visits, the reason where one has no time; and by how much they differ at most."""
    times, drift = {}, 0.0
    for key, one in first.items():
        other = second[key]
        if isinstance(one, str) or isinstance(other, str):
            times[key] = one if isinstance(one, str) else other
        else:
            times[key] = (one + other) / 2
            drift = max(drift, abs(one - other) / times[key])
    return times, drift


def main():
    parser = argparse.ArgumentParser()
    for option in ("--loadline", "--shapes", "--out"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    with open(options.shapes) as file:
        sizes = [tuple(map(int, gemm["shape"].split("x"))) for gemm in json.load(file)["gemms"]]
    first = torch_times(sizes)
    ours = our_times(options.loadline, options.shapes, os.path.join(options.out, "ours.json"))
    torch_us, drift = merged(first, torch_times(sizes))

    with open(os.path.join(options.out, "torch.csv"), "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["kernel", "shape", "K", "N", "M", "k_bits", "time_us"])
        for (name, k, n, m), us in torch_us.items():
            if not isinstance(us, str):
                rows.writerow([name, f"{k}x{n}", k, n, m, KERNELS[name][0], f"{us:.3f}"])

    def cell(times, *key):
        us = times.get(key)
        return "-" if us is None else us[:40] if isinstance(us, str) else f"{us:.2f}"

    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}; us of one call in a graph, weights rotated; "
          f"PyTorch's two visits differ by {100 * drift:.1f} % at most")
    print(f"torch {'K x N':>12} {'M':>4} {'cuBLAS fp16':>12} {'torch fp16':>12} {'swap-AB k=4':>12} {'torch int4':>12}")
    for k, n in sizes:
        for m in ROWS:
            print(f"torch {f'{k}x{n}':>12} {m:>4} {cell(ours, 'cublas_fp16', k, n, m):>12} "
                  f"{cell(torch_us, 'torch_fp16_linear', k, n, m):>12} {cell(ours, 'swap_ab', k, n, m):>12} "
                  f"{cell(torch_us, 'torch_int4_pack_mm', k, n, m):>12}")
    slower = [(k, n, m) for (name, k, n, m), us in ours.items()
              if name == "swap_ab" and isinstance(torch_us.get(("torch_int4_pack_mm", k, n, m)), float)
              and us > torch_us["torch_int4_pack_mm", k, n, m]]
    print(f"torch swap-AB k=4 is slower than PyTorch's int4 at {len(slower)} points"
          + "".join(f"; {k}x{n} M {m}" for k, n, m in slower))


main()
