#include "models/log_faults.h"

#include <bit>
#include <map>

#include "models/clocks.h"
#include "models/feeds.h"
#include "models/synthetic_workload.h"
#include "tests/models/noted_effects.h"
#include "tests/models/workload_check.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::seconds;

constexpr std::uint32_t kFault = 7;

struct Copies {
  explicit Copies(std::vector<PlannedDamage> plan, std::vector<PlannedStall> stalls = {})
      : damage(3, std::move(plan)) {
    shipping_options.stalls = std::move(stalls);
    shipping = std::make_unique<Shipping>(shipping_options, 2);
    for (const auto& log : workload.logs()) logs.push_back(log.get());
    for (std::uint32_t place = 0; place < 2; ++place) {
      copies.push_back(std::make_unique<InputLogs>(logs, *shipping, place, &damage));
    }
  }
  static SyntheticWorkload::Options options() {
    SyntheticWorkload::Options out;
    out.seed = 5;
    out.end = SimTime(seconds(60));
    out.queries_per_second = 100;
    out.query_servers = 2;
    out.click_servers = 1;
    return out;
  }
  // Ships everything and reads the whole file of log `index` at that place.
  Bytes whole(std::uint32_t place, std::uint32_t index) {
    InputLogs& volume = *copies[place];
    while (volume.copies().next()) volume.copies().advance();
    VolumeRequest request;
    request.operation = VolumeOperation::read;
    request.file = logs[index]->file().name();
    request.length = 1U << 24U;
    IoResult result;
    volume.serve({}, request, result);
    return result.data;
  }
  Bytes pristine(std::uint32_t index) { return testing::read_whole(*logs[index], workload.end()); }

  HostClocks clocks{1, {}};
  SyntheticWorkload workload{options(), clocks};
  std::vector<EventLog*> logs;  // queries of servers 1 and 2, clicks of 3
  Shipping::Options shipping_options;
  std::unique_ptr<Shipping> shipping;
  LogDamage damage;
  std::vector<std::unique_ptr<InputLogs>> copies;
  testing::NotedEffects effects;
};

PlannedDamage planned_damage(RecordDamage how, std::optional<std::uint32_t> place) {
  return {kFault, logs::LogType::primary, place, SimTime(seconds(10)), SimTime(seconds(40)), 0.1,
          how};
}

// Record of `log` -> how many of its bits differ.
std::map<std::uint64_t, int> differences(EventLog& log, const Bytes& left, const Bytes& right) {
  std::map<std::uint64_t, int> found;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto wrong = std::to_integer<unsigned>(left[i] ^ right[i]);
    if (wrong != 0) found[log.record_at(i).begin] += std::popcount(wrong);
  }
  return found;
}

// The copies of one place while time passes.
struct Shipped {
  Shipped(Copies& world, std::uint32_t place)
      : tap(kernel, world.clocks, 1, &sink, nullptr),
        feed(*world.copies[place], DatacenterId(static_cast<std::uint16_t>(place)), world.effects),
        environment(kernel, tap, feed) {
    environment.start();
  }
  sim::Kernel kernel{2};
  sim::RecordingSink sink;
  sim::Tap tap;
  ShippingFeed feed;
  sim::Environment environment;
};

// All reported facts until everything has arrived and was read.
std::vector<trace::Record> facts_of(Copies& world, std::uint32_t place) {
  Shipped shipped(world, place);
  shipped.kernel.run_until(SimTime(seconds(600)));
  CHECK(shipped.feed.finished());
  CHECK(world.effects.faults.empty());  // no process has read yet
  for (std::uint32_t index = 0; index < 2; ++index) world.whole(place, index);
  return shipped.sink.records;
}

TEST_CASE(
    "A-26 a damaged record has one wrong bit, a lost one none of its own; the rest is sound") {
  const bool flips = GENERATE(true, false);
  Copies world({planned_damage(flips ? RecordDamage::flipped : RecordDamage::lost, std::nullopt)});
  for (std::uint32_t index = 0; index < 2; ++index) {
    EventLog& log = *world.logs[index];
    const Bytes sound = world.pristine(index);
    const Bytes copy = world.whole(0, index);
    REQUIRE(copy.size() == sound.size());
    const auto wrong = differences(log, sound, copy);
    std::size_t concerned = 0;
    for (std::uint64_t at = 0; at < sound.size(); at = log.record_at(at).end) {
      const SimTime when = log.record_at(at).at;
      concerned += when >= SimTime(seconds(10)) && when < SimTime(seconds(40)) ? 1 : 0;
    }
    CHECK(static_cast<double>(wrong.size()) ==
          Approx(0.1 * static_cast<double>(concerned)).epsilon(0.35));
    for (const auto& [begin, bits] : wrong) {
      const LoggedRecord record = log.record_at(begin);
      CHECK(record.at >= SimTime(seconds(10)));
      CHECK(record.at < SimTime(seconds(40)));
      if (flips) {
        CHECK(bits == 1);
        continue;
      }
      for (std::uint64_t at = record.begin; at < record.end; ++at) CHECK(copy[at] == std::byte{0});
    }
    CHECK(world.whole(1, index) == copy);  // the same records in all copies
  }
  CHECK(world.whole(0, 2) == world.pristine(2));  // clicks are unaffected
}

