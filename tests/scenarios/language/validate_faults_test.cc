#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/faults/clock.h"
#include "scenarios/faults/disk.h"
#include "scenarios/faults/link.h"
#include "scenarios/faults/log.h"
#include "scenarios/faults/outage.h"
#include "scenarios/faults/overtaken.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/random.h"
#include "scenarios/language/schema.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

std::string bandwidth_fault(const std::string& body) { return fault("bandwidth", body); }

}  // namespace

TEST_CASE("validate: a link of limited bandwidth joins parties that exist, and transmits") {
  const auto bandwidth = [](const std::string& body) {
    return bandwidth_fault(body + ",at=\"100s\",for=\"5s\"");
  };
  const std::string good = "from=[\"us-east1/joiner\"],to=[\"registry/2\"],rate=\"64KiB\"";
  CHECK(to_toml(must_load("", {bandwidth(good)})).find("[[faults.bandwidth]]") !=
        std::string::npos);
  refused({bandwidth("from=[],rate=\"64KiB\"")}, "concerns no process");
  refused({bandwidth("to=[\"mars\"],rate=\"64KiB\"")}, "no process is called \"mars\"");
  refused({bandwidth("rate=\"0B\"")}, "rate");
  refused({bandwidth("from=[\"any\"]")}, "rate");
  refused({bandwidth_fault("rate=\"64KiB\",at=\"10000s\",for=\"5s\"")}, "begins at");
}

TEST_CASE("validate: overtaken answers reach parties that exist, and wait for a change") {
  const auto overtaken = [](const std::string& body) {
    return fault("overtaken", body + R"(,at="100s",for="5s")");
  };
  const Config loaded =
      must_load("", {overtaken(R"(about="lives",processes=["us-east1/joiner"],changes=3)")});
  CHECK(loaded.faults.of<OvertakenFault>()[0] ==
        OvertakenFault{AnswersAbout::kLives, {"us-east1/joiner"}, 1.0, 3, 100s, 5s});
  CHECK(to_toml(loaded).find("[[faults.overtaken]]") != std::string::npos);
  refused({overtaken("processes=[]")}, "concerns no process");
  refused({overtaken(R"(processes=["mars"])")}, "no process is called \"mars\"");
  refused({overtaken("changes=0")}, "changes");
  refused({overtaken("share=0.0")}, "no answer is concerned");
  refused({overtaken(R"(about="weather")")}, "about");
  refused({overtaken(R"(about="shards")")}, "no configuration to learn", "dynamic");
  refused({fault("overtaken", R"(at="10000s",for="5s")")}, "begins at");
}

TEST_CASE("E-08 BC-18 lost caches and late configurations concern what a configuration has") {
  refused({fault("cache_loss", R"(process="us-east1/joiner/0",at="1s")")}, "a joiner is no cache",
          "cache/0");
  refused({fault("cache_loss", R"(process="us-east1/cache/9",at="1s")")}, "there is no cache 9");
  refused({fault("cache_loss", R"(process="us-east1/cache/0",at="20min")")}, "begins at 20min");
  const std::string drawn = R"(kind="cache_loss",mean_interval="1min")";
  refused({"workload.kind=registry", fault("random", drawn)}, "there are no caches", "synthetic");
  refused({fault("random", drawn + ",datacenter=\"us-west2\"")}, "runs no pipeline");
  refused({fault("random", drawn + ",target=\"joiner\"")}, "target has no effect");
  refused({fault("random", drawn + ",restart_after=\"1s\"")}, "restart_after has no effect");
  refused({fault("random", drawn + ",mean_duration=\"1s\"")}, "mean_duration has no effect");
  CHECK(must_load("", {fault("random", drawn)}).faults.of<RandomFault>().size() == 1);

  const std::string dynamic = "registry.sharding=dynamic";
  const std::string late = R"(at="1s",for="9s")";
  refused({fault("late_configuration", late)}, "no configuration to learn", "dynamic");
  refused({dynamic, fault("late_configuration", late + ",processes=[]")}, "concerns no process");
  refused({dynamic, fault("late_configuration", late + R"(,processes=["us-east9"])")},
          "no process is called");
  refused({dynamic, fault("late_configuration", R"(at="20min",for="9s")")}, "begins at 20min");
  CHECK(must_load("", {dynamic, fault("late_configuration", late)})
            .faults.of<LateConfigurationFault>()[0] == LateConfigurationFault{{"any"}, 1s, 9s});
  const std::string often = R"(kind="late_configuration",mean_interval="1min")";
  refused({fault("random", often)}, "no configuration to learn", "dynamic");
  refused({dynamic, fault("random", often + ",restart_after=\"1s\"")},
          "restart_after has no effect");
  CHECK(must_load("", {dynamic, fault("random", often + R"(,datacenter="us-west2")")})
            .faults.of<RandomFault>()
            .size() == 1);
}

