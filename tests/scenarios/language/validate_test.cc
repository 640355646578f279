#include <fmt/format.h>

#include "scenarios/language/config_names.h"
#include "scenarios/language/config_validate.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

void refused(const std::vector<std::string>& set, std::string_view message,
             std::string_view hint = {}) {
  CAPTURE(set);
  CHECK(has(must_fail("", set), {message, 0, 0, hint}));
}

std::string many_replicas(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += (i == 0 ? "d" : ",d") + std::to_string(i);
  return list;
}

std::string many_datacenters(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    list +=
        (i == 0 ? "" : ",") + std::string("{name=\"d") + number + "\",region=\"r" + number + "\"}";
  }
  return "topology.datacenter=[" + list + "]";
}

std::string all_links(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) {
      list += (list.empty() ? "" : ",") + std::string("{from=\"d") + std::to_string(i) +
              "\",to=\"d" + std::to_string(j) + "\",rtt=\"9ms\"}";
    }
  }
  return "network.link=[" + list + "]";
}

std::string fault(std::string_view table, std::string_view body) {
  return "faults." + std::string{table} + "=[{" + std::string{body} + "}]";
}

}  // namespace

TEST_CASE("B-05 L-08 no region may hold a majority of the registry replicas") {
  refused({"registry.replicas=us-east1,us-east4,us-west1"}, "region \"east\" holds 2 of 3");
  CHECK(
      must_load("", {"registry.replicas=us-east1,us-central1,us-west1"}).registry.replicas.size() ==
      3);
  const std::string three_in_one =
      "[[topology.datacenter]]\nname = \"a\"\nregion = \"r\"\n"
      "[[topology.datacenter]]\nname = \"b\"\nregion = \"r\"\n"
      "[[topology.datacenter]]\nname = \"c\"\nregion = \"r\"\n"
      "[topology]\npipelines = [\"a\"]\n[registry]\nreplicas = [\"a\", \"b\", \"c\"]\n"
      "[network]\nwan = \"links\"\n"
      "link = [{from = \"a\", to = \"b\", rtt = \"1ms\"}, {from = \"a\", to = \"c\", rtt = "
      "\"1ms\"}, {from = \"c\", to = \"b\", rtt = \"1ms\"}]\n";
  const auto problems = must_fail(three_in_one);
  CHECK(problems.size() == 1);
  CHECK(has(problems, {"region \"r\" holds 3 of 3", 13, 12, "at most 1"}));
}

// The regions of 2f+1 replicas, exactly as in the paper.
std::string replicas_in(std::string_view regions) {
  std::string text;
  std::string names;
  std::string links;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    text += fmt::format("[[topology.datacenter]]\nname = \"d{}\"\nregion = \"{}\"\n", i,
                        std::string(1, regions[i]));
    names += fmt::format("{}\"d{}\"", i == 0 ? "" : ", ", i);
    for (std::size_t k = 0; k < i; ++k) {
      links += fmt::format("{{from = \"d{}\", to = \"d{}\", rtt = \"9ms\"}}, ", k, i);
    }
  }
  return text + "[topology]\npipelines = [\"d0\"]\n[registry]\nreplicas = [" + names +
         "]\n[network]\nwan = \"links\"\nlink = [" + links + "]\n";
}

TEST_CASE("B-04 B-05 placements of 1, 3, 5 and 7 replicas: at most f of them in one region") {
  for (const char* good : {"r", "abc", "aabbc", "abcde", "aaabbbc", "aabbccd"}) {
    INFO(good);
    CHECK(must_load(replicas_in(good)).registry.replicas.size() == std::string_view(good).size());
  }
  for (const char* bad : {"aab", "aaabb", "aaabc", "aaaabbb", "aaaabcd", "aaaaaaa"}) {
    INFO(bad);
    const auto problems = must_fail(replicas_in(bad));
    CHECK(problems.size() == 1);
    CHECK(has(problems, {"region \"a\" holds", 0, 0, "per region"}));
  }
}

TEST_CASE("replicas are an odd number of different, known datacenters") {
  refused({"registry.replicas=us-east1,us-west1"}, "not 2f+1", "odd");
  refused({"registry.replicas=[]"}, "not 2f+1");
  refused({"registry.replicas=us-east1,us-west1,us-west1"}, "twice");
  refused({"registry.replicas=us-esat1,us-west1,us-central1"}, "unknown datacenter", "us-east1");
}

