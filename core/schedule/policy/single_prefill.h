// The published study's scheduler taken literally, request by request.
#pragma once

#include "core/schedule/obstacle.h"
#include "core/schedule/scenario.h"
#include "core/schedule/step.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace loadline {

struct SinglePrefillConfig {
    Tokens chunkTokens = 512;
    Tokens budgetTokens = 8192;
    std::int64_t maxSeqs = 256;
    Tokens promptCap = 0;  ///< longer prompts are cut to it; 0: none are
    Tokens freePrompt = 0; ///< prompts up to here take no step of their own
    bool operator==(const SinglePrefillConfig&) const = default;
};

/// Source: spec/published_study section 2. A step holds one token of everyone who decodes, and one chunk of
/// the one prompt that is prefilled, as much of it as the budget leaves; first come, first served. The chunk
/// that ends a prompt emits nothing: a turn of n output tokens decodes in the n steps that follow. KV is not
/// bounded. Preconditions: all sizes 1 or more, but promptCap and freePrompt 0 or more.
class SinglePrefill {
public:
    /// `listQueues`: Step::running and Step::waiting are filled.
    explicit SinglePrefill(const SinglePrefillConfig& config, bool listQueues = false);

    /// Joins the queue. `arrival` is not looked at. Prompt tokens that are cached are not computed, but the
    /// last.
    void add(RequestIndex index, const ScheduleRequest& request, std::int64_t arrival);
    /// Valid until the next call.
    const Step& step(std::int64_t t);

    [[nodiscard]] bool idle() const { return waiting_.empty() && decoding_.empty() && !prompt_; }

    /// Precondition: !idle().
    [[nodiscard]] Obstacle obstacle() const;

private:
    struct Row {
        RequestIndex index = 0;
        Tokens left = 0; ///< prompt tokens to compute
        Tokens outputs = 0;
    };

    void beginPrompt();
    void decode();
    void prefill();
    void listQueues();

    SinglePrefillConfig config_;
    bool listQueues_;
    std::deque<Row> waiting_;
    std::optional<Row> prompt_;
    std::vector<Row> decoding_;
    std::vector<RequestIndex> arrived_;
    Step step_;
};

} // namespace loadline
