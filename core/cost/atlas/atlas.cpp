// Reads the tables of one GPU, each once.
#include "core/cost/atlas/atlas.h"

#include "core/base/file/read_file.h"
#include "core/cost/atlas/atlas_columns.h"
#include "core/cost/atlas/atlas_file.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace loadline {

std::string atlasFileName(std::string_view gpu, AtlasKind kind) {
    return fmt::format("{}/{}.atlas", gpu, specOf(kind).key);
}

AtlasShelf shelfInFolder(const std::string& folder) {
    return {[folder](const std::string& file) {
        return readWholeFile(folder + "/" + file, "the kernel table", mostAtlasColumnBytes);
    }};
}

const AtlasTable* Atlas::table(AtlasKind kind) const {
    Slot& slot = slots_.at(static_cast<std::size_t>(kind));
    std::call_once(slot.once, [&] { read(kind, slot); });
    return slot.table.get();
}

void Atlas::read(AtlasKind kind, Slot& slot) const {
    const std::string file = atlasFileName(gpu_, kind);
    const auto note = [&](DiagnosticKind problem, const std::string& sentence) {
        const std::lock_guard lock(problems_);
        slot.problem = Diagnostic{.kind = problem, .detail = sentence};
    };
    const Result<std::string> bytes = shelf_.open(file);
    if (!bytes) {
        return note(DiagnosticKind::CannotOpen, bytes.error().sentence());
    }
    const std::string name = fmt::format("{} of {}", specOf(kind).key, gpu_);
    Result<AtlasTable> table = atlasTableFrom(*bytes, name);
    if (!table) {
        return note(DiagnosticKind::ReadError, table.error().sentence());
    }
    if (table->kind != kind) {
        return note(DiagnosticKind::ReadError,
                    fmt::format("{} is damaged: it holds {}", name, specOf(table->kind).name));
    }
    slot.table = std::make_unique<const AtlasTable>(std::move(*table));
}

std::vector<Diagnostic> Atlas::diagnostics() const {
    const std::lock_guard lock(problems_);
    std::vector<Diagnostic> all;
    for (const Slot& slot : slots_) {
        if (slot.problem) {
            all.push_back(*slot.problem);
        }
    }
    return all;
}

} // namespace loadline
