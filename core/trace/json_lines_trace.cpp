// Reads traces with a request a line of JSON.
#include "core/base/file/read_json.h"
#include "core/text/parse_number.h"
#include "core/trace/arrival_unit.h"
#include "core/trace/block_trace.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>

namespace loadline {
namespace {

using Json = nlohmann::json;

using BlockIds = std::vector<std::int64_t>;

constexpr std::uint64_t wholeNsPerS = 1'000'000'000;
constexpr double nsPerS = 1e9;

/// One line at a time.
class RequestReader {
public:
    RequestReader(const RequestNames& keys, TraceProblems& problems) : keys_(keys), problems_(problems) {}

    /// Returns the request; nothing if the line cannot be used: the problem is noted.
    std::optional<TraceRequest> read(const TraceLine& line, BlockIds& blocks) {
        const Json object = jsonFrom(line.text);
        if (object.is_discarded()) {
            problems_.addBad(line, "it is not JSON");
            return std::nullopt;
        }
        if (!object.is_object()) {
            problems_.add(DiagnosticKind::NotAnObject, line.number, "it is not a JSON object");
            return std::nullopt;
        }
        const auto arrival = arrivalOf(object, line);
        const auto input = arrival ? number(object, keys_.input, line, maxTurnTokens, true) : std::nullopt;
        const auto output = input ? number(object, keys_.output, line, maxTurnTokens, true) : std::nullopt;
        if (!output || (keys_.blocks && !readBlocks(object, line, blocks))) {
            return std::nullopt;
        }
        return TraceRequest{.arrivalS = *arrival,
                            .input = static_cast<Tokens>(*input),
                            .output = static_cast<Tokens>(*output)};
    }

    /// True if any arrival had a fraction, in the unit that the format has it in.
    [[nodiscard]] bool anyFraction() const { return anyFraction_; }
    /// True if any arrival was text, which names its unit.
    [[nodiscard]] bool anyText() const { return anyText_; }

private:
    /// Returns the arrival in seconds; text is nanoseconds.
    std::optional<double> arrivalOf(const Json& object, const TraceLine& line) {
        const auto found = keys_.blocks ? object.find(keys_.arrival) : object.end();
        if (found != object.end() && found->is_string()) {
            anyText_ = true;
            const auto ns = parseNumber<std::uint64_t>(found->get_ref<const std::string&>());
            if (!ns || static_cast<double>(*ns) > nsPerS * mostTraceSeconds) {
                problems_.add(DiagnosticKind::BadTimestamp, line.number,
                              fmt::format("{} is not a time", keys_.arrival));
                return std::nullopt;
            }
            return static_cast<double>(*ns / wholeNsPerS) + static_cast<double>(*ns % wholeNsPerS) / nsPerS;
        }
        const auto given = number(object, keys_.arrival, line, keys_.perSecond * mostTraceSeconds, false);
        anyFraction_ = anyFraction_ || (given && std::floor(*given) != *given);
        return given ? std::optional(*given * (1 / keys_.perSecond)) : std::nullopt;
    }

    std::optional<double> number(const Json& object, std::string_view key, const TraceLine& line, double most,
                                 bool whole) {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null()) {
            problems_.add(DiagnosticKind::MissingField, line.number, fmt::format("{} is missing", key));
            return std::nullopt;
        }
        const double value = found->is_number() ? found->get<double>() : -1;
        if (!(value >= 0) || value > most || (whole && std::floor(value) != value)) {
            problems_.add(whole ? DiagnosticKind::BadNumber : DiagnosticKind::BadTimestamp, line.number,
                          fmt::format("{} is not a {}", key, whole ? "count of tokens" : "time"));
            return std::nullopt;
        }
        return value;
    }

    bool readBlocks(const Json& object, const TraceLine& line, BlockIds& blocks) {
        blocks.clear();
        const auto found = object.find("hash_ids");
        if (found == object.end()) {
            return true;
        }
        const bool wellFormed = found->is_array() && std::ranges::all_of(*found, [](const Json& id) {
                                    return id.is_number_integer();
                                });
        if (!wellFormed) {
            problems_.add(DiagnosticKind::BadNumber, line.number, "hash_ids is not a list of whole numbers");
            return false;
        }
        for (const Json& id : *found) {
            blocks.push_back(id.get<std::int64_t>());
        }
        return true;
    }

    RequestNames keys_;
    TraceProblems& problems_;
    bool anyFraction_ = false, anyText_ = false;
};

/// Numbers the blocks in the order of their first coming; tokens of leading blocks that requests before it
/// brought are cached, with a cache that forgets nothing.
void numberBlocks(std::vector<TraceRequest>& requests, const std::vector<BlockIds>& blocks,
                  Tokens blockTokens) {
    std::unordered_map<std::int64_t, std::uint32_t> numbers;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto before = static_cast<std::uint32_t>(numbers.size());
        for (const std::int64_t id : blocks[i]) {
            const auto next = static_cast<std::uint32_t>(numbers.size());
            requests[i].blocks.push_back(numbers.try_emplace(id, next).first->second);
        }
        const auto unseen =
            std::ranges::find_if(requests[i].blocks, [&](std::uint32_t number) { return number >= before; });
        const auto run = static_cast<Tokens>(unseen - requests[i].blocks.begin());
        requests[i].cached = std::min(run * blockTokens, requests[i].input);
    }
}

