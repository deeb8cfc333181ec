// Computes the work of a step from its decisions.
#include "core/simulate/run/step_account.h"

#include <algorithm>
#include <cmath>

namespace loadline {

StepTime stepTimeOf(const GemmRates& rates, const AttentionModel* attention, double hostUs) {
    return [&rates, attention, hostUs](double decodes, double context, double promptTokens) {
        AttentionWork work;
        const std::int64_t sequences = std::llround(decodes);
        if (attention != nullptr) {
            for (std::int64_t i = 0; i < sequences && attention->tellsWindows(); ++i) {
                attention->addDecode(work, context / decodes);
            }
            if (!attention->tellsWindows()) {
                attention->addDecodes(work, sequences, context);
            }
            if (promptTokens > 0) {
                attention->addPrefill(work, 0, promptTokens);
            }
        }
        const double gemmUs = rates.table().us({std::llround(decodes + promptTokens), sequences});
        constexpr double usToS = 1e-6;
        return (gemmUs + (attention != nullptr ? attention->us(work) : 0) + hostUs) * usToS;
    };
}

StepAccount::StepAccount(const AttentionModel* attention, bool steady)
    : attention_(attention), steady_(steady && (attention == nullptr || !attention->tellsWindows())) {}

void StepAccount::add(RequestIndex index, Tokens promptTokens, Tokens cached, Tokens left) {
    const auto place = static_cast<std::size_t>(index);
    requests_.resize(std::max(requests_.size(), place + 1));
    requests_[place] = {.promptTokens = promptTokens, .computed = cached, .left = left};
}

bool StepAccount::isSteady(const Step& step) const {
    return steady_ && prefilling_ == 0 && step.admitted.empty() && step.resumed.empty() &&
           step.preempted.empty() && step.finished.empty() && !step.emitted.empty() &&
           step.total == static_cast<Tokens>(step.emitted.size());
}

std::span<const ForwardWork> StepAccount::workOf(const Step& step) {
    work_.clear();
    wasSteady_ = isSteady(step);
    if (wasSteady_) {
        decodeAll(step);
        return work_;
    }
    steadyContext_ = 0;
    if (step.forwards.empty()) {
        follow(step);
    } else {
        forwardsOf(step);
    }
    return work_;
}

void StepAccount::decodeAll(const Step& step) {
    ForwardWork& work = work_.emplace_back();
    work.rowsM = step.total;
    work.headRows = step.total;
    if (attention_ != nullptr) {
        if (steadyContext_ == 0) {
            for (const RequestTokens& scheduled : step.scheduled) {
                const RequestProgress& request = at(scheduled.request);
                steadyContext_ += static_cast<double>(request.computed + steadySteps_ - request.joined);
            }
        }
        attention_->addDecodes(work.attention, step.total, steadyContext_);
        steadyContext_ += static_cast<double>(step.total);
    }
    ++steadySteps_;
}

void StepAccount::follow(const Step& step) {
    for (const RequestIndex index : step.preempted) {
        RequestProgress& request = at(index);
        request.emitted += steadySteps_ - request.joined;
        prefilling_ -= request.left > 0 ? 1 : 0;
        request.joined = steadySteps_;
        request.computed = 0;
        request.left = 0;
    }
    for (const RequestTokens& hit : step.hits) {
        RequestProgress& request = at(hit.request);
        request.computed = hit.tokens;
        request.left = request.promptTokens + request.emitted - hit.tokens;
        request.joined = steadySteps_;
        prefilling_ += request.left > 0 ? 1 : 0;
    }
    ForwardWork work{.rowsM = step.total, .headRows = static_cast<std::int64_t>(step.scheduled.size())};
    const bool together = attention_ != nullptr && !attention_->tellsWindows();
    std::int64_t decodes = 0;
    Tokens decodeContext = 0;
    for (const RequestTokens& scheduled : step.scheduled) {
        RequestProgress& request = at(scheduled.request);
        const Tokens computed = request.computed + steadySteps_ - request.joined;
        request.computed += scheduled.tokens;
        request.prefilled = request.left > 0;
        if (request.prefilled) {
            request.left -= scheduled.tokens;
            prefilling_ -= request.left <= 0 ? 1 : 0;
            work.promptTokens += scheduled.tokens;
            work.decodeOnly = false;
            if (attention_ != nullptr) {
                attention_->addPrefill(work.attention, static_cast<double>(computed),
                                       static_cast<double>(scheduled.tokens));
            }
        } else if (together) {
            ++decodes;
            decodeContext += std::max<Tokens>(computed, 1);
        } else if (attention_ != nullptr) {
            attention_->addDecode(work.attention, static_cast<double>(computed));
        }
    }
    if (decodes > 0) {
        attention_->addDecodes(work.attention, decodes, static_cast<double>(decodeContext));
    }
    for (const RequestIndex index : step.emitted) {
        ++at(index).emitted;
    }
    if (work.rowsM > 0) {
        work_.push_back(work);
    }
}

void StepAccount::forwardsOf(const Step& step) {
    for (const MlxForward& forward : step.forwards) {
        const bool prefill = forward.kind == ForwardKind::Prefill;
        ForwardWork work{.kind = forward.kind,
                         .rowsM = static_cast<std::int64_t>(forward.rows.size()) * forward.length,
                         .headRows = prefill ? 0 : static_cast<std::int64_t>(forward.rows.size()),
                         .decodeOnly = forward.kind == ForwardKind::Decode};
        const auto before = static_cast<double>(forward.kvWidth - forward.length);
        for (std::size_t row = 0; row < forward.rows.size(); ++row) {
            const Tokens tokens = prefill ? forward.tokens[row] : 1;
            RequestProgress& request = at(forward.rows[row]);
            request.prefilled = forward.kind != ForwardKind::Decode;
            request.computed += tokens;
            request.left -= request.prefilled ? tokens : 0;
            work.promptTokens += request.prefilled ? tokens : 0;
            if (attention_ != nullptr && prefill) {
                attention_->addPrefill(work.attention, before, static_cast<double>(forward.length));
            } else if (attention_ != nullptr) {
                attention_->addDecode(work.attention, before);
            }
        }
        if (work.rowsM > 0) {
            work_.push_back(work);
        }
    }
    for (const RequestIndex index : step.emitted) {
        ++at(index).emitted;
    }
}

} // namespace loadline
