// A quotient of sums over lines, and how well it is known.
#pragma once

#include <cmath>

namespace loadline {

/// Sums of two quantities over lines: tokens, and the streams or the streams' seconds that made them.
struct RatioOfSums {
    double lines = 0;
    double tokens = 0, streams = 0;
    double tokens2 = 0, streams2 = 0, both = 0; ///< of squares and of products

    void add(double ofTokens, double ofStreams) {
        lines += 1;
        tokens += ofTokens;
        streams += ofStreams;
        tokens2 += ofTokens * ofTokens;
        streams2 += ofStreams * ofStreams;
        both += ofTokens * ofStreams;
    }

    [[nodiscard]] RatioOfSums without(const RatioOfSums& part) const {
        return {lines - part.lines,     tokens - part.tokens,     streams - part.streams,
                tokens2 - part.tokens2, streams2 - part.streams2, both - part.both};
    }

    [[nodiscard]] double rate() const { return tokens / streams; }

    /// Square of the rate's standard error over the rate, linearised, of lines that are independent.
    [[nodiscard]] double variance() const {
        const double squares = tokens2 - 2 * rate() * both + rate() * rate() * streams2;
        return std::fmax(squares, 0) / (tokens * tokens);
    }
};

} // namespace loadline
