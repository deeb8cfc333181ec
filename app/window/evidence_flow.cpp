// The words of the Evidence panel come from the timeline; the raw record from the file.
#include "app/window/evidence_flow.h"

#include "core/base/zone.h"
#include "core/session/lines/line_place.h"
#include "core/session/lines/read_record.h"
#include "core/workload/timeline/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace loadline::app {
namespace {

/// A place in a file that is not (or not yet) part of the corpus.
constexpr FileIndex noFile = 0xffffffff;

std::string clockOf(TimeMs time) {
    return isKnown(time) ? formatIso8601(asShown(time)).substr(11, 8) + " " + zoneAt(time)
                         : std::string("no time");
}

std::optional<ui::Evidence> evidenceOf(const ui::TimelineItem& item, const Timeline& timeline,
                                       const Corpus& corpus) {
    ui::Evidence evidence;
    switch (item.kind) {
    case ui::TimelineItem::Kind::Call: {
        if (item.index >= timeline.calls.size()) {
            return std::nullopt;
        }
        const CallSpan& call = timeline.calls[item.index];
        evidence.title = fmt::format("API call {}, {}", call.ordinal + 1, clockOf(call.start));
        evidence.details = detailsOf(call, timeline, corpus);
        evidence.place = call.evidence;
        break;
    }
    case ui::TimelineItem::Kind::Tool: {
        if (item.index >= timeline.tools.size()) {
            return std::nullopt;
        }
        const ToolSpan& tool = timeline.tools[item.index];
        evidence.title = fmt::format("Tool {}, {}", tool.name, clockOf(tool.start));
        evidence.details = detailsOf(tool, timeline, corpus);
        evidence.place = tool.evidence;
        break;
    }
    case ui::TimelineItem::Kind::Mark: {
        if (item.index >= timeline.marks.size()) {
            return std::nullopt;
        }
        const TimelineMark& mark = timeline.marks[item.index];
        evidence.title = fmt::format("{}, {}", describe(mark.kind), clockOf(mark.time));
        evidence.details = detailsOf(mark, timeline, corpus);
        evidence.place = mark.evidence;
        break;
    }
    }
    evidence.path = corpus.files[evidence.place.file].file->path;
    return evidence;
}

/// Whether the file is one of these paths, or in a folder of them.
bool isBelow(const std::string& file, const std::vector<std::string>& paths) {
    return std::ranges::any_of(paths, [&](const std::string& path) {
        const std::string folder = path.ends_with('/') ? path : path + '/';
        return file == path || file.starts_with(folder);
    });
}

/// Returns the oddities of a line, and the other lines that share them.
std::vector<std::pair<std::string, std::string>> odditiesAt(const Corpus& corpus, const std::string& path,
                                                            std::uint64_t line) {
    std::vector<std::pair<std::string, std::string>> rows;
    const auto file =
        std::ranges::find_if(corpus.files, [&](const FileInCorpus& one) { return one.file->path == path; });
    if (file == corpus.files.end()) {
        return rows;
    }
    for (const Diagnostic& odd : file->file->diagnostics) {
        if (odd.line == line || std::ranges::binary_search(odd.otherLines, line)) {
            rows.emplace_back("odd", diagnosticSentence(odd));
            if (!odd.otherLines.empty()) {
                rows.emplace_back("in", linesOf(odd, 16));
            }
        }
    }
    return rows;
}

} // namespace

EvidenceFlow::EvidenceFlow(Workbench& workbench, ui::EvidencePanel& panel)
    : QObject(&panel), workbench_(workbench), panel_(panel) {
    connect(&workbench_, &Workbench::stateChanged, this, &EvidenceFlow::follow);
    connect(&workbench_.loader(), &Loader::started, this, &EvidenceFlow::forgetClosed);
    connect(&workbench_, &Workbench::corpusChanged, this, &EvidenceFlow::forgetClosed);
    connect(&workbench_, &Workbench::figureChanged, this, [this](Page page) {
        if (page != Page::Timeline) {
            return;
        }
        if (pinned_ && pinned_->session != session_) {
            showPinned(); // it was pinned before its session was there
        }
        forgetOtherSession();
    });
    connect(&workbench_, &Workbench::scopeApplied, this, &EvidenceFlow::forgetOtherSession);
    connect(&panel_, &ui::EvidencePanel::rawRequested, this, &EvidenceFlow::readRaw);
    const auto fail = [this](const Error& error) { emit workbench_.failed(error); };
    finding_.onFailure(fail);
    reading_.onFailure(fail);
}

