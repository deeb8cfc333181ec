// What `loadline turns` says: turns of one method, their sums and power-of-two histograms.
#pragma once

#include "core/session/corpus/corpus.h"
#include "core/workload/distribution/distribution.h"
#include "core/workload/distribution/turns.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline::app {

/// The document "loadline.turns/1". Paths may hold bytes that are not UTF-8: dump it with
/// error_handler_t::replace. "files" sums to the whole: a call that several files hold counts in its home.
nlohmann::ordered_json turnsDocument(const Corpus& corpus, TurnMethod method);

/// The same for a terminal.
std::string turnsText(const Corpus& corpus, TurnMethod method);

/// The distribution that `turns --out` writes.
TokenDistribution turnsDistribution(const Corpus& corpus, TurnMethod method);

} // namespace loadline::app
