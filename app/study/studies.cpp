// The list of studies.
#include "app/study/studies.h"

#include "core/cost/compare/comparison_study.h"
#include "core/validate/validation_study.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace loadline::app {
namespace {

std::optional<std::span<const ask::Study>> ofProcess; // pages, charts and commands are made of it once

} // namespace

const std::vector<ask::Study>& programStudies() {
    static const std::vector<ask::Study> all = {ask::comparisonStudy(), ask::validationStudy()};
    return all;
}

std::span<const ask::Study> studies() {
    if (!ofProcess) {
        ofProcess = programStudies();
    }
    return *ofProcess;
}

void setStudies(std::span<const ask::Study> list) {
    assert(!ofProcess || ofProcess->data() == list.data());
    ofProcess = list;
}

const ask::Study* studyNamed(std::string_view key) {
    const auto found = std::ranges::find(studies(), key, &ask::Study::key);
    return found == studies().end() ? nullptr : &*found;
}

} // namespace loadline::app
