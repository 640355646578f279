// Failures of campaigns that are minimized and written down.
#include <chrono>
#include <filesystem>

#include <boost/json.hpp>

#include "campaigns/reduce/shrink.h"
#include "campaigns/reduce/time_share.h"
#include "scenarios/language/loader.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::StartsWith;
using namespace std::chrono_literals;

namespace {

Ran must_end_with(int code, const Arguments& arguments) {
  Ran ran = run_program(arguments);
  CAPTURE(arguments, ran.out, ran.err);
  CHECK(ran.code == code);
  return ran;
}

}  // namespace

TEST_CASE("fuzz: a failure is minimized; the repro fails by itself, also in repro and run",
          "[sweep]") {
  const Folder folder;
  const Ran ran =
      must_end_with(4, {"fuzz", never_answered(folder), "--seeds", "6..8", "--shrink", "1",
                        "--shrink-time", "10m", "--repros", folder.file("repros")});
  const std::string repro = folder.file("repros/mute-6.toml");
  CHECK_THAT(ran.err,
             Contains("minimized: " + repro + ": 3 of 3 faults and operations left after "));
  CHECK_FALSE(std::filesystem::exists(folder.file("repros/mute-7.toml")));
  CHECK_THAT(text_of(repro), StartsWith("# Fails: J-P0, ") &&
                                 Contains("\n# Shown by: photonsim repro " + repro + "\n") &&
                                 Contains("\n[defaults]\n"));
  const Ran again = must_end_with(4, {"repro", repro, "--json"});
  CHECK_THAT(again.err, Contains("replay: photonsim repro " + repro + " --seed 6\n"));
  const Ran run = must_end_with(4, {"run", repro, "--json"});
  CHECK(without_measurements(again.out) == without_measurements(run.out));
}

TEST_CASE("fuzz: JUnit, annotations and JSON name the repros", "[sweep]") {
  const Folder folder;
  const std::string mute = never_answered(folder);
  const std::string junit = folder.file("junit.xml");
  const Ran ran =
      must_end_with(4, {"fuzz", mute, "--seeds", "6..7", "--shrink", "1", "--shrink-time", "10m",
                        "--repros", folder.file("repros"), "--junit", junit, "--github", "--json"});
  const std::string repro = folder.file("repros/mute-6.toml");
  CHECK_THAT(text_of(junit),
             Contains("\nphotonsim repro " + mute + " --seed 6\nminimized: " + repro + "\n") &&
                 Contains("\nphotonsim repro " + mute + " --seed 7"));
  CHECK_THAT(ran.err, Contains("::error file=" + repro + ",title=") &&
                          Contains(" --seed 6%0Aminimized: " + repro + "%0A"));
  CHECK_THAT(ran.out, Contains(",\"repro\":\"" + repro + "\"}") &&
                          Contains(",\"repro\":null}],\"causes\":["));
}

TEST_CASE("fuzz: the report of a campaign has its minimized failures, and what happens in them",
          "[sweep]") {
  const Folder folder;
  const std::string results = folder.file("results.db"), page = folder.file("page.html");
  must_end_with(4, {"fuzz", never_answered(folder), "--seeds", "6..7", "--shrink", "1",
                    "--shrink-time", "10m", "--set", "run.warm_up=100ms", "--repros",
                    folder.file("repros"), "--out", results});
  must_end_with(0, {"db", "verify", results});
  const std::string repro = folder.file("repros/mute-6.toml");
  CHECK_THAT(must_end_with(0, {"report", results, "--md", "-"}).out,
             Contains("    photonsim repro " + repro));
  must_end_with(0, {"report", results, "--html", page});
  const std::string html = text_of(page), open = "id=\"data\">";
  const std::size_t begin = html.find(open) + open.size();
  const auto data = boost::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  const auto& campaign = data.at("campaigns").as_array().front();
  CHECK(campaign.at("first_seed") == "6");
  CHECK(campaign.at("last_seed") == "7");
  CHECK(campaign.at("ended") == "complete");
  CHECK(campaign.at("exit_code") == 4);
  CHECK(campaign.at("overrides").as_array() == boost::json::array({"run.warm_up=100ms"}));
  REQUIRE(campaign.at("minimized").as_array().size() == 1);
  const auto& failure = campaign.at("minimized").as_array().front();
  CHECK_THAT(std::string(failure.at("label").as_string()), Contains("seed 6"));
  CHECK(failure.at("file").as_string() == repro);
  CHECK(failure.at("text").as_string() == text_of(repro));
  // The violation that it shows is the one of the minimized scenario.
  const auto& violations = failure.at("diagram").at("violations").as_array();
  REQUIRE_FALSE(violations.empty());
  CHECK(violations.front().at("oracle") == "J-P0");
  CHECK_FALSE(failure.at("diagram").at("records").as_array().empty());
}

