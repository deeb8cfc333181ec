// Reading with progress, and the question whether it failed.
#include "app/cli/terminal/load.h"

#include "app/cli/help/command.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "core/session/corpus/losses.h"
#include "core/text/counted.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace loadline::app {
namespace {

constexpr std::size_t lossesSaid = 20;

bool isFailure(const PathDiagnostic& diagnostic) {
    return losesData(diagnostic.diagnostic.kind);
}

/// Says on standard error what was lost or assumed within files; problems of paths without a file are said
/// beside what else was odd.
void sayWithinFiles(const Corpus& corpus, bool (*matters)(DiagnosticKind), const char* moreFiles) {
    std::size_t files = 0;
    for (const FileInCorpus& entry : corpus.files) {
        const std::vector<Diagnostic>& all = entry.file->diagnostics;
        const auto isOne = [&](const Diagnostic& diagnostic) { return matters(diagnostic.kind); };
        const auto first = std::ranges::find_if(all, isOne);
        if (first == all.end() || ++files > lossesSaid) {
            continue;
        }
        const auto more = static_cast<std::uint64_t>(std::ranges::count_if(all, isOne)) - 1;
        const std::string place = first->line == 0 ? "" : fmt::format(":{}", first->line);
        say(fmt::format("loadline: {}{}: {}{}", entry.file->path, place, diagnosticSentence(*first),
                        more == 0 ? "" : ", and " + counted(more, "more place")));
    }
    if (files > lossesSaid) {
        say(fmt::format("loadline: {} {}", counted(files - lossesSaid, "more file"), moreFiles));
    }
}

} // namespace

Result<Loaded> load(const std::vector<std::string>& paths, unsigned threads,
                    const std::vector<std::string>& outputs, const Interruption& interruption,
                    const PriceList& prices) {
    if (Status possible = canWriteOutputs(outputs); !possible) {
        return possible.error();
    }
    const auto start = std::chrono::steady_clock::now();
    Loaded loaded;
    const FoundFiles found = findSessionFiles(paths, interruption.token());
    std::vector<std::string> files;
    for (const FoundFile& file : found.files) {
        files.push_back(file.path);
    }
    for (const NotRead& file : found.notRead) {
        files.push_back(file.path);
    }
    if (Status allowed = refuseToOverwrite(outputs, files); !allowed) {
        return allowed.error();
    }

    Progress progress;
    Corpus corpus = [&] {
        const ProgressLine line("reading", progress);
        return buildCorpus(readSessionFiles(found, {threads, {}}, interruption.token(), progress), prices);
    }();
    loaded.corpus = std::make_shared<const Corpus>(std::move(corpus));
    loaded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::vector<PathDiagnostic>& odd = loaded.corpus->diagnostics;
    const auto failure = std::find_if(odd.begin(), odd.end(), isFailure);
    if (loaded.corpus->files.empty() && failure != odd.end()) {
        return Error{"cannot read: " + diagnosticSentence(failure->diagnostic), failure->path,
                     "a session file, or a folder that holds session files"};
    }
    if (!loaded.corpus->files.empty()) {
        for (const std::string& sentence : sentencesOf(loaded.corpus->notRead)) {
            say("loadline: " + sentence);
        }
    }
    for (const PathDiagnostic& diagnostic : odd) {
        if (diagnostic.diagnostic.kind == DiagnosticKind::OtherLog) {
            continue; // said all together, also by reasonForNothing
        }
        say("loadline: " + diagnostic.path + ": " + diagnosticSentence(diagnostic.diagnostic));
    }
    sayWithinFiles(*loaded.corpus, losesData, "lost data too");
    sayWithinFiles(*loaded.corpus, isGuess, "rest on assumptions too");
    loaded.losesData = !lossesIn(*loaded.corpus).empty();
    return loaded;
}

int endedWith(int status, bool losesData) {
    return status == exitDone && losesData ? exitFailed : status;
}

std::string reasonForNothing(const Corpus& corpus) {
    const std::vector<std::string> found = sentencesOf(corpus.notRead);
    if (found.empty()) {
        const auto other = [](const PathDiagnostic& one) {
            return one.diagnostic.kind == DiagnosticKind::NotSessionLog;
        };
        const std::vector<PathDiagnostic>& odd = corpus.diagnostics;
        const auto first = std::ranges::find_if(odd, other);
        if (first == odd.end()) {
            return "there are no session files (*.jsonl) here";
        }
        const auto more = static_cast<std::uint64_t>(std::ranges::count_if(odd, other)) - 1;
        const std::string name = visibleText(std::filesystem::path(first->path).filename().string());
        return more == 0 ? fmt::format("{} is no session log that Loadline knows", name)
                         : fmt::format("{} and {} are no session logs that Loadline knows", name,
                                       counted(more, "more file"));
    }
    std::string text = fmt::format("{}", fmt::join(found, " "));
    text.pop_back(); // the full stop
    return text;
}

void sayIfEmpty(const Loaded& loaded) {
    if (loaded.corpus->files.empty()) {
        say("loadline: " + reasonForNothing(*loaded.corpus));
    }
}

} // namespace loadline::app