TEST_CASE("clock faults: each kind has its keys, its victims, and stays inside the bound") {
  const auto fault = [](const std::string& rest) {
    return "faults.clock=[{at=\"60s\"," + rest + "}]";
  };
  refused({fault(R"(kind="offset",for="5s")")}, "this fault moves nothing", "and is above 0");
  refused({fault(R"(kind="freeze",by="5ms",for="5ms")")}, "this kind has no amount");
  refused({fault(R"(kind="drift",for="5s")")}, "this clock runs as it should");
  refused({fault(R"(kind="offset",rate="1%",by="5ms",for="5s")")}, "this kind has no rate");
  refused({fault(R"(kind="offset",by="5ms")")}, "ends when it begins");
  refused({fault(R"(kind="step",by="5ms",for="5s")")}, "until the clock is synchronised again");
  refused({fault(R"(kind="step",by="5ms",process="us-east1/joiner/99")")}, "there is no joiner 99");
  refused({fault(R"(kind="step",by="5ms",process="us-east1/joiner/0",server="1")")},
          "two different hosts");
  refused({fault(R"(kind="step",by="5ms",server="99")")}, "there is no server \"99\"");
  refused({fault(R"(kind="truetime_outage",for="5s")")}, "calendar clock alone", "truetime_outage");
  refused({R"(faults.clock=[{at="1000h",kind="step",by="5ms"}])"}, "generates until");
  // epsilon is 100 ms, of which sync_error and drift take 16 ms.
  for (const std::string out :
       {R"(kind="offset",by="85ms",for="5s")", R"(kind="step",by="85ms")",
        R"(kind="freeze",for="85ms")", R"(kind="drift",rate="1%",for="9s")",
        R"(kind="truetime_outage",process="us-east1/joiner/0",for="8min")"}) {
    refused({fault(out)}, "leave 83999998ns of epsilon", "violate_clock_bound = true");
    CHECK(must_load("", {fault(out), "clocks.violate_clock_bound=true"})
              .faults.of<ClockFault>()
              .size() == 1);
  }
  refused({fault(R"(kind="lying_interval",by="5s",for="5s",process="us-east1/joiner/0")")},
          "would not contain true time", "violate_clock_bound = true");
  refused({fault(R"(kind="monotonic_drift",rate="1%",for="5s",process="us-east1/joiner/0")")},
          "leases depend on", "violate_clock_bound = true");
  CHECK(must_load("", {fault(R"(kind="offset",by="80ms",for="5s",direction="back")")})
            .faults.of<ClockFault>()[0]
            .direction == ClockDirection::kBack);
  refused({R"(faults.output_loss=[{datacenter="us-east1",at="60s",returns_after="1000h"}])"},
          "generates until");
}

TEST_CASE("A-21 A-26 faults of logs and output name what exists and have a target") {
  refused({fault("log_damage", R"(log="queries",at="20min",for="1min")")}, "begins at 20min");
  refused({fault("log_damage", R"(log="queries",at="1s",for="1min",datacenter="us-west2")")},
          "runs no pipeline");
  refused({fault("log_damage", R"(log="queries",at="1s",for="1min",share=0)")},
          "no record is damaged");
  refused({fault("log_stall", R"(log="clicks",at="1s",for="1s",server="8")")}, "no server \"8\"",
          "from 0 to 7");
  refused({fault("log_stall", R"(log="clicks",at="1s",for="1s",server="first")")},
          "no server \"first\"");
  refused({fault("log_truncation", R"(log="clicks",datacenter="us-west2",at="1s",for="1s")")},
          "runs no pipeline");
  refused({fault("log_truncation",
                 R"(log="clicks",server="8",datacenter="us-east1",at="1s",for="1s")")},
          "no server \"8\"");
  refused({fault("log_truncation", R"(log="clicks",datacenter="us-east1",at="20min",for="1s")")},
          "begins at 20min");
  refused({fault("log_truncation", R"(log="clicks",at="1s",for="1s")")}, "datacenter");
  refused({fault("output_loss", R"(datacenter="us-east2",at="1s")")}, "no datacenter");
  const Config c =
      must_load("", {fault("log_damage", R"(log="clicks",at="1s",for="1min",how="lose")"),
                     fault("log_stall", R"(log="queries",at="1s",for="1s",server="7",tail="2s")"),
                     fault("output_loss", R"(datacenter="us-west1",at="1s",records=3)")});
  CHECK(c.faults.of<LogDamageFault>().at(0).how == DamageKind::kLose);
  CHECK(c.faults.of<LogStallFault>().at(0).tail == 2s);
  CHECK(c.faults.of<OutputLossFault>().at(0).records == 3);
  const Config cut = must_load(
      "", {fault("log_truncation",
                 R"(log="clicks",server="7",datacenter="us-west1",at="1s",for="4s",bytes=10)")});
  CHECK(cut.faults.of<LogTruncationFault>().at(0).bytes == 10);
  refused({"workload.kind=registry", fault("output_loss", R"(datacenter="us-east1",at="1s")")},
          "no logs and no output");
}

