// --profile, --shapes, --rule: what the time of a step is computed from.
#pragma once

#include "core/ask/field.h"
#include "core/base/result.h"
#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/device/hardware.h"
#include "core/cost/estimate/attention_table.h"
#include "core/cost/profile/default_rule.h"
#include "core/cost/profile/profile.h"
#include "core/cost/shapes/shapes.h"
#include "core/cost/step/atlas_surfaces.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline::app {

struct CostOption {
    std::string profile =
        "rtx4090-published"; ///< bundled, "roofline:GPU", "model:GPU", "h100-sxm", a file, a folder
    std::string shapes = "llama-3.1-8b"; ///< a preset's key, a file of shapes, or its text (isShapesText)
    std::string rule{autoRuleKey};       ///< "auto", a dispatch preset's key, or text (dispatchRuleFromText)
    bool operator==(const CostOption&) const = default;
};

/// Kernel times: measured or published, or everything from a roofline.
struct TimesChoice {
    std::shared_ptr<const Profile> profile = nullptr; ///< null: rooflines of `hardware` alone
    const Hardware* hardware = nullptr; ///< the profile's, or the one named; null if it is not known
    /// Tables beside the profile, else its own; null: none.
    std::shared_ptr<const AttentionTable> attention = nullptr;
    std::shared_ptr<const AtlasSurfaces> surfaces = nullptr; ///< for simulations; null: none
};

struct CostChoice {
    std::shared_ptr<const Profile> profile;
    const Hardware* hardware = nullptr;
    std::shared_ptr<const AttentionTable> attention;
    std::shared_ptr<const AtlasSurfaces> surfaces;
    ModelShapes shapes;
    DispatchRule rule;
};

/// The field of a simulation's profile, with a help that names the bundled ones.
const ask::Field& profileField();
/// Puts the newest profile that was measured on this machine and serves these k (without any: whatever it
/// serves) into the place of the published one, if no --profile was given. Returns a sentence that says so,
/// and what newer ones lack; "" where nothing was measured here.
std::string takeLocalProfile(CostOption& option, const std::vector<int>& kBits);

/// Nothing but what is named is read. The Errors list what there is.
Result<CostChoice> resolveCost(const CostOption& option);
/// A GPU of the atlas ("h100-sxm"): its linear layers. A folder: its GEMM table or profile, with its tables
/// of attention (gemm*.csv or one *.json; decode_attention*.csv, prefill_attention*.csv).
Result<TimesChoice> resolveTimes(const std::string& profile);
/// "B200-HGX", or its first word.
Result<const GpuFacts*> resolveGpu(const std::string& gpu);
Result<ModelShapes> resolveShapes(const std::string& shapes);
Result<DispatchRule> resolveRule(const std::string& rule); ///< "auto": autoRule()

/// Names of the profiles that are compiled in.
std::vector<std::string> bundledProfiles();

} // namespace loadline::app
