// Tells what --workload names, and reads it.
#include "app/cli/simulate/resolve_workload.h"

#include "app/cli/load.h"
#include "app/cli/terminal/output.h"
#include "core/base/read_file.h"
#include "core/session/files/file_kind.h"
#include "core/workload/source/read_workload.h"

#include <filesystem>
#include <optional>
#include <system_error>

namespace loadline::app {
namespace {

std::string lastPartOf(std::string path) {
    while (path.size() > 1 && path.back() == '/') {
        path.pop_back();
    }
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

Result<Workload> sessionsAt(const WorkloadOption& option, unsigned threads, const Interruption& interruption,
                            const std::vector<std::string>& outputs) {
    const Result<Loaded> loaded = load({option.workload}, threads, outputs, interruption);
    if (!loaded) {
        return loaded.error();
    }
    const Corpus& corpus = *loaded->corpus;
    Workload workload =
        workloadOfSessions(corpus, select(corpus, Scope{}, TurnMethod::ApiCall), option.workload,
                           "Sessions in " + lastPartOf(option.workload),
                           outputCountsFromKey(option.outputs).value_or(OutputCounts::Recorded));
    if (corpus.files.empty()) {
        return Error{.what = "not a workload: " + reasonForNothing(corpus),
                     .where = option.workload,
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

Result<Workload> resolveWorkload(const WorkloadOption& option, unsigned threads,
                                 const Interruption& interruption, const std::vector<std::string>& outputs) {
    if (option.workload == "reference") {
        return referenceWorkload();
    }
    std::error_code failed;
    if (!std::filesystem::exists(option.workload, failed)) {
        return Error{.what = "there is no such workload",
                     .where = option.workload,
                     .remedy = "`reference`, a distribution file, a folder of sessions, or a request trace"};
    }
    if (std::filesystem::is_directory(option.workload, failed) ||
        contentOf(readHead(option.workload)) == FileContent::Sessions) {
        return sessionsAt(option, threads, interruption, outputs);
    }
    return readWorkload(option.workload);
}

} // namespace loadline::app