TEST_CASE("A-26 damage of one copy leaves the other one sound; fragments read like the whole") {
  Copies world({planned_damage(RecordDamage::flipped, 1)});
  CHECK(world.whole(0, 0) == world.pristine(0));
  const Bytes copy = world.whole(1, 0);
  CHECK(copy != world.pristine(0));
  for (std::uint64_t at = 0, step = 1; at < copy.size(); at += step, step = 1 + step * 7 % 301) {
    VolumeRequest request;
    request.operation = VolumeOperation::read;
    request.file = world.logs[0]->file().name();
    request.offset = at;
    request.length = static_cast<std::uint32_t>(step);
    IoResult result;
    world.copies[1]->serve({}, request, result);
    const auto expected =
        std::span<const std::byte>(copy).subspan(at, std::min<std::size_t>(step, copy.size() - at));
    REQUIRE(std::ranges::equal(result.data, expected));
  }
}

TEST_CASE("A-26 damage in a range comes as bytes, and only there") {
  const auto how = GENERATE(RecordDamage::flipped, RecordDamage::lost);
  Copies world({planned_damage(how, 1)});
  const Bytes sound = world.pristine(0);
  const Bytes copy = world.whole(1, 0);
  world.whole(0, 0);
  const auto wrong = differences(*world.logs[0], sound, copy);
  std::size_t ranges = 0;
  std::size_t damaged = 0;
  for (std::uint64_t at = 0, step = 1; at < copy.size(); at += step, step = 1 + step * 7 % 301) {
    VolumeRequest request;
    request.operation = VolumeOperation::read;
    request.form = ReadForm::records;
    request.file = world.logs[0]->file().name();
    request.offset = at;
    request.length = static_cast<std::uint32_t>(step);
    IoResult result;
    world.copies[1]->serve({}, request, result);
    const std::uint64_t end = std::min<std::uint64_t>(at + step, copy.size());
    REQUIRE(result.bytes_read() == end - at);
    bool touched = false;
    for (std::uint64_t i = at; i < end; i = world.logs[0]->record_at(i).end) {
      touched = touched || wrong.count(world.logs[0]->record_at(i).begin) > 0;
    }
    CAPTURE(at, end);
    REQUIRE((result.range.log == nullptr) == touched);
    ++(touched ? damaged : ranges);
    if (touched) REQUIRE(std::ranges::equal(result.data, std::span(copy).subspan(at, end - at)));
    IoResult other;
    world.copies[0]->serve({}, request, other);
    REQUIRE(other.range.log == world.logs[0]);  // the other copy is sound
  }
  CHECK(ranges > 100);
  CHECK(damaged > 20);
}

TEST_CASE("A-26 each damaged record is a fact of its datacenter, once, when it can be read") {
  Copies world({planned_damage(RecordDamage::flipped, 1)});
  std::map<std::pair<std::uint32_t, std::uint64_t>, EventId> reported;
  std::map<std::uint32_t, std::uint64_t> visible;
  for (const trace::Record& record : facts_of(world, 1)) {
    if (record.header.kind == trace::Kind::log_visible) {
      const auto& fact = record.as<trace::LogVisible>();
      visible[fact.file] = fact.length;
    } else if (record.header.kind == trace::Kind::input_damaged) {
      const auto& fact = record.as<trace::InputDamaged>();
      CHECK(fact.end <= visible[fact.file]);
      CHECK(fact.click == 0);
      CHECK(reported.try_emplace({fact.file, fact.begin}, fact.event).second);
    } else {
      FAIL("a fact of another kind");
    }
  }
  CHECK(world.effects.faults == std::vector<std::uint32_t>{kFault});
  std::size_t expected = 0;
  for (std::uint32_t index = 0; index < 2; ++index) {
    const auto wrong =
        differences(*world.logs[index], world.pristine(index), world.whole(1, index));
    expected += wrong.size();
    for (const auto& [begin, bits] : wrong) {
      const auto found = reported.find({world.logs[index]->file().number(), begin});
      REQUIRE(found != reported.end());
      CHECK(found->second == world.logs[index]->record_at(begin).id);
    }
  }
  CHECK(expected == reported.size());
  CHECK(expected > 50);
  world.effects.faults.clear();
  for (const trace::Record& record : facts_of(world, 0)) {
    CHECK(record.header.kind == trace::Kind::log_visible);
  }
}