TEST_CASE("pipelines exist, at least one, each once") {
  refused({"topology.pipelines=[]"}, "no pipeline");
  refused({"topology.pipelines=us-east1,us-east1"}, "twice");
  refused({"topology.pipelines=us-eest1"}, "unknown datacenter \"us-eest1\"", "us-east1");
}

TEST_CASE("datacenters have names of their own") {
  const auto twice = must_fail(
      "include = [\"photon_base.toml\"]\n"
      "[[topology.datacenter]]\nname = \"us-east1\"\nregion = \"east\"\n");
  CHECK(has(twice, {"two datacenters \"us-east1\"", 3, 8}));
  refused({"topology.datacenter=[{name=\"a\",region=\"a\"}]"}, "a datacenter and a region");
  refused({"topology.datacenter=[]"}, "no datacenter");
  refused({"topology.datacenter=[{name=\"a@b\",region=\"r\"}]"}, "cannot be called \"a@b\"");
}

TEST_CASE("every two datacenters in use have a round trip") {
  const std::vector<std::string> links{"network.wan=links"};
  refused(links, "no round trip is known between \"us-central1\" and \"us-east1\"", "network.link");
  refused({"network.link=[{from=\"us-east1\",to=\"us-east9\",rtt=\"1ms\"}]"}, "unknown datacenter",
          "us-east1");
  refused({"network.link=[{from=\"us-east1\",to=\"us-east1\",rtt=\"1ms\"}]"}, "to itself");
  refused({"network.link=[{from=\"us-east1\",to=\"us-east4\",rtt=\"1ms\"},{from=\"us-east4\",to="
           "\"us-east1\",rtt=\"1ms\"}]"},
          "two links");
  CHECK(must_load("", {"network.link=[{from=\"us-east1\",to=\"us-east4\",rtt=\"1ms\"}]"})
            .network.links.size() == 1);
}

TEST_CASE("a scenario has a size that the simulator can hold") {
  refused({"registry.replicas=" + many_replicas(33), "topology.pipelines=d0", many_datacenters(33),
           all_links(33)},
          "33 entries, more than 32");
  CHECK(must_load("", {"registry.replicas=" + many_replicas(31), "topology.pipelines=d0",
                       many_datacenters(33), all_links(33)})
            .registry.replicas.size() == 31);
  refused({"registry.shards=10000", "registry.replicas=" + many_replicas(31),
           "topology.pipelines=d0", many_datacenters(33), all_links(33)},
          "this deployment has 310016 processes", "fewer shards");
  CHECK(must_load("", {"registry.shards=10000"}).registry.shards == 10'000);
  refused({many_datacenters(257)}, "there are 257 datacenters, more than 256");
  refused({"network.link=[{from=\"us-east1\",to=\"us-east4\",rtt=\"0s\"}]"}, "out of range");
}

TEST_CASE("pinned masters need a replica") {
  refused({"registry.master_placement=pinned"}, "no replica");
  refused({"registry.master_placement=pinned", "registry.pinned_datacenter=us-west3"}, "no replica",
          "us-west1");
  CHECK(must_load("", {"registry.master_placement=pinned", "registry.pinned_datacenter=us-west1"})
            .registry.master_placement == MasterPlacement::kPinned);
}

TEST_CASE("A-32 clocks stay inside their bound unless the scenario states otherwise") {
  refused({"clocks.epsilon=15ms"}, "A-32", "violate_clock_bound");
  refused({"clocks.sync_period=10min"}, "A-32");
  // 10 ms + 200 ppm of 30 s; the bound is strict, as in models/clocks.h
  refused({"clocks.epsilon=16ms"}, "must be smaller than S", "violate_clock_bound");
  refused({"clocks.epsilon=16000001ns"}, "must be smaller than S");
  CHECK(must_load("", {"clocks.epsilon=16000002ns"}).clocks.epsilon == 16000002ns);
  refused({"clocks.epsilon=0s", "clocks.drift=0", "clocks.sync_error=0s"}, "= 0s (SPEC A-32)");
  CHECK(must_load("", {"clocks.epsilon=1ms", "clocks.drift=0", "clocks.sync_error=0s"})
            .clocks.drift == 0.0);
  CHECK(must_load("", {"clocks.epsilon=15ms", "clocks.violate_clock_bound=true"})
            .clocks.violate_clock_bound);
  refused({"clocks.step_interval=1min"}, "would do nothing", "step_max");
  refused({"clocks.step_interval=1min", "clocks.step_max=300ms"}, "leaves the bound");
  refused({"clocks.drift=300ppm"}, "leases would not be safe");
}

TEST_CASE("clock faults: each kind has its keys, its victims, and stays inside the bound") {
  const auto fault = [](const std::string& rest) {
    return "faults.clock=[{at=\"60s\"," + rest + "}]";
  };
  refused({fault(R"(kind="offset",for="5s")")}, "this fault moves nothing", "more than nothing");
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
          "leases rest on", "violate_clock_bound = true");
  CHECK(must_load("", {fault(R"(kind="offset",by="80ms",for="5s",direction="back")")})
            .faults.of<ClockFault>()[0]
            .direction == ClockDirection::kBack);
  refused({R"(faults.output_loss=[{datacenter="us-east1",at="60s",returns_after="1000h"}])"},
          "generates until");
}

