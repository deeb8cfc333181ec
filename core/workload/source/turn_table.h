// Draws turns from a workload, in constant time each.
#pragma once

#include "core/base/random.h"
#include "core/workload/source/workload.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// A workload made ready for drawing.
///
/// Distribution: input and output independently, each the power of two of its bucket, as the published study
/// drew them (means 1298.46 and 114.14); by Walker's alias method.
/// Sessions and Trace: a turn that was there, each equally likely, its input and output together and to the
/// token. Bins would lose what goes with what (long answers to short prompts), and put up to 41 % of error on
/// each size and some on the mean. A session's input is what is new, a request's its whole prompt.
/// A turn without input or output counts as 1 token each.
class TurnTable {
public:
    explicit TurnTable(const Workload& workload);

    /// True if nothing can be drawn.
    [[nodiscard]] bool empty() const { return turns_.empty() && (input_.empty() || output_.empty()); }

    /// The turn that 64 random bits stand for. Precondition: not empty.
    [[nodiscard]] DrawnTurn turnOf(std::uint64_t bits) const {
        if (!turns_.empty()) {
            return turns_[below(static_cast<std::uint32_t>(turns_.size()), bits)];
        }
        return {valueOf(input_, static_cast<std::uint32_t>(bits >> 32)),
                valueOf(output_, static_cast<std::uint32_t>(bits))};
    }

    /// The k-th turn of a stream.
    [[nodiscard]] DrawnTurn draw(const RandomStream& stream, std::uint64_t k) const {
        return turnOf(stream.at(k));
    }

private:
    struct Column { // of an alias table: `own` below the threshold, else `other`
        std::uint32_t threshold = 0;
        std::int32_t own = 1;
        std::int32_t other = 1;
    };

    using AliasTable = std::vector<Column>;

    static AliasTable aliasTable(const BucketFrequencies& frequencies);

    static std::int32_t valueOf(const AliasTable& table, std::uint32_t bits) {
        const std::uint64_t place = std::uint64_t{bits} * table.size();
        const Column& column = table[place >> 32];
        return static_cast<std::uint32_t>(place) < column.threshold ? column.own : column.other;
    }

    AliasTable input_, output_;
    std::vector<DrawnTurn> turns_;
};

} // namespace loadline
