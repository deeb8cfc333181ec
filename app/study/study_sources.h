// The inputs of a study: what is open, as it is in scope.
#pragma once

#include "app/asked/figures.h"
#include "core/ask/study.h"

#include <string>
#include <vector>

namespace loadline::app {

/// True if `scoped` matters to it.
bool readsSessions(const ask::Study& study);

/// Returns the study's sources: for sessions a Corpus and its Selection, for profiles a ProfileShelf.
/// `scoped` may be null if the study reads no sessions. Two results are equal if `scoped` is the same.
ask::Sources sourcesOf(const ask::Study& study, const Scoped& scoped);

/// Reads the saved profiles anew.
void renewProfiles();

/// The texts of the fields that name files; a name that is no file's among them does no harm.
std::vector<std::string> filesNamedIn(const ask::Study& study, const ask::Question& question);

} // namespace loadline::app
