// `loadline simulate --study`.
#include "app/cli/simulate/study_document.h"

#include "app/cli/terminal/text_table.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json figure(const std::optional<double>& published, const Spread& ours) {
    return {
        {"published", published ? Json(*published) : Json(nullptr)}, {"mean", ours.mean}, {"sd", ours.sd}};
}

Json usersOf(const ReproducedUsers& ours) {
    const PublishedUsers& printed = *publishedUsersOf(ours.users);
    return {{"users", ours.users},
            {"avg_m", figure(printed.averageM, ours.averageM)},
            {"decode_only_fraction", figure(printed.decodeOnlyFraction, ours.decodeOnlyFraction)},
            {"time_vs_fp16", figure(printed.timeVsFp16, ours.timeVsFp16)},
            {"kernel_share",
             {{"scalar", figure(printed.scalarShare, ours.scalarShare)},
              {"mma", figure(printed.mmaShare, ours.mmaShare)},
              {"dequant_cublas", figure(printed.dequantShare, ours.dequantShare)}}}};
}

std::string number(double value, const Spread& ours, int digits) {
    return fmt::format("{:.{}f} | {:.{}f} +- {:.{}f}", value, digits, ours.mean, digits, ours.sd, digits);
}

std::string share(double published, const Spread& ours) {
    return number(100 * published, {100 * ours.mean, 100 * ours.sd}, 1);
}

} // namespace

nlohmann::ordered_json studyDocument(const StudyTables& tables) {
    const PublishedTurn printed;
    Json readings = Json::array();
    for (const Reproduction& reproduction : tables.readings) {
        Json users = Json::array();
        for (const ReproducedUsers& ours : reproduction.users) {
            users.push_back(usersOf(ours));
        }
        const ReproducedTurn& turn = reproduction.turn;
        readings.push_back({{"reading", keyOf(reproduction.reading)},
                            {"users", std::move(users)},
                            {"turn",
                             {{"decode_us", figure(printed.decodeUs, turn.decodeUs)},
                              {"prefill_us", figure(printed.prefillUs, turn.prefillUs)},
                              {"time_vs_fp16", figure(printed.timeVsFp16, turn.timeVsFp16)}}}});
    }
    return {{"source", studySource},           {"seeds", tables.seeds},
            {"iterations", tables.iterations}, {"turns", tables.turns},
            {"readings", std::move(readings)}, {"notes", studyNotes(tables)},
            {"provenance", tables.provenance}};
}

std::string studyText(const StudyTables& tables) {
    TextTable table;
    table.columns = {{"Users", true},
                     {"M, published | ours", true},
                     {"Decode only %", true},
                     {"Time vs fp16", true},
                     {"scalar / MMA / dequantise + cuBLAS %", true}};
    const PublishedTurn printed;
    std::string turns;
    for (const Reproduction& reproduction : tables.readings) {
        table.rows.push_back({std::string(nameOf(reproduction.reading))});
        for (const ReproducedUsers& ours : reproduction.users) {
            const PublishedUsers& line = *publishedUsersOf(ours.users);
            table.rows.push_back({formatExact(ours.users), number(line.averageM, ours.averageM, 0),
                                  share(line.decodeOnlyFraction, ours.decodeOnlyFraction),
                                  number(line.timeVsFp16, ours.timeVsFp16, 2),
                                  fmt::format("{:.0f} / {:.0f} / {:.0f}", 100 * ours.scalarShare.mean,
                                              100 * ours.mmaShare.mean, 100 * ours.dequantShare.mean)});
        }
        const ReproducedTurn& turn = reproduction.turn;
        turns += fmt::format("{}: a single user's turn, us and layer: decode {}; other steps {}\n",
                             nameOf(reproduction.reading), number(printed.decodeUs, turn.decodeUs, 0),
                             number(printed.prefillUs, turn.prefillUs, 0));
    }
    std::string text = fmt::format("Beside the published study ({}): published | ours\n", studySource);
    text += alignedText(table) + "\n" + turns + "\n";
    for (const std::string& note : studyNotes(tables)) {
        text += "Note: " + note + "\n";
    }
    return text;
}

} // namespace loadline::app
