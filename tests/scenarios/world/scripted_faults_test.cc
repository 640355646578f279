#include "scenarios/world/scripted_faults.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/schema.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using photonsim::tests::Ran;
using photonsim::tests::run;
namespace sim = photon::sim;

namespace {

struct Script {
  Deployment deployment{};
  std::vector<ScriptedFault> faults{};
  std::unique_ptr<FaultNumbers> numbers = std::make_unique<FaultNumbers>();
};

Script scripted(const std::vector<std::string>& set, std::uint64_t seed = 5) {
  const LoadResult loaded = load("scenarios/healthy.toml", set);
  if (!loaded) FAIL(format(loaded.diagnostics()));
  Script script{deploy(loaded.config())};
  for (StatedFault& stated :
       scripted_faults(loaded.config(), script.deployment, seed, *script.numbers)) {
    script.faults.push_back(std::move(stated.faults));
  }
  return script;
}

std::set<std::string> paths(const std::vector<photon::NodeId>& nodes, const Script& script) {
  std::set<std::string> result;
  for (const photon::NodeId node : nodes) {
    result.insert(script.deployment.topology.process(node).path);
  }
  return result;
}

const sim::LinkFault& link(const sim::Fault& fault) { return fault.action.as<sim::LinkFault>(); }

}  // namespace

TEST_CASE("a kind of fault has the name that a scenario gives it") {
  // Variants that differ only in numbers, switches or names.
  const std::set<std::string_view> of_their_own{"host_crash", "restart_loop", "reset_disk",
                                                "long_pause", "outage.region"};
  const auto values = [](std::string_view table) {
    std::set<std::string> found;
    const TableSpec* spec = find_table(table);
    if (spec == nullptr) return found;
    for (std::size_t i = 0; i < spec->key_count; ++i) {
      found.emplace(spec->key(i).name);
      for (const std::string_view choice : spec->key(i).choices) found.emplace(choice);
    }
    return found;
  };
  for (const std::string_view kind : all_fault_kinds()) {
    CAPTURE(kind);
    if (of_their_own.contains(kind)) continue;
    const std::size_t dot = kind.find('.');
    const std::string table(kind.substr(0, dot));
    if (dot == std::string_view::npos) {
      const bool is_table = find_table("faults." + table) != nullptr;
      CHECK((is_table || values("faults.random").contains(table)));
    } else {
      const std::string where = table == "outside_core" ? "run" : "faults." + table;
      CHECK(values(where).contains(std::string(kind.substr(dot + 1))));
    }
  }
}

TEST_CASE("each kind of fault is listed once, and states when it takes effect") {
  std::set<std::string_view> names;
  for (const std::string_view kind : all_fault_kinds()) {
    CAPTURE(kind);
    CHECK(names.insert(kind).second);
    const auto text = explain_fault(kind);
    REQUIRE(text.has_value());
    CHECK(text->starts_with(std::string(kind) + ": a kind of fault\n"));
    CHECK(text->ends_with(".\n"));
  }
  for (const auto* kinds : {&swarm_kinds(), &contract_kinds()}) {
    for (const std::string_view kind : *kinds) CHECK(names.contains(kind));
  }
  CHECK_FALSE(explain_fault("link.gone").has_value());
}

TEST_CASE("the numbers, parts and turns of kinds of faults, which are keys of draws, differ") {
  std::set<std::uint32_t> numbers;
  std::set<std::uint32_t> parts;
  for (const FaultGenerator& each : fault_generators()) {
    CHECK(numbers.insert(each.number).second);
    CHECK((each.all != nullptr) == (each.part != 0));
    if (each.part != 0) CHECK(parts.insert(each.part).second);
  }
  std::set<int> turns{kTurnOfKills};
  for (const FaultTable* const table : kAllFaults) {
    CAPTURE(table->schema.path);
    CHECK((table->lower == nullptr) == (table->turn == 0));
    if (table->turn != 0) CHECK(turns.insert(table->turn).second);
    if (table->lower != nullptr) CHECK_FALSE(table->kinds.empty());
  }
}

