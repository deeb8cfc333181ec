// A page as one row: its words, what it depends on, what it computes, how it is made.
#pragma once

#include "app/asked/asked.h"
#include "app/chart/chart_spec.h"
#include "app/job/any_figure.h"
#include "app/job/page_progress.h"
#include "app/page/page.h"
#include "app/page/room.h"
#include "core/ask/study.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::app {

class Actions;
class PageView;
class Workbench;
struct ScopedCorpus;
struct Study;

/// Everything that a page's own figure depends on.
struct PageQuestion {
    std::shared_ptr<const ScopedCorpus> scoped;  ///< null where the page speaks of no sessions
    Asked asked;                                 ///< PageSpec::depends of it
    std::shared_ptr<PageProgress> progress = {}; ///< what its answer tells while it is computed; never null

    bool operator==(const PageQuestion& other) const {
        return scoped == other.scoped && asked == other.asked;
    }
};

enum class PageNeeds : std::uint8_t {
    Sessions,
    SessionsOrTrace, ///< CacheQuestion::trace
    Nothing
};

struct PageSpec {
    Page page{};
    std::string key = {};   ///< in settings and the palette
    std::string words = {}; ///< in menus and the palette, with its mnemonic
    Room room = Room::Sessions;
    std::string tab = {};   ///< its title among the pages of its room; "": `words`
    bool isLastTab = false; ///< stands behind the room's other pages
    std::string keys = {};  ///< portable text
    std::string icon = {};
    std::string tip = {};
    PageNeeds needs = PageNeeds::Nothing;
    PageView* (*make)(Workbench& workbench, const Actions& actions, const PageSpec& page) = nullptr;
    FieldKeys depends = {}; ///< on which `figure` depends
    /// Computed on a worker thread when the page is shown and its question is another; null: none of its own.
    AnyFigure (*figure)(const PageQuestion& question, std::stop_token stop) = nullptr;
    ChartSpecs charts = {}; ///< of the page, in their order
    /// The base request of each chart, if they are the same chart with other questions; null: the request
    /// itself.
    std::vector<ChartRequest> (*requests)(const ChartRequest& base) = nullptr;
    /// The sentence over all its charts in one picture, of what was counted as they were drawn; null: the
    /// first chart's.
    QString (*sentence)(const ChartRequest& base, const std::shared_ptr<const Corpus>& corpus,
                        const ChartMemory& drawn) = nullptr;
    const Study* study = nullptr;     ///< what it shows of the simulation; null: nothing
    const ask::Study* asks = nullptr; ///< the study that it is the page of; null: none
    bool compares = false;            ///< draws the simulation against the pinned one
};

/// One for each page, in the order of pages().
std::span<const PageSpec> pageSpecs();
const PageSpec& specOf(Page page);

} // namespace loadline::app
