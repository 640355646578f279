// Rows of the schema: estimates of rare events.

#include <array>

#include "scenarios/schema/schema_builder.h"

namespace photonsim::scenarios {
namespace {

using namespace schema;  // the notation of rows

constexpr std::array<std::string_view, 2> kForcedCrashes{"none", "joiner"};
constexpr std::array kRareRows{
    row<&Rare::forced_crash>({"forced_crash",
                              Kind::kChoice,
                              {},
                              "One more crash, of a joiner drawn from the seed, at a time drawn "
                              "from it; the run reports what that crash lost.",
                              "SPEC D-20, G-18",
                              kForcedCrashes}),
    row<&Rare::restart_after>(
        {"restart_after", Kind::kDuration, kTime, "Time until that joiner is started again.", "M"}),
    row<&Rare::strata>({"strata", Kind::kCount, between(1, 10'000),
                        "The times of the crashes of so many consecutive seeds are one in each of "
                        "as many equal parts of the window in which clicks are measured.",
                        "M"}),
    row<&Rare::importance>({"importance",
                            Kind::kChoice,
                            {},
                            "What rare.level counts: clicks of one joiner that are registered and "
                            "not durable (the most of all joiners), clicks or operations that are "
                            "not finished.",
                            "SPEC D-15",
                            kImportanceNames}),
    row<&Rare::effort>({"effort", Kind::kCount, between(2, 10'000),
                        "With levels: the trials of a splitting from each level.", "M"}),
};
constexpr std::array kLevelRows{
    row<&RareLevel::at>({"at",
                         Kind::kCount,
                         between(1, 1e9),
                         "It is reached when the importance is this or more.",
                         "M",
                         {},
                         {},
                         true}),
};
constexpr std::array kLineageRows{
    row<&LineageStep::event>({"event",
                              Kind::kCount,
                              {},
                              "Number of the last kernel event before the change.",
                              "DESIGN 5",
                              {},
                              {},
                              true}),
    row<&LineageStep::seed>(
        {"seed", Kind::kCount, {}, "Seed of the draws after it.", "DESIGN 5", {}, {}, true}),
};
constexpr std::array kRareTables{
    section<kRareRows, &Config::rare>(
        "rare", "Estimates of rare events; studies set these keys (docs/how-to/rare-losses.md)."),
    repeated<kLevelRows, &Config::rare, &Rare::levels>(
        "rare.level",
        "A level of a splitting. A sweep estimates how likely a run reaches the last one."),
    repeated<kLineageRows, &Config::rare, &Rare::lineage>(
        "rare.lineage",
        "A change of the run's seed in the middle: how a path of a splitting is replayed."),
};

}  // namespace

std::span<const TableSpec> rare_tables() { return kRareTables; }

}  // namespace photonsim::scenarios
