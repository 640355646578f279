#include "scenarios/language/schema.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "scenarios/language/loader.h"
#include "scenarios/schema/diagnostic.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

TEST_CASE("every key is declared once, documented, and has its default inside its range") {
  std::set<std::string> seen;
  Config defaults;
  for (const TableSpec* const table : all_tables()) {
    table->resize(defaults, 1);
    for (std::size_t i = 0; i < table->key_count; ++i) {
      const Key& key = table->key(i);
      CAPTURE(table->path, key.name);
      CHECK(seen.insert(std::string{table->path} + "." + std::string{key.name}).second);
      CHECK_FALSE(key.doc.empty());
      CHECK(key.doc.back() == '.');
      CHECK_FALSE(key.source.empty());
      CHECK((key.kind == Kind::kChoice) == !key.choices.empty());
      CHECK_FALSE(format_value(key, table->slot(defaults, 0, i)).empty());
    }
  }
  CHECK(seen.size() == all_keys().size());
  CHECK(seen.size() > 100);
  CHECK(all_tables().size() == environment_tables().size() + system_tables().size() +
                                   experiment_tables().size() + fault_tables().size() +
                                   operation_tables().size() + rare_tables().size());
}

TEST_CASE("all defaults, written out, are a valid scenario equal to Config{}") {
  CHECK(must_load(to_toml(Config{})) == Config{});
  CHECK(must_load("") == Config{});
}

TEST_CASE("keys are found by name, with and without element numbers") {
  CHECK(find_key("registry.shards").table != nullptr);
  CHECK(find_key("faults.random.target").table != nullptr);
  CHECK(find_key("faults.random.12.target").table == find_key("faults.random.target").table);
  CHECK(find_key("registry").table == nullptr);
  CHECK(find_key("registry.shard").table == nullptr);
  CHECK(find_key("").table == nullptr);
  CHECK(find_key("...").table == nullptr);
  CHECK(is_known("registry"));
  CHECK(is_known("include"));
  CHECK(is_known("defaults"));
  CHECK_FALSE(is_known("nonsense"));
}

TEST_CASE("explain says type, range, default and source of every key") {
  for (const std::string& key : all_keys()) {
    const std::string text = explain(key);
    CAPTURE(key, text);
    CHECK(is_known(key));
    CHECK(text.find("type:") != std::string::npos);
    CHECK(text.find("default:") != std::string::npos);
    CHECK(text.find("source:") != std::string::npos);
  }
  const std::string period = explain("dispatcher.scan_period");
  CHECK(period.find("\"1s\"") != std::string::npos);
  CHECK(period.find("duration") != std::string::npos);
  CHECK(explain("registry.gc_age").find("P 4.3") != std::string::npos);
  CHECK(explain("faults.random").find("mean_interval") != std::string::npos);
  CHECK(explain("lease").find("registry.lease\n") != std::string::npos);
  CHECK(explain("faults").find("faults.random.mean_interval\n") != std::string::npos);
  CHECK(explain("dispatcher.scan_perod").find("dispatcher.scan_period") != std::string::npos);
  CHECK(explain("leese").find("did you mean \"registry.lease\"?") != std::string::npos);
  CHECK(explain("dispacher").find("did you mean \"dispatcher\"?") != std::string::npos);
  CHECK(explain("fautls.crash").find("did you mean \"faults.crash\"?") != std::string::npos);
  CHECK(explain("quxxyz").find("`photonsim explain` lists all keys") != std::string::npos);
  CHECK(explain("foo") == "nothing is named \"foo\"; `photonsim explain` lists all keys\n");
  CHECK(explain("\x1B[2J").find('\x1B') == std::string::npos);
}

TEST_CASE("an old name of a key is refused with the new one, in files, in --set and by explain") {
  for (const RenamedKey& each : renamed_keys()) {
    CAPTURE(each.old_name, each.new_name);
    CHECK(is_known(each.new_name));
    CHECK_FALSE(is_known(each.old_name));
    const std::size_t dot = each.old_name.rfind('.');
    const std::string_view table = each.old_name.substr(0, dot);
    const std::string_view key = each.old_name.substr(dot + 1);
    const bool repeated = std::ranges::any_of(
        all_tables(), [&](const TableSpec* spec) { return spec->path == table && spec->repeated; });
    const std::string said = fmt::format("has a new name: \"{}\"", each.new_name);
    if (repeated) {
      const std::string text = fmt::format("[[{}]]\n{} = \"x\"\n", table, key);
      CHECK(has(must_fail(text), {said, 2, 1, each.new_name}));
      refused({fmt::format("{}=[{{{}=\"x\"}}]", table, key)}, said, each.new_name);
    } else {
      const std::string text = fmt::format("[{}]\n{} = \"x\"\n", table, key);
      CHECK(has(must_fail(text), {said, 2, 1, each.new_name}));
      CHECK(has(must_fail("", {fmt::format("{}=x", each.old_name)}), {said, 1, 1, each.new_name}));
    }
    CHECK_THAT(explain(each.old_name), Catch::Contains(std::string(each.new_name)));
  }
}

TEST_CASE("text is quoted so that TOML reads it back") {
  Config config;
  config.scenario.description = "a \"quote\", a \\, a\ttab, a\nline, \x01, \x7F, \xC3\xA4";
  CHECK(must_load(to_toml(config)) == config);
}

TEST_CASE("the hash follows every value and nothing else") {
  const Config base;
  CHECK(config_hash(base) == config_hash(Config{}));
  Config seed;
  seed.run.seed = 2;
  CHECK(config_hash(seed) != config_hash(base));
  Config trace;
  trace.workload.primary.files = {"/somewhere/a.csv"};
  CHECK(config_hash(trace) == config_hash(base));
  trace.workload.primary.digest = 7;
  CHECK(config_hash(trace) != config_hash(base));
}
