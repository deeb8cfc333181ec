// The inputs of a study: what is open, as it is in scope.
#pragma once

#include "app/figures.h"
#include "core/ask/study.h"

namespace loadline::app {

/// True if `scoped` matters to it.
bool readsSessions(const ask::Study& study);

/// Returns the study's sources: for sessions a Corpus and its Selection, for profiles a ProfileShelf.
/// `scoped` may be null if the study reads no sessions. Two results are equal if `scoped` is the same.
ask::Sources sourcesOf(const ask::Study& study, const Scoped& scoped);

} // namespace loadline::app
