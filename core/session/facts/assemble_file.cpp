#include "core/session/facts/assemble_file.h"

#include "core/base/hash_index.h"
#include "core/session/facts/call_identity.h"
#include "core/session/facts/call_merger.h"
#include "core/session/facts/file_doubts.h"
#include "core/session/facts/lane_finder.h"
#include "core/session/facts/title.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace loadline::facts {
namespace {

constexpr std::uint32_t noCall = RecordLink::noCall;

/// The call and the prompt turn that the conversation had come to at a record.
struct ChainPlace {
    std::uint32_t call = noCall; ///< RecordLink::call
    std::int32_t turn = -1;      ///< ApiCall::promptTurn
};

/// Builds one SessionFile from parts in order.
class FileAssembler {
public:
    FileAssembler(std::string path, std::string_view agent, const FilePlace& place, std::string agentType);
    void add(PartFacts part);
    SessionFile finish();

private:
    void addCounts(const PartFacts& part);
    /// Returns the place of the record `parent`; where that is HashIndex::none, the last prompt turn.
    [[nodiscard]] ChainPlace placeBehind(std::uint32_t parent) const;
    void addLink(const RecordFacts& record, std::uint32_t number, std::uint32_t parent,
                 const ChainPlace& place);
    void addRecord(RecordFacts record, Row row);
    /// Returns the call's index; noCall where the record is of none.
    std::uint32_t addCall(const RecordFacts& record, LaneIndex lane, bool duplicate,
                          const ChainPlace& before);
    void addDoubts();
    /// Gives the line the key of its call.
    void identify(CallFacts& facts, const RecordFacts& record, LaneIndex lane, bool duplicate);
    void addTools(const CallFacts& facts, const RecordFacts& record, LaneIndex lane, std::uint32_t call);
    /// True if the record begins a prompt turn, which is then turn_.
    bool addUser(const RecordFacts& record, LaneIndex lane, bool duplicate);
    void addResult(const ToolResultFacts& result, TimeMs time);
    NameIndex nameOf(std::uint32_t partName);

    SessionFile file_;
    LaneFinder lanes_;
    TitleFinder title_;
    NameTable names_;
    CallMerger calls_, progressCalls_;
    CallIdentity identity_;
    JoinedSessions joined_;
    HashIndex records_, tools_;
    std::uint32_t recordCount_ = 0;
    std::vector<std::uint32_t> linkOf_; ///< by record's number: index into SessionFile::links
    std::vector<std::int32_t> turnOf_;  ///< parallel to SessionFile::links: ChainPlace::turn
    std::vector<std::pair<ToolResultFacts, TimeMs>> lostResults_; ///< before their tool was seen
    std::map<std::string, std::uint64_t> sessionIds_;
    DiagnosticCollector diagnostics_;
    std::int32_t turn_ = -1;

