// Which files make one session.
#pragma once

#include "core/session/corpus/corpus.h"

#include <span>
#include <vector>

namespace loadline {

/// The sessions of the files, by project then start time, with identity, project, title, files, times,
/// prompts and diagnostics filled in; totals and models are not.
///
/// One session are the files of one agent program with the same session id below the same root folder,
/// whatever the project folder. A main file that is not named after its session id is a copy made by someone
/// (a backup, a snapshot) or a resumed session, and stands alone; so does a file without a session id.
std::vector<Session> groupSessions(std::span<const FileInCorpus> files);

} // namespace loadline
