// The user's question of each study.
#pragma once

#include "core/ask/study.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace loadline::app {

/// The word that settings know the study's question by; studies of one word share a question.
inline std::string_view questionNameOf(const ask::Study& study) {
    return study.question.empty() ? study.key : study.question;
}

/// By the name of the question; one that is not held is as nobody has set anything.
class Questions {
public:
    [[nodiscard]] ask::Question operator[](const ask::Study& study) const {
        const auto found = held_.find(questionNameOf(study));
        return found == held_.end() ? study.defaults() : found->second;
    }

    void set(const ask::Study& study, const ask::Question& question) {
        if (question == study.defaults()) {
            held_.erase(std::string(questionNameOf(study)));
        } else {
            held_.insert_or_assign(std::string(questionNameOf(study)), question);
        }
    }

    /// That of one study alone.
    [[nodiscard]] Questions only(const ask::Study& study) const {
        Questions one;
        one.set(study, (*this)[study]);
        return one;
    }

    bool operator==(const Questions&) const = default;

private:
    std::map<std::string, ask::Question, std::less<>> held_; ///< those that differ from the default
};

} // namespace loadline::app
