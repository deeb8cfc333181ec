// The choices of the Kernels page by their names.
#include "app/kernels/kernels_view.h"

#include "core/cost/kernel/kernel.h"
#include "core/cost/shapes/shapes.h"

#include <algorithm>
#include <iterator>

namespace loadline::app {
namespace choices {
namespace {

const ui::BenchChoice usualBench;

/// "2,4": ascending, each once; "": none.
std::optional<std::vector<int>> kBitsFrom(const std::string& word) {
    std::vector<int> bits;
    for (std::size_t at = 0; !word.empty() && at <= word.size();) {
        const std::size_t end = std::min(word.find(',', at), word.size());
        const auto k =
            parseNumber(std::string_view(word).substr(at, end - at), NumberRange{minKBits, maxKBits});
        if (!k || (!bits.empty() && *k <= bits.back())) {
            return std::nullopt;
        }
        bits.push_back(*k);
        at = end + 1;
    }
    return bits;
}

std::string wordOf(const std::vector<int>& bits) {
    return fmt::format("{}", fmt::join(bits, ","));
}

bool isText(const std::string& word) {
    return !word.empty() && word.size() <= mostBytesOfText;
}

} // namespace

// Names are taken as they are: what is not there any more says so on its page.
const Choice<std::string> shownProfile =
    textChoice({.setting = "kernels/shown", .usual = KernelsView{}.shown, .accepts = isText});
const Choice<std::string> comparedProfile = textChoice({.setting = "kernels/compared",
                                                        .option = "--compare",
                                                        .help = "kernels: another profile, drawn paler",
                                                        .form = "P"});
const Choice<std::string> timedShape =
    textChoice({.setting = "kernels/shape",
                .option = "--shape",
                .help = "kernels: a shape of the profile (the largest of --shapes)",
                .form = "KxN[xEXPERTS]"});
const Choice<int> shownKBits =
    numberChoice({.setting = "kernels/k"}, KernelsView{}.kBits, NumberRange{minKBits, maxKBits});
const Choice<std::string> benchShapes = textChoice(
    {.setting = "kernels/bench_shapes", .usual = usualBench.shapes, .accepts = [](const std::string& word) {
         return findShapePreset(word) != nullptr;
     }});
const Choice<std::string> benchPreset = textChoice(
    {.setting = "kernels/bench_preset", .usual = usualBench.preset, .accepts = [](const std::string& word) {
         return std::ranges::find(ui::benchPresets, word) != std::end(ui::benchPresets);
     }});
const Choice<std::string> benchName = textChoice({.setting = "kernels/bench_name"});
const Choice<std::vector<int>> benchKBits = {
    {.setting = "kernels/bench_k",
     .usual = wordOf(usualBench.kBits),
     .accepts = [](const std::string& word) { return kBitsFrom(word).has_value(); }},
    [](const std::string& word) { return *kBitsFrom(word); },
    [](const std::vector<int>& bits) { return wordOf(bits); }};

} // namespace choices

KernelsView kernelsView(const Choices& all) {
    return {all[choices::shownProfile],
            all[choices::comparedProfile],
            all[choices::timedShape],
            all[choices::shownKBits],
            {all[choices::benchShapes], all[choices::benchKBits], all[choices::benchPreset],
             all[choices::benchName]}};
}

void setKernelsView(Choices& all, const KernelsView& view) {
    all.set(choices::shownProfile, view.shown);
    all.set(choices::comparedProfile, view.compared);
    all.set(choices::timedShape, view.shape);
    all.set(choices::shownKBits, view.kBits);
    all.set(choices::benchShapes, view.bench.shapes);
    all.set(choices::benchPreset, view.bench.preset);
    all.set(choices::benchKBits, view.bench.kBits);
    all.set(choices::benchName, view.bench.name);
}

} // namespace loadline::app
