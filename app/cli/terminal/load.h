// First steps of every command with PATHs: find the files, read them, merge them.
#pragma once

#include "app/cli/terminal/interruption.h"
#include "app/options/price_option.h"
#include "core/base/result.h"
#include "core/session/corpus/corpus.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline::app {

struct Loaded {
    std::shared_ptr<const Corpus> corpus;
    double seconds = 0;     ///< wall time of finding, reading and merging
    bool losesData = false; ///< something could not be read (lossesIn), as was said on standard error
};

/// Shows progress on a terminal. What cannot be read is said on standard error; when nothing at all could be
/// read, the Error is the first such path. `outputs` ("": none) must be possible and none of the
/// files.
Result<Loaded> load(const std::vector<std::string>& paths, unsigned threads,
                    const std::vector<std::string>& outputs, const Interruption& interruption,
                    const PriceList& prices = bundledPrices());

/// The exit status of a command whose answer was written with `status`: exitFailed where a part of its input
/// could not be read.
int endedWith(int status, bool losesData);

/// Returns what was found in paths without a session, as a sentence without its end.
std::string reasonForNothing(const Corpus& corpus);

/// On standard error, for commands to which nothing is an answer, too.
void sayIfEmpty(const Loaded& loaded);

} // namespace loadline::app