TEST_CASE("A-25 the outage of a region takes each of its datacenters") {
  const Script script = scripted({R"(faults.outage=[{datacenter="east",at="60s",for="5s"}])"});
  REQUIRE(script.faults.size() == 1);
  std::set<std::string> places;
  for (const sim::Fault& fault : script.faults[0]) {
    CHECK(sim::name_of(fault) == "outage.region");
    const auto where = fault.action.as<sim::Outage>().datacenter;
    places.insert(script.deployment.topology.datacenter(where).name);
  }
  CHECK(places == std::set<std::string>{"us-east1", "us-east4"});
}

TEST_CASE("a restart loop crashes its process again a fixed time after each restart") {
  const Script script = scripted({R"(faults.crash=[{process="us-east1/joiner/0",at="60s",)"
                                  R"(restart_after="2s",times=3,up_for="5s"}])"});
  REQUIRE(script.faults.size() == 1);
  REQUIRE(script.faults[0].size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const sim::Fault& fault = script.faults[0][i];
    CHECK(fault.at == photon::SimTime(60s + static_cast<int>(i) * 7s));
    CHECK(fault.duration == 2s);
    CHECK(sim::name_of(fault) == "restart_loop");
  }
}

TEST_CASE("a crash of a host loses what its disk had not synced") {
  const Script script =
      scripted({R"(faults.crash=[{process="registry/1@us-east4",at="60s",whole_host=true}])"});
  const auto host = script.faults.at(0).at(0).action.as<sim::CrashHost>().host;
  CHECK(script.deployment.topology.host(host).path == "us-east4/host-registry-1");
}

TEST_CASE("a fault of a disk hits the disk of the replica's host, or the cell") {
  const Script script =
      scripted({R"(faults.disk=[{where="registry/1@us-east4",kind="slow",factor=3,at="60s"},)"
                R"({where="us-east1",kind="full",share=0.5,at="60s",for="1s"},)"
                R"({where="registry/1@us-east4",kind="bit_rot",at="60s"}])"});
  REQUIRE(script.faults.size() == 3);
  const sim::Topology& topology = script.deployment.topology;
  const sim::Fault& slow = script.faults[0].at(0);
  CHECK(sim::name_of(slow) == "disk.slow");
  CHECK(slow.duration == 10s);
  const auto& slowed = slow.action.as<sim::DiskFault>();
  CHECK(slowed.effect.permille == 3000);
  const auto host = topology.volume(slowed.volume).host;
  CHECK(topology.host(host).path == "us-east4/host-registry-1");
  const sim::Fault& full = script.faults[1].at(0);
  CHECK(sim::name_of(full) == "disk.full");
  const auto& cell = topology.volume(full.action.as<sim::DiskFault>().volume);
  CHECK(cell.kind == sim::VolumeClass::shared_cell);
  CHECK(topology.datacenter(cell.datacenter).name == "us-east1");
  CHECK(script.faults[2].at(0).action.as<sim::BitRot>().volume == slowed.volume);
}

TEST_CASE("A-25 separated datacenters and regions are sides of one partition") {
  const Script script = scripted({R"(faults.partition=[{from=["east","us-west1","central"],)"
                                  R"(direction="apart",at="60s",for="5s"}])"});
  const sim::Fault& fault = script.faults.at(0).at(0);
  CHECK(sim::name_of(fault) == "partition.apart");
  const auto& sides = fault.action.as<sim::Partition>().sides;
  REQUIRE(sides.size() == 3);
  CHECK(sides[0].size() == 2);
  CHECK(sides[1].size() == 1);
}

