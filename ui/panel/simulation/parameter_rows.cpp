// The form of a simulation: which rows there are.
#include "ui/panel/part/themed.h"
#include "ui/panel/simulation/parameter_panel.h"
#include "ui/panel/simulation/value_slider.h"

#include <QBoxLayout>
#include <QLabel>

#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

using Value = std::optional<double>;
using Scale = ValueRange::Scale;

ValueRange wholeRange(double least, double most, double hardMost, Value usual, Scale scale,
                      const QString& unit) {
    ValueRange range;
    range.least = least;
    range.most = most;
    range.fieldLeast = 1;
    range.fieldMost = hardMost;
    range.usual = usual;
    range.scale = scale;
    range.unit = unit;
    return range;
}

ValueRange realRange(double least, double most, double fieldLeast, double fieldMost, double usual,
                     const QString& unit) {
    ValueRange range;
    range.least = least;
    range.most = most;
    range.fieldLeast = fieldLeast;
    range.fieldMost = fieldMost;
    range.usual = usual;
    range.whole = false;
    range.unit = unit;
    return range;
}

Value optionalValue(const std::optional<std::int64_t>& value) {
    return value ? Value(static_cast<double>(*value)) : Value();
}

std::optional<std::int64_t> optionalCount(Value value) {
    return value ? std::optional<std::int64_t>(std::llround(*value)) : std::nullopt;
}

/// For sliders over a whole number of the request.
template <typename Get>
auto getter(Get get) {
    return [get](const SimulationRequest& r) -> Value {
        return static_cast<double>(get(const_cast<SimulationRequest&>(r)));
    };
}

template <typename Get>
auto setter(Get get) {
    return [get](SimulationRequest& r, Value value) {
        auto& field = get(r);
        using Field = std::remove_reference_t<decltype(field)>;
        field = static_cast<Field>(std::llround(value.value_or(static_cast<double>(field))));
    };
}

NamedChoice named(const QString& name, const QString& toolTip) {
    return {{}, name, toolTip, {}};
}

} // namespace

void ParameterPanel::buildAsking(QBoxLayout& column) {
    using R = SimulationRequest;
    addHeading(column, tr("Who asks"));
    const auto users = [](R& r) -> std::int64_t& { return r.arrivals.users; };
    addSlider(column, Parameter::Users, tr("Users"), wholeRange(1, 256, maxUsers, 8, Scale::Log, {}),
              tr("Each sends its next turn when the last one is answered"), getter(users), setter(users));
    addSlider(
        column, Parameter::Rate, tr("Rate"), realRange(0.01, 100, 1e-6, 1e6, 1, tr("turns/s")),
        tr("Turns come at this mean rate, whatever the engine does"),
        [](const R& r) -> Value { return r.arrivals.ratePerS; },
        [](R& r, Value value) { r.arrivals.ratePerS = value.value_or(1); });
    addList(column, Parameter::Workload, tr("Workload"), &ParameterChoices::workloads, &R::workload, true);
    addSegments(
        column, Parameter::Outputs, tr("Outputs"),
        {named(tr("recorded"), tr("As the logs count them, lower bounds included")),
         named(tr("visible"), tr("Where a log has only a lower bound: at least what it shows of the answer "
                                 "(characters / 4)"))},
        [](const R& r) { return static_cast<int>(r.outputs); },
        [](R& r, int i) { r.outputs = static_cast<OutputCounts>(i); });
    addSegments(
        column, Parameter::Arrivals, tr("Arrivals"),
        {named(tr("closed"), tr("N users, each waits for its answer")),
         named(tr("rate"), tr("Turns come by chance at a mean rate (Poisson)")),
         named(tr("trace"), tr("At the times of the request trace"))},
        [](const R& r) { return static_cast<int>(r.arrivals.kind); },
        [](R& r, int i) { r.arrivals.kind = static_cast<ArrivalKind>(i); });
    addSegments(
        column, Parameter::Think, tr("Think time"),
        {named(tr("none"), tr("The next turn follows at once")),
         named(tr("fixed"), tr("Each turn follows its answer after so many seconds")),
         named(tr("data"), tr("As long as the recorded sessions waited"))},
        [](const R& r) { return static_cast<int>(r.arrivals.think); },
        [](R& r, int i) {
            r.arrivals.think = static_cast<ThinkTime>(i);
            if (r.arrivals.think == ThinkTime::Fixed && r.arrivals.thinkS <= 0) {
                r.arrivals.thinkS = 5;
            }
        });
    addSlider(
        column, Parameter::ThinkSeconds, tr("Seconds"), realRange(0.1, 600, 0, 1e6, 5, tr("s")), {},
        [](const R& r) -> Value { return r.arrivals.thinkS; },
        [](R& r, Value value) { r.arrivals.thinkS = value.value_or(0); });
    addSegments(
        column, Parameter::Order, tr("Turns"),
        {named(tr("sampled"), tr("Drawn one by one from the workload's sizes")),
         named(tr("replayed"), tr("Sessions in order, with their contexts"))},
        [](const R& r) { return static_cast<int>(r.arrivals.order); },
        [](R& r, int i) { r.arrivals.order = static_cast<TurnOrder>(i); });
}

