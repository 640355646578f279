// Rows of the schema: the tables of [operations].

#include <array>

#include "scenarios/schema/schema_builder.h"

namespace photonsim::scenarios {
namespace {

using namespace schema;  // the notation of rows

constexpr std::array<std::string_view, 3> kReshardEnds{"done", "refused", "any"};
constexpr std::array<std::string_view, 3> kMoveEnds{"done", "given_up", "any"};
constexpr std::array kReshardRows{
    row<&ReshardOperation::at>(
        {"at", Kind::kDuration, kTime, "When the operator asks.", "M", {}, {}, true}),
    row<&ReshardOperation::shards>({"shards",
                                    Kind::kCount,
                                    between(1, 10'000),
                                    "The new number of shards.",
                                    "SPEC B-56, B-57",
                                    {},
                                    {},
                                    true}),
    row<&ReshardOperation::starts_in>({"starts_in", Kind::kDuration, kTime,
                                       "Time from the request to the first id of the new number.",
                                       "SPEC B-54"}),
    row<&ReshardOperation::expect>(
        {"expect",
         Kind::kChoice,
         {},
         "Required outcome: in force, refused (or announced and then cancelled), or either; "
         "another outcome is reported and fails the run.",
         "SPEC BC-17, BC-19",
         kReshardEnds}),
};

constexpr std::array kKillMasterRows{
    row<&KillMasterOperation::group>(
        {"group",
         Kind::kName,
         {},
         "\"registry/2\", shard 2, or \"sharding/0\", the configuration group.",
         "M",
         {},
         {},
         true}),
    row<&KillMasterOperation::at>(
        {"at", Kind::kDuration, kTime, "When its master is crashed.", "M", {}, {}, true}),
    row<&KillMasterOperation::restart_after>(
        {"restart_after", Kind::kDuration, kTime, "Time until it is started again.", "M"}),
};

constexpr std::array kMoveMasterRows{
    row<&MoveMasterOperation::group>(
        {"group",
         Kind::kName,
         {},
         "\"registry/2\", shard 2, or \"sharding/0\", the configuration group.",
         "M",
         {},
         {},
         true}),
    row<&MoveMasterOperation::to>(
        {"to", Kind::kName, {}, "The datacenter of the new master.", "SPEC B-19", {}, {}, true}),
    row<&MoveMasterOperation::at>(
        {"at", Kind::kDuration, kTime, "When the operator asks.", "M", {}, {}, true}),
    row<&MoveMasterOperation::expect>(
        {"expect",
         Kind::kChoice,
         {},
         "Required outcome: the master is there, the move is given up, or either; another outcome "
         "is reported and fails the run.",
         "M",
         kMoveEnds}),
};

constexpr std::array kForgetStateRows{
    row<&ForgetStateOperation::datacenter>({"datacenter",
                                            Kind::kName,
                                            {},
                                            "Datacenter of the dispatchers.",
                                            "SPEC C-32",
                                            {},
                                            {},
                                            true}),
    row<&ForgetStateOperation::at>(
        {"at", Kind::kDuration, kTime, "Time of the operation.", "M", {}, {}, true}),
};

constexpr std::array kOperationTables{
    repeated<kReshardRows, &Config::operations, &Operations::reshards>(
        "operations.reshard", "An operator changes the number of shards."),
    repeated<kKillMasterRows, &Config::operations, &Operations::kills>(
        "operations.kill_master", "A crash of the current master of a group."),
    repeated<kMoveMasterRows, &Config::operations, &Operations::moves>(
        "operations.move_master", "An operator moves the master of a group."),
    repeated<kForgetStateRows, &Config::operations, &Operations::forgets>(
        "operations.forget_state",
        "A pipeline's dispatchers lose their state: an operator starts them without it, at the "
        "present end of the logs, with nothing to retry."),
};

}  // namespace

std::span<const TableSpec> operation_tables() { return kOperationTables; }

}  // namespace photonsim::scenarios