TEST_CASE("the ends of a link are named by place, role, process or shard") {
  const auto from = [](const std::string& name) {
    const Script script = scripted({R"(faults.link=[{kind="loss",from=[")" + name +
                                    R"("],to=["joiner"],at="60s",for="5s"}])"});
    CHECK(link(script.faults.at(0).at(0)).to.size() == 4);
    return paths(link(script.faults.at(0).at(0)).from, script);
  };
  CHECK(from("us-east1/joiner/1") == std::set<std::string>{"us-east1/joiner/1"});
  CHECK(from("registry/2").size() == 5);
  CHECK(from("registry/2@us-east4") == std::set<std::string>{"us-east4/registry/2"});
  CHECK(from("east/registry/0") ==
        std::set<std::string>{"us-east1/registry/0", "us-east4/registry/0"});
  CHECK(from("us-west1/cache").size() == 4);
  CHECK(from("any").size() == 40);
}

TEST_CASE("a swizzle clogs a part of the processes one by one, and unclogs them in another order") {
  const std::string text =
      R"(faults.link=[{kind="swizzle",from=["registry"],share=0.5,at="60s",for="20s"}])";
  const Script script = scripted({text});
  const ScriptedFault& faults = script.faults.at(0);
  const std::string loss = R"(faults.link=[{kind="loss",from=["registry"],at="60s",for="5s"}])";
  const Script whole = scripted({loss});
  const std::size_t replicas = link(whole.faults.at(0).at(0)).from.size();
  CHECK(faults.size() == (replicas + 1) / 2);
  std::map<photon::SimTime, photon::NodeId> begins;
  std::map<photon::SimTime, photon::NodeId> ends;
  for (const sim::Fault& fault : faults) {
    CHECK(sim::name_of(fault) == "link.swizzle");
    CHECK(std::holds_alternative<sim::Clog>(link(fault).effect.effect));
    REQUIRE(link(fault).from.size() == 1);
    CHECK(fault.at < photon::SimTime(70s));
    CHECK(fault.at + fault.duration > photon::SimTime(70s));
    CHECK(fault.at + fault.duration <= photon::SimTime(80s));
    begins[fault.at] = link(fault).from[0];
    ends[fault.at + fault.duration] = link(fault).from[0];
  }
  REQUIRE(begins.size() == faults.size());  // one by one
  REQUIRE(ends.size() == faults.size());
  const auto node_of = [](const auto& at) { return at.second; };
  CHECK_FALSE(std::ranges::equal(begins, ends, {}, node_of, node_of));
  const Script other = scripted({text}, 6);
  CHECK(other.faults != script.faults);
}

TEST_CASE("over a link of limited bandwidth messages queue, and the run drains after it") {
  const std::string slow =
      R"(faults.bandwidth=[{from=["us-east1"],to=["registry"],rate="8KiB",at="100s",for="20s"}])";
  const Script script = scripted({slow});
  const sim::Fault& fault = script.faults.at(0).at(0);
  CHECK(sim::name_of(fault) == "bandwidth");
  CHECK(fault.duration == 20s);
  CHECK(link(fault).effect == sim::MessageFault{sim::LimitedBandwidth{8192}, photon::Chance(1.0)});
  CHECK(paths(link(fault).from, script).contains("us-east1/joiner/0"));
  const std::vector<std::string> set{R"(run.duration="3min")", slow};
  const Ran ran = run("scenarios/healthy.toml", 1, set);
  photonsim::tests::require_clean(ran);
  REQUIRE(ran.outcome.summary.fault_kinds.size() == 1);
  CHECK(ran.outcome.summary.fault_kinds[0] ==
        std::pair<std::string, std::uint64_t>{"bandwidth", 1});
  const Ran usual = run("scenarios/healthy.toml", 1, {R"(run.duration="3min")"});
  CHECK(photon::analysis::count_of(ran.outcome.summary.network, "delayed") > 100);
  CHECK(photon::analysis::count_of(usual.outcome.summary.network, "delayed") == 0);
}