void ParameterPanel::buildBatching(QBoxLayout& column) {
    using R = SimulationRequest;
    addHeading(column, tr("What a step holds"));
    addSegments(
        column, Parameter::Policy, tr("Policy"),
        {named(tr("vLLM V1"), QString::fromUtf8(describe(Policy::VllmV1).data())),
         named(tr("single"), QString::fromUtf8(describe(Policy::SinglePrefill).data())),
         named(tr("MLX"), QString::fromUtf8(describe(Policy::Mlx).data()))},
        [](const R& r) { return static_cast<int>(r.policy.policy); },
        [](R& r, int i) { r.policy.policy = static_cast<Policy>(i); });
    policyWords_ = mutedLabel({}, this);
    policyWords_->setWordWrap(true);
    policyWords_->setFont(fontOf(0.9));
    column.addWidget(policyWords_);
    ValueRange chunk = wholeRange(16, 16384, maxChunkTokens, {}, Scale::Binary, tr("tokens"));
    chunk.off = tr("off");
    addSlider(
        column, Parameter::Chunk, tr("Chunk size"), chunk,
        tr("Most prompt tokens of one request in a step. Off: vLLM's own, no limit; single: 512; MLX: 2,048"),
        [](const R& r) { return optionalValue(r.policy.chunkTokens); },
        [](R& r, Value value) { r.policy.chunkTokens = optionalCount(value); });
    const auto budget = [](R& r) -> Tokens& { return r.policy.budgetTokens; };
    addSlider(column, Parameter::Budget, tr("Token budget"),
              wholeRange(64, 65536, maxChunkTokens, 8192, Scale::Binary, tr("tokens")),
              tr("Most tokens in a step (max_num_batched_tokens)"), getter(budget), setter(budget));
    const auto seqs = [](R& r) -> std::int64_t& { return r.policy.maxSeqs; };
    addSlider(column, Parameter::MaxSeqs, tr("Max sequences"),
              wholeRange(1, 1024, 1 << 20, 256, Scale::Log, {}),
              tr("Most requests that run at once (max_num_seqs)"), getter(seqs), setter(seqs));
}

