// The atlas of one GPU: its measured kernel tables, each unpacked when it is first asked for.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A place that keeps packed tables.
struct AtlasShelf {
    /// Returns the bytes of a file ("h200-sxm/gemm.atlas"); the Error if there is none. May be called from
    /// several threads at once.
    std::function<Result<std::string>(const std::string& file)> open;
};

/// Returns the name of a table's file on a shelf: "h200-sxm/gemm.atlas".
std::string atlasFileName(std::string_view gpu, AtlasKind kind);
/// Returns the shelf of the files in a folder.
AtlasShelf shelfInFolder(const std::string& folder);

/// Thread-safe: the first to ask for a table reads it, others wait for that table.
class Atlas {
public:
    /// `gpu`: its key, "h200-sxm".
    Atlas(std::string gpu, AtlasShelf shelf) : gpu_(std::move(gpu)), shelf_(std::move(shelf)) {}

    [[nodiscard]] const std::string& gpu() const { return gpu_; }

    /// Returns a table, valid as long as the atlas; null if it is missing or damaged, which is then among
    /// diagnostics(). Other tables are not affected.
    [[nodiscard]] const AtlasTable* table(AtlasKind kind) const;
    /// Returns the problems of the tables that were asked for so far, in the order of AtlasKind: CannotOpen
    /// for one that is missing, ReadError for a damaged one, with a sentence.
    [[nodiscard]] std::vector<Diagnostic> diagnostics() const;

private:
    struct Slot {
        std::once_flag once;
        std::unique_ptr<const AtlasTable> table;
        std::optional<Diagnostic> problem; ///< guarded by problems_
    };

    void read(AtlasKind kind, Slot& slot) const;

    std::string gpu_;
    AtlasShelf shelf_;
    mutable std::mutex problems_;
    mutable std::array<Slot, atlasKindCount> slots_;
};

} // namespace loadline