TEST_CASE("fuzz: a repro minimized from the same run is not minimized again", "[sweep]") {
  const Folder folder;
  const Arguments campaign{"fuzz",          never_answered(folder),
                           "--seeds",       "6..6",
                           "--shrink-time", "10m",
                           "--repros",      folder.file("repros"),
                           "--out",         folder.file("out.db"),
                           "--junit",       folder.file("junit.xml")};
  const std::string repro = folder.file("repros/mute-6.toml");
  CHECK_THAT(must_end_with(4, campaign).err, Contains("faults and operations left after"));
  const std::string text = text_of(repro);
  const std::string there = "minimized: " + repro + ": it was made from this run before; ";
  CHECK_THAT(must_end_with(4, campaign).err, Contains(there));
  CHECK(text_of(repro) == text);
  CHECK_THAT(text_of(folder.file("junit.xml")), Contains("\nminimized: " + repro + "\n"));
  // It is, from another run of that name and seed, or with another version.
  CHECK_THAT(must_end_with(4, with(campaign, {"--set", "workload.registry.rate=6"})).err,
             !Contains(there) && Contains("faults and operations left after"));
  const std::size_t model = text.find(", model ") + std::string_view(", model ").size();
  std::string older = text;
  older[model] = older[model] == '0' ? '1' : '0';
  folder.write("repros/mute-6.toml", older);
  CHECK_THAT(must_end_with(4, campaign).err, !Contains(there));
  CHECK(text_of(repro) == text);
}

TEST_CASE("fuzz: a repro that was cut short is minimized again when there is more time",
          "[sweep]") {
  const Folder folder;
  const Arguments campaign{"fuzz",     never_answered(folder), "--seeds",       "6..6",
                           "--repros", folder.file("repros"),  "--shrink-time", "60s"};
  const std::string repro = folder.file("repros/mute-6.toml");
  CHECK_THAT(must_end_with(4, campaign).err, Contains("faults and operations left after"));
  const std::string text = text_of(repro);
  CHECK_THAT(text, !Contains("# Cut short"));
  const auto cut_short_after = [&](std::chrono::seconds had) {
    const std::size_t end_of_head = text.find("\n\n") + 1;
    std::string cut = text;
    cut.insert(end_of_head, scenarios::shrink::cut_short_line(had) + "\n");
    folder.write("repros/mute-6.toml", cut);
    return cut;
  };
  cut_short_after(30s);
  CHECK_THAT(must_end_with(4, campaign).err, Contains("faults and operations left after"));
  CHECK(text_of(repro) == text);
  for (const int had : {60, 6000}) {
    const std::string cut = cut_short_after(std::chrono::seconds(had));
    CHECK_THAT(must_end_with(4, campaign).err, Contains("in no less time; --shrink-time gives"));
    CHECK(text_of(repro) == cut);
  }
}

TEST_CASE("fuzz: a repro does not overwrite another one", "[sweep]") {
  const Folder folder;
  const Arguments campaign{"fuzz",     never_answered(folder), "--seeds",
                           "6..6",     "--shrink-time",        "10m",
                           "--repros", folder.file("repros")};
  const std::string another = "# Made from: another\n# Cut short: it was made in 99999 s\n";
  std::filesystem::create_directory(folder.file("repros"));
  folder.write("repros/mute-6.toml", another);
  const std::string repro = folder.file("repros/mute-6-2.toml");
  CHECK_THAT(must_end_with(4, campaign).err, Contains("minimized: " + repro + ": "));
  CHECK(text_of(folder.file("repros/mute-6.toml")) == another);
  CHECK_THAT(must_end_with(4, campaign).err,
             Contains("minimized: " + repro + ": it was made from this run before; "));
  // A repro fails by itself, and names the run it was minimized from.
  const std::string text = text_of(repro);
  CHECK_THAT(must_end_with(4, {"fuzz", repro, "--seeds", "6..6", "--shrink-time", "10m", "--repros",
                               folder.file("repros")})
                 .err,
             Contains("minimized: " + folder.file("repros/mute-6-3.toml") + ": "));
  CHECK(text_of(repro) == text);
}

