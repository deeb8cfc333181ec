// The origins of packed tables, by rules in a JSON file.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// One rule: what a source is for the tables that it names.
struct AtlasSourceRule {
    std::string gpu;  ///< key; "": all
    std::string kind; ///< key; "": all
    std::optional<std::string> engine, version, date, licence, publisher;
};

/// Reads {"sources":[...]}; the Error says what is wrong.
Result<std::vector<AtlasSourceRule>> sourceRulesFrom(std::string_view json, const std::string& path);

/// Returns a table's source: of each text the last rule that names the table and has the text.
AtlasSource sourceOf(const std::vector<AtlasSourceRule>& rules, std::string_view gpu, std::string_view kind);

} // namespace loadline
