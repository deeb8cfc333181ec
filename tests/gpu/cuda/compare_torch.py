# PyTorch's fp16 linear and int4 weight-only matmul on the GPU, timed as the protocol times: one node of a CUDA graph
# over rotated copies of the weights. Prints one line of JSON per point, in the columns of an imported profile.
import json
import statistics
import sys

try:
    import torch
except ImportError:
    print("PyTorch is not installed: nothing to compare with", file=sys.stderr)
    sys.exit(77)
if not torch.cuda.is_available():
    print("PyTorch sees no GPU: nothing to compare with", file=sys.stderr)
    sys.exit(77)

SIZES = [(2048, 8192), (4096, 4096), (8192, 8192), (8192, 28672)]  # K, N
ROWS = [1, 2, 4, 8, 16, 32, 64]
SAMPLES = 25


def rotations(bytes_per_copy):
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    return max(2, min(64, -(-max(4 * l2, 256 << 20) // bytes_per_copy)))


def graph_node_us(calls):
    """Median time of one call: a graph of all calls, replayed between two events."""
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
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        if i >= 2:
            times.append(begin.elapsed_time(end) * 1000 / nodes)
    return statistics.median(times)


def fp16_linear(k, n, m):
    copies = rotations(2 * k * n)
    weights = [torch.randn(n, k, device="cuda", dtype=torch.float16) for _ in range(copies)]
    x = torch.randn(m, k, device="cuda", dtype=torch.float16)
    return [lambda w=w: torch.nn.functional.linear(x, w) for w in weights]


def int4_weight_only(k, n, m, group=128):
    copies = rotations(k * n // 2)
    packed = [
        torch._convert_weight_to_int4pack(
            torch.randint(0, 256, (n, k // 2), device="cuda", dtype=torch.uint8), 8)
        for _ in range(copies)
    ]
    scales = torch.rand(k // group, n, 2, device="cuda", dtype=torch.bfloat16)
    x = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
    return [lambda w=w: torch._weight_int4pack_mm(x, w, group, scales) for w in packed]


with torch.no_grad():
    for k, n in SIZES:
        for m in ROWS:
            for name, bits, make in (("torch_fp16_linear", 16, fp16_linear), ("torch_int4_pack_mm", 4, int4_weight_only)):
                point = {"kernel": name, "shape": f"{k}x{n}", "K": k, "N": n, "M": m, "k_bits": bits}
                try:
                    point["time_us"] = round(graph_node_us(make(k, n, m)), 3)
                except (RuntimeError, AttributeError, NotImplementedError) as error:
                    point["skipped"] = str(error).splitlines()[0]
                torch.cuda.empty_cache()
                print(json.dumps(point), flush=True)
