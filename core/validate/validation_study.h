// The study of measured servers.
#pragma once

#include "core/ask/study.h"
#include "core/validate/validation.h"

namespace loadline::ask {

/// The document "loadline.validate/1", and two plots.
Report validationReport(const Validation& validation, const ValidationQuestion& question);

/// Needs an AtlasLibrary; its question is a ValidationQuestion.
Study validationStudy();

} // namespace loadline::ask
