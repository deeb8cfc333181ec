// Tells what --workload names, and reads it.
#include "app/cli/workload_option.h"

#include "app/cli/load.h"
#include "app/cli/output.h"
#include "core/workload/read_workload.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace loadline::app {
namespace {

constexpr std::size_t headBytes = std::size_t{1} << 16;

/// The beginning of a regular file; nothing of pipes, which cannot be read twice.
std::optional<std::string> headOf(const std::string& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) {
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    std::string head(headBytes, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

std::string lastPartOf(std::string path) {
    while (path.size() > 1 && path.back() == '/') {
        path.pop_back();
    }
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

Result<Workload> sessionsAt(const WorkloadOption& option, unsigned threads, const Interruption& interruption,
                            const std::vector<std::string>& outputs) {
    const Result<Loaded> loaded = load({option.workload}, threads, "", interruption);
    if (!loaded) {
        return loaded.error();
    }
    for (const std::string& output : outputs) {
        if (Status allowed = refuseToOverwrite(output, loaded->files); !allowed) {
            return allowed.error();
        }
    }
    const Corpus& corpus = *loaded->corpus;
    Workload workload =
        workloadOfSessions(corpus, select(corpus, Scope{}, TurnMethod::ApiCall), option.workload,
                           "Sessions in " + lastPartOf(option.workload),
                           outputCountsFromKey(option.outputs).value_or(OutputCounts::Recorded));
    if (corpus.files.empty()) {
        return Error{.what = "not a workload: there are no session files (*.jsonl) here",
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

void addWorkload(CLI::App& app, WorkloadOption& option) {
    app.add_option("--workload", option.workload,
                   "Where the turns come from (reference: the published distributions of 397\n"
                   "sessions): a distribution file (loadline turns --out), a folder of sessions, or\n"
                   "a request trace (Mooncake, Azure, kv-cache-tester, or a table with the columns\n"
                   "arrival_s,input_tokens,output_tokens)")
        ->option_text("W")
        ->group("Who asks");
    app.add_option("--outputs", option.outputs,
                   "Of sessions whose logs hold only a lower bound of outputs: recorded: the bound;\n"
                   "visible: at least the characters of the answer / 4 (recorded)")
        ->check(CLI::IsMember({"recorded", "visible"}))
        ->option_text("recorded|visible")
        ->group("Who asks");
}

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
    if (std::filesystem::is_directory(option.workload, failed)) {
        return sessionsAt(option, threads, interruption, outputs);
    }
    const std::optional<std::string> head = headOf(option.workload);
    if (head && workloadContentOf(*head) == WorkloadContent::SessionLog) {
        return sessionsAt(option, threads, interruption, outputs);
    }
    return readWorkload(option.workload);
}

} // namespace loadline::app