TEST_CASE("timers are in a consistent order") {
  refused({"registry.lease=2s"}, "registry.lease = 2s must be smaller");
  refused({"registry.heartbeat=1500ms"}, "registry.heartbeat = 1500ms must be smaller");
  refused({"dispatcher.backoff_initial=10min"}, "above dispatcher.backoff_cap");
  refused({"dispatcher.unjoinable_age=3d"}, "reaches registry.gc_age", "too old");
  refused({"dispatcher.state_save_period=10s"}, "must be smaller than dispatcher.lease");
  refused({"cell.append_p99=10s", "cell.append_median=1s"}, "must be smaller than dispatcher.lease",
          "with an append");
  refused({"joiner.registry_timeout=0s"}, "out of range");
  refused({"disk.fsync_p99=10us"}, "no lognormal latency");
  refused({"cell.append_median=0s"}, "no lognormal latency");
  refused({"cell.append_median=1us", "cell.append_p99=1s"}, "more than 1000 times the median",
          "cell.append_median");
  CHECK(must_load("", {"disk.fsync_median=0s", "disk.fsync_p99=0s"}).disk.fsync_p99 == 0s);
}

TEST_CASE("what recurs does so at a rate that a run can bear") {
  for (const char* key :
       {"registry.heartbeat", "registry.lease", "registry.election_timeout",
        "registry.boundary_period", "registry.gc_scan_period", "registry.routing.retire_period",
        "registry.routing.horizon_period", "registry.routing.retry_delay", "clocks.sync_period",
        "dispatcher.scan_period", "dispatcher.state_save_period", "joiner.registry_timeout",
        "event_store.reader_poll", "shipping.chunk", "shipping.redraw"}) {
    refused({std::string(key) + "=999us"}, std::string(key) + " = 999us is out of range",
            "allowed: 1ms to");
  }
  refused({"registry.heartbeat=1ms"}, "more than 1000 heartbeats in a lease of 1500ms", "a third");
  CHECK(must_load("", {"registry.heartbeat=1500us"}).registry.heartbeat == 1500us);
  refused({"clocks.step_interval=1us", "clocks.step_max=1ms"}, "does not end", "at least 1ms");
}

TEST_CASE(
    "B-61 slices of garbage collection: derived from N unless stated, and consistent with it") {
  const auto slice = [](const std::string& age) {
    return must_load(
               "", {"registry.gc_age=" + age, "dispatcher.unjoinable_age=1us", "clocks.epsilon=0s",
                    "clocks.drift=0", "clocks.sync_error=0s", "clocks.violate_clock_bound=true"})
        .registry.collected_slice();
  };
  CHECK(slice("3d") == 10s);
  CHECK(slice("4s") == 250ms);
  CHECK(slice("2ms") == 1ms);
  CHECK(must_load("", {"registry.gc_slice=1min"}).registry.collected_slice() == 1min);
  refused({"registry.gc_slice=73h"}, "wider than registry.gc_age = 3d", "auto");
  refused({"registry.gc_slice=100ms"}, "more than 1000000 slices", "auto");
  refused({"registry.gc_batch=0"}, "out of range");
}

