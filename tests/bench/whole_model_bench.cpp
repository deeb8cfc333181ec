// Whole models as the window begins: Llama-3.1-8B with the published times of an RTX 4090, KV blocks in 0.9
// of its memory: a preview, which is one whole run of each of a few settings, so that it tells what is
// refined; the crossover of four k with its intervals, in both scopes, and what pays, in as few runs of the
// scheduler as there are schedules.
#include "core/cost/profile/profile_json.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/study/sensitivity.h"
#include "core/simulate/study/users_curve.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace loadline {
namespace {

/// Conversations of 30 turns that begin with a system prompt and grow by some hundred tokens each.
std::shared_ptr<const Workload> conversations() {
    std::mt19937 random(1);
    std::vector<WorkloadSession> sessions(100);
    for (WorkloadSession& session : sessions) {
        Tokens context = 4000;
        for (int i = 0; i < 30; ++i) {
            const auto input = static_cast<Tokens>(1 + random() % 800);
            const auto output = static_cast<Tokens>(1 + random() % 400);
            session.turns.push_back({context, input, output, -1});
            context += input + output;
        }
    }
    return std::make_shared<const Workload>(
        workloadOfTurns(std::move(sessions), "made", "Made up", "a benchmark").value());
}

std::shared_ptr<const Profile> publishedProfile() {
    const std::filesystem::path root = std::filesystem::path(LOADLINE_TEST_DATA).parent_path().parent_path();
    const std::string path = (root / "resources/profiles/rtx4090-published.json").string();
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    return std::make_shared<const Profile>(profileFromJson(text, path).value());
}

/// The published distributions, sampled; or conversations, replayed.
SimulationInputs servedInputs(bool replayed) {
    SimulationSources sources;
    sources.workload = replayed ? conversations() : std::make_shared<const Workload>(referenceWorkload());
    sources.profile = publishedProfile();
    sources.shapes = *findShapePreset("llama-3.1-8b");
    sources.rule = *findDispatchPreset("code");
    return inputsOf({}, sources);
}

constexpr std::int64_t mostUsers = 256;

std::uint64_t refine(SweepInputs wanted, StepScope scope) {
    wanted.base.scope = scope;
    wanted.users = firstUsers(wanted.base, userGrid(mostUsers));
    const SweepResult curve = usersCurve(wanted).value();
    wanted.users = curve.users;
    CrossoverOptions options;
    options.threads = 1;
    benchmark::DoNotOptimize(crossoversOf(wanted, curve, options).value().size());
    return curve.steps;
}

/// Both scopes, as the Crossover page and a sweep show them.
void crossoverRefined(benchmark::State& state) {
    std::uint64_t steps = 0;
    for (auto _ : state) {
        SweepInputs wanted;
        wanted.base = servedInputs(state.range(0) != 0);
        wanted.base.schedules = std::make_shared<ScheduleMemo>();
        wanted.base.replicas = 4;
        wanted.weights = {Storage::K2, Storage::K3, Storage::K4, Storage::K5};
        wanted.threads = 1;
        steps += refine(wanted, StepScope::WholeStep) + refine(wanted, StepScope::GemmOnly);
        state.counters["runs"] = static_cast<double>(wanted.base.schedules->recorded());
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(steps));
}

/// From a slider that moved to the figure: users change, so that no run is remembered.
void sliderToPreview(benchmark::State& state) {
    SimulatorFigureInputs wanted;
    wanted.base = servedInputs(state.range(0) != 0);
    wanted.base.policy.prefixCache = state.range(1) != 0;
    wanted.chunks = chunkGrid();
    wanted.threads = 1;
    wanted.users = userGrid(mostUsers);
    for (auto _ : state) {
        wanted.base.arrivals.users = 1 + wanted.base.arrivals.users % 64;
        wanted.base.seed = wanted.base.seed + 1;
        const SimulatorFigure figure = simulatorFigure(wanted).value();
        wanted.base.tables = figure.inputs.tables;
        benchmark::DoNotOptimize(figure.timeVsFp16.value);
    }
}

void whatPaysRefined(benchmark::State& state) {
    SimulationInputs inputs = servedInputs(state.range(0) != 0);
    inputs.replicas = 4;
    const std::vector<std::int64_t> users = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    for (auto _ : state) {
        benchmark::DoNotOptimize(whatPays(inputs, users).value().kernels.size());
    }
}

BENCHMARK(crossoverRefined)->ArgName("replayed")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(sliderToPreview)
    ->ArgNames({"replayed", "cache"})
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({1, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(whatPaysRefined)->ArgName("replayed")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace loadline
