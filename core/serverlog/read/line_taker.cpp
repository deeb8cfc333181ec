// Parses a line and its time, and hands both to the assembly.
#include "core/serverlog/read/line_taker.h"

#include "core/serverlog/read/finish_log.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t mostHits = 64;            // of a line: more say nothing new, and cost
constexpr std::size_t mostPrefix = 96;          // a time further on is of what the line speaks
constexpr char terminalEscape = '\x1b';         // begins what colours text
constexpr std::string_view shownEscape = "^[["; // the same, made visible
constexpr std::string_view dockerBegin = "{\"log\":\"";
constexpr std::size_t epochIndex = 1 + uptimeAnchors.size(); // of the table's anchors: the last of times

bool holdsEscape(std::string_view text) {
    return text.find(terminalEscape) != std::string_view::npos ||
           text.find(shownEscape) != std::string_view::npos;
}

/// True if it is an access line of Gin, coloured, of which the escapes were lost: "|[97;42m 200 [0m|".
bool lostEscapes(std::string_view text) {
    return text.find("[0m|") != std::string_view::npos && text.find("[GIN] ") != std::string_view::npos;
}

/// True if nothing was put around the text of a line.
bool isBare(std::string_view line) {
    return !line.ends_with('\r') && !line.starts_with(dockerBegin) && !holdsEscape(line) &&
           !lostEscapes(line);
}

/// Appends a line without the sequences that colour a terminal's text, also as "cat -v" shows them.
void appendPlain(std::string& to, std::string_view line) {
    while (!line.empty()) {
        const std::size_t found = std::min(line.find(terminalEscape), line.find(shownEscape));
        to += line.substr(0, found);
        if (found == std::string_view::npos) {
            return;
        }
        line.remove_prefix(found + (line[found] == terminalEscape ? 1 : shownEscape.size() - 1));
        const std::size_t end = line.starts_with('[') ? line.find_first_not_of("0123456789;?", 1) : 0;
        line.remove_prefix(std::min(line.size(), end == std::string_view::npos ? line.size() : end + 1));
    }
}

/// Appends a line as appendPlain() does if the escapes were lost: nothing stands for them, or "?", or an
/// arrow.
void appendPlainGin(std::string& to, std::string_view line) {
    constexpr std::string_view arrow = "\xe2\x86\x90"; // the escape's glyph on Windows
    while (!line.empty()) {
        const std::size_t open = line.find('[');
        to += line.substr(0, open);
        if (open == std::string_view::npos) {
            return;
        }
        line.remove_prefix(open);
        const std::size_t end = line.find_first_not_of("0123456789;", 1);
        if (end == std::string_view::npos || end == 1 || line[end] != 'm') {
            to += '[';
            line.remove_prefix(1);
            continue;
        }
        to.resize(to.size() - (to.ends_with('?') ? 1 : to.ends_with(arrow) ? arrow.size() : 0));
        line.remove_prefix(end + 1);
    }
}

/// The text of a record that Docker wrote as JSON, behind its time.
void appendDocker(std::string& to, std::string_view line) {
    constexpr std::string_view key = "\"time\":\"";
    const std::size_t time = line.rfind(key);
    if (time != std::string_view::npos) {
        to += line.substr(time + key.size(), line.find('"', time + key.size()) - time - key.size());
        to += ' ';
    }
    for (std::size_t i = dockerBegin.size(); i < line.size() && line[i] != '"'; ++i) {
        if (line[i] != '\\' || i + 1 == line.size()) {
            to += line[i];
            continue;
        }
        ++i;
        to += line[i] == 't' ? '\t' : line[i] == 'n' || line[i] == 'r' ? ' ' : line[i];
    }
}

} // namespace

LineTaker::LineTaker(const PatternTable& table, const ServerLogLimits& limits, bool recalls)
    : table_(&table), assembly_(limits), counts_(table.patterns.size()), votes_(table.formats.size()),
      recalls_(recalls) {}

void LineTaker::beginFile(const std::string& path) {
    assembly_.log.files.push_back(path);
    assembly_.where = {static_cast<std::uint32_t>(assembly_.log.files.size() - 1), 0};
}

void LineTaker::note(DiagnosticKind kind, const std::string& detail) {
    std::vector<Diagnostic>& all = assembly_.log.diagnostics;
    const auto same = std::ranges::find_if(
        all, [&](const Diagnostic& known) { return known.kind == kind && known.detail == detail; });
    if (same != all.end()) {
        ++same->count;
        listLine(*same, assembly_.where.line);
    } else {
        all.push_back({kind, assembly_.where.line, 1, detail});
    }
}

/// The line without what was put around its text.
std::string_view LineTaker::bare(std::string_view line) {
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    if (line.starts_with(dockerBegin)) {
        bare_.clear();
        appendDocker(bare_, line);
        return bare_;
    }
    if (holdsEscape(line)) {
        bare_.clear();
        appendPlain(bare_, line);
        return bare_;
    }
    if (lostEscapes(line)) {
        bare_.clear();
        appendPlainGin(bare_, line);
        return bare_;
    }
    return line;
}

