// Times of attention over tokens, by phase and batch, with what bounds them.
#pragma once

#include "core/cost/estimate/kernel_bounds.h"
#include "core/text/table.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline {

/// A timed call as it is drawn.
struct AttentionMark {
    std::size_t point = 0; ///< index in the profile's attention
    double tokens = 1;
    double us = 0;
    double low = 0; ///< of the error bar
    double high = 0;
    double boundUs = 0;        ///< context once at the rate of reading, or the arithmetic; 0: not known
    double fraction = 0;       ///< boundUs / us
    bool byArithmetic = false; ///< the bound
};

/// One phase and batch of one profile.
struct AttentionCurve {
    AttentionPhase phase = AttentionPhase::Decode;
    AttentionHeads heads;
    int batch = 1;
    int profile = 0;                  ///< 0: the profile; 1: the one it is compared with
    std::vector<AttentionMark> marks; ///< ascending in tokens
};

struct AttentionFigure {
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const Profile> compared;
    std::vector<AttentionCurve>
        curves;                ///< those of the profile first; decode before prefill, batches ascending
    bool severalHeads = false; ///< of different models
    std::string boundSource;   ///< what fractions are of; empty: nothing is known
    std::string sentence;
};

/// `profile` is not null, `compared` may be. Never fails: without attention there are no curves, and the
/// sentence says what would give some.
AttentionFigure attentionFigure(std::shared_ptr<const Profile> profile,
                                std::shared_ptr<const Profile> compared = nullptr);

/// "decode, 16 sequences", with the heads where there are several.
std::string nameOf(const AttentionCurve& curve, bool withHeads);

/// profile, phase, q_heads, kv_heads, head_dim, batch, tokens, time_us, p25_us, p75_us, min_us, low_us,
/// high_us, bound_us, bound_by, fraction_of_ceiling, samples, clock_mhz, flags, origin, not_complete.
Table attentionTable(const AttentionFigure& figure);

} // namespace loadline
