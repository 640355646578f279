#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/random.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/language/scale.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

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
  // Coarse stamps need as much of it.
  refused({"clocks.epsilon=36ms", "clocks.stamp_resolution=20ms"}, "+ stamp_resolution) = 72ms");
  CHECK(must_load("", {"clocks.epsilon=36000002ns", "clocks.stamp_resolution=20ms"})
            .clocks.stamp_resolution == 20ms);
  CHECK(must_load("", {"clocks.epsilon=1ms", "clocks.drift=0", "clocks.sync_error=0s"})
            .clocks.drift == 0.0);
  CHECK(must_load("", {"clocks.epsilon=15ms", "clocks.violate_clock_bound=true"})
            .clocks.violate_clock_bound);
  refused({"clocks.step_interval=1min"}, "would do nothing", "step_max");
  refused({"clocks.step_interval=1min", "clocks.step_max=300ms"}, "leaves the bound");
  refused({"clocks.drift=300ppm"}, "leases would not be safe");
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

TEST_CASE("a run of more than a million samples is refused") {
  refused({"run.sample_interval=1ns", "run.duration=20ms", "run.warm_up=0s"},
          "run.duration = 20ms is more than 1000000 samples of run.sample_interval = 1ns", "auto");
}

TEST_CASE("G-00e a run is a part of the deployment that it stands for, and says which") {
  refused({"scale.shards_of=3", "registry.shards=4"}, "less than the 4 that are simulated");
  refused({"scale.joiners_of=5", "joiner.count=3"}, "less than the 6 that are simulated");
  refused({"scale.joiners_of=50", "workload.kind=registry"}, "has no joiners");
  refused({"scale.time=0"}, "out of range");
  CHECK(scale_text(must_load("", {})).empty());
  CHECK(scale_text(must_load("", {"scale.shards_of=1000", "registry.shards=4",
                                  "scale.joiners_of=2000", "joiner.count=5"})) ==
        "4 of 1,000 shards (their totals times 250), 10 of 2,000 joiners (their totals times 200)");
  CHECK(scale_text(must_load("", {"scale.time=432"})) ==
        "days divided by 432 (shares of N carry over, seconds do not)");
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
  refused({alone, crash("joiner")}, "no such process", "client");
  refused({crash("client")}, "only a registry workload");
  refused({crash("verifier")}, "no such process", "verification.enabled = true");
  refused({crash("auditor")}, "no such process", "verification.enabled = true");
  refused({crash("mirror")}, "no such process", "joiner.output_copies = true");
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
