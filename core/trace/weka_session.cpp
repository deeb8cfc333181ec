// Reads one captured session of kv-cache-tester: requests with block ids, sub-agents nested in it.
#include "core/base/file/read_json.h"
#include "core/text/json/json_fields.h"
#include "core/trace/trace_lines.h"
#include "core/trace/weka_chain.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr Tokens mostBlockTokens = 1 << 20;

std::optional<double> realOf(const Json& object, const char* key) {
    const Json& found = memberOf(object, key);
    const double value = found.is_number() ? found.get<double>() : -1;
    return value >= 0 && value <= mostTraceSeconds ? std::optional(value) : std::nullopt;
}

std::optional<Tokens> tokensOf(const Json& object, const char* key) {
    const auto value = realOf(object, key);
    if (!value || *value > static_cast<double>(maxTurnTokens) || std::floor(*value) != *value) {
        return std::nullopt;
    }
    return static_cast<Tokens>(*value);
}

/// Walks the requests of one document.
class SessionReader {
public:
    SessionReader(std::string id, Tokens blockTokens) : id_(std::move(id)), blockTokens_(blockTokens) {}

    void read(const Json& requests, const std::string& chain) {
        const Json* before = nullptr; // block ids of the request before in this chain
        for (const Json& request : requests) {
            if (!request.is_object()) {
                problems_.add(DiagnosticKind::NotAnObject, 1, "a request is not a JSON object");
                continue;
            }
            if (const auto nested = request.find("requests"); nested != request.end()) {
                readNested(request, *nested, chain);
                continue;
            }
            const auto t = realOf(request, "t");
            const auto in = tokensOf(request, "in");
            const auto out = tokensOf(request, "out");
            if (!t || !in || !out) {
                problems_.add(DiagnosticKind::BadNumber, 1,
                              fmt::format("{} of a request is not a number that fits", !t    ? "t"
                                                                                       : !in ? "in"
                                                                                             : "out"));
                continue;
            }
            const auto blocks = request.find("hash_ids");
            const bool listed = blocks != request.end() && blocks->is_array();
            chains_.add(id_, chain,
                        {.startS = *t,
                         .apiS = realOf(request, "api_time"),
                         .input = *in,
                         .output = *out,
                         .sharedTokens = listed && before != nullptr ? shared(*before, *blocks) : 0});
            before = listed ? &*blocks : nullptr;
        }
    }

    Result<Trace> finish(const std::string& path) {
        Trace trace;
        trace.sessions = chains_.finish(trace.notes);
        return finished(std::move(trace), problems_, path);
    }

private:
    void readNested(const Json& agent, const Json& requests, const std::string& chain) {
        ++agents_;
        const std::string given = textOf(agent, "agent_id");
        if (chain != "main" || !requests.is_array()) {
            problems_.add(DiagnosticKind::BadLine, 1,
                          "a sub-agent is not a list of requests, or nested again");
            return;
        }
        read(requests, given.empty() ? fmt::format("agent_{:03}", agents_) : given);
    }

    [[nodiscard]] Tokens shared(const Json& before, const Json& blocks) const {
        const auto [end, other] = std::ranges::mismatch(before, blocks);
        return static_cast<Tokens>(end - before.begin()) * blockTokens_;
    }

    std::string id_;
    Tokens blockTokens_;
    WekaChains chains_;
    TraceProblems problems_;
    std::uint64_t agents_ = 0;
};

} // namespace

Result<Trace> readWekaSession(std::string_view text, const std::string& path) {
    const Json document = jsonFrom(text);
    if (document.is_discarded() || !document.is_object()) {
        return notATrace(document.is_discarded() ? "it is not JSON (is it cut?)" : "it is not a JSON object",
                         path);
    }
    const auto requests = document.find("requests");
    const std::optional<Tokens> block = tokensOf(document, "block_size");
    if (requests == document.end() || !requests->is_array() || !block || *block < 1 ||
        *block > mostBlockTokens) {
        return notATrace("its \"requests\" or its \"block_size\" is missing or makes no sense", path);
    }
    const std::string id = textOf(document, "id");
    SessionReader reader(id.empty() ? "session" : id, *block);
    reader.read(*requests, "main");
    return reader.finish(path);
}

} // namespace loadline
