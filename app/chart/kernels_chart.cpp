// Charts of kernels for exports: the same figures as in the window.
#include "app/chart/kernels_chart.h"

#include "app/kernels/kernels_view.h"
#include "app/options/cost_option.h"
#include "core/cost/profile/bench_event.h"
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

ui::KernelChart chartOf(ChartKind kind) {
    switch (kind) {
    case ChartKind::Kernels:
        return ui::KernelChart::Times;
    case ChartKind::KernelsAttention:
        return ui::KernelChart::Attention;
    default:
        return ui::KernelChart::Ceiling;
    }
}

} // namespace

Result<std::shared_ptr<const ui::Drawing>> kernelsDrawing(const ChartRequest& request) {
    KernelFigureInputs inputs;
    Result<std::shared_ptr<const Profile>> profile = profileNamed(request, request.simulation.profile);
    if (!profile) {
        return profile.error();
    }
    inputs.profile = *profile;
    if (!request.comparedProfile.empty()) {
        Result<std::shared_ptr<const Profile>> compared = profileNamed(request, request.comparedProfile);
        if (!compared) {
            return compared.error();
        }
        inputs.compared = *compared;
    }
    const std::optional<TimedShape> shape = shapeShown(*inputs.profile, request.timedShape);
    if (!shape) {
        return Error{"the profile has no points", request.simulation.profile, "another profile"};
    }
    if (!request.timedShape.empty() && textOf(*shape) != request.timedShape) {
        std::string shapes;
        for (const TimedShape& one : timedShapes(*inputs.profile)) {
            shapes += (shapes.empty() ? "" : ", ") + textOf(one);
        }
        return Error{"the profile has no times of this shape", request.timedShape, "one of " + shapes};
    }
    inputs.shape = *shape;
    inputs.kBits = request.simulation.kBits;
    const auto figure = std::make_shared<const KernelFigure>(kernelFigure(inputs));
    return std::shared_ptr<const ui::Drawing>(ui::drawingOf(chartOf(request.kind), figure));
}

std::string kernelsCaption(const ChartRequest& request) {
    const Result<std::shared_ptr<const Profile>> profile = profileNamed(request, request.simulation.profile);
    if (!profile) {
        return request.simulation.profile;
    }
    std::string text = nameIn(**profile);
    if (!(*profile)->source.empty()) {
        text += "; source: " + (*profile)->source;
    }
    if (const auto compared = profileNamed(request, request.comparedProfile); compared) {
        text += "; compared with " + nameIn(**compared);
    }
    return text;
}

} // namespace loadline::app
