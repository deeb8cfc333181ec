// A figure of any type, computed by a job and shared by who shows it.
#pragma once

#include "app/job/shared_value.h"

#include <any>
#include <memory>

namespace loadline::app {

/// Empty, or a figure of one type, which whoever shows it knows.
class AnyFigure {
public:
    AnyFigure() = default;

    template <typename Figure>
    static AnyFigure of(Figure figure) {
        AnyFigure any;
        any.figure_ = shareValue(std::move(figure));
        return any;
    }

    /// Null where it is empty or of another type.
    template <typename Figure>
    [[nodiscard]] std::shared_ptr<const Figure> as() const {
        const auto* figure = std::any_cast<std::shared_ptr<const Figure>>(&figure_);
        return figure ? *figure : nullptr;
    }

private:
    std::any figure_; ///< std::shared_ptr<const Figure>
};

} // namespace loadline::app
