// Recorded traces of real schedulers, and how steps are compared with theirs.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace loadline::test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

inline fs::path tracesFolder() {
    return fs::path(LOADLINE_SHARED_DATA) / "schedules";
}

inline std::vector<std::string> tracesOf(const std::string& engine) {
    std::vector<std::string> names;
    std::error_code absent;
    for (const fs::directory_entry& entry : fs::directory_iterator(tracesFolder() / engine, absent)) {
        names.push_back(engine + "/" + entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

/// Absent optional lists are empty lists.
inline Json fieldOf(const Json& step, const std::string& key) {
    const auto found = step.find(key);
    return found == step.end() ? Json::array() : *found;
}

inline std::vector<std::string> fieldsOf(const Json& one, const Json& other) {
    std::vector<std::string> fields;
    for (const Json* step : {&one, &other}) {
        for (const auto& [key, value] : step->items()) {
            if (std::ranges::find(fields, key) == fields.end()) {
                fields.push_back(key);
            }
        }
    }
    return fields;
}

/// "" when the steps agree.
inline std::string firstDifference(const Json& expected, const Json& got, bool waitingIsSet) {
    for (const std::string& field : fieldsOf(expected, got)) {
        Json want = fieldOf(expected, field);
        Json have = fieldOf(got, field);
        if (field == "waiting" && waitingIsSet) {
            std::sort(want.begin(), want.end());
            std::sort(have.begin(), have.end());
        }
        if (want != have) {
            return field + ": expected " + want.dump() + ", got " + have.dump();
        }
    }
    return "";
}

inline std::string textOfTrace(const std::string& name) {
    std::ifstream file(tracesFolder() / (name + ".json"));
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Compares the steps of two documents of the schema "batching-oracle/1", field by field.
inline void expectSameSteps(const Json& expected, const Json& got, const std::string& name) {
    const bool waitingIsSet = expected["config"].value("policy", "") == "priority";
    for (std::size_t i = 0; i < std::min(expected["steps"].size(), got["steps"].size()); ++i) {
        const std::string difference = firstDifference(expected["steps"][i], got["steps"][i], waitingIsSet);
        ASSERT_EQ(difference, "") << name << ": step " << expected["steps"][i]["t"] << ": " << difference;
    }
    ASSERT_EQ(got["steps"].size(), expected["steps"].size()) << name;
}

} // namespace loadline::test
