// Any bytes as a list of judged servers: servers that are written and read back equal and can be compared
// with each other, or a sentence.
#include "core/serving/nearest_servers.h"
#include "tests/fuzz/check.h"

#include <algorithm>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

bool isServerError(const std::optional<double>& error) {
    return !error || (std::isfinite(*error) && *error >= -1);
}

void checkNearest(const std::vector<JudgedServer>& servers, const JudgedServer& server) {
    const NearestServers found = nearestServers(servers, server.at);
    check(!found.words.empty() && serverDistance(server.at, server.at) == 0);
    check(found.n <= servers.size() && found.inferred <= found.n);
    check((found.n > 0) == (found.tpot || found.ttft));
    check(found.n > 0 || (!server.tpotError && !server.ttftError));
    for (const auto& errors : {found.tpot, found.ttft}) {
        check(!errors || (errors->n <= found.n && isTime(errors->median) && errors->median <= errors->p90 &&
                          errors->p90 <= errors->largest));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t compared = 8;
    const Result<JudgedServers> read = judgedServersFrom(fuzz::textOf(data, size), "x.csv");
    if (!read) {
        checkError(read.error());
        return 0;
    }
    check(!read->servers.empty() && read->servers.size() <= mostJudgedServers);
    const std::string text = judgedServersCsv(*read);
    const Result<JudgedServers> again = judgedServersFrom(text, "x.csv");
    check(again.hasValue() && again->servers == read->servers && again->diagnostics.empty());
    checkEqual(judgedServersCsv(*again), text);
    for (std::size_t i = 0; i < std::min(compared, read->servers.size()); ++i) {
        const JudgedServer& server = read->servers[i];
        check(server.at.tensorParallel >= 1 && server.at.cachedShare >= 0 && server.at.cachedShare <= 1);
        check(isServerError(server.tpotError) && isServerError(server.ttftError));
        checkNearest(read->servers, server);
    }
    return 0;
}
