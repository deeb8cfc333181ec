// Runs the program again as its own child and says how that ended.
#include "app/cli/bench/bench_options.h"
#include "app/cli/bench/bench_teller.h"
#include "app/cli/bench/bench_text.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/stops.h"
#include "app/files/profile_library.h"
#include "app/kernels/bench_job.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/counted.h"

#include <QCoreApplication>
#include <fmt/format.h>

#include <csignal>

namespace loadline::app {
namespace {

BenchRequest requestOf(const BenchOptions& options) {
    BenchRequest request = options;
    // The child writes the file itself, so that it is there even if this process dies.
    request.out = options.out == standardOutput ? "" : options.out;
    return request;
}

/// The run in the child, until it has ended.
void watch(BenchJob& job, const BenchOptions& options, const Stops& stops, BenchTeller& tell) {
    QObject::connect(&job, &BenchJob::reported, &job, [&](const BenchEvent& event) { tell(event); });
    QObject::connect(
        &job, &BenchJob::ended, &job, [] { QCoreApplication::quit(); }, Qt::QueuedConnection);
    job.setSilenceLimit(std::chrono::milliseconds(static_cast<std::int64_t>(options.patienceSeconds * 1000)));
    const auto cancel = [&job] {
        // From now on it takes seconds at most: another Ctrl-C must not lose what was measured.
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGTERM, SIG_IGN);
        std::signal(SIGHUP, SIG_IGN);
        QMetaObject::invokeMethod(
            &job, [&job] { job.cancel(); }, Qt::QueuedConnection);
    };
    const std::stop_callback onStop(stops.source().get_token(), cancel);
    job.start(requestOf(options));
    if (job.isRunning()) {
        QCoreApplication::exec();
    }
}

class Ending {
public:
    Ending(const BenchOptions& options, const BenchJob& job) : options_(options), job_(job) {}

    int say() {
        const Profile& profile = job_.run().profile;
        if (profile.points.empty()) {
            const bool known = job_.run().error.has_value();
            return fail(known ? *job_.run().error
                              : Error{job_.why().toStdString(), options_.device, "run it again"});
        }
        const std::string cut = cutOf(profile);
        if (!cut.empty()) {
            app::say("loadline: the profile is not complete: " + cut);
        }
        const bool written = keepInFile(profile);
        const bool shown = show(profile);
        if (!kept_ && (!written || !cut.empty() || !shown)) {
            rescue(profile);
        }
        return written && shown && cut.empty() ? exitDone : exitFailed;
    }

private:
    /// Whether the profile is where --out wants it.
    bool keepInFile(const Profile& profile) {
        if (options_.out.empty()) {
            return true;
        }
        const bool byChild = options_.out != standardOutput && job_.run().done;
        if (byChild && job_.run().path.empty()) {
            return false; // the child has said why
        }
        if (!byChild) {
            if (const Status status = writeOutput(options_.out, toJson(profile)); !status) {
                fail(status.error());
                return false;
            }
        }
        kept_ = true;
        if (options_.out != standardOutput) {
            app::say(fmt::format("{} in {}",
                                 counted(profile.points.size() + profile.attention.size(), "point"),
                                 options_.out));
        }
        return true;
    }

    bool show(const Profile& profile) {
        if (options_.out == standardOutput) {
            return true;
        }
        const bool shown =
            (options_.json ? printJsonText(toJson(profile)) : printText(profileText(profile))) == exitDone;
        kept_ = kept_ || (options_.json && shown);
        return shown;
    }

    static void rescue(const Profile& profile) {
        const Result<std::string> path = saveProfile(profile);
        if (path) {
            app::say(fmt::format("loadline: {} kept in {}",
                                 counted(profile.points.size() + profile.attention.size(), "point"), *path));
        } else {
            fail(path.error());
        }
    }

    const BenchOptions& options_;
    const BenchJob& job_;
    bool kept_ = false; ///< all of the profile is somewhere
};

} // namespace

int measureWatched(const BenchOptions& options) {
    std::string name = "loadline";
    int count = 1;
    char* values[] = {name.data(), nullptr};
    const QCoreApplication application(count, values);
    const Stops stops(options.untilInputEnds);
    BenchJob job;
    {
        BenchTeller tell(false, stops.source());
        watch(job, options, stops, tell);
    }
    const int status = Ending(options, job).say();
    const bool complete = job.end() == BenchEnd::Complete;
    return complete ? status : stops.exitStatus().value_or(status);
}

} // namespace loadline::app
