// MLX-LM's BatchGenerator: decode and prefill alternate, each in lockstep over a padded rectangle.
#pragma once

#include "core/schedule/obstacle.h"
#include "core/schedule/scenario.h"
#include "core/schedule/step.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace loadline {

/// One step is one call of the generator. Preconditions: those of checkScenario(). A request's last prompt
/// token is kept apart: it makes the first output token in a forward of its own.
class MlxBatch {
public:
    explicit MlxBatch(const MlxConfig& config);

    void add(RequestIndex index, const ScheduleRequest& request, std::int64_t arrival);
    /// Valid until the next call.
    const Step& step(std::int64_t t);

    [[nodiscard]] bool idle() const {
        return waiting_.empty() && prompt_.rows.empty() && generation_.rows.empty();
    }

    /// Precondition: !idle().
    [[nodiscard]] Obstacle obstacle() const;

private:
    struct Row {
        RequestIndex index = 0;
        Tokens left = 0;   ///< to prefill, the last prompt token not counted
        Tokens length = 0; ///< of its KV, without padding
        Tokens outputs = 0;
    };

    /// Rows share one rectangle of KV, `width` columns wide.
    struct Batch {
        std::vector<Row> rows;
        Tokens width = 0;

        [[nodiscard]] Tokens longest() const;
    };

    void decode();
    void admit();
    void computeLast();
    void prefill();
    static std::vector<RequestIndex> indices(const Batch& batch);

    MlxConfig config_;
    std::deque<Row> waiting_;
    Batch prompt_;
    Batch generation_;
    std::vector<RequestIndex> arrived_;
    Step step_;
};

} // namespace loadline