/// No record of a file that is not open any more.
void EvidenceFlow::forgetClosed() {
    const std::vector<std::string>& open = workbench_.loader().paths();
    if (!isBelow(sought_, open)) {
        finding_.stop();
    }
    if (path_.empty() || isBelow(path_, open)) {
        return;
    }
    path_.clear();
    session_.clear();
    pinned_.reset();
    reading_.stop();
    panel_.clear(tr("The record that stood here belongs to files that are no longer open."));
}

/// No record of a session that the Timeline has left, or that is not in scope any more.
void EvidenceFlow::forgetOtherSession() {
    if (session_.empty() || workbench_.loader().isLoading()) {
        return;
    }
    const auto timeline = workbench_.shown<TimelineShown>(Page::Timeline);
    const Scoped& scoped = workbench_.scoped();
    const auto inScope = scoped ? sessionShown(*scoped, session_) : std::nullopt;
    const bool here = inScope && scoped->corpus->sessions[*inScope].key == session_ &&
                      (!timeline || timeline->session == session_);
    if (here) {
        return;
    }
    const std::string left = std::exchange(session_, {});
    path_.clear();
    reading_.stop();
    panel_.clear(tr("The record that stood here belongs to another session."));
    if (const auto& pinned = workbench_.state().pinned; pinned && pinned->session == left) {
        workbench_.pin(std::nullopt);
    }
}

void EvidenceFlow::follow(const WorkbenchState& state) {
    if (state.pinned == pinned_) {
        return;
    }
    pinned_ = state.pinned;
    showPinned();
}

void EvidenceFlow::showPinned() {
    const auto shown = workbench_.shown<TimelineShown>(Page::Timeline);
    if (!pinned_ || !shown || !shown->timeline || shown->session != pinned_->session) {
        return; // what was read stays until something else is pinned
    }
    if (const auto evidence = evidenceOf(pinned_->item, *shown->timeline, *shown->scoped->corpus)) {
        path_ = evidence->path;
        session_ = pinned_->session;
        panel_.setEvidence(*evidence);
        emit this->shown();
    }
}

void EvidenceFlow::showLine(const QString& path, std::uint64_t line) {
    const std::string file = path.toStdString();
    sought_ = file;
    finding_.start(
        this, [file, line](std::stop_token stop) { return placeOfLine(file, line, stop); },
        [this, file, line](const Result<RecordPlace>& place) {
            if (!place) {
                emit workbench_.failed(place.error());
                return;
            }
            path_ = file;
            session_.clear();
            ui::Evidence evidence;
            evidence.title = fmt::format("Line {}", line);
            evidence.details = {{"bytes", std::to_string(place->length)},
                                {"offset", std::to_string(place->offset)}};
            if (workbench_.corpus()) {
                for (const auto& [name, value] : odditiesAt(*workbench_.corpus(), file, line)) {
                    evidence.details.push_back({name, value});
                }
            }
            evidence.path = file;
            evidence.place = {noFile, *place};
            panel_.setEvidence(evidence);
            emit shown();
        });
}

void EvidenceFlow::readRaw(const EvidencePlace& place) {
    reading_.start(
        this, [path = path_, record = place.place](std::stop_token) { return readRecord(path, record); },
        [this, place](const Result<std::string>& text) {
            if (text) {
                panel_.setRaw(place, *text);
            } else {
                panel_.setRawError(place, QString::fromStdString(text.error().sentence()));
            }
        });
}

} // namespace loadline::app
