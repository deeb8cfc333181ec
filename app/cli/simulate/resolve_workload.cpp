// Tells what --workload names, and reads it.
#include "app/cli/simulate/resolve_workload.h"

#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "core/cache/cache_files.h"
#include "core/text/plain_words.h"
#include "core/workload/source/read_workload.h"
#include "core/workload/source/workload_of_traces.h"

#include <optional>

namespace loadline::app {
namespace {

/// Says what of a trace could not be read; of sessions, load() has said it.
Result<Workload> said(Result<Workload> workload) {
    if (workload && !workload->incomplete.empty()) {
        say("loadline: " + workload->incomplete);
    }
    return workload;
}

Result<Workload> sessionsAt(const std::string& path, OutputCounts outputs, unsigned threads,
                            const Interruption& interruption, const std::vector<std::string>& files) {
    const Result<Loaded> loaded = load({path}, threads, files, interruption);
    if (!loaded) {
        return loaded.error();
    }
    const Corpus& corpus = *loaded->corpus;
    if (corpus.files.empty()) {
        const Result<CacheFiles> found = cacheFilesIn(std::vector<std::string>{path}, interruption.token());
        if (found && !found->traces.empty()) {
            if (Status allowed = refuseToOverwrite(files, found->traces); !allowed) {
                return allowed.error();
            }
            Progress progress;
            const ProgressLine line("reading", progress);
            return said(readTraceFiles(found->traces, path, threads, interruption.token(), progress));
        }
        return Error{.what = "not a workload: " + reasonForNothing(corpus),
                     .where = path,
                     .remedy = "another folder, a distribution file, a trace, or `reference`"};
    }
    Workload workload = workloadOfSessions(corpus, select(corpus, Scope{}, TurnMethod::ApiCall), path,
                                           "Sessions in " + nameOfFile(withoutLastSlashes(path)), outputs);
    if (std::optional<Error> problem = problemOf(workload)) {
        problem->what = "not a workload: no API call with tokens is in these sessions";
        problem->remedy = "other sessions, or `reference`";
        return *problem;
    }
    return workload;
}

Result<Workload> fileAt(const std::string& path, unsigned threads, const Interruption& interruption) {
    Progress progress;
    const ProgressLine line("reading", progress);
    return said(readWorkload(path, {threads, interruption.token(), &progress}));
}

} // namespace

Result<Workload> resolveWorkload(const Source& source, OutputCounts outputs, unsigned threads,
                                 const Interruption& interruption, const std::vector<std::string>& files) {
    switch (kindOf(source, false)) {
    case SourceKind::Reference:
        return referenceWorkload();
    case SourceKind::Logs:
        return sessionsAt(source.name, outputs, threads, interruption, files);
    case SourceKind::File:
        return fileAt(source.name, threads, interruption);
    case SourceKind::Open:
    case SourceKind::Missing:
        break;
    }
    return Error{.what = "there is no such workload",
                 .where = source.name,
                 .remedy =
                     "`reference`, a distribution file, a request trace, or a folder of sessions or traces"};
}

} // namespace loadline::app
