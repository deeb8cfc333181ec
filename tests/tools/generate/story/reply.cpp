// Placeholders, snapshots and final counts.
#include "tests/tools/generate/story/reply.h"

#include <algorithm>

namespace loadline::generate {
namespace {

Tokens partOf(Tokens output, std::int64_t lowPercent, std::int64_t highPercent, Random& random) {
    return std::max<Tokens>(1, output * random.between(lowPercent, highPercent) / 100);
}

} // namespace

OutputQuality RecordedOutput::quality(OutputLog log) const {
    return firstStopLine >= 0            ? OutputQuality::Final
           : log == OutputLog::StartOnly ? OutputQuality::StartOnly
                                         : OutputQuality::LowerBound;
}

RecordedOutput recordedOutput(OutputLog log, std::size_t lines, Tokens output, Random& random) {
    static constexpr std::array<std::uint32_t, 10> startWeights = {30, 38, 8, 6, 4, 3, 3, 4, 2, 2};
    const auto start = std::min<Tokens>(output, static_cast<Tokens>(random.pick(startWeights)) + 1);
    RecordedOutput recorded;
    recorded.byLine.assign(lines, start);
    const int lastLine = static_cast<int>(lines) - 1;
    switch (log) {
    case OutputLog::Growing:
        recorded.byLine.back() = std::max(start, partOf(output, 60, 100, random));
        if (random.chance(210)) {
            recorded.byLine.back() = output;
            recorded.firstStopLine = lastLine;
        }
        break;
    case OutputLog::PartlyFinal:
        if (random.chance(350)) {
            recorded.byLine.back() = output;
            recorded.firstStopLine = lastLine;
        } else {
            recorded.byLine.back() = std::max(start, partOf(output, 40, 100, random));
        }
        break;
    case OutputLog::StartOnly:
        break;
    case OutputLog::Snapshot:
        recorded.byLine.back() = std::max(start, partOf(output, 5, 80, random));
        if (random.chance(10)) {
            recorded.byLine.back() = output;
            recorded.firstStopLine = lastLine;
        }
        break;
    case OutputLog::FinalEachLine:
        recorded.byLine.assign(lines, output);
        recorded.firstStopLine = 0;
        break;
    case OutputLog::FinalLastLine:
        recorded.byLine.back() = output;
        recorded.firstStopLine = lastLine;
        break;
    }
    return recorded;
}

} // namespace loadline::generate
