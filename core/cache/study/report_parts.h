// The parts of the report of `loadline cache`, each in the order of the document.
#pragma once

#include "core/cache/study/cache_answer.h"

#include <functional>
#include <string>
#include <vector>

namespace loadline::ask {

/// Part over whole; 0 of nothing.
inline double quotient(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/// A value, which may be a lower bound.
inline Cell boundCell(double share, bool least) {
    return on(least ? Basis::AtLeast : Basis::Exact, share);
}

/// "unlimited" to "working_set": what follows from blocks, of an unlimited cache and of an engine's.
void addBlocks(Report& report, const CacheAnswer& answer, const CacheQuestion& question);

/// Null where usage records leave nothing open.
void addUpperEnd(Report& report, const CacheAnswer& answer, const CacheQuestion& question);

/// "breaks": null where the logs record no cache.
void addBreaks(Report& report, const CacheAnswer& answer);

/// {"gpus", "prefill", "hit_rate", "hit_rate_of", "mean_input_tokens", "answer": {"hit_rate", "hit_rate_of",
/// SPLIT...}, "linear": SPLIT, "with_attention": [{"model", SPLIT...}], "within_ttl_and_tiers": {"300":
/// {..}}, "limit": SPLIT}. The first hit rate is the typed one, the provider's or an unlimited cache's; the
/// answer's is of a cache that keeps blocks for usualTtlS in the tiers, which its "hit_rate_of" says in
/// words. The limit is a hit rate of 1, where the published study's 32 GPUs and 2x are.
void addSplit(Report& report, const CacheAnswer& answer, const CacheQuestion& question);

/// "tiers", "token_cost" and "move_out"; null where nothing tells what is reused. "tiers"/"sharing"/
/// "replicas": to how many the sharers are dealt; "routing": how (routingWords), null with one. Hits are
/// those of one replica with its share of each tier.
void addTiers(Report& report, const CacheAnswer& answer);
void addCosts(Report& report, const CacheAnswer& answer, const CacheQuestion& question);
void addMoveOut(Report& report, const CacheAnswer& answer);

} // namespace loadline::ask