TEST_CASE("DESIGN-6 faults of logs, clocks and output are numbered and witnessed like the others") {
  struct Effects final : photon::trace::Sink {
    void record(const photon::trace::Record& record) override {
      if (record.header.kind != photon::trace::Kind::fault_effect) return;
      ++times[record.as<photon::trace::FaultEffect>().fault];
    }
    std::map<std::uint32_t, int> times{};
  } effects;
  const Ran ran =
      run("scenarios/healthy.toml", 1,
          {R"(run.duration="4min")",
           R"(faults.clock=[{log="clicks",kind="offset",by="80ms",at="70s",for="60s"}])",
           R"(faults.log_stall=[{log="clicks",at="110s",for="9s"}])",
           R"(faults.crash=[{process="us-east1/joiner/0",at="90s",restart_after="2s"}])",
           R"(faults.output_loss=[{datacenter="us-east1",at="100s",records=2}])",
           R"(faults.log_damage=[{log="clicks",datacenter="us-east1",share=0.2,)"
           R"(at="80s",for="60s"}])",
           R"(faults.truetime_outage=[{log="queries",at="95s",for="120s"}])"},
          &effects);
  std::vector<std::string> kinds;
  std::int64_t last = 0;
  for (const auto& fault : ran.outcome.summary.faults) {
    CHECK(fault.number == kinds.size());
    CHECK(fault.at_ns >= last);
    last = fault.at_ns;
    kinds.push_back(fault.description.substr(0, fault.description.find(' ')));
    CHECK(fault.effective == (effects.times[fault.number] == 1));
  }
  CHECK(kinds == std::vector<std::string>{"clock.offset", "log_damage", "process_crash",
                                          "truetime_outage", "output_loss", "log_stall"});
  for (const auto& [fault, times] : effects.times) {
    CHECK(fault < kinds.size());
    CHECK(times <= 1);
  }
  CHECK(ran.outcome.summary.faults_configured == 6);
  CHECK(ran.outcome.summary.faults[0].effective);
  CHECK(ran.outcome.summary.faults[1].effective);
  CHECK(ran.outcome.summary.faults[4].effective);
  CHECK(ran.outcome.summary.faults[5].effective);
}

TEST_CASE("DESIGN-6 each kind of fault takes effect in a whole run, under its own name") {
  const Ran ran = run("scenarios/fault_kinds.toml", 4);
  photonsim::tests::require_clean(ran);
  CHECK(ran.outcome.summary.fault_kinds.size() == 40);
  for (const auto& [kind, effective] : ran.outcome.summary.fault_kinds) {
    INFO(kind);
    CHECK(effective > 0);
  }
}

TEST_CASE("DESIGN-6 a drawn scenario may hold an inert fault; a written one may not") {
  const std::vector<std::string> set{
      R"(run.duration="2min")",
      R"(faults.link=[{kind="loss",from=["us-west2/registry/0"],to=["us-east1/joiner/0"],)"
      R"(share=1e-9,at="100s",for="1ms"}])"};
  const Ran refused = run("scenarios/healthy.toml", 1, set);
  CHECK(refused.outcome.summary.inert_faults.size() == 1);
  std::vector<std::string> allowed = set;
  allowed.emplace_back(R"(faults.inert="allow")");
  CHECK(run("scenarios/healthy.toml", 1, allowed).outcome.summary.inert_faults.empty());
}

