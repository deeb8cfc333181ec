// The options in a pasted `vllm serve ...` command line or engine config, before their meaning is asked.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// One option as it stands in the text.
struct EngineWord {
    std::string name; ///< "max_num_seqs": without dashes, with underscores; "" for a bare word
    std::optional<std::string> value; ///< none: a flag
    std::string asWritten;            ///< "--max-num-seqs=256", for lists of what was not understood
    bool operator==(const EngineWord&) const = default;
};

/// Whether options follow `vllm serve` or `api_server` in it: what it does not name has vLLM's default.
bool isServeCommand(std::string_view text);

/// A command line (quotes, backslashes, line continuations, "$ " and VARIABLE=... in front; only what follows
/// `vllm serve` or `api_server` if one of them is in it), a JSON object or lines "key: value" (YAML). Nested
/// objects keep "outer.inner" as their name. The Error names what is not closed or not of any of the three.
Result<std::vector<EngineWord>> engineWordsIn(std::string_view text);

} // namespace loadline
