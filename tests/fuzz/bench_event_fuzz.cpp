// Any lines as a measuring run's events: what is read is written so that it reads back equal, and runs add
// up.
#include "core/cost/profile/bench_event.h"

#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    using namespace loadline::fuzz;
    std::string_view text = fuzz::textOf(data, size);
    BenchRun run;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const Result<BenchEvent> event = benchEventFromJson(line);
        if (!event) {
            check(!event.error().what.empty());
            continue;
        }
        const std::string written = toJsonLine(*event);
        check(written.find('\n') == written.size() - 1);
        const Result<BenchEvent> again = benchEventFromJson(written);
        check(again.hasValue());
        checkEqual(toJsonLine(*again), written);
        apply(run, *event);
    }
    check(run.points.size() <= size && run.remarks.size() <= size);
    if (!run.profile.points.empty()) {
        const auto again = profileFromJson(toJson(run.profile), "x");
        if (!again) {
            std::fprintf(stderr, "%s\n", again.error().sentence().c_str());
        }
        check(again.hasValue());
    }
    check(cutOf(run.profile).size() <= size + 100);
    return 0;
}
