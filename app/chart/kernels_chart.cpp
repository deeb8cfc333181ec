// Charts of kernels for exports: the same figures as in the window.
#include "app/chart/kernels_chart.h"

#include "app/asked/asked.h"
#include "app/chart/chart_request.h"
#include "app/options/cost_option.h"
#include "core/cost/profile/bench_run.h"
#include "ui/chart/kernels/kernel_drawings.h"

#include <fmt/format.h>

namespace loadline::app {
namespace {

Result<std::shared_ptr<const Profile>> profileNamed(const ChartRequest& request, const std::string& name) {
    if (name.empty()) {
        return Error{"there is no profile to draw yet", "",
                     "exporting when the first points have been measured, or another profile"};
    }
    if (const auto unsaved = request.unsaved.find(name); unsaved != request.unsaved.end()) {
        return unsaved->second;
    }
    Result<TimesChoice> times = resolveTimes(name);
    if (!times) {
        return times.error();
    }
    if (!times->profile) {
        return Error{"a roofline has no points to draw", name, "a profile that was measured"};
    }
    return times->profile;
}

/// The Error where the attention of a folder is in tables: simulations use them, and no chart draws them.
std::optional<Error> attentionInTables(const ChartRequest& request, const Profile& profile) {
    const std::string& name = request.simulation.profile;
    if (!profile.attention.empty() || request.unsaved.contains(name)) {
        return std::nullopt;
    }
    const Result<TimesChoice> times = resolveTimes(name);
    return times && times->attention
               ? std::optional(Error{"its attention is in tables, which simulations use and this chart does "
                                     "not draw",
                                     name, "a profile that `loadline bench` measured with a model's shapes"})
               : std::nullopt;
}

std::string nameIn(const Profile& profile) {
    std::string text = profile.name;
    if (const std::string cut = cutOf(profile); !cut.empty()) {
        text += fmt::format(" (not complete: {})", cut);
    }
    for (const std::string& part : {profile.device, profile.method, profile.date}) {
        if (!part.empty() && part != profile.name) {
            text += (text.empty() ? "" : "; ") + part;
        }
    }
    return text;
}

template <ui::KernelChart chart>
ChartDrawing drawKernels(const ChartRequest& request, const std::shared_ptr<const ScopedCorpus>& /*none*/,
                         ChartMemory* /*memory*/) {
    const std::string compared = request.asked.kernels.compared;
    const std::string timed = request.asked.kernels.shape;
    KernelFigureInputs inputs;
    Result<std::shared_ptr<const Profile>> profile = profileNamed(request, request.simulation.profile);
    if (!profile) {
        return profile.error();
    }
    inputs.profile = *profile;
    if constexpr (chart == ui::KernelChart::Attention) {
        if (const auto error = attentionInTables(request, *inputs.profile)) {
            return *error;
        }
    }
    if (!compared.empty()) {
        Result<std::shared_ptr<const Profile>> other = profileNamed(request, compared);
        if (!other) {
            return other.error();
        }
        inputs.compared = *other;
    }
    const Result<ModelShapes> model = resolveShapes(request.simulation.shapes);
    if (!model) {
        return model.error();
    }
    const std::optional<TimedShape> shape = shapeShown(*inputs.profile, timed, &*model);
    if (!shape) {
        return Error{"the profile has no points", request.simulation.profile, "another profile"};
    }
    if (!timed.empty() && textOf(*shape) != timed) {
        std::string shapes;
        for (const TimedShape& one : timedShapes(*inputs.profile)) {
            shapes += (shapes.empty() ? "" : ", ") + textOf(one);
        }
        return Error{"the profile has no times of this shape", timed, "one of " + shapes};
    }
    inputs.shape = *shape;
    inputs.kBits = quantisedK(request.simulation.weights).value_or(inputs.kBits);
    const auto figure = std::make_shared<const KernelFigure>(kernelFigure(inputs));
    return std::shared_ptr<const ui::Drawing>(ui::drawingOf(chart, figure));
}

/// "RTX 4090, published; NVIDIA GeForce RTX 4090; how the times were taken; 2026-02-21"
std::string kernelsCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& /*none*/) {
    const Result<std::shared_ptr<const Profile>> profile = profileNamed(request, request.simulation.profile);
    if (!profile) {
        return request.simulation.profile;
    }
    std::string text = nameIn(**profile);
    if (!(*profile)->source.empty()) {
        text += "; source: " + (*profile)->source;
    }
    if (const auto compared = profileNamed(request, request.asked.kernels.compared); compared) {
        text += "; compared with " + nameIn(**compared);
    }
    return text;
}

template <ui::KernelChart chart>
ChartSpec kernelChart(std::string_view key, std::string_view description) {
    return {.key = key,
            .description = description,
            .subject = ChartSubject::Kernels,
            .caption = kernelsCaption,
            .fields = {"shape", "compare"},
            .draw = drawKernels<chart>,
            .title = [] { return ui::titleOf(chart); }};
}

} // namespace

namespace charts {

const ChartSpec kernels =
    kernelChart<ui::KernelChart::Times>("kernels", "timings of a profile's kernels over M, for one shape");
const ChartSpec kernelCeiling =
    kernelChart<ui::KernelChart::Ceiling>("kernels-ceiling", "how much of the device's rates they reach");
const ChartSpec kernelAttention = kernelChart<ui::KernelChart::Attention>(
    "kernels-attention", "timings of a profile's attention over tokens");

} // namespace charts
} // namespace loadline::app
