// The fields of measuring kernels and of the Kernels page.
#include "core/ask/field_row.h"
#include "core/cost/format/format.h"
#include "core/cost/shapes/shapes.h"
#include "core/cost/study/kernels_question.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"
#include "core/text/word_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace loadline {
namespace {

using B = BenchRequest;
using K = KernelsQuestion;

constexpr std::array<ask::Choice, 3> benchPresets = {{{"quick"}, {"standard"}, {"thorough"}}};
constexpr NumberRange<int> benchBits{minKBits, maxKBits};

B& benchOf(B& request) {
    return request;
}

B& benchOf(K& question) {
    return question.bench;
}

/// The preset by its place among them.
template <typename Q>
ask::Access presetAccess() {
    return {ask::Access::Type::Chosen,
            false,
            [](const void* q) {
                const std::string& preset = benchOf(*static_cast<Q*>(const_cast<void*>(q))).preset;
                const auto found = std::ranges::find(benchPresets, preset, &ask::Choice::key);
                return ask::Value(
                    std::int64_t{found == benchPresets.end() ? 0 : found - benchPresets.begin()});
            },
            [](void* q, const ask::Value& value) {
                const auto at = static_cast<std::size_t>(std::get<std::int64_t>(value));
                benchOf(*static_cast<Q*>(q)).preset = benchPresets[at].key;
            },
            benchPresets,
            &typeid(Q)};
}

/// "2,4", or lines of a command line's "--k 2 --k 4"; of the page ascending, and "" for none.
template <typename Q>
bool readBits(void* q, std::string_view given) {
    constexpr bool ofPage = std::is_same_v<Q, K>;
    std::string joined(given);
    std::ranges::replace(joined, '\n', ',');
    std::string_view text = joined;
    std::vector<int> bits;
    if (text.empty() && !ofPage) {
        return false;
    }
    while (!text.empty()) {
        const bool more = text.find(',') != std::string_view::npos;
        const auto k = parseNumber(cutUpTo(text, ','), benchBits);
        if (!k || (more && text.empty()) || (ofPage && !bits.empty() && *k <= bits.back())) {
            return false;
        }
        bits.push_back(*k);
    }
    benchOf(*static_cast<Q*>(q)).kBits = std::move(bits);
    return true;
}

template <typename Q>
std::string bitsText(const void* q) {
    return fmt::format("{}", fmt::join(benchOf(*static_cast<Q*>(const_cast<void*>(q))).kBits, ","));
}

bool isName(std::string_view text) {
    return !text.empty();
}

bool isShapePreset(std::string_view text) {
    return findShapePreset(text) != nullptr;
}

} // namespace

ask::Fields benchFields() {
    static const std::string shapesHelp =
        "Model whose matrices are timed: " + keyList(shapePresets()) + ", or a JSON file of shapes (study)";
    using ask::row;
    static const std::array rows = {
        row("device", ask::bound<&B::device>(),
            {"device",
             "host (this CPU), cuda:0 and so on, made-up; with --import what theirs were timed on,\n"
             "such as H100-SXM: of several in the file the one that is read (host)"},
            {}, {}, {}, {.text = {.form = "D"}}),
        row("shapes", ask::bound<&B::shapes>(), {"shapes", shapesHelp}, {}, {}, {}, {.text = {.form = "S"}}),
        row("k", ask::inWords<B>(), {"k", "Bits of the k-bit formats, such as 2,4"}, {}, {}, {},
            {.text = {.form = "2,3,4,5",
                      .text = bitsText<B>,
                      .read = readBits<B>,
                      .limits = "2..5, several divided by commas"}}),
        row("preset", presetAccess<B>(),
            {"preset", "quick (some 10 s of timing), standard (50 s), thorough (5 min) (standard)"}),
        row("threads", ask::bound<&B::threads>(),
            {"threads", "Of the host's kernels; otherwise all processors"}, {1, 1024}),
        row("int8-activations", ask::bound<&B::int8Activations>(),
            {"int8 activations",
             "Host: k-bit kernels round activations to bytes (W4A8), for large M with AVX-512"}),
        row("seed", ask::bound<&B::seed>(), {"seed", "Of the points' order and of the weights (1)"}),
        row("out", ask::bound<&B::out>(), {"file", "Write the profile to FILE (- is standard output)"}, {},
            {}, {}, {.text = {.form = "FILE"}}),
        row("name", ask::bound<&B::name>(), {"name", "The profile's name (the device and the time)"}, {}, {},
            {}, {.text = {.form = "TEXT"}})};
    return rows;
}

ask::Fields kernelsFields() {
    using ask::row;
    constexpr ask::FieldTraits settingOnly{.isOption = false};
    static const std::array rows = {
        // Names are taken as they are: what is not there any more says so on its page.
        row("shown", ask::bound<&K::shown>(), {"profile"}, {}, {}, {},
            {.isOption = false, .text = {.read = ask::readIf<isName, &K::shown>}}),
        row("shape", ask::bound<&K::shape>(),
            {"shape", "kernels: a shape of the profile (the largest of --shapes)"}, {}, {}, {},
            {.text = {.form = "KxN[xEXPERTS]"}}),
        row("compare", ask::bound<&K::compared>(),
            {"compared profile", "kernels: another profile, drawn paler"}, {}, {}, {},
            {.text = {.form = "P"}, .was = ask::older<"kernels/compared">}),
        row("k", ask::bound<&K::kBits>(), {"k"}, {minKBits, maxKBits}, {}, {}, settingOnly),
        row("bench-shapes", ask::bound<&K::bench, &B::shapes>(), {"shapes to measure"}, {}, {}, {},
            {.isOption = false, .text = {.read = ask::readIf<isShapePreset, &K::bench, &B::shapes>}}),
        row("bench-preset", presetAccess<K>(), {"preset"}, {}, {}, {}, settingOnly),
        row("bench-k", ask::inWords<K>(), {"k to measure"}, {}, {}, {},
            {.isOption = false, .text = {.text = bitsText<K>, .read = readBits<K>}}),
        row("bench-name", ask::bound<&K::bench, &B::name>(), {"name of the profile"}, {}, {}, {},
            settingOnly)};
    return rows;
}

} // namespace loadline
