#include "core/session/facts/title.h"

#include <algorithm>

namespace loadline::facts {
namespace {

constexpr std::size_t maxSummaries = 1000; ///< kept to look for one of this file

} // namespace

void TitleFinder::add(const TitleFacts& title, const std::string& text) {
    if (title.source == TitleSource::Custom) {
        custom_ = text;
    } else if (title.source == TitleSource::Ai) {
        ai_ = text;
    } else if (summaries_.size() < maxSummaries) {
        summaries_.push_back({title.leaf, text});
    }
}

void TitleFinder::addPrompt(const std::string& preview, UserKind kind) {
    std::string* const first = kind == UserKind::Human             ? &prompt_
                               : kind == UserKind::SidechainPrompt ? &task_
                                                                   : nullptr;
    if (first && first->empty()) {
        *first = preview;
    }
}

std::string TitleFinder::title(const std::function<bool(const Hash128&)>& isHere) const {
    for (const std::string* text : {&custom_, &ai_}) {
        if (!text->empty()) {
            return *text;
        }
    }
    const auto own = std::find_if(summaries_.rbegin(), summaries_.rend(),
                                  [&](const Summary& s) { return s.leaf.isZero() || isHere(s.leaf); });
    if (own != summaries_.rend()) {
        return own->text;
    }
    if (prompt_.empty() && !summaries_.empty()) {
        return summaries_.back().text;
    }
    return prompt_.empty() ? task_ : prompt_;
}

} // namespace loadline::facts
