// Reads captured sessions by simdjson: nearly all of their text is ids of blocks.
#include "core/trace/weka_document.h"

#include "core/trace/trace_lines.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace loadline {
namespace {

namespace dom = simdjson::dom;

constexpr Tokens mostBlockTokens = 1 << 20;
constexpr std::size_t mostDocumentBytes = std::size_t{128} << 20; // as values 13 times as much
constexpr std::size_t mostKeptBytes = std::size_t{8}
                                      << 20; // of text, for which a parser has 15 times the room

std::optional<double> realIn(const dom::object& object, std::string_view key) {
    double value = -1;
    return object[key].get(value) == simdjson::SUCCESS && value >= 0 && value <= mostTraceSeconds
               ? std::optional(value)
               : std::nullopt;
}

std::optional<Tokens> tokensIn(const dom::object& object, std::string_view key) {
    const auto value = realIn(object, key);
    if (!value || *value > static_cast<double>(maxTurnTokens) || std::floor(*value) != *value) {
        return std::nullopt;
    }
    return static_cast<Tokens>(*value);
}

std::string textIn(const dom::object& object, std::string_view key) {
    std::string_view text;
    return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

/// Reads the ids of a list; false if one of them is no whole number.
bool idsIn(const dom::array& list, std::vector<std::int64_t>& ids) {
    ids.clear();
    for (const dom::element id : list) {
        std::int64_t number = 0;
        std::uint64_t large = 0;
        if (id.get(number) != simdjson::SUCCESS) {
            if (id.get(large) != simdjson::SUCCESS) {
                return false;
            }
            number = static_cast<std::int64_t>(large);
        }
        ids.push_back(number);
    }
    return true;
}

/// Walks the requests of one document.
class ChainReader {
public:
    ChainReader(Tokens blockTokens, bool globalIds)
        : blockTokens_(blockTokens), globalIds_(globalIds), builder_(blockTokens, true) {
        builder_.beginScope();
    }

    /// Sub-agents are chains behind the main one.
    void readMain(const dom::array& requests, const std::string& id) {
        std::vector<dom::object> agents;
        builder_.beginChain(id, false);
        for (const dom::element request : requests) {
            dom::object object;
            if (request.get(object) != simdjson::SUCCESS) {
                problems_.add(DiagnosticKind::NotAnObject, 1, "a request is not a JSON object");
            } else if (object["requests"].error() == simdjson::SUCCESS) {
                agents.push_back(object);
            } else {
                readRequest(object);
            }
        }
        for (std::size_t i = 0; i < agents.size(); ++i) {
            readAgent(agents[i], i + 1);
        }
    }

    Result<WekaDocument> finish(std::string id, const std::string& path) {
        WekaDocument document{std::move(id), builder_.finish(), problems_.list(), std::move(idsByNumber_)};
        if (document.trace.requests.empty()) {
            return nothingIn(problems_, path);
        }
        return document;
    }

private:
    void readAgent(const dom::object& agent, std::size_t number) {
        const std::string given = textIn(agent, "agent_id");
        dom::array requests;
        if (agent["requests"].get(requests) != simdjson::SUCCESS) {
            problems_.add(DiagnosticKind::BadLine, 1, "a sub-agent is not a list of requests");
            return;
        }
        builder_.beginChain(given.empty() ? fmt::format("agent_{:03}", number) : given, true,
                            realIn(agent, "t").value_or(0));
        for (const dom::element request : requests) {
            dom::object object;
            if (request.get(object) != simdjson::SUCCESS) {
                problems_.add(DiagnosticKind::NotAnObject, 1, "a request is not a JSON object");
            } else if (object["requests"].error() == simdjson::SUCCESS) {
                problems_.add(DiagnosticKind::BadLine, 1, "a sub-agent is nested in a sub-agent");
            } else {
                readRequest(object);
            }
        }
    }

    void readRequest(const dom::object& request) {
        const auto t = realIn(request, "t");
        const auto in = tokensIn(request, "in");
        const auto out = tokensIn(request, "out");
        if (!t || !in || !out) {
            problems_.add(DiagnosticKind::BadNumber, 1,
                          fmt::format("{} of a request is not a number that fits", !t    ? "t"
                                                                                   : !in ? "in"
                                                                                         : "out"));
            return;
        }
        dom::array blocks;
        dom::element given;
        ids_.clear();
        if (request["hash_ids"].get(given) == simdjson::SUCCESS &&
            (given.get(blocks) != simdjson::SUCCESS || !idsIn(blocks, ids_))) {
            problems_.add(DiagnosticKind::BadNumber, 1,
                          "hash_ids of a request is not a list of whole numbers");
            return;
        }
        if (claimsTooMany(ids_.size(), *in, blockTokens_)) {
            problems_.add(DiagnosticKind::BadNumber, 1, moreBlocksThanFit);
            return;
        }
        for (const std::int64_t block : ids_) {
            if (globalIds_ && known_.insert(block).second) {
                idsByNumber_.push_back(block);
            }
        }
        builder_.add(
            {.startS = *t, .answerS = realIn(request, "api_time").value_or(-1), .input = *in, .output = *out},
            ids_);
    }

    Tokens blockTokens_;
    bool globalIds_;
    std::unordered_set<std::int64_t> known_;
    std::vector<std::int64_t> idsByNumber_; ///< in the order in which the builder numbers blocks
    BlockTraceBuilder builder_;
    TraceProblems problems_;
    std::vector<std::int64_t> ids_;
};

} // namespace

Result<WekaDocument> readWekaDocument(std::string& text, const std::string& path) {
    if (text.size() > mostDocumentBytes) {
        return notATrace(fmt::format("a session of more than {} MiB", mostDocumentBytes >> 20U), path);
    }
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    thread_local dom::parser parser; // its room is used again by the next session
    if (parser.capacity() > mostKeptBytes) {
        parser = dom::parser();
    }
    dom::object document;
    dom::element root;
    if (parser.parse(text.data(), text.size(), false).get(root) != simdjson::SUCCESS) {
        return notATrace("it is not JSON (is it cut?)", path);
    }
    if (root.get(document) != simdjson::SUCCESS) {
        return notATrace("it is not a JSON object", path);
    }
    dom::array requests;
    const std::optional<Tokens> block = tokensIn(document, "block_size");
    if (document["requests"].get(requests) != simdjson::SUCCESS || !block || *block < 1 ||
        *block > mostBlockTokens) {
        return notATrace("its \"requests\" or its \"block_size\" is missing or makes no sense", path);
    }
    std::string id = textIn(document, "id");
    id = id.empty() ? "session" : id;
    ChainReader reader(*block, textIn(document, "hash_id_scope") == "global");
    reader.readMain(requests, id);
    return reader.finish(std::move(id), path);
}

} // namespace loadline
