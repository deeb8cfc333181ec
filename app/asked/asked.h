// The questions of pages and charts beside the scope and the simulation: one struct each, and all of them by
// the keys of their fields.
#pragma once

#include "core/ask/field.h"
#include "core/cache/study/cache_question.h"
#include "core/cost/study/kernels_question.h"
#include "core/replay/replay_question.h"
#include "core/serverlog/study/log_question.h"
#include "core/workload/study/sessions_question.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::app {

/// The question of the Batch view.
struct BatchQuestion {
    std::int64_t step = 0; ///< that is looked at
    bool operator==(const BatchQuestion&) const = default;
};

struct Asked {
    SessionsQuestion sessions;
    CacheQuestion cache;
    ServerLogQuestion log;
    ReplayQuestion selfCheck;
    KernelsQuestion kernels;
    BatchQuestion batch;
    bool operator==(const Asked&) const = default;
};

/// One of the questions, erased.
struct AskedPart {
    std::string_view key; ///< "cache": its settings are "cache/ttl-s" and so on
    ask::Fields (*fields)();
    void* (*in)(Asked& asked);
};
std::span<const AskedPart> askedParts();

/// "cache/ttl-s", then the names that older files have: "cache/model" of "cache-model".
std::vector<std::string> settingNames(std::string_view question, const ask::Field& field);

/// A field and the question that it is of.
struct AskedField {
    const ask::Field* field = nullptr;
    const AskedPart* part = nullptr;

    [[nodiscard]] const void* in(const Asked& asked) const { return part->in(const_cast<Asked&>(asked)); }

    [[nodiscard]] std::string textIn(const Asked& asked) const { return ask::textOf(*field, in(asked)); }

    /// False, and nothing changes, for what the field does not take, and for more than 4096 bytes.
    bool read(Asked& asked, std::string_view text) const;

    [[nodiscard]] bool hasOption() const { return field->traits.isOption; }

    [[nodiscard]] std::vector<std::string> settings() const;

    bool operator==(const AskedField&) const = default;
};

/// In the order in which the help lists their options.
const std::vector<AskedField>& askedFields();
/// Precondition: there is one of this key.
const AskedField& askedField(std::string_view key);

using FieldKeys = std::vector<std::string_view>;

/// These fields alone; the others at their defaults.
Asked only(const Asked& asked, const FieldKeys& keys);

} // namespace loadline::app