    // State of the part being added.
    PartFacts part_;
    std::vector<std::uint32_t> nameMap_;
    std::size_t nextEvent_ = 0, nextProgress_ = 0;
};

FileAssembler::FileAssembler(std::string path, std::string_view agent, const FilePlace& place,
                             std::string agentType)
    : lanes_(place.lane, place.agentId, std::move(agentType)) {
    file_.path = std::move(path);
    file_.agent = agent;
    file_.role = place.role;
    file_.sessionId = place.sessionId;
    file_.agentId = place.agentId;
    file_.projectSlug = place.projectSlug;
}

/// Names enter the file's table when a column uses them, so that it stays small.
NameIndex FileAssembler::nameOf(std::uint32_t partName) {
    std::uint32_t& mapped = nameMap_[partName];
    if (mapped == noCall) {
        mapped = names_.numberOf(part_.names.name(partName));
    }
    return mapped;
}

void FileAssembler::addCounts(const PartFacts& part) {
    std::vector<std::uint64_t> types(part.names.size()), versions(part.names.size()),
        sessionIds(part.names.size());
    for (const RecordFacts& record : part.records) {
        ++types[record.type];
        ++versions[record.version];
        ++sessionIds[record.sessionId];
    }
    for (std::uint32_t i = 0; i < part.names.size(); ++i) {
        const std::string& name = part.names.name(i);
        if (types[i] > 0) {
            file_.recordTypes[name] += types[i];
        }
        if (versions[i] > 0 && i != 0) {
            file_.versions[name] += versions[i];
        }
        if (sessionIds[i] > 0 && i != 0) {
            sessionIds_[name] += sessionIds[i];
        }
    }
}

void FileAssembler::add(PartFacts part) {
    part_ = std::move(part);
    diagnostics_.addPart(part_.diagnostics, file_.physicalLines);
    addCounts(part_);
    nameMap_.assign(part_.names.size(), noCall);
    nextEvent_ = nextProgress_ = 0;
    for (Row row = 0; row < part_.records.size(); ++row) {
        addRecord(part_.records[row], row);
    }
    const auto branch = std::ranges::find_if(part_.records.rbegin(), part_.records.rend(),
                                             [](const RecordFacts& r) { return r.gitBranch != 0; });
    if (branch != part_.records.rend()) {
        file_.gitBranch = part_.names.name(branch->gitBranch);
    }
    for (const TitleFacts& title : part_.titles) {
        title_.add(title, part_.texts[title.text]);
    }
    file_.bytes += part_.bytes;
    file_.physicalLines += part_.lines;
    file_.blankLines += part_.blankLines;
    file_.badLines += part_.badLines;
    file_.extraObjects += part_.extraObjects;
    file_.badLastLine = file_.badLastLine || part_.badLastLine;
    file_.byteOrderMark = file_.byteOrderMark || part_.byteOrderMark;
    file_.noFinalNewline = part_.lines > 0 ? !part_.lastLineEnded : file_.noFinalNewline;
    part_ = {};
}

void FileAssembler::addRecord(RecordFacts record, Row row) {
    record.place.line += static_cast<std::uint32_t>(file_.physicalLines);
    const std::uint32_t number = recordCount_++;
    const bool duplicate = !record.uuid.isZero() && records_.findOrAdd(record.uuid, number) != number;
    file_.duplicateUuids += duplicate ? 1 : 0;
    if (isKnown(record.time)) {
        file_.firstTime = isKnown(file_.firstTime) ? std::min(file_.firstTime, record.time) : record.time;
        file_.lastTime = std::max(file_.lastTime, record.time);
    }
    if (file_.cwd.empty()) {
        file_.cwd = part_.names.name(record.cwd);
    }
    const UserFacts* user = record.kind == RecordType::User ? &part_.users[record.detail] : nullptr;
    const LaneIndex lane = lanes_.laneOf(record, user, part_.names);
    const std::uint32_t parent = record.parent.isZero() ? HashIndex::none : records_.find(record.parent);
    ChainPlace place = placeBehind(parent);
    if (record.kind == RecordType::Assistant) {
        const std::uint32_t call = addCall(record, lane, duplicate, place);
        place.call = call != noCall ? call : place.call;
    } else if (user) {
        place.turn = addUser(record, lane, duplicate) ? turn_ : place.turn;
    } else if (record.kind == RecordType::Attachment) {
        lanes_.addRequest(lane, record.time);
    }
    if (!duplicate && !record.uuid.isZero()) {
        joined_.add(number, parent, part_.names.name(record.sessionId), record.place.line);
        addLink(record, number, parent, place);
    }
    for (; nextEvent_ < part_.events.size() && part_.events[nextEvent_].record == row; ++nextEvent_) {
        const EventFacts& event = part_.events[nextEvent_];
        if (!duplicate) {
            file_.events.push_back({.kind = event.kind,
                                    .time = record.time,
                                    .place = record.place,
                                    .tokens = event.tokens,
                                    .detail = nameOf(event.detail),
                                    .lane = lane});
        }
    }
    for (; nextProgress_ < part_.progress.size() && part_.progress[nextProgress_].record == row;
         ++nextProgress_) {
        const CallFacts& facts = part_.calls[part_.progress[nextProgress_].call];
        progressCalls_.add(facts, {.place = record.place,
                                   .time = isKnown(facts.time) ? facts.time : record.time,
                                   .model = nameOf(facts.model),
                                   .version = nameOf(record.version),
                                   .lane = lane,
                                   .sidechain = true,
                                   .duplicate = duplicate});
    }
}

ChainPlace FileAssembler::placeBehind(std::uint32_t parent) const {
    const std::uint32_t link = parent < linkOf_.size() ? linkOf_[parent] : noCall;
    return link < file_.links.size() ? ChainPlace{file_.links[link].call, turnOf_[link]}
                                     : ChainPlace{noCall, turn_};
}

void FileAssembler::addLink(const RecordFacts& record, std::uint32_t number, std::uint32_t parent,
                            const ChainPlace& place) {
    if (file_.links.empty() && parent == HashIndex::none) {
        file_.continues = record.parent.low;
    }
    linkOf_.resize(number + 1, noCall);
    linkOf_[number] = static_cast<std::uint32_t>(file_.links.size());
    file_.links.push_back({record.uuid.low, place.call});
    turnOf_.push_back(place.turn);
}

std::uint32_t FileAssembler::addCall(const RecordFacts& record, LaneIndex lane, bool duplicate,
                                     const ChainPlace& before) {
    CallFacts facts = part_.calls[record.detail];
    if (!file_.userRecords.empty()) {
        file_.userRecords.back().outputPerLine += facts.usage.output;
    }
    std::uint32_t index = noCall;
    if (facts.counts) {
        identify(facts, record, lane, duplicate);
        const CallMerger::Added added = calls_.add(facts, {.place = record.place,
                                                           .time = record.time,
                                                           .model = nameOf(facts.model),
                                                           .version = nameOf(record.version),
                                                           .lane = lane,
                                                           .sidechain = record.sidechain,
                                                           .duplicate = duplicate});
        index = added.index;
        ApiCall& call = calls_[index];
        if (added.isNew) {
            const TimeMs request = lanes_.takeRequest(lane);
            call.requestTime = isKnown(record.time) && request <= record.time ? request : unknownTime;
            call.before = before.call;
        }
        if (call.promptTurn < 0 && !record.sidechain) {
            call.promptTurn = before.turn;
        }
    }
    addTools(facts, record, lane, index);
    return index;
}

void FileAssembler::identify(CallFacts& facts, const RecordFacts& record, LaneIndex lane, bool duplicate) {
    const CallIdentity::Identified found = identity_.identify(facts, record, lane, duplicate);
    facts.key = found.key;
    facts.message = found.message;
    if (found.oddity != CallIdentity::Oddity::None) {
        diagnostics_.add(found.oddity == CallIdentity::Oddity::NoId ? DiagnosticKind::NoCallId
                                                                    : DiagnosticKind::RepeatedCallId,
                         record.place.line);
    }
}

/// Notes what is odd about the file as a whole.
void FileAssembler::addDoubts() {
    if (const auto second = file_.role == FileRole::Main ? joined_.secondBegins(file_.path) : std::nullopt) {
        diagnostics_.add(DiagnosticKind::SeveralSessions, *second,
                         std::to_string(joined_.sessions()) + " session ids");
    }
    if (const ApiCall* const call = countsReadsTwice(file_.calls)) {
        diagnostics_.add(DiagnosticKind::CachedInInput, call->place.line);
    }
}

void FileAssembler::addTools(const CallFacts& facts, const RecordFacts& record, LaneIndex lane,
                             std::uint32_t call) {
    for (Row row = facts.firstTool; row < facts.firstTool + facts.toolCount; ++row) {
        const ToolUseFacts& tool = part_.tools[row];
        lanes_.addAgentCall(tool.promptPrint, part_.names.name(tool.agentType));
        const auto next = static_cast<std::uint32_t>(file_.tools.size());
        if (tools_.findOrAdd(tool.id, next) == next) {
            file_.tools.push_back({.id = tool.id,
                                   .useTime = record.time,
                                   .place = record.place,
                                   .call = call,
                                   .name = nameOf(tool.name),
                                   .lane = lane});
        }
    }
}

bool FileAssembler::addUser(const RecordFacts& record, LaneIndex lane, bool duplicate) {
    const UserFacts& facts = part_.users[record.detail];
    const auto index = static_cast<std::uint32_t>(file_.userRecords.size());
    file_.userRecords.push_back({.time = record.time,
                                 .place = record.place,
                                 .inputCharacters = facts.inputCharacters,
                                 .lane = lane,
                                 .kind = facts.kind});
    ++file_.userKinds[static_cast<std::size_t>(facts.kind)];
    lanes_.addRequest(lane, record.time);
    identity_.addUser(lane);
    for (Row row = facts.firstResult; row < facts.firstResult + facts.resultCount; ++row) {
        file_.toolResultErrors += part_.results[row].isError ? 1 : 0;
        addResult(part_.results[row], record.time);
    }
    if (facts.preview == noRow || duplicate) {
        return false;
    }
    const std::string& preview = part_.texts[facts.preview];
    title_.addPrompt(preview, facts.kind);
    if (facts.kind == UserKind::SidechainPrompt) {
        return false;
    }
    turn_ = static_cast<std::int32_t>(file_.promptTurns.size());
    file_.promptTurns.push_back({.userRecord = index, .preview = preview});
    return true;
}

void FileAssembler::addResult(const ToolResultFacts& result, TimeMs time) {
    const std::uint32_t index = tools_.find(result.id);
    if (index == HashIndex::none) {
        lostResults_.emplace_back(result, time);
        return;
    }
    ToolUse& tool = file_.tools[index];
    tool.resultTime = isKnown(tool.resultTime) ? tool.resultTime : time;
    tool.isError = tool.isError || result.isError;
}

SessionFile FileAssembler::finish() {
    for (const auto& [result, time] : std::exchange(lostResults_, {})) {
        addResult(result, time);
    }
    const std::vector<std::uint32_t> target = calls_.dropReplays();
    file_.calls = calls_.take();
    for (ApiCall& call : file_.calls) {
        identity_.rename(call);
    }
    for (RecordLink& link : file_.links) {
        link.call = link.call == noCall ? noCall : target[link.call];
    }
    for (std::uint32_t i = 0; i < file_.calls.size(); ++i) {
        std::uint32_t& before = file_.calls[i].before;
        before = before == noCall || target[before] == i ? noCall : target[before];
    }
    for (ToolUse& tool : file_.tools) {
        tool.call = tool.call == noCall ? static_cast<std::uint32_t>(file_.calls.size()) : target[tool.call];
    }
    addDoubts();
    file_.progressCalls = progressCalls_.take();
    if (file_.sessionId.empty() && !sessionIds_.empty()) {
        file_.sessionId =
            std::ranges::max_element(sessionIds_, {}, [](const auto& e) { return e.second; })->first;
    }
    file_.lanes = lanes_.takeLanes();
    file_.title = title_.title([&](const Hash128& uuid) { return records_.find(uuid) != HashIndex::none; });
    file_.names = names_.take();
    file_.diagnostics = diagnostics_.sorted();
    file_.userRecords.shrink_to_fit();
    file_.promptTurns.shrink_to_fit();
    file_.tools.shrink_to_fit();
    file_.events.shrink_to_fit();
    file_.links.shrink_to_fit();
    return std::move(file_);
}

} // namespace

SessionFile assembleFile(std::string path, const SessionFormat& format, std::string agentType,
                         std::vector<PartFacts> parts) {
    const FilePlace place = format.placeOf(path);
    FileAssembler assembler(std::move(path), format.agent, place, std::move(agentType));
    for (PartFacts& part : parts) {
        assembler.add(std::move(part));
        part = {};
    }
    return assembler.finish();
}

} // namespace loadline::facts