TEST_CASE("faults of disks name a disk or a cell, and keys that belong to their kind") {
  const auto disk = [](std::string_view where, std::string_view kind, std::string_view rest = "") {
    return fault("disk", fmt::format(R"(where="{}",kind="{}",at="60s"{})", where, kind, rest));
  };
  refused({disk("us-west2", "full")}, "runs no pipeline");
  refused({disk("us-east2", "full")}, "is not the name of a process");
  refused({disk("us-east1/joiner/0", "full")}, "keeps nothing on a disk", "a datacenter's cell");
  refused({disk("registry/9@us-east1", "full")}, "there is no registry 9");
  refused({disk("us-east1", "lost_sync")}, "survives the crashes of its hosts");
  refused({disk("us-east1", "full", ",share=0")}, "no request is concerned");
  refused({disk("us-east1", "slow", ",factor=1")}, "nothing is slower");
  refused({disk("us-east1", "full", ",factor=3")}, "factor has no effect", "slow");
  refused({disk("us-east1", "torn_write", ",share=0.5")}, "share has no effect");
  refused({disk("us-east1", "bit_rot", R"(,for="1s")")}, "for has no effect");
  refused({fault("disk", R"(where="us-east1",kind="full",at="20min")")}, "begins at 20min");
  const Config c = must_load("", {disk("registry/0@us-west2", "slow", ",factor=3,share=0.5")});
  REQUIRE(c.faults.of<DiskFault>().size() == 1);
  CHECK(c.faults.of<DiskFault>()[0].kind == DiskFaultKind::kSlow);
  CHECK(c.faults.of<DiskFault>()[0].duration == 10s);
}

TEST_CASE("A-33 servers that lose TrueTime exist, and can leave events out") {
  refused({fault("truetime_outage", R"(log="clicks",at="20min",for="1min")")}, "begins at 20min");
  refused({fault("truetime_outage", R"(log="clicks",at="1s",for="1min",server="*")")}, "not a name",
          "\"any\": all");
  refused({fault("truetime_outage", R"(log="clicks",at="1s",for="1min",server="8")")},
          "no server \"8\"", "from 0 to 7");
  for (const std::string kind : {"trace", "registry"}) {
    refused({"workload.kind=" + kind, fault("truetime_outage", R"(log="clicks",at="1s",for="1s")")},
            "events that this workload says happened", "workload.kind = \"synthetic\"");
  }
  const Config c =
      must_load("", {fault("truetime_outage", R"(log="queries",at="1s",for="1min",server="3")")});
  CHECK(c.faults.of<TrueTimeOutageFault>().at(0).server == "3");
  CHECK(c.faults.of<TrueTimeOutageFault>().at(0).duration == 60s);
}