TEST_CASE("DESIGN-6 a fault that is applied and changes nothing fails its run") {
  const std::string fault = GENERATE(
      as<std::string>{}, R"(faults.pause=[{process="us-east1/joiner/0",at="100s",for="1ns"}])",
      R"(faults.pause=[{process="registry/0@us-east4",at="100s",for="500ns"}])",
      R"(faults.link=[{kind="delay",delay="1ns",at="100s",for="60s"}])",
      R"(faults.link=[{kind="reordering",delay="1ns",at="100s",for="60s"}])",
      R"(faults.link=[{kind="late_duplication",delay="1ns",from=["us-west2/registry/0"],)"
      R"(at="100s",for="10s"}])",
      R"(faults.link=[{kind="clog",at="100s",for="1ns"}])",
      R"(faults.bandwidth=[{from=["us-west2/registry/0"],rate="900000000000B",)"
      R"(at="100s",for="10s"}])",
      R"(faults.overtaken=[{about="lives",at="100s",for="10s"}])",  // none begins
      R"(faults.slow=[{datacenter="us-east1",factor=1.001,at="100s",for="1ms"}])",
      R"(faults.disk=[{where="registry/0@us-east4",kind="slow",factor=1.001,at="100s",for="1s"}])",
      R"(faults.clock=[{log="clicks",kind="offset",by="1us",at="100s",for="60s"}])",
      R"(faults.clock=[{log="clicks",kind="drift",rate="0.0001%",at="100s",for="10s"}])",
      R"(faults.clock=[{log="clicks",kind="step",by="5ms",at="100s"}])",
      R"(faults.clock=[{log="clicks",kind="freeze",at="100s",for="5ms"}])",
      R"(faults.clock=[{process="us-east1/joiner/0",kind="truetime_outage",at="100s",for="1ms"}])",
      R"(faults.truetime_outage=[{log="clicks",at="100s",for="1ms"}])",
      R"(faults.log_stall=[{log="clicks",at="100s",for="1ns",tail="0s"}])",
      // Lost and back before any read.
      R"(faults.log_truncation=[{log="clicks",datacenter="us-east1",at="100s",for="2ns"}])",
      // Its second crash comes while the first still holds the process down.
      R"(faults.crash=[{process="us-east1/joiner/0",at="100s",restart_after="5s",times=2,)"
      R"(up_for="1h"}])");
  CAPTURE(fault);
  const Ran ran = run("scenarios/healthy.toml", 1, {fault});
  CHECK(ran.outcome.summary.violations_total == 0);
  REQUIRE(ran.outcome.summary.fault_kinds.size() == 1);
  CHECK(ran.outcome.summary.fault_kinds[0].second == 0);
  CHECK(ran.outcome.summary.inert_faults.size() == 1);
}

TEST_CASE("DESIGN-6 a pause longer than the lease is a kind of its own") {
  using Kinds = photon::analysis::Counts;
  const auto kinds = [](const std::string& pause) {
    return run("scenarios/healthy.toml", 1, {"faults.pause=[{" + pause + "}]"})
        .outcome.summary.fault_kinds;
  };
  // Leases: 1.5 s of a registry's master, 10 s of a partition.
  CHECK(kinds(R"(process="registry/0@us-east4",at="100s",for="1500ms")") ==
        Kinds{{"process_pause", 1}});
  CHECK(kinds(R"(process="registry/0@us-east4",at="100s",for="3s")") == Kinds{{"long_pause", 1}});
  CHECK(kinds(R"(process="us-east1/dispatcher/0",at="100s",for="9s")") ==
        Kinds{{"process_pause", 1}});
  CHECK(kinds(R"(process="us-east1/dispatcher/0",at="100s",for="12s")") ==
        Kinds{{"long_pause", 1}});
  // It would have lasted longer than the lease, but a crash ended it.
  CHECK(run("scenarios/healthy.toml", 1,
            {R"(faults.pause=[{process="us-east1/dispatcher/0",at="100s",for="12s"}])",
             R"(faults.crash=[{process="us-east1/dispatcher/0",at="105s"}])"})
            .outcome.summary.fault_kinds == Kinds{{"long_pause", 0}, {"process_crash", 1}});
}

