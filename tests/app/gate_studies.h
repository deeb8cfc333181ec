// The program's studies and one that only tests know.
#pragma once

#include "app/study/studies.h"
#include "tests/app/gate_study.h"

#include <vector>

namespace made_up {

inline const std::vector<loadline::ask::Study>& gateStudies() {
    static const std::vector<loadline::ask::Study> all = [] {
        std::vector<loadline::ask::Study> list = loadline::app::programStudies();
        list.push_back(loadline::ask::longCalls());
        return list;
    }();
    return all;
}

} // namespace made_up
