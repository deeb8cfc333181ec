// Tells what --workload names, and reads it.
#include "app/cli/simulate/resolve_workload.h"

#include "app/cli/load.h"
#include "app/cli/terminal/output.h"
#include "core/workload/source/read_workload.h"

#include <optional>

namespace loadline::app {
namespace {

std::string lastPartOf(std::string path) {
    while (path.size() > 1 && path.back() == '/') {
        path.pop_back();
    }
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

Result<Workload> sessionsAt(const std::string& path, OutputCounts outputs, unsigned threads,
                            const Interruption& interruption, const std::vector<std::string>& files) {
    const Result<Loaded> loaded = load({path}, threads, files, interruption);
    if (!loaded) {
        return loaded.error();
    }
    const Corpus& corpus = *loaded->corpus;
    Workload workload = workloadOfSessions(corpus, select(corpus, Scope{}, TurnMethod::ApiCall), path,
                                           "Sessions in " + lastPartOf(path), outputs);
    if (corpus.files.empty()) {
        return Error{.what = "not a workload: " + reasonForNothing(corpus),
                     .where = path,
                     .remedy = "another folder, a distribution file, a trace, or `reference`"};
    }
    if (std::optional<Error> problem = problemOf(workload)) {
        problem->what = "not a workload: no API call with tokens is in these sessions";
        problem->remedy = "other sessions, or `reference`";
        return *problem;
    }
    return workload;
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
        return readWorkload(source.name);
    case SourceKind::Open:
    case SourceKind::Missing:
        break;
    }
    return Error{.what = "there is no such workload",
                 .where = source.name,
                 .remedy = "`reference`, a distribution file, a folder of sessions, or a request trace"};
}

} // namespace loadline::app
