// Reads and applies rules of sources.
#include "tests/tools/atlas/atlas_sources.h"

#include "core/base/file/read_json.h"
#include "core/text/json/json_fields.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

void readText(JsonFields& fields, const char* key, std::optional<std::string>& text) {
    std::string given;
    if (fields.text(key, given)) {
        text = given;
    }
}

void apply(const std::optional<std::string>& given, std::string& text) {
    text = given.value_or(text);
}

} // namespace

Result<std::vector<AtlasSourceRule>> sourceRulesFrom(std::string_view json, const std::string& path) {
    JsonProblem problem;
    const nlohmann::json document = jsonFrom(json);
    JsonFields fields(document, problem);
    std::vector<AtlasSourceRule> rules;
    fields.each("sources", "source", [&](JsonFields& source) {
        AtlasSourceRule rule;
        source.text("gpu", rule.gpu);
        source.text("kind", rule.kind);
        readText(source, "engine", rule.engine);
        readText(source, "version", rule.version);
        readText(source, "date", rule.date);
        readText(source, "licence", rule.licence);
        readText(source, "publisher", rule.publisher);
        source.refuseOthers();
        if (!rule.kind.empty() && findAtlasKind(rule.kind) == nullptr) {
            source.fail("no kind of table is called \"" + rule.kind + "\"");
        }
        rules.push_back(rule);
    });
    if (problem) {
        return problem.error("not a file of sources: ", path, "tests/tools/atlas/sources.json is one");
    }
    return rules;
}

AtlasSource sourceOf(const std::vector<AtlasSourceRule>& rules, std::string_view gpu, std::string_view kind) {
    AtlasSource source;
    for (const AtlasSourceRule& rule : rules) {
        if ((rule.gpu.empty() || rule.gpu == gpu) && (rule.kind.empty() || rule.kind == kind)) {
            apply(rule.engine, source.engine);
            apply(rule.version, source.version);
            apply(rule.date, source.date);
            apply(rule.licence, source.licence);
            apply(rule.publisher, source.publisher);
        }
    }
    return source;
}

} // namespace loadline