TEST_CASE("faults name what exists and begin during the run") {
  refused({fault("outage", R"(datacenter="us-east2",at="1min",for="1min")")}, "no datacenter",
          "us-east1");
  refused({fault("outage", R"(datacenter="us-east1",at="20min",for="1min")")}, "begins at 20min");
  refused({fault("outage", R"(datacenter="us-west2",component="pipeline",at="1s",for="1s")")},
          "runs no pipeline");
  for (const char* component : {"cell", "logs"}) {
    const std::string body = "\",component=\"" + std::string{component} + "\",at=\"1s\",for=\"1s\"";
    refused({fault("outage", "datacenter=\"us-west2" + body)}, "runs no pipeline");
    CHECK(must_load("", {fault("outage", "datacenter=\"us-west1" + body)})
              .faults.of<OutageFault>()
              .size() == 1);
  }
  refused({fault("random", R"(kind="process_crash",mean_interval="1s",datacenter="x")")},
          "no datacenter");
  refused(
      {fault("random",
             R"(kind="process_crash",target="joiner",mean_interval="1s",datacenter="us-west2")")},
      "runs no pipeline");
  refused({fault("random", R"(kind="partition",mean_interval="1s",from="30min")")}, "begins at");
  refused({fault("random", R"(kind="partition",mean_interval="1s",from="2s",until="1s")")},
          "before it begins");
  refused({fault("random", R"(kind="partition",mean_interval="1s",until="21min")")},
          "after the end");
  refused({fault("random", R"(kind="partition",mean_interval="1ms")")}, "more than 1000000 faults");
  refused({fault("random", R"(kind="partition",mean_interval="0s")")}, "out of range");
  refused({fault("random", R"(kind="disk_loss",mean_interval="1min",target="registry")")},
          "has no effect on this kind", "process_crash");
  refused({fault("crash", R"(process="us-east1/joiner/0",at="1s",lose_disk=true)")},
          "keeps nothing on a disk", "a replica of the registry");
  refused({fault("crash", R"(process="registry/0@us-east1",at="1s",lose_disk=true,as_new=true)")},
          "a disk is set up as new when one was lost", "contract");
  CHECK(must_load("", {fault("crash", R"(process="registry/0@us-east1",at="1s",lose_disk=true)")})
            .faults.of<CrashFault>()
            .at(0)
            .lose_disk);
  // Keys of the other kind of random fault.
  for (const char* key : {R"(target="joiner")", R"(restart_after="1s")"}) {
    refused({fault("random", R"(kind="partition",mean_interval="1min",)" + std::string{key})},
            "has no effect on this kind", "process_crash");
  }
  for (const char* key : {R"(direction="one_way")", R"(mean_duration="1s")"}) {
    refused({fault("random", R"(kind="process_crash",mean_interval="1min",)" + std::string{key})},
            "has no effect on this kind", "partition");
  }
  refused({fault("partition", R"(from=["east"],to=["us-east4"],at="1s",for="1s")")},
          "on both sides");
  refused({fault("partition", R"(from=["eest"],to=["west"],at="1s",for="1s")")},
          "no datacenter or region \"eest\"", "east");
  refused({fault("partition", R"(from=[],to=["west"],at="1s",for="1s")")}, "empty");
}

TEST_CASE("crashes name processes that exist") {
  const auto crash = [](std::string_view process) {
    return fault("crash", "process=\"" + std::string{process} + "\",at=\"1s\"");
  };
  refused({crash("joiner")}, "not the name of a process");
  refused({crash("us-east1/joiner/8")}, "no joiner 8", "from 0 to 7");
  refused({crash("us-east1/joyner/1")}, "no process is called \"joyner\"", "joiner");
  refused({crash("us-east4/joiner/1")}, "runs no pipeline");
  refused({crash("us-east8/joiner/1")}, "no datacenter");
  refused({crash("us-east4/incarnations/0")}, "runs no pipeline");
  refused({crash("us-east1/reader/1")}, "no reader 1", "from 0 to 0");
  refused({crash("us-east1/joiner/03")}, "not the name of a process");
  refused({crash("registry/4@us-east1")}, "no registry 4");
  refused({crash("registry/1@us-east8")}, "no datacenter");
  for (const char* good : {"us-east1/joiner/7", "us-west1/dispatcher/0", "registry/3@us-east4",
                           "us-east1/cache/3", "us-east1/reader/0", "us-east1/incarnations/0"}) {
    CHECK(must_load("", {crash(good)}).faults.of<CrashFault>().size() == 1);
  }
}

TEST_CASE("masters are killed and moved in groups that exist, to where there is a replica") {
  const auto kill = [](std::string_view group, std::string_view at) {
    return "operations.kill_master=[{group=\"" + std::string{group} + "\", at=\"" +
           std::string{at} + "\"}]";
  };
  const auto move = [](std::string_view group, std::string_view to) {
    return "operations.move_master=[{group=\"" + std::string{group} + "\", to=\"" +
           std::string{to} + "\", at=\"1s\"}]";
  };
  const std::string dynamic = "registry.sharding=dynamic";
  for (const char* bad : {"registry/4", "registry/x", "registry/03", "registry", "sharding/0"}) {
    refused({kill(bad, "1s")}, "there is no group", "\"registry/3\"");
  }
  refused({kill("registry/0", "10h")}, "begins at 10h");
  refused({move("registry/0", "us-eest1")}, "has no replica", "us-east1");
  refused({dynamic, kill("sharding/1", "1s")}, "there is no group");
  const Config config =
      must_load("", {dynamic, kill("sharding/0", "1s"), move("registry/3", "us-west1")});
  CHECK(group_number(config, config.operations.kills.at(0).group) == 4);
  CHECK(config.operations.kills.at(0).restart_after == std::chrono::seconds(5));
  CHECK(group_number(config, config.operations.moves.at(0).group) == 3);
}