TEST_CASE("fuzz: without time nothing is minimized, and the verdict is the same") {
  const Folder folder;
  const Arguments campaign{"fuzz",     never_answered(folder), "--seeds", "6..7",
                           "--repros", folder.file("repros")};
  const Ran ran = must_end_with(4, with(campaign, {"--shrink-time", "1us"}));
  CHECK_THAT(
      ran.err,
      Contains("minimized: no minimized repro: there was no time for it; --shrink-time gives"));
  CHECK_FALSE(std::filesystem::exists(folder.file("repros")));
  for (const char* time : {"0s", "-1s", "soon"}) {
    CHECK_THAT(must_end_with(2, with(campaign, {"--shrink-time", time})).err,
               Contains("--shrink-time: '" + std::string(time) + "' is no time"));
  }
}

TEST_CASE("minimization shares its time, and ends when it and the time of the runs are over") {
  const auto now = campaigns::WallClock::now();
  const auto about = [](campaigns::WallClock::duration time,
                        campaigns::WallClock::duration requested) {
    return time <= requested && time > requested - 20s;
  };
  CHECK(about(campaigns::TimeShare({}, {}, now, 3).share(3), 60s));
  CHECK(about(campaigns::TimeShare({}, {}, now, 3).share(1), 180s));
  CHECK(about(campaigns::TimeShare(600s, {}, now - 9999s, 3).share(2), 300s));
  // The runs began 100 s ago and were to take 40 s.
  CHECK(about(campaigns::TimeShare(600s, 40s, now - 100s, 3).share(1), 540s));
  CHECK(about(campaigns::TimeShare(600s, 40s, now - 10s, 3).share(1), 600s));
  CHECK(campaigns::TimeShare(30s, 40s, now - 100s, 3).share(1) == 0s);
  // Without --shrink-time a campaign ends within ten seconds of --time, whatever failed.
  CHECK(campaigns::TimeShare({}, 1s, now - 1s, 3).share(1) <= 7s);
  CHECK(campaigns::TimeShare({}, 1s, now - 10s, 3).share(1) == 0s);
  CHECK(about(campaigns::TimeShare({}, 600s, now - 500s, 3).share(1), 107s));
  // A share too short for one repro is useless.
  CHECK(campaigns::TimeShare(30s, {}, now, 30).share(30) == 10s);
  CHECK(campaigns::TimeShare(8s, {}, now, 30).share(30) > 2s);
}

TEST_CASE("a repro that was cut short says so at its head, with the time spent") {
  const auto loaded = scenarios::load("scenarios/registry/quiet.toml", {});
  REQUIRE(loaded.ok());
  const std::string text =
      scenarios::shrink::repro_text(loaded.config(), {"J-P0", "photonsim repro a", "a", 1500ms});
  const std::string line = scenarios::shrink::cut_short_line(1500ms);
  CHECK_THAT(text, Contains("# Made from: a\n" + line + "\n\n"));
  CHECK_THAT(line, StartsWith("# Cut short: "));
  CHECK(scenarios::shrink::cut_short_in(line) == 1500ms);
  CHECK_FALSE(scenarios::shrink::cut_short_in("# Made from: 5").has_value());
  CHECK_FALSE(scenarios::shrink::cut_short_in("# Cut short: it was made in ").has_value());
  CHECK(scenarios::load_text(text, "repro").ok());
}

TEST_CASE("a repro is a valid scenario whatever its head says") {
  const auto loaded = scenarios::load("scenarios/registry/quiet.toml", {});
  REQUIRE(loaded.ok());
  const std::string text = scenarios::shrink::repro_text(
      loaded.config(),
      {"J-P0, this\nrun.seed = 77\r\x01 and more", "photonsim repro 'a\nb'", "a\nb"});
  CHECK_THAT(text, StartsWith("# Fails: J-P0, this\n#   run.seed = 77?? and more\n"
                              "# Shown by: photonsim repro 'a\n#   b'\n"
                              "# Made from: a\n#   b\n\n"));
  const auto again = scenarios::load_text(text, "repro");
  REQUIRE(again.ok());
  CHECK(scenarios::to_toml(again.config()) == scenarios::to_toml(loaded.config()));
}

}  // namespace photonsim::cli::testing