TEST_CASE("workloads fit the run") {
  refused({"run.warm_up=20min"}, "leaves no time");
  refused({"run.duration=auto"}, "needs a trace");
  refused({"workload.synthetic.slow_median=0s"}, "slow clicks");
  CHECK(must_load("", {"workload.synthetic.slow_median=0s", "workload.synthetic.fast_fraction=1"})
            .workload.synthetic.fast_fraction == 1.0);
  refused({"workload.synthetic.clicks=1000000000000"}, "out of range", "1000000000");
  refused({"workload.synthetic.clicks=1000000000", "workload.synthetic.queries_per_click=1000000"},
          "queries, more than", "fewer clicks");
  refused({"run.duration=1ns", "run.warm_up=0s"}, "out of range", "1ms");
  refused({"run.duration=1ms", "run.warm_up=999999ns"}, "clicks in 1ns from 8 servers are",
          "longer run.duration");
  refused({"run.duration=1ms", "run.warm_up=0s", "workload.synthetic.clicks=100000"},
          "queries in 1ms from 8 servers are 1.25e+08 per server and second", "query_servers");
  CHECK(must_load("", {"run.duration=1ms", "run.warm_up=0s", "workload.synthetic.clicks=80000"})
            .workload.synthetic.clicks == 80'000);
  refused({"workload.synthetic.click_payload=0B"}, "out of range", "4B");
  refused({"workload.synthetic.query_payload=3B"}, "out of range", "4B");
  refused({"workload.kind=trace"}, "workload.primary.file is not stated", "--set");
  refused({"workload.kind=trace", "workload.primary.file=/nowhere.csv"}, "cannot read the file");
  refused({"workload.kind=trace", "workload.primary.file=/tmp"}, "cannot read the file");
  refused({"workload.kind=trace", "workload.primary.id="}, "names no column");
}

TEST_CASE(
    "a registry workload states its duration and rate, and has clients instead of pipelines") {
  const std::string alone = "workload.kind=registry";
  CHECK(must_load("", {alone, "registry.gc_age=5s"}).registry_only());
  refused({alone, "run.duration=auto"}, "needs a trace");
  refused({alone, "workload.registry.rate=1000000"}, "operations, more than", "lower rate");
  refused({alone, "workload.registry.known=0.6", "workload.registry.aged=0.6"},
          "more than all operations");
  const auto crash = [](const std::string& target) {
    return fault("random", R"(kind="process_crash",mean_interval="1min",target=")" + target + "\"");
  };
  refused({alone, crash("joiner")}, "nobody to crash", "client");
  refused({crash("client")}, "only a registry workload");
  refused({crash("verifier")}, "nobody of that sort", "verification.enabled = true");
  refused({crash("auditor")}, "nobody of that sort", "verification.enabled = true");
  refused({crash("mirror")}, "nobody of that sort", "joiner.output_copies = true");
  CHECK(must_load("", {"verification.enabled=true", crash("verifier")})
            .faults.of<RandomFault>()
            .size() == 1);
  CHECK(must_load("", {alone, crash("client")}).faults.of<RandomFault>().size() == 1);
  const auto scripted = [](const std::string& process) {
    return fault("crash", "process=\"us-east1/" + process + "\",at=\"1s\"");
  };
  CHECK(must_load("", {alone, scripted("client/1")}).faults.of<CrashFault>().size() == 1);
  refused({alone, scripted("client/2")}, "there is no client 2");
  refused({alone, scripted("joiner/0")}, "this run has no process called \"joiner\"",
          "workload.kind = \"synthetic\"");
  refused({scripted("client/0")}, "this run has no process called \"client\"",
          "workload.kind = \"registry\"");
  refused({scripted("cleint/0")}, "no process is called \"cleint\"", "one of \"joiner\"");
  refused({alone, scripted("cleint/0")}, "no process is called \"cleint\"",
          "did you mean \"client\"?");
}

