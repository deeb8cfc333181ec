// The fields of a replay.
#include "core/replay/replay_question.h"

#include "core/ask/field_row.h"
#include "core/replay/replay.h"

#include <vector>

namespace loadline {

ask::Fields replayFields() {
    using Q = ReplayQuestion;
    using ask::row;
    static const std::vector<ask::Field> rows = ask::inGroup(
        "The self-check",
        {row("run", ask::bound<&Q::run>(), {"run", "Folder of the recorded run"}, {}, {}, {},
             {.text = {.form = "RUN_DIR"}}),
         row("prompts", ask::bound<&Q::prompts>(),
             {"prompts", "The dataset that was served (a line with input_tok_ids per request), for what "
                         "requests share in the prefix cache (prompts.jsonl in the folder, if it is there)"},
             {}, {}, {}, {.text = {.form = "FILE"}}),
         row("blocks", ask::bound<&Q::kvBlocks>(),
             {"KV blocks", "KV blocks, instead of those recorded or computed"},
             {static_cast<double>(replayedBlocks.least), static_cast<double>(replayedBlocks.most)}, {}, {},
             {.isSetting = false})});
    return rows;
}

} // namespace loadline
