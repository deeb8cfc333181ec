// Which parts of a step the atlas has times of, by GPU and model.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/step/atlas_library.h"
#include "core/cost/step/step_parts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// How a time was found, ordered from the surest to the least sure.
enum class CoverageKind : std::uint8_t {
    Measured,     ///< a cell of a table
    Interpolated, ///< between cells
    Proxied,      ///< experts of another shape, scaled
    Extrapolated, ///< beyond the last cell of an axis, or below the first
    Modelled      ///< by a rule; no table has such a cell
};

inline constexpr std::size_t coverageKindCount = static_cast<std::size_t>(CoverageKind::Modelled) + 1;

std::string_view keyOf(CoverageKind kind); ///< in JSON and for people: "interpolated"

/// A model in one format, as it is served.
struct CoveredModel {
    std::string_view model;   ///< key of its shapes: "llama-3.1-70b"
    std::string_view weights; ///< the tables' word of its linear layers: "fp8"
    std::string_view experts; ///< likewise of its experts; "" where there are none
};

/// Models in bf16, where eight GPUs of the atlas can hold them, and in the format in which they are published
/// for serving; of Llama, which is published in bf16, in fp8.
std::span<const CoveredModel> coveredModels();

/// The steps that coverage is stated for: one step in which coveredDecodes sequences decode, each with
/// coveredContext tokens, and one step that computes coveredChunk tokens of a prompt with nothing cached.
inline constexpr std::int64_t coveredDecodes = 32;
inline constexpr Tokens coveredContext = 8192;
inline constexpr Tokens coveredChunk = 2048;

/// Microseconds of the two steps together, by part and by how they were found.
struct CoveredSteps {
    std::array<std::array<double, coverageKindCount>, stepPartCount> us{};

    [[nodiscard]] double of(CoverageKind kind) const;
    [[nodiscard]] double of(ServedPart part) const;
    [[nodiscard]] double total() const;
    /// Returns the share of all time that was found so, from 0 to 1.
    [[nodiscard]] double shareOf(CoverageKind kind) const { return of(kind) / total(); }
    /// Returns how most of a part's time was found; nothing if the steps do not have this part.
    [[nodiscard]] std::optional<CoverageKind> mostOf(ServedPart part) const;
    bool operator==(const CoveredSteps&) const = default;
};

/// The parts of one model's steps that one GPU's tables have.
struct StepCoverage {
    std::string gpu;   ///< key: "h100-sxm"
    std::string model; ///< name: "Llama-3.1-70B"
    std::string weights;
    std::string experts; ///< "" where there are none
    /// GPUs that share it: the smallest of 1, 2, 4, 8 that leave room for KV and that the tables answer for;
    /// where they answer for none, the smallest that leave room; 0: eight do not hold the weights.
    int tensorParallel = 0;
    int expertParallel = 1;              ///< as tensorParallel where each GPU holds whole experts
    std::optional<CoveredSteps> steps{}; ///< nothing: notCovered says why
    std::string expertSource{};          ///< the measured shape of its experts; "" where there are none
    std::string notCovered{};            ///< a sentence without a full stop; "" where there are steps
    bool operator==(const StepCoverage&) const = default;
};

/// Returns the coverage of one model by one GPU's tables: what StepModel makes of it, with KV in bf16 and the
/// newest engine. Experts are cut by all its GPUs; where no table has them so, they are spread.
StepCoverage stepCoverageOf(const std::shared_ptr<const AtlasSurfaces>& surfaces, const CoveredModel& model);

/// Returns the same of every GPU of the library and every covered model: in the order of atlasNames(), then
/// of coveredModels(). GPUs that the library does not have are left out; rows are missing after a stop.
std::vector<StepCoverage> stepCoverage(const AtlasLibrary& library, unsigned threads,
                                       const std::stop_token& stop);

} // namespace loadline
