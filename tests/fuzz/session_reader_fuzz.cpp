// Any bytes as a session file: where chunks and parts are cut must not matter, and every sum must add up.
#include "core/session/corpus/corpus.h"
#include "core/session/lines/reader_limits.h"
#include "tests/core/session/session_file_text.h"
#include "tests/fuzz/check.h"

#include <memory>
#include <numeric>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkPlace(const RecordPlace& place, std::string_view text) {
    check(place.line >= 1 && place.offset <= text.size() && place.length <= text.size() - place.offset);
    const std::string_view record = text.substr(place.offset, place.length);
    check(record.find('\n') == std::string_view::npos);
    check(place.offset == 0 || text[place.offset - 1] == '\n');
}

void checkUsage(const Usage& usage) {
    check(usage.input >= 0 && usage.cacheWrite >= 0 && usage.cacheRead >= 0 && usage.output >= 0);
    check(usage.cacheWrite5m >= 0 && usage.cacheWrite1h >= 0);
}

void checkFile(const SessionFile& file, std::string_view text) {
    check(file.bytes == text.size());
    const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    check(file.physicalLines == lines + (!text.empty() && text.back() != '\n' ? 1 : 0));
    check(file.blankLines + file.badLines <= file.physicalLines);
    for (const std::vector<ApiCall>* calls : {&file.calls, &file.progressCalls}) {
        for (const ApiCall& call : *calls) {
            checkPlace(call.place, text);
            checkUsage(call.usage);
            check(call.model < file.names.size() && call.version < file.names.size());
            check(call.lane < file.lanes.size() && call.lines >= 1);
            check(call.promptTurn < static_cast<std::int64_t>(file.promptTurns.size()));
            check(!isKnown(call.firstTime) || call.firstTime <= call.lastTime);
        }
    }
    for (const UserRecord& user : file.userRecords) {
        checkPlace(user.place, text);
        check(user.lane < file.lanes.size() && user.inputCharacters >= 0);
    }
    check(std::accumulate(file.userKinds.begin(), file.userKinds.end(), std::uint64_t{0}) >=
          file.userRecords.size());
    for (const PromptTurn& turn : file.promptTurns) {
        check(turn.userRecord < file.userRecords.size());
    }
    for (const ToolUse& tool : file.tools) {
        checkPlace(tool.place, text);
        check(tool.call <= file.calls.size() && tool.name < file.names.size() &&
              tool.lane < file.lanes.size());
    }
    for (const SessionEvent& event : file.events) {
        checkPlace(event.place, text);
        check(event.detail < file.names.size() && event.lane < file.lanes.size());
    }
    for (std::size_t i = 1; i < file.diagnostics.size(); ++i) {
        check(file.diagnostics[i - 1].line <= file.diagnostics[i].line);
    }
}

template <typename Map>
UsageTotals sumOf(const Map& parts) {
    UsageTotals sum;
    for (const auto& [name, totals] : parts) {
        sum += totals;
    }
    return sum;
}

/// Two copies of a file, and a part of it, are one conversation: each call counts once.
void checkCorpus(std::string_view text, const SessionFile& file) {
    SessionFiles files;
    for (const char* path : {"p/a.jsonl", "p/b.jsonl"}) {
        files.files.push_back(std::make_shared<SessionFile>(readSessionText(path, text)));
    }
    files.files.push_back(
        std::make_shared<SessionFile>(readSessionText("p/c.jsonl", text.substr(text.size() / 2))));
    const Corpus corpus = buildCorpus(std::move(files));
    const UsageTotals all = totalsOf(corpus.calls);
    check(all.calls == corpus.calls.size() && all.calls >= file.calls.size());
    check(sumOf(totalsByModel(corpus)) == all && sumOf(totalsByUtcDay(corpus)) == all);
    UsageTotals own;
    for (const Session& session : corpus.sessions) {
        own += session.ownTotals;
        check(session.totals.calls == session.ownTotals.calls + session.inheritedCalls);
    }
    check(own == all);
    for (const CorpusCall& call : corpus.calls) {
        checkUsage(call.usage);
        check(call.file < corpus.files.size() && call.model < corpus.models.size() && call.copies >= 1);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const std::uint32_t digest = digestOf(text);
    const ReaderLimits usual{.maxLineBytes = 3000, .chunkBytes = 1U << 16U, .segmentBytes = 1U << 20U};
    const ReaderLimits cut{
        .maxLineBytes = 3000, .chunkBytes = 1U + digest % 256U, .segmentBytes = 1U + (digest >> 8U) % 4096U};
    const std::string a = loadline::textOf(readSessionText("x.jsonl", text, usual));
    const std::string b = loadline::textOf(readSessionText("x.jsonl", text, cut));
    if (a != b) {
        std::fprintf(stderr, "%s\n", firstDifferentLine(a, b).c_str());
    }
    check(a == b);
    const SessionFile file = readSessionText("x.jsonl", text);
    checkFile(file, text);
    checkCorpus(text, file);
    return 0;
}
