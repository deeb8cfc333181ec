// Prefill of new tokens after a cached prefix. No table holds it; it is modelled from prefill without one.
#pragma once

#include "core/cost/surface/attention_surface.h"
#include "core/cost/surface/surface_value.h"

#include <cstdint>

namespace loadline {

/// How a prefill kernel lays its work out over the multiprocessors.
enum class PrefixForm : std::uint8_t {
    /// Tiles of queries in whole waves over all multiprocessors; the context is not split.
    WholeWaves,
    /// The context is split among multiprocessors where they outnumber the tiles, and a second kernel adds
    /// the parts up: only the rows of part-filled tiles are lost.
    SplitTiles
};

struct PrefixRule {
    PrefixForm form = PrefixForm::WholeWaves;
    double tileRows = 64;
    bool packsHeads = false;    ///< the query heads of a KV head share tiles
    double multiprocessors = 0; ///< needed for WholeWaves; 0 with SplitTiles: the second kernel is left out
};

/// vLLM's FlashAttention 2 on a paged cache (Ampere, Ada, workstation Blackwell): waves of 64-row tiles.
PrefixRule wavesOfFlashAttention2(double multiprocessors);
/// FlashAttention 2 as in PyTorch: kernels that split the context have tiles of 64 rows
/// (flash_api.cpp, set_params_splitkv).
PrefixRule splitFlashAttention2(double multiprocessors);
/// FlashAttention 3 (Hopper) and, not verified, the kernels of data-centre Blackwell: tiles of 128 rows,
/// heads packed for batches of sequences of different lengths (hopper/heuristics.h, should_pack_gqa).
PrefixRule splitFlashAttention3(double multiprocessors);

/// Rows that a prefill of `newTokens` occupies, in each head: at least newTokens.
double occupiedRows(const PrefixRule& rule, const AttentionShape& shape, double newTokens);

/// Time of q new tokens after c0 cached ones in one layer, t(q) without cached ones being known:
///     t(q) + max(w x pairs x rows / q, KV bytes of c0 / bandwidth) + r
/// w: us per pair of query and key; pairs: those of new queries and cached keys (q x c0 without a window);
/// rows: occupiedRows; r: the least time of the curve, for the second kernel of SplitTiles where the tiles
/// fill less than 0.8 of the multiprocessors (as in num_splits_heuristic of FlashAttention).
///
/// Held against measurements, nothing fitted (median and 90 % of the errors): WholeWaves on an RTX PRO 6000
/// 2.1 and 4.9 % (214 cells), on an RTX 4090 from a curve that ends at 2,048 tokens 4.6 and 10.1 % (88);
/// SplitTiles on an H100 with PyTorch's FlashAttention 2 4.4 and 13.4 % (295 cells). The tail there, up to
/// -54 %: up to 64 new tokens after 4,096, where num_splits_heuristic chooses 33 splits and their partial
/// results, written and read as fp32, take as long as the attention. FlashAttention 3 was not measured. The
/// slope of short curves (PrefillCurve::bestUsPerPair) was chosen after seeing both profiles.
class PrefixedPrefill {
public:
    /// usPerPair: w for all heads; curve.bestUsPerPair() (WholeWaves) or PrefillSurface::kernelUsPerPair
    /// (SplitTiles). Precondition: a curve that is not empty.
    PrefixedPrefill(PrefillCurve curve, const PrefixRule& rule, double usPerPair);

    /// Modelled where cachedTokens > 0, else as the curve. At least the tensor cores' time.
    [[nodiscard]] SurfaceValue at(double newTokens, double cachedTokens) const;

private:
    PrefillCurve curve_;
    PrefixRule rule_;
    double usPerPair_ = 0;
    double secondKernelUs_ = 0;
};

} // namespace loadline