TEST_CASE("E-08 a cache that loses its contents answers on, and look-ups use the logs") {
  const std::string scripted_loss = R"(faults.cache_loss=[{process="us-east1/cache/0",at="2min"}])";
  const Ran ran = run("scenarios/healthy.toml", 1, {scripted_loss});
  photonsim::tests::require_clean(ran);
  using Kinds = photon::analysis::Counts;
  CHECK(ran.outcome.summary.fault_kinds == Kinds{{"cache_loss", 1}});
  // Before the first query there is nothing to lose.
  const Ran empty = run("scenarios/healthy.toml", 1,
                        {R"(faults.cache_loss=[{process="us-east1/cache/0",at="1ns"}])"});
  CHECK(empty.outcome.summary.fault_kinds == Kinds{{"cache_loss", 0}});
  CHECK(empty.outcome.summary.inert_faults.size() == 1);
  const Ran drawn = run("scenarios/healthy.toml", 1,
                        {R"(faults.random=[{kind="cache_loss",mean_interval="20s"}])"});
  photonsim::tests::require_clean(drawn);
  REQUIRE(drawn.outcome.summary.fault_kinds.size() == 1);
  CHECK(drawn.outcome.summary.fault_kinds[0].first == "cache_loss");
  CHECK(drawn.outcome.summary.fault_kinds[0].second > 5);
}

TEST_CASE("BC-18 a client that learns the number of shards late waits, without other effects") {
  const std::vector<std::string> change{
      "registry.sharding=dynamic", R"(operations.reshard=[{at="100s",shards=5,starts_in="5s"}])"};
  const auto with = [&](const std::string& fault) {
    std::vector<std::string> set = change;
    set.push_back(fault);
    return run("scenarios/healthy.toml", 1, set);
  };
  using Kinds = photon::analysis::Counts;
  const Ran late =
      with(R"(faults.late_configuration=[{processes=["us-west1"],at="95s",for="30s"}])");
  photonsim::tests::require_clean(late);
  CHECK(late.outcome.summary.fault_kinds == Kinds{{"late_configuration", 1}});
  const Ran usual = run("scenarios/healthy.toml", 1, change);
  CHECK(late.outcome.summary.fingerprint != usual.outcome.summary.fingerprint);
  // All clients know it by then: nothing is new.
  const Ran known =
      with(R"(faults.late_configuration=[{processes=["us-west1"],at="200s",for="30s"}])");
  CHECK(known.outcome.summary.fault_kinds == Kinds{{"late_configuration", 0}});
  CHECK(known.outcome.summary.inert_faults.size() == 1);
  const Ran drawn =
      with(R"(faults.random=[{kind="late_configuration",mean_interval="2s",mean_duration="5s"}])");
  photonsim::tests::require_clean(drawn);
  REQUIRE(drawn.outcome.summary.fault_kinds.size() == 1);
  CHECK(drawn.outcome.summary.fault_kinds[0].first == "late_configuration");
  CHECK(drawn.outcome.summary.fault_kinds[0].second > 0);
}

TEST_CASE("BC-18 overtaken answers: what they say has changed, and the run is clean") {
  using Kinds = photon::analysis::Counts;
  const auto [fault, change] = GENERATE(table<std::string, std::string>({
      {R"(about="shards",processes=["us-west1"],at="95s",for="30s")",
       R"(operations.reshard=[{at="100s",shards=5,starts_in="5s"}])"},
      {R"(about="masters",changes=2,at="100s",for="40s")",
       R"(operations.kill_master=[{group="registry/0",at="105s",restart_after="5s"},)"
       R"({group="registry/0",at="120s",restart_after="5s"}])"},
      {R"(about="lives",at="100s",for="20s")",
       R"(faults.crash=[{process="us-east1/joiner/0",at="105s",times=2,restart_after="1s",)"
       R"(up_for="2s"}])"},
  }));
  INFO(fault);
  const std::string held = "faults.overtaken=[{" + fault + "}]";
  const Ran with = run("scenarios/healthy.toml", 1, {"registry.sharding=dynamic", change, held});
  photonsim::tests::require_clean(with);
  const Kinds& kinds = with.outcome.summary.fault_kinds;
  CHECK(photon::analysis::count_of(kinds, "overtaken") == 1);
  const Ran usual = run("scenarios/healthy.toml", 1, {"registry.sharding=dynamic", change});
  CHECK(with.outcome.summary.fingerprint != usual.outcome.summary.fingerprint);
}
