// All fields of a simulation request, and the factors on kernel times.
#include "core/simulate/request/simulation_fields.h"

#include "core/simulate/request/field_row.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

ask::Fields simulationFields() {
    static const std::vector<ask::Field> all = [] {
        std::vector<ask::Field> rows;
        for (const ask::Fields part : {askingFields(), policyFields(), costFields()}) {
            rows.insert(rows.end(), part.begin(), part.end());
        }
        return rows;
    }();
    return all;
}

const ask::Field& simulationField(std::string_view key) {
    return ask::fieldOf(simulationFields(), key);
}

bool isSaid(const ask::Field& field, const SimulationRequest& request) {
    const bool hasK = quantisedK(request.weights).has_value();
    return field.key == "k" ? hasK : field.key != "weights" || !hasK;
}

std::vector<std::string> factorsOf(const SimulationRequest& request) {
    std::vector<std::string> factors;
    for (const Kernel kernel : allKernels) {
        const double factor = request.timeScale[static_cast<std::size_t>(kernel)];
        if (factor != 1) {
            factors.push_back(fmt::format("{}={}", keyOf(kernel), factor));
        }
    }
    return factors;
}

bool readFactor(SimulationRequest& request, std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::optional<Kernel> kernel = kernelFromKey(text.substr(0, equals));
    const auto factor = parseNumber(text.substr(std::min(equals + 1, text.size())), timeScales);
    if (kernel && factor) {
        request.timeScale[static_cast<std::size_t>(*kernel)] = *factor;
    }
    return kernel && factor;
}

} // namespace loadline
