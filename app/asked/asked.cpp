// All fields of the questions of pages and charts.
#include "app/asked/asked.h"

#include "core/simulate/setup/setup_limits.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace loadline::app {
namespace {

constexpr std::size_t mostBytesOfText = 4096; ///< of a path, and more than any other text

ask::Fields batchFields() {
    static const std::array rows = {
        ask::Field{.key = "at-step",
                   .access = ask::bound<&BatchQuestion::step>(),
                   .words = {"step", "batch, batch-step: the step that is looked at (0)"},
                   .range = {0, static_cast<double>(limits::mostCount)},
                   .traits = {.isSetting = false, .onlyView = true}}};
    return rows;
}

template <auto member>
void* partIn(Asked& asked) {
    return &(asked.*member);
}

} // namespace

std::span<const AskedPart> askedParts() {
    static constexpr AskedPart parts[] = {{"sessions", sessionsFields, partIn<&Asked::sessions>},
                                          {"cache", cacheFields, partIn<&Asked::cache>},
                                          {"log", logFields, partIn<&Asked::log>},
                                          {"batch", batchFields, partIn<&Asked::batch>},
                                          {"self-check", replayFields, partIn<&Asked::selfCheck>},
                                          {"kernels", kernelsFields, partIn<&Asked::kernels>}};
    return parts;
}

const std::vector<AskedField>& askedFields() {
    static const std::vector<AskedField> all = [] {
        std::vector<AskedField> fields;
        for (const AskedPart& part : askedParts()) {
            for (const ask::Field& field : part.fields()) {
                fields.push_back({&field, &part});
            }
        }
        return fields;
    }();
    return all;
}

const AskedField& askedField(std::string_view key) {
    const auto found =
        std::ranges::find(askedFields(), key, [](const AskedField& one) { return one.field->key; });
    assert(found != askedFields().end());
    return *found;
}

bool AskedField::read(Asked& asked, std::string_view text) const {
    return text.size() <= mostBytesOfText && ask::readText(*field, text, part->in(asked));
}

std::vector<std::string> settingNames(std::string_view question, const ask::Field& field) {
    const std::string_view key = field.key;
    const bool named = key.starts_with(std::string(question) + "-");
    std::vector<std::string> names = {std::string(question) + "/" +
                                      std::string(named ? key.substr(question.size() + 1) : key)};
    std::string older = names[0]; // files wrote "cache/ttl_s" once
    std::ranges::replace(older, '-', '_');
    if (older != names[0]) {
        names.push_back(older);
    }
    for (const std::string_view was : field.traits.was) {
        if (!was.starts_with("--")) {
            names.emplace_back(was);
        }
    }
    return names;
}

std::vector<std::string> AskedField::settings() const {
    return settingNames(part->key, *field);
}

Asked only(const Asked& asked, const FieldKeys& keys) {
    Asked some;
    for (const std::string_view key : keys) {
        const AskedField& one = askedField(key);
        ask::readText(*one.field, one.textIn(asked), one.part->in(some)); // whatever its length
    }
    return some;
}

} // namespace loadline::app
