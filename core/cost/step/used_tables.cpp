// Groups tables by their source.
#include "core/cost/step/used_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

/// The tables that price a model's steps.
std::vector<AtlasKind> kindsOf(const ModelShapes& model) {
    std::vector<AtlasKind> kinds = {AtlasKind::Gemm};
    if (model.mla) {
        kinds.insert(kinds.end(), {AtlasKind::MlaDecode, AtlasKind::MlaPrefill});
    } else {
        kinds.insert(kinds.end(), {AtlasKind::DecodeAttention, AtlasKind::PrefillAttention});
    }
    if (model.linear) {
        kinds.push_back(AtlasKind::LinearAttention);
    }
    kinds.insert(kinds.end(), {AtlasKind::Experts, AtlasKind::AllReduce, AtlasKind::Collectives});
    return kinds;
}

} // namespace

void addUsedTables(std::vector<UsedTables>& used, const Atlas& atlas, const ModelShapes& model) {
    for (const AtlasKind kind : kindsOf(model)) {
        const AtlasTable* const table = atlas.table(kind);
        if (table == nullptr) {
            continue;
        }
        auto same = std::ranges::find_if(used, [&](const UsedTables& one) {
            return one.gpu == atlas.gpu() && one.source == table->source;
        });
        if (same == used.end()) {
            same = used.insert(used.end(), {.gpu = atlas.gpu(), .source = table->source, .kinds = {}});
        }
        if (std::ranges::find(same->kinds, specOf(kind).name) == same->kinds.end()) {
            same->kinds.emplace_back(specOf(kind).name);
        }
    }
}

std::string sourceLineOf(const UsedTables& used) {
    const AtlasSource& source = used.source;
    return fmt::format("{}: {} by {}{}{}; measured by {} ({}), {}", used.gpu, fmt::join(used.kinds, ", "),
                       source.engine, source.version.empty() ? "" : " ", source.version, source.publisher,
                       source.licence, source.date);
}

} // namespace loadline