TEST_CASE("A-21 a stall delays the logs of one type, server and datacenter, with a long tail") {
  const PlannedStall stall{kFault,
                           logs::LogType::primary,
                           std::uint16_t{2},
                           1U,
                           SimTime(seconds(15)),
                           SimTime(seconds(50)),
                           Duration(seconds(20))};
  Copies held({}, {stall});
  Copies free({});
  const auto arrivals = [](const std::vector<trace::Record>& records) {
    std::map<std::uint32_t, std::map<std::uint64_t, SimTime>> found;  // file -> length -> when
    for (const trace::Record& record : records) {
      if (record.header.kind != trace::Kind::log_visible) continue;
      const auto& fact = record.as<trace::LogVisible>();
      found[fact.file].try_emplace(fact.length, record.header.at);
    }
    return found;
  };
  CHECK(arrivals(facts_of(held, 0)) == arrivals(facts_of(free, 0)));  // the other datacenter
  const auto with = arrivals(facts_of(held, 1));
  const auto without = arrivals(facts_of(free, 1));
  const logs::LogFile stalled{logs::LogType::primary, 2, 0};
  SimTime last{};
  for (const auto& [file, lengths] : with) {
    if (file != stalled.number()) {
      CHECK(lengths == without.at(file));
      continue;
    }
    for (const auto& [length, at] : lengths) {
      CHECK((at < stall.from || at >= stall.until));
      last = std::max(last, at);
    }
    CHECK(lengths.rbegin()->first == without.at(file).rbegin()->first);  // all of it arrived
  }
  CHECK(last > stall.until + seconds(10));  // the tail
}

TEST_CASE("DESIGN-6 a stall counts when a reader met data that it delayed") {
  const Duration length = GENERATE(Duration(seconds(35)), Duration(1));
  const PlannedStall stall{kFault,     logs::LogType::primary, std::nullopt,
                           1U,         SimTime(seconds(15)),   SimTime(seconds(15)) + length,
                           Duration(0)};
  Copies world({}, {stall});
  Shipped shipped(world, 1);
  VolumeRequest stat;
  stat.operation = VolumeOperation::stat;
  stat.file = world.logs[0]->file().name();
  IoResult result;
  const auto look = [&](std::int64_t second) {
    shipped.kernel.run_until(SimTime(seconds(second)));
    world.copies[1]->serve({}, stat, result);
    return world.copies[1]->was_met(kFault);
  };
  CHECK_FALSE(look(14));
  CHECK(look(40) == (length > Duration(1)));
  CHECK(look(100) == (length > Duration(1)));
  CHECK(world.effects.faults.size() == (length > Duration(1) ? 1 : 0));
}

TEST_CASE("DESIGN-6 a stall that ended before any reader met it had no effect") {
  const PlannedStall stall{kFault,     logs::LogType::primary, std::nullopt,
                           1U,         SimTime(seconds(15)),   SimTime(seconds(35)),
                           Duration(0)};
  Copies world({}, {stall});
  Shipped shipped(world, 1);
  shipped.kernel.run_until(SimTime(seconds(600)));
  world.whole(1, 0);
  CHECK_FALSE(world.copies[1]->was_met(kFault));
}

TEST_CASE("only logs of a damaged type and place are concerned") {
  PlannedDamage everywhere;
  everywhere.type = logs::LogType::foreign;
  PlannedDamage here;
  here.type = logs::LogType::primary;
  here.place = 1;
  const LogDamage damage(3, {everywhere, here});
  CHECK(damage.concerns(logs::LogType::foreign, 0));
  CHECK(damage.concerns(logs::LogType::foreign, 1));
  CHECK_FALSE(damage.concerns(logs::LogType::primary, 0));
  CHECK(damage.concerns(logs::LogType::primary, 1));
  CHECK_FALSE(LogDamage().concerns(logs::LogType::primary, 1));
}

}  // namespace
}  // namespace photon::models