/// Blocks that are cut in one prompt and not in another, though equal numbers stand for equal tokens. Prompts
/// whose count of blocks is not that of their length tell nothing.
void tellUnequalBlocks(const std::vector<TraceRequest>& requests, const std::vector<std::uint64_t>& lines,
                       Tokens size, TraceProblems& problems) {
    constexpr Tokens reported = -1;
    std::vector<Tokens> lengths; // by number; 0: not known yet
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const std::vector<std::uint32_t>& blocks = requests[i].blocks;
        const auto count = static_cast<Tokens>(blocks.size());
        if (count != (requests[i].input + size - 1) / size) {
            continue;
        }
        for (std::size_t at = 0; at < blocks.size(); ++at) {
            lengths.resize(std::max<std::size_t>(lengths.size(), blocks[at] + std::size_t{1}));
            Tokens& known = lengths[blocks[at]];
            const Tokens here = at + 1 < blocks.size() ? size : requests[i].input - (count - 1) * size;
            if (known > 0 && known != here) {
                problems.add(DiagnosticKind::UnequalBlock, lines[i], "");
            }
            known = known == reported || (known > 0 && known != here) ? reported : here;
        }
    }
}

/// How many of the requests have as many blocks as prompts of their lengths need.
std::size_t fittingBlocks(const std::vector<TraceRequest>& requests, const std::vector<BlockIds>& blocks,
                          Tokens size) {
    std::size_t fitting = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto count = static_cast<Tokens>(blocks[i].size());
        fitting += count > 0 &&
                   (count == requests[i].input / size || count == (requests[i].input + size - 1) / size);
    }
    return fitting;
}

struct BlockSize {
    Tokens tokens = traceBlockTokens;
    bool fits = true; ///< nearly all counts of blocks
};

/// The power of two that the counts of blocks fit, or else the mean of tokens to blocks. Traces do not say
/// it.
BlockSize blockSizeOf(const std::vector<TraceRequest>& requests, const std::vector<BlockIds>& blocks) {
    constexpr double nearlyAll = 0.9;
    const auto withBlocks =
        static_cast<double>(std::ranges::count_if(blocks, [](const BlockIds& ids) { return !ids.empty(); }));
    BlockSize best;
    std::size_t most = fittingBlocks(requests, blocks, best.tokens);
    for (Tokens size = 8; size <= 8192; size *= 2) {
        const std::size_t fitting = fittingBlocks(requests, blocks, size);
        if (fitting > most) {
            most = fitting;
            best.tokens = size;
        }
    }
    if (static_cast<double>(most) >= nearlyAll * withBlocks) {
        return best;
    }
    double tokens = 0;
    double count = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        tokens += blocks[i].empty() ? 0 : static_cast<double>(requests[i].input);
        count += static_cast<double>(blocks[i].size());
    }
    return {std::max<Tokens>(1, std::llround(tokens / count)), false};
}

} // namespace

Result<Trace> readRequestLines(const RequestNames& names, std::string_view text, const std::string& path) {
    Trace trace;
    TraceProblems problems;
    RequestReader reader(names, problems);
    std::vector<TraceRequest> requests;
    std::vector<BlockIds> blocks;
    std::vector<std::uint64_t> lineNumbers;
    BlockIds blocksOfLine;
    TraceLines lines(text);
    if (lines.hadMark()) {
        problems.add(DiagnosticKind::ByteOrderMark, 1, "");
    }
    bool anyBlocks = false;
    while (const std::optional<TraceLine> line = lines.next()) {
        if (const std::optional<TraceRequest> request = reader.read(*line, blocksOfLine)) {
            requests.push_back(*request);
            lineNumbers.push_back(line->number);
            anyBlocks = anyBlocks || !blocksOfLine.empty();
            blocks.push_back(std::move(blocksOfLine));
        }
    }
    const BlockSize size = anyBlocks ? blockSizeOf(requests, blocks) : BlockSize();
    if (names.perSecond > 1 && requests.size() > 1 && !reader.anyText()) {
        const ContinuedIntervals intervals =
            anyBlocks ? continuedIntervals(requests, blocks, size.tokens) : ContinuedIntervals();
        if (auto note = decideArrivalUnit(requests, intervals, reader.anyFraction(), names.perSecond)) {
            trace.notes.push_back(std::move(*note));
        }
    }
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return requests[i].arrivalS; });
    std::vector<BlockIds> blocksInOrder;
    std::vector<std::uint64_t> linesInOrder;
    for (const std::size_t i : order) {
        if (claimsTooMany(blocks[i].size(), requests[i].input, size.tokens)) {
            problems.add(DiagnosticKind::BadNumber, lineNumbers[i], moreBlocksThanFit);
            continue;
        }
        trace.requests.push_back(requests[i]);
        blocksInOrder.push_back(std::move(blocks[i]));
        linesInOrder.push_back(lineNumbers[i]);
    }
    if (anyBlocks) {
        trace.blockTokens = size.tokens;
        numberBlocks(trace.requests, blocksInOrder, size.tokens);
        tellUnequalBlocks(trace.requests, linesInOrder, size.tokens, problems);
        trace.notes.push_back(
            fmt::format("what a request shares with earlier ones is told in blocks of {}{} tokens",
                        size.fits ? "" : "about ", size.tokens));
    }
    noteOrder(trace, requests);
    sortByArrival(trace);
    return finished(std::move(trace), problems, path);
}

} // namespace loadline
