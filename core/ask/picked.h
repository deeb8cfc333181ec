// A row that is picked in a plot: a question of a view that has no field for it.
#pragma once

#include "core/ask/field.h"

#include <array>
#include <string>

namespace loadline::ask {

struct Picked {
    std::string key; ///< the row's Mark::pickColumn; "": none
    bool operator==(const Picked&) const = default;
};

/// "picked", for Mark::pickField.
inline Fields pickedFields() {
    static const std::array fields = {Field{.key = "picked", .access = bound<&Picked::key>()}};
    return fields;
}

} // namespace loadline::ask
