// Which entries a few typed letters mean, best first.
#include "core/text/fuzzy_match.h"

#include <algorithm>
#include <optional>

namespace loadline {

namespace {

constexpr int letterScore = 16;
constexpr int runBonus = 8;       // the letter follows the one matched before it
constexpr int boundaryBonus = 10; // the letter begins a word
constexpr int startBonus = 6;     // it begins the entry
constexpr int gapPenalty = 1;     // for each letter skipped within the match, up to maxGap
constexpr int maxGap = 12;
constexpr int prefixBonus = 40; // all letters begin one word: before any that are scattered
constexpr int wholeWordBonus = 12;

/// A word scattered wider than this is a coincidence, not what was meant.
std::size_t widestSpan(std::size_t letters) {
    return 8 + 4 * letters;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isLetter(char c) {
    const auto u = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || u >= 0x80;
}

/// A letter after a non-letter, or a capital after a small letter.
bool beginsWord(std::string_view text, std::size_t at) {
    if (at == 0) {
        return true;
    }
    const char before = text[at - 1];
    const char here = text[at];
    return (!isLetter(before) && isLetter(here)) ||
           (before >= 'a' && before <= 'z' && here >= 'A' && here <= 'Z');
}

std::size_t findFolded(std::string_view text, std::string_view word, std::size_t from) {
    for (std::size_t at = from; at + word.size() <= text.size(); ++at) {
        std::size_t i = 0;
        while (i < word.size() && lower(text[at + i]) == word[i]) {
            ++i;
        }
        if (i == word.size()) {
            return at;
        }
    }
    return std::string_view::npos;
}

int scoreOf(std::string_view text, std::span<const std::uint32_t> positions) {
    int score = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::uint32_t at = positions[i];
        score += letterScore;
        score += beginsWord(text, at) ? boundaryBonus : 0;
        score += at == 0 ? startBonus : 0;
        if (i > 0) {
            const int gap = static_cast<int>(at - positions[i - 1]) - 1;
            score += gap == 0 ? runBonus : -gapPenalty * std::min(gap, maxGap);
        }
    }
    const std::size_t end = positions.back() + std::size_t{1};
    const bool run = positions.back() - positions.front() + 1 == positions.size();
    if (run && beginsWord(text, positions.front())) {
        score += prefixBonus + (end == text.size() || !isLetter(text[end]) ? wholeWordBonus : 0);
    }
    return score;
}

constexpr std::size_t mostQueryBytes = 256; // the work grows with its square

struct WordMatch {
    int score = 0;
    std::vector<std::uint32_t> positions;
};

/// Letters that somebody would type for it: beginnings of words and what follows them ("gtd" for "Go to
/// Distributions"), or a word without some of its letters ("dstr"). Others are there by coincidence.
bool abbreviates(std::string_view text, std::span<const std::uint32_t> positions) {
    bool joined = beginsWord(text, positions.front());
    for (std::size_t i = 1; i < positions.size() && joined; ++i) {
        joined = positions[i] == positions[i - 1] + 1 || beginsWord(text, positions[i]);
    }
    const std::string_view stretch =
        text.substr(positions.front(), positions.back() - positions.front() + std::size_t{1});
    return joined || (beginsWord(text, positions.front()) && std::ranges::all_of(stretch, isLetter));
}

/// The letters in order, not side by side: the best of the earliest places, the tightest ones that end
/// there, and the beginnings of words.
std::optional<WordMatch> matchScattered(std::string_view text, std::string_view word) {
    std::vector<std::uint32_t> positions(word.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < word.size(); ++i, ++at) {
        while (at < text.size() && lower(text[at]) != word[i]) {
            ++at;
        }
        if (at == text.size()) {
            return std::nullopt;
        }
        positions[i] = static_cast<std::uint32_t>(at);
    }
    std::optional<WordMatch> best;
    const auto consider = [&] {
        if (positions.back() - positions.front() >= widestSpan(word.size()) ||
            !abbreviates(text, positions)) {
            return;
        }
        const int score = scoreOf(text, positions);
        if (!best || score > best->score) {
            best = WordMatch{score, positions};
        }
    };
    consider();
    // Backwards from the end found: the same letters as close together as they come.
    at = positions.back();
    for (std::size_t i = word.size(); i-- > 0; --at) {
        while (lower(text[at]) != word[i]) {
            --at;
        }
        positions[i] = static_cast<std::uint32_t>(at);
        if (i == 0) {
            break;
        }
    }
    consider();
    // Initials: each letter at a word beginning or directly after the last.
    std::size_t found = 0;
    for (at = 0; at < text.size() && found < word.size(); ++at) {
        const bool joins = found > 0 && positions[found - 1] + 1 == at;
        if (lower(text[at]) == word[found] && (joins || beginsWord(text, at))) {
            positions[found++] = static_cast<std::uint32_t>(at);
        }
    }
    if (found == word.size()) {
        consider();
    }
    return best;
}

std::optional<WordMatch> matchWord(std::string_view text, std::string_view word) {
    std::optional<WordMatch> best = matchScattered(text, word);
    std::vector<std::uint32_t> positions(word.size());
    for (std::size_t at = findFolded(text, word, 0); at != std::string_view::npos;
         at = findFolded(text, word, at + 1)) {
        for (std::size_t i = 0; i < word.size(); ++i) {
            positions[i] = static_cast<std::uint32_t>(at + i);
        }
        const int score = scoreOf(text, positions);
        if (!best || score > best->score) {
            best = WordMatch{score, positions};
        }
    }
    return best;
}

std::vector<std::string> wordsOf(std::string_view query) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : query) {
        if (c != ' ') {
            word += lower(c);
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    if (!word.empty()) {
        words.push_back(std::move(word));
    }
    return words;
}

} // namespace

std::vector<FuzzyMatch> fuzzyMatches(std::string_view query, std::span<const std::string> entries,
                                     std::size_t limit) {
    const std::vector<std::string> words = wordsOf(query.substr(0, mostQueryBytes));
    std::vector<FuzzyMatch> matches;
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        FuzzyMatch match{static_cast<std::uint32_t>(entry), 0, {}};
        bool fits = true;
        for (const std::string& word : words) {
            const auto found = matchWord(entries[entry], word);
            fits = found.has_value();
            if (!fits) {
                break;
            }
            match.score += found->score;
            match.positions.insert(match.positions.end(), found->positions.begin(), found->positions.end());
        }
        if (!fits) {
            continue;
        }
        std::ranges::sort(match.positions);
        match.positions.erase(std::unique(match.positions.begin(), match.positions.end()),
                              match.positions.end());
        matches.push_back(std::move(match));
    }
    const std::size_t kept = std::min(limit, matches.size());
    const auto isBetter = [](const FuzzyMatch& a, const FuzzyMatch& b) {
        return a.score != b.score ? a.score > b.score : a.entry < b.entry;
    };
    std::ranges::partial_sort(matches, matches.begin() + static_cast<std::ptrdiff_t>(kept), isBetter);
    matches.resize(kept);
    return matches;
}

} // namespace loadline
