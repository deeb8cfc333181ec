// The question about a server's log of `loadline log`, the Server log page and its charts, with its fields.
#pragma once

#include "core/ask/field.h"
#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/log_range.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// The model, device and formats that serve, as the user gave them; unset fields are inferred from the log.
struct ServedSettings {
    std::string model;                   ///< CacheModel::key, or a name that holds one; "": as the log says
    std::optional<double> bitsPerWeight; ///< none: as the model's name says
    double kvBytesPerValue = 2;
    std::string device;                 ///< Hardware::key; "": as the log says
    std::optional<double> bandwidthGBs; ///< of all devices together; none: the device's
    /// 1e9 bytes of weights that a stream reads for a token, of any model; none: by the model's shapes.
    std::optional<double> gbPerToken;
    std::optional<double> kvBytesPerToken; ///< of context, on all devices; none: by the model's shapes
    std::optional<int> devices;            ///< that share each step; none: as the log says, else 1
    bool operator==(const ServedSettings&) const = default;
};

/// A name that holds a model's key may tell its bits, too.
ServedOn servedOn(const ServedSettings& settings);

struct ServerLogQuestion {
    std::vector<std::string> files; ///< in their order; none: no log
    bool follow = false;
    ServedSettings served;
    LogRange stretch;      ///< of its time line in view
    bool onlyView = false; ///< the verdict is on that stretch alone
    LogRange range;        ///< the same of `loadline log`
    bool operator==(const ServerLogQuestion&) const = default;

    /// The part that the verdict is on: all, or the stretch in view.
    [[nodiscard]] LogRange judged() const { return onlyView && stretch.restricts() ? stretch : LogRange(); }
};

/// Returns the fields of the page and its charts.
ask::Fields logFields();
/// Returns the fields of `loadline log`: a range instead of the time line.
ask::Fields logCommandFields();

} // namespace loadline