TEST_CASE("A-21 A-26 faults of logs and output name what exists and strike somebody") {
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

TEST_CASE("A-14 A-22 log files are limited in number, and in disorder to what is searched") {
  refused({"workload.synthetic.log_file_bytes=256B"}, "files, more than 16000", "longer files");
  CHECK(
      must_load("", {"workload.synthetic.log_file_bytes=1MiB"}).workload.synthetic.log_file_bytes ==
      1 << 20);
  refused({"workload.synthetic.disorder=51ms"}, "searches 50ms only", "E-17");
  CHECK(must_load("", {"workload.synthetic.disorder=1s", "event_store.disorder=1s"})
            .workload.synthetic.disorder == 1s);
  refused({"cell.keep_output=1h", "verification.enabled=true"}, "needs the whole output");
}

TEST_CASE("D-08 output to be copied to another datacenter does not leave its cell") {
  refused({"cell.keep_output=1h", "joiner.output_copies=true"}, "before it is shipped",
          "cell.keep_output = \"0s\"");
  CHECK(must_load("", {"cell.keep_output=1h"}).cell.keep_output == 1h);
  CHECK(must_load("", {"joiner.output_copies=true"}).joiner.output_copies);
  CHECK(must_load("", {"cell.keep_output=0s", "joiner.output_copies=true"}).joiner.output_copies);
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

TEST_CASE("a registry is resharded only if it can be, and while clicks are generated") {
  const auto reshard = [](std::string_view at) {
    return "operations.reshard=[{at=\"" + std::string{at} + "\", shards=8}]";
  };
  const std::string dynamic = "registry.sharding=dynamic";
  refused({reshard("1s")}, "cannot be resharded", "dynamic");
  refused({dynamic, reshard("10h")}, "begins at 10h");
  const Config config = must_load("", {dynamic, reshard("1s")});
  REQUIRE(config.operations.reshards.size() == 1);
  CHECK(most_shards(config) == 8);
  CHECK(most_shards(must_load("", {dynamic})) == config.registry.shards);
  const std::string crash =
      "faults.crash=[{process=\"us-east4/sharding/0\", at=\"1s\"}, "
      "{process=\"registry/7@us-east1\", at=\"1s\"}]";
  CHECK(must_load("", {dynamic, reshard("1s"), crash}).faults.of<CrashFault>().size() == 2);
  refused({crash}, "this run has no process called \"sharding\"", "dynamic");
  refused({dynamic, crash}, "no registry 7");
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

TEST_CASE("D-05 keys of adapters belong to the adapter that is chosen") {
  refused({"joiner.adapter=filter"}, "this filter skips nothing");
  refused({"joiner.skip_modulo=3"}, "skip_modulo has no effect on this adapter",
          "joiner.adapter = \"filter\"");
  refused({"joiner.adapter=enrich", "joiner.skip_modulo=3"}, "no effect on this adapter");
  refused({"joiner.delay_step=5s"}, "delay_step has no effect on this adapter");
  CHECK(must_load("", {"joiner.adapter=filter", "joiner.skip_modulo=3"}).joiner.skip_modulo == 3);
  CHECK(must_load("", {"joiner.adapter=enrich", "joiner.delay_step=5s"}).joiner.delay_step ==
        std::chrono::seconds(5));
}

TEST_CASE("J-L1 without tokens verification is impossible") {
  refused({"joiner.tokens=false", "verification.enabled=true"}, "verification recovers clicks");
  CHECK_FALSE(must_load("", {"joiner.tokens=false"}).joiner.tokens);
}

TEST_CASE("D-15 the declared bound of the window: stated, or that of the registrations") {
  CHECK(window_bound(must_load("", {"joiner.max_outstanding_registry=7"}).joiner) == 7);
  CHECK(window_bound(must_load("", {"joiner.max_window=9"}).joiner) == 9);
}

TEST_CASE("D-08 D-23 graceful stops, and mirrors where there are copies") {
  refused(
      {fault("crash", R"(process="registry/0@us-east1",at="1s",lose_disk=true,gracefully=true)"),
       "run.duration=90s"},
      "a process ends in one way");
  refused({fault("crash", R"(process="us-east1/mirror/0",at="1s")"), "run.duration=90s"},
          "this run has no process called \"mirror\"", "joiner.output_copies = true");
  const Config config =
      must_load("", {fault("crash", R"(process="us-east1/mirror/0",at="1s",gracefully=true)"),
                     "run.duration=90s", "joiner.output_copies=true"});
  CHECK(config.faults.of<CrashFault>().front().gracefully);
}

TEST_CASE("names of processes") {
  const auto joiner = parse_process("us-east1/joiner/3");
  REQUIRE(joiner);
  CHECK(joiner->datacenter == "us-east1");
  CHECK(joiner->role == "joiner");
  CHECK(joiner->number == 3);
  const auto replica = parse_process("registry/2@us-east4");
  REQUIRE(replica);
  CHECK(replica->datacenter == "us-east4");
  CHECK(replica->number == 2);
  for (const char* bad : {"", "/", "a/b", "a//1", "a/b/", "a/b/x", "a/b/1x", "/b/1", "registry/2",
                          "registry/@a", "registry/2@", "a/b/99999999999999999999"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_process(bad));
  }
  CHECK(expand_name(Config{}, "east") == std::vector<std::string>{"us-east1", "us-east4"});
  CHECK(expand_name(Config{}, "us-west1") == std::vector<std::string>{"us-west1"});
}
