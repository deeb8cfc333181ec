// The shapes and ks that a profile has times of.
#include "core/cost/profile/timed_shape.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <system_error>

namespace loadline {

std::string textOf(const TimedShape& shape) {
    return textOf(shape.size) + (shape.experts > 1 ? "x" + std::to_string(shape.experts) : "");
}

std::optional<TimedShape> timedShapeFromText(std::string_view text) {
    TimedShape shape;
    const std::size_t first = text.find('x');
    const std::size_t second = first == std::string_view::npos ? first : text.find('x', first + 1);
    if (second != std::string_view::npos) {
        const std::string_view number = text.substr(second + 1);
        const auto [end, error] =
            std::from_chars(number.data(), number.data() + number.size(), shape.experts);
        if (error != std::errc() || end != number.data() + number.size() || shape.experts < 2) {
            return std::nullopt;
        }
        text = text.substr(0, second);
    }
    const std::optional<GemmSize> size = gemmSizeFromText(text);
    if (!size) {
        return std::nullopt;
    }
    shape.size = *size;
    return shape;
}

std::vector<TimedShape> timedShapes(const Profile& profile) {
    std::set<TimedShape> once;
    std::set<TimedShape> quantised;
    for (const ProfilePoint& point : profile.points) {
        once.insert({point.size, point.experts});
        if (readsKBits(point.kernel)) {
            quantised.insert({point.size, point.experts});
        }
    }
    std::vector<TimedShape> shapes(once.begin(), once.end());
    std::ranges::stable_sort(shapes, [&](const TimedShape& a, const TimedShape& b) {
        if ((a.experts > 1) != (b.experts > 1)) {
            return b.experts > 1;
        }
        if (quantised.contains(a) != quantised.contains(b)) {
            return quantised.contains(a);
        }
        return a.size.elements() * a.experts > b.size.elements() * b.experts;
    });
    return shapes;
}

std::vector<int> timedKBits(const Profile& profile) {
    std::set<int> once;
    for (const ProfilePoint& point : profile.points) {
        if (readsKBits(point.kernel)) {
            once.insert(point.kBits);
        }
    }
    return {once.begin(), once.end()};
}

std::optional<TimedShape> shapeShown(const Profile& profile, std::string_view wanted,
                                     const ModelShapes* model) {
    const std::vector<TimedShape> shapes = timedShapes(profile);
    const std::optional<TimedShape> asked = timedShapeFromText(wanted);
    if (asked && std::ranges::find(shapes, *asked) != shapes.end()) {
        return asked;
    }
    std::map<TimedShape, std::size_t> points;
    std::size_t most = 0;
    for (const ProfilePoint& point : profile.points) {
        most = std::max(most, ++points[{point.size, point.experts}]);
    }
    const auto isTimedWell = [&](const TimedShape& shape) { return 2 * points[shape] >= most; };
    const auto isOfModel = [&](const TimedShape& shape) {
        return model != nullptr && isTimedWell(shape) &&
               std::ranges::any_of(model->gemms, [&](const LayerGemm& gemm) {
                   return gemm.size == shape.size && gemm.grouped() == (shape.experts > 1);
               });
    };
    const auto own = std::ranges::find_if(shapes, isOfModel);
    const auto first = own != shapes.end() ? own : std::ranges::find_if(shapes, isTimedWell);
    return first == shapes.end() ? std::nullopt : std::optional(*first);
}

} // namespace loadline
