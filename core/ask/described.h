// The report of a study's answer, with what its plots leave to the study and to their tables.
#pragma once

#include "core/ask/study.h"

namespace loadline::ask {

/// Study::report with the gaps of its plots filled: a title and description from Study::plots, the headline
/// as sentence, the title and form of an axis from the column of the first mark.
Report described(const Study& study, const Answer& answer, const Question& question);

} // namespace loadline::ask
