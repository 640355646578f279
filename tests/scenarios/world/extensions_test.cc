// An adapter and a joiner that the program brings, in judged runs: the reference alone says what is
// right, and a joiner that errs is found.
#include "scenarios/extensions/extensions.h"

#include <memory>

#include "core_impl/base/codec.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
using namespace std::chrono_literals;
using photonsim::scenarios::Extensions;

namespace {

// Installed for a test case.
class Installed {
 public:
  explicit Installed(Extensions extensions) {
    photonsim::scenarios::install_extensions(std::move(extensions));
  }
  Installed(const Installed&) = delete;
  Installed& operator=(const Installed&) = delete;
  ~Installed() { photonsim::scenarios::install_extensions({}); }
};

// Writes the delay, and skips clicks beyond a horizon.
class Attribution final : public photon::Adapter {
 public:
  explicit Attribution(photon::Duration horizon) : horizon_(horizon) {}
  photon::AdapterResult adapt(const photon::AdapterEvent& query, const photon::AdapterEvent& click,
                              photon::Bytes& out) const override {
    const photon::Duration delay = click.id.stamp - query.id.stamp;
    if (delay > horizon_) return photon::AdapterResult::skipped;
    photon::Encoder encoder(out);
    encoder(delay.count());
    return photon::AdapterResult::joined;
  }

 private:
  photon::Duration horizon_;
};

Extensions attribution(photon::Duration horizon) {
  Extensions extensions;
  extensions.adapter = [=] { return std::make_unique<Attribution>(horizon); };
  extensions.reference = [](const photon::models::ReferenceEvent& query,
                            const photon::models::ReferenceEvent& click) {
    std::optional<photon::Bytes> expected;
    const std::int64_t delay = (click.id.stamp - query.id.stamp).count();
    if (delay <= 20'000'000'000) photon::Encoder(expected.emplace())(delay);
    return expected;
  };
  return extensions;
}

// Photon's joiner, but every tenth request is answered without a deed.
class Liar final : public photon::Node {
 public:
  Liar(const photon::JoinerOptions& options, const photon::Adapter& adapter)
      : joiner_(options, adapter) {}
  void on_start(photon::Context& context) override { joiner_.on_start(context); }
  void on_message(photon::Context& context, photon::NodeId from,
                  const photon::Body& body) override {
    if (body.type() == photon::JoinRequest::kType && ++requests_ % 10 == 0) {
      const auto& request = body.as<photon::JoinRequest>();
      context.send(from, photon::Body::make(photon::JoinReply{
                             request.request, request.click, photon::JoinOutcome::already_exists}));
      return;
    }
    joiner_.on_message(context, from, body);
  }
  void on_timer(photon::Context& context, photon::TimerKind kind) override {
    joiner_.on_timer(context, kind);
  }
  void on_io(photon::Context& context, photon::Ticket ticket, photon::IoResult& result) override {
    joiner_.on_io(context, ticket, result);
  }

 private:
  photon::Joiner joiner_;
  int requests_ = 0;
};

Ran run_short(std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"run.duration=90s", "workload.synthetic.clicks=400"});
  return run("scenarios/healthy.toml", 3, overrides);
}

bool found(const Ran& ran, std::string_view oracle) {
  return ran.json.find('"' + std::string(oracle) + '"') != std::string::npos;
}

}  // namespace

TEST_CASE("D-05 J-S15 extensions: an adapter of the program is judged by its reference") {
  SECTION("a right one is clean, and both its outcomes occur") {
    const Installed installed(attribution(20s));
    const Ran ran = run_short({"joiner.adapter=custom"});
    CAPTURE(ran.json);
    CHECK(ran.outcome.summary.violations_total == 0);
    const auto skipped = never_joinable_by(ran, "skipped");
    CHECK(skipped > 20);
    CHECK(ran.outcome.summary.joined > 20);
    CHECK(ran.outcome.summary.joined + skipped == ran.outcome.summary.generated);
  }
  SECTION("one that joins a second longer is found") {
    const Installed installed(attribution(21s));
    const Ran ran = run_short({"joiner.adapter=custom"});
    CAPTURE(ran.json);
    CHECK(ran.outcome.summary.violations_total > 0);
  }
  SECTION("one that writes other bytes is found") {
    Extensions extensions = attribution(20s);
    extensions.reference = [](const auto&, const auto&) { return std::optional(photon::Bytes{}); };
    const Installed installed(extensions);
    const Ran ran = run_short({"joiner.adapter=custom"});
    CHECK(found(ran, "J-S15"));
  }
}

TEST_CASE("D-19 J-S18 extensions: a joiner of the program runs, and one that lies is found") {
  Extensions extensions;
  extensions.joiner = [](const photon::JoinerOptions& options, const photon::Adapter& adapter) {
    return std::make_unique<Liar>(options, adapter);
  };
  const Installed installed(extensions);
  const Ran sound = run_short({});
  CHECK(sound.outcome.summary.violations_total == 0);  // not chosen
  const Ran ran = run_short({"joiner.implementation=custom"});
  CAPTURE(ran.json);
  CHECK(found(ran, "J-S18"));
}

TEST_CASE("extensions: a scenario that asks for what the program does not bring is refused") {
  for (const std::string key : {"joiner.adapter", "joiner.implementation"}) {
    const auto loaded =
        photonsim::scenarios::load("scenarios/healthy.toml", std::vector{key + "=custom"});
    REQUIRE_FALSE(loaded);
    CHECK_THAT(photonsim::scenarios::format(loaded.diagnostics()),
               Catch::Contains(key) && Catch::Contains("of its own") &&
                   Catch::Contains("test-your-own-joiner.md"));
  }
}