void ParameterPanel::buildCost(QBoxLayout& column) {
    using R = SimulationRequest;
    addHeading(column, tr("What a step costs"));
    std::vector<NamedChoice> bits;
    for (int k = minKBits; k <= maxKBits; ++k) {
        bits.push_back(named(QString::number(k), tr("Weights of %1 bits").arg(k)));
    }
    addSegments(
        column, Parameter::KBits, tr("k"), bits, [](const R& r) { return r.kBits - minKBits; },
        [](R& r, int i) { r.kBits = minKBits + i; });
    addList(column, Parameter::Shapes, tr("Shapes"), &ParameterChoices::shapes, &R::shapes, true);
    addList(column, Parameter::Profile, tr("Profile"), &ParameterChoices::profiles, &R::profile, true);
    addList(column, Parameter::Rule, tr("Kernels"), &ParameterChoices::rules, &R::rule, false);
    addSegments(
        column, Parameter::Scope, tr("Counts"),
        {named(tr("GEMMs"), tr("The matrix products alone, as the published study")),
         named(tr("whole step"), tr("And attention, and the host's share"))},
        [](const R& r) { return static_cast<int>(r.scope); },
        [](R& r, int i) { r.scope = static_cast<StepScope>(i); });
    ValueRange host = realRange(0, 20'000, 0, 1e9, 0, tr("us"));
    host.scale = Scale::Linear;
    addSlider(
        column, Parameter::HostUs, tr("Host"), host, tr("Sampling and host overhead of a step"),
        [](const R& r) -> Value { return r.hostUs; },
        [](R& r, Value value) { r.hostUs = value.value_or(0); });
}

void ParameterPanel::buildMore(QBoxLayout& column) {
    using R = SimulationRequest;
    ValueRange blocks = wholeRange(256, 1 << 20, 1e12, {}, Scale::Binary, {});
    blocks.fieldLeast = 2;
    blocks.off = tr("enough");
    addSlider(
        column, Parameter::KvBlocks, tr("KV blocks"), blocks, tr("Blocks of the KV cache (num_gpu_blocks)"),
        [](const R& r) { return optionalValue(r.policy.kvBlocks); },
        [](R& r, Value value) { r.policy.kvBlocks = optionalCount(value); });
    ValueRange share = realRange(0.01, 1, 0.01, 1, 0.9, {});
    share.scale = Scale::Linear;
    share.usual.reset();
    share.off = tr("not used");
    addSlider(
        column, Parameter::MemoryShare, tr("KV memory"), share,
        tr("As many KV blocks as this share of the device's memory holds beside the weights "
           "(gpu_memory_utilization)"),
        [](const R& r) -> Value { return r.policy.memoryShare; },
        [](R& r, Value value) { r.policy.memoryShare = value; });
    const auto block = [](R& r) -> Tokens& { return r.policy.blockTokens; };
    addSlider(column, Parameter::BlockTokens, tr("Block size"),
              wholeRange(1, 256, 1 << 16, 16, Scale::Binary, tr("tokens")), {}, getter(block), setter(block));
    addCheck(
        column, Parameter::PrefixCache, tr("Prefix cache"), tr("Prompts that begin alike are computed once"),
        [](const R& r) { return r.policy.prefixCache; }, [](R& r, bool on) { r.policy.prefixCache = on; });
    addCheck(
        column, Parameter::ChunkedPrefill, tr("Chunked prefill"),
        tr("A prompt may spread over several steps"), [](const R& r) { return r.policy.chunkedPrefill; },
        [](R& r, bool on) { r.policy.chunkedPrefill = on; });
    addCheck(
        column, Parameter::Async, tr("Asynchronous scheduling"),
        tr("The next step is scheduled while one runs"), [](const R& r) { return r.policy.async; },
        [](R& r, bool on) { r.policy.async = on; });
    addSegments(
        column, Parameter::EngineOrder, tr("First"),
        {named(tr("who came first"), tr("First come, first served (fcfs)")),
         named(tr("priority"), tr("By priority"))},
        [](const R& r) { return static_cast<int>(r.policy.order); },
        [](R& r, int i) { r.policy.order = static_cast<VllmPolicy>(i); });
    addSegments(
        column, Parameter::Version, tr("Version"),
        {named(tr("2026-08"), tr("The latest rules")),
         named(tr("2026-03"), tr("No reservation, no watermark")),
         named(tr("2025-10"), tr("Without chunked prefill, a prompt that is too long is passed over"))},
        [](const R& r) { return static_cast<int>(r.policy.version); },
        [](R& r, int i) { r.policy.version = static_cast<VllmVersion>(i); });
    const auto replicas = [](R& r) -> std::int64_t& { return r.replicas; };
    addSlider(column, Parameter::Replicas, tr("Replicas"), wholeRange(1, 64, 1000, 16, Scale::Log, {}),
              tr("Runs with seeds of their own; bands show their spread"), getter(replicas),
              setter(replicas));
    const auto seed = [](R& r) -> std::uint64_t& { return r.seed; };
    addSlider(column, Parameter::Seed, tr("Seed"), wholeRange(1, 100, 9e15, 1, Scale::Linear, {}),
              tr("Of the first run: the same seed gives the same result"), getter(seed), setter(seed));
}

} // namespace loadline::ui
