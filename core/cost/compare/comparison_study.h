// The study of two kernel profiles.
#pragma once

#include "core/ask/study.h"

namespace loadline::ask {

/// Needs a ProfileShelf; its question is a ComparisonQuestion.
Study comparisonStudy();

} // namespace loadline::ask