void LineTaker::take(std::string_view line) {
    constexpr std::size_t mostFirst = 3;
    constexpr std::size_t mostShown = 240;
    ++assembly_.log.lines;
    ++assembly_.where.line;
    if (assembly_.log.firstLines.size() < mostFirst && assembly_.log.knownLines == 0) {
        assembly_.log.firstLines.push_back(visibleText(line, mostShown));
    }
    if (takeRecalled(line)) { // such lines have nothing around their text
        return;
    }
    const std::string_view whole = line;
    line = bare(line);
    if (line.size() != whole.size() && takeRecalled(line)) {
        return;
    }
    table_->scan.find(line, mostHits, hits_);
    if (hits_.empty()) {
        return;
    }
    matchLine(*table_, line, hits_, findings_.matches);
    findings_.times.clear();
    std::ranges::copy_if(hits_, std::back_inserter(findings_.times),
                         [](const AnchorHit& hit) { return hit.anchor <= epochIndex; });
    takeKnown(line, findings_);
    if (recalls_ && hits_.size() < mostHits && isBare(line)) { // as it is recalled
        memory_.learn(line, findings_);
    }
}

bool LineTaker::takeRecalled(std::string_view line) {
    const LineFindings* recalled = recalls_ ? memory_.recall(line) : nullptr;
    if (recalled != nullptr) {
        takeKnown(line, *recalled);
    }
    return recalled != nullptr;
}

void LineTaker::readStamps(std::string_view line, const LineFindings& findings) {
    stamps_.clear();
    for (const AnchorHit& hit : findings.times) {
        const bool inMatch = std::ranges::any_of(findings.matches, [&](const PatternMatch& found) {
            return found.match.begin <= hit.at && hit.at < found.match.end;
        });
        if (inMatch || hit.at < mostPrefix) {
            const std::optional<LogStamp> stamp = hit.anchor == 0            ? stampAt(line, hit.at)
                                                  : hit.anchor == epochIndex ? epochAt(line, hit.at)
                                                                             : uptimeAt(line, hit.at);
            if (stamp) {
                stamps_.push_back(*stamp);
            }
        }
    }
}

void LineTaker::takeKnown(std::string_view line, const LineFindings& findings) {
    readStamps(line, findings);
    assembly_.line = line;
    assembly_.tellsServer = false;
    assembly_.hasTime = !stamps_.empty();
    bool known = false;
    bool ofServer = false;
    std::size_t server = votes_.size();
    std::size_t next = 0; // of the stamps
    const auto placeUpTo = [&](std::size_t end) {
        const LogStamp* best = nullptr;
        const LogStamp* uptime = nullptr;
        for (; next < stamps_.size() && stamps_[next].at < end; ++next) {
            const LogStamp& stamp = stamps_[next];
            best = best == nullptr || stamp.clock >= best->clock ? &stamp : best;
            uptime = stamp.clock == LogClock::Uptime ? &stamp : uptime;
        }
        if (best != nullptr) {
            placeStamp(*best);
        }
        if (uptime != nullptr && uptime != best) { // finer than the clock that says more
            placeStamp(*uptime);
        }
    };
    for (const PatternMatch& found : findings.matches) {
        const LogPattern& pattern = *table_->patterns[found.pattern];
        placeUpTo(found.match.end);
        ++counts_[found.pattern];
        if (pattern.take != nullptr) {
            pattern.take(assembly_, found.match);
        }
        known = known || pattern.tells != Tells::Time;
        const bool votes =
            pattern.tells == Tells::Server ||
            (pattern.tells == Tells::Record && assembly_.tellsServer && server == votes_.size());
        server = votes ? table_->serverOf[found.pattern] : server;
        ofServer = ofServer || votes || assembly_.tellsServer;
    }
    placeUpTo(line.size());
    assembly_.log.knownLines += known ? 1 : 0;
    linesOfServers_ += ofServer ? 1 : 0;
    if (server < votes_.size()) {
        ++votes_[server];
    }
}

void LineTaker::placeStamp(const LogStamp& stamp) {
    const LogTimes::Placed placed = times_.place(stamp);
    if (placed.shift != 0) {
        assembly_.shiftTimes(placed.shift);
        firstS_ += placed.shift;
        lastS_ += placed.shift;
    }
    if (placed.goesBack) {
        note(DiagnosticKind::BadTimestamp,
             "the clock goes back: the order of lines is kept, times before and after do not compare");
    }
    assembly_.now = placed.seconds;
    firstS_ = isTold(firstS_) ? std::min(firstS_, placed.seconds) : placed.seconds;
    lastS_ = isTold(lastS_) ? std::max(lastS_, placed.seconds) : placed.seconds;
}

ServerLog LineTaker::log(std::uint64_t bytes) const& {
    return finished(assembly_.log, bytes);
}

ServerLog LineTaker::log(std::uint64_t bytes) && {
    return finished(std::move(assembly_.log), bytes);
}

ServerLog LineTaker::finished(ServerLog log, std::uint64_t bytes) const {
    log.bytes = bytes;
    log.clock = times_.clock();
    log.zoneTold = times_.zoneTold();
    std::vector<std::string_view> notes; // of patterns
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const LogPattern& pattern = *table_->patterns[i];
        if (counts_[i] > 0 && !pattern.id.empty()) {
            log.matched.push_back({pattern.id, counts_[i]});
        }
        if (counts_[i] > 0 && !pattern.note.empty() &&
            std::ranges::find(notes, pattern.note) == notes.end()) {
            notes.push_back(pattern.note);
        }
    }
    log.server = serverOf(table_->formats, votes_);
    finishTimes(log, firstS_, lastS_);
    finishNotes(log, assembly_, notes);
    return log;
}

} // namespace loadline
