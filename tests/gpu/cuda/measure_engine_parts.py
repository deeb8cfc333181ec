#!/usr/bin/env python3
"""Times parts of an engine's step that no published table has, with PyTorch on one NVIDIA GPU.

  measure_engine_parts.py OUT

Writes three tables into OUT. Times are medians in us of replays of a CUDA graph; inputs are random and rotate
among copies that together exceed the L2 cache.
  prefix.csv        causal attention of `new_tokens` queries after `cached_tokens` tokens, FlashAttention 2
  router.csv        rows x hidden times hidden x experts, in FP32 and in TF32, and in bf16
  small_kernels.csv one kernel of so many in a graph: empty, norm, rotate, activation, quantise, KV write
"""
import statistics
import sys
import time

import torch
import triton
import triton.language as tl

out = sys.argv[1]
device = torch.device("cuda")
torch.manual_seed(1)
properties = torch.cuda.get_device_properties(0)
L2_BYTES = properties.L2_cache_size
MOST_COPIES = 64


def time_us(call, copies, least_replays=9, budget_s=0.25):
    """The median time of call(i) over i in range(copies), in us, by replays of a graph that holds them all."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for i in range(min(copies, 3)):
            call(i)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    calls = max(copies, 8)
    with torch.cuda.graph(graph):
        for i in range(calls):
            call(i % copies)
    graph.replay()
    torch.cuda.synchronize()
    times, begin = [], time.monotonic()
    while len(times) < least_replays or (time.monotonic() - begin < budget_s and len(times) < 100):
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        graph.replay()
        last.record()
        torch.cuda.synchronize()
        times.append(first.elapsed_time(last) * 1000 / calls)
        if len(times) >= 3 and time.monotonic() - begin > 2 * budget_s:
            break
    return statistics.median(times)


def copies_for(bytes_each):
    return max(1, min(MOST_COPIES, 1 + int(2 * L2_BYTES / max(bytes_each, 1))))


def attend(q, k, v):
    return torch.ops.aten._flash_attention_forward(
        q, k, v, None, None, q.shape[1], k.shape[1], 0.0, True, False)[0]


def check_attention():
    """The causal mask is aligned with the last token, and query heads share KV heads."""
    q = torch.randn(1, 96, 8, 128, device=device, dtype=torch.bfloat16)
    k = torch.randn(1, 352, 2, 128, device=device, dtype=torch.bfloat16)
    v = torch.randn_like(k)
    got = attend(q, k, v).double()
    qs = q.double().transpose(1, 2)
    ks, vs = (x.double().transpose(1, 2).repeat_interleave(4, 1) for x in (k, v))
    mask = torch.ones(96, 352, device=device, dtype=torch.bool).tril(352 - 96)
    score = (qs @ ks.transpose(-1, -2)) / 128**0.5
    want = (score.masked_fill(~mask, float("-inf")).softmax(-1) @ vs).transpose(1, 2)
    error = ((got - want).norm() / want.norm()).item()
    print(f"attention: relative error {error:.1e} against float64", flush=True)
    assert error < 1e-2


def prefix_table():
    rows = []
    cached = [0, 1024, 4096, 16384, 32768, 65536, 131072]
    for heads, kv_heads, dim in [(32, 8, 128), (8, 1, 128), (16, 2, 128), (64, 8, 64), (16, 2, 256)]:
        for new in [16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]:
            q = torch.randn(1, new, heads, dim, device=device, dtype=torch.bfloat16)
            for c in cached:
                pairs = new * c + new * new / 2
                if pairs > 16384 * 131072:
                    continue
                n = copies_for(2 * (new + c) * kv_heads * dim * 2) if new <= 512 else 1
                k = [torch.randn(1, new + c, kv_heads, dim, device=device, dtype=torch.bfloat16)
                     for _ in range(n)]
                v = [torch.randn_like(x) for x in k]
                t = time_us(lambda i: attend(q, k[i], v[i]), n, 5, 0.06)
                rows.append((heads, kv_heads, dim, new, c, f"{t:.5g}"))
        print(f"prefix {heads}/{kv_heads}/{dim} done", flush=True)
    # One long prompt each: the best rate of the kernel.
    write("prefix.csv", "num_heads,num_kv_heads,head_dim,new_tokens,cached_tokens,time_us", rows)


def router_table():
    rows = []
    for hidden, experts in [(3072, 256), (2048, 128), (4096, 128), (2048, 512), (7168, 256), (6144, 256)]:
        for m in [1, 2, 4, 8, 16, 24, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]:
            for kind in ["fp32", "tf32", "bf16"]:
                dtype = torch.bfloat16 if kind == "bf16" else torch.float32
                torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
                n = copies_for(hidden * (experts + m) * (2 if kind == "bf16" else 4))
                x = [torch.randn(m, hidden, device=device, dtype=dtype) for _ in range(n)]
                w = [torch.randn(experts, hidden, device=device, dtype=dtype) for _ in range(n)]
                t = time_us(lambda i: torch.nn.functional.linear(x[i], w[i]), n, 5, 0.04)
                rows.append((kind, hidden, experts, m, f"{t:.5g}"))
    write("router.csv", "format,hidden,experts,m,time_us", rows)


@triton.jit
def empty_kernel(p):
    pass


@triton.jit
def norm_kernel(x, residual, w, y, width, block: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, block)
    ok = at < width
    r = tl.load(residual + row * width + at, ok, 0.0).to(tl.float32)
    a = tl.load(x + row * width + at, ok, 0.0).to(tl.float32) + r
    tl.store(residual + row * width + at, a, ok)
    scale = tl.rsqrt(tl.sum(a * a) / width + 1e-6)
    tl.store(y + row * width + at, a * scale * tl.load(w + at, ok, 0.0).to(tl.float32), ok)


@triton.jit
def activation_kernel(x, y, width, block: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * block + tl.arange(0, block)
    ok = at < width
    gate = tl.load(x + row * 2 * width + at, ok, 0.0).to(tl.float32)
    up = tl.load(x + row * 2 * width + width + at, ok, 0.0).to(tl.float32)
    tl.store(y + row * width + at, gate * tl.sigmoid(gate) * up, ok)


@triton.jit
def quantise_kernel(x, y, scale, width, block: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * block + tl.arange(0, block)
    ok = at < width
    a = tl.load(x + row * width + at, ok, 0.0).to(tl.float32) * tl.load(scale)
    tl.store(y + row * width + at, tl.clamp(a, -448.0, 448.0).to(tl.float8e4nv), ok)


@triton.jit
def copy_rows_kernel(x, y, slots, width, block: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, block)
    ok = at < width
    slot = tl.load(slots + row)
    tl.store(y + slot * width + at, tl.load(x + row * width + at, ok), ok)


def small_kernels_table():
    rows = []
    bf16 = dict(device=device, dtype=torch.bfloat16)
    x1 = torch.zeros(1, **bf16)
    rows.append(("empty", 0, 1, f"{time_us(lambda i: empty_kernel[(1,)](x1), 64, 9, 0.1):.5g}"))
    for hidden, inter, kv in [(8192, 3584, 256), (4096, 7168, 1024), (3072, 1536, 512), (2880, 2880, 512)]:
        for m in [1, 8, 32, 64, 128, 256, 1024, 8192]:
            block = triton.next_power_of_2(hidden)
            x = torch.randn(m, hidden, **bf16)
            residual = torch.randn(m, hidden, **bf16)
            w = torch.randn(hidden, **bf16)
            y = torch.empty_like(x)
            both = torch.randn(m, 2 * inter, **bf16)
            half = torch.empty(m, inter, **bf16)
            small = torch.empty(m, hidden, device=device, dtype=torch.float8_e4m3fn)
            scale = torch.ones(1, device=device)
            keys = torch.randn(m, kv, **bf16)
            cache = torch.empty(65536, kv, **bf16)
            slots = torch.randperm(65536, device=device)[:m]
            calls = {
                "norm": lambda i: norm_kernel[(m,)](x, residual, w, y, hidden, block),
                "activation": lambda i: activation_kernel[(m, triton.cdiv(inter, 1024))](both, half, inter, 1024),
                "quantise": lambda i: quantise_kernel[(m, triton.cdiv(hidden, 1024))](x, small, scale, hidden, 1024),
                "kv_write": lambda i: copy_rows_kernel[(m,)](keys, cache, slots, kv, triton.next_power_of_2(kv)),
            }
            for name, call in calls.items():
                rows.append((name, hidden, m, f"{time_us(call, 64, 9, 0.05):.5g}"))
    write("small_kernels.csv", "kernel,hidden,m,time_us", rows)


def write(name, header, rows):
    with open(f"{out}/{name}", "w") as f:
        f.write(header + "\n")
        for row in rows:
            f.write(",".join(str(x) for x in row) + "\n")


begin = time.monotonic()
print(f"{properties.name}, {properties.multi_processor_count} multiprocessors, L2 {L2_BYTES >> 20} MiB, "
      f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}", flush=True)
check_attention()
for table in [router_table, small_kernels_table, prefix_table]:
    try:
        table()
    except Exception as error:  # the other tables are still of use
        print(f"{table.__name__}: {error}", flush=True)
    print(f"{table.__name__}: {time.monotonic() - begin:.0f} s", flush=True)
