// The inputs of a study: what is open, as it is in scope.
#pragma once

#include "app/figures.h"
#include "core/ask/study.h"

namespace loadline::app {

/// True if `scoped` matters to it.
bool readsSessions(const ask::Study& study);

/// Of sessions a Corpus and its Selection, of profiles a ProfileShelf. `scoped` may be null where the study reads none. Equal where
/// `scoped` is the same.
ask::Sources sourcesOf(const ask::Study& study, const Scoped& scoped);

} // namespace loadline::app
