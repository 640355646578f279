// Which clicks an intake delivers, which it keeps over a crash, and which it delivers only once.
#include "core_impl/photon/intake/intake.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/runtime/file_name.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace intake_test {
namespace {

constexpr NodeId kSelf{10};
constexpr VolumeId kLogs{1};
constexpr VolumeId kCell{2};
constexpr TimerKind kJournalTimer = 1;
constexpr TimerKind kTick = 2;

SavedRecord saved_record(const EventId& click, std::uint32_t tries) {
  SavedRecord record;
  record.click = click;
  record.tries = tries;
  return record;
}

// Keeps what its intake delivers; the test decides the outcome.
class Owner final : public Node {
 public:
  struct Click {
    TakenClick taken{};
    SavedRecord saved{};
    Intake::Stored stored = Intake::Stored::no;
  };

  explicit Owner(std::uint64_t epoch)
      : epoch_(epoch),
        intake_({.cell = kCell, .compaction_slack = 1000, .timer = kJournalTimer},
                ClickSource({{.type = logs::LogType::foreign, .options = {kLogs, 4096, 4}}})) {}

  void on_start(Context& context) override {
    intake_.start(context, epoch_);
    context.set_timer(kTick, context.now() + 100ms);
  }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind kind) override {
    if (kind == kJournalTimer) return intake_.on_timer(context);
    if (intake_.lease_held(context.now())) intake_.scan(context);
    pump(context);
    context.set_timer(kTick, context.now() + 100ms);
  }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    const Intake::Event event = intake_.on_io(context, ticket, result);
    events.push_back(event);
    if (event == Intake::Event::recovered) {
      intake_.recover(
          context,
          [&](SavedRecord&& record, const IntentRecord* intent) {
            restored[record.click.process] = {record.tries, intent != nullptr};
            clicks[record.click.process] = {{}, record, Intake::Stored::yes};
            return Intake::Handle{record.click.process};
          },
          saved());
    }
    pump(context);
  }

  void save(std::uint16_t process, std::uint32_t tries) {
    Click& click = clicks.at(process);
    click.saved = saved_record(
        click.stored == Intake::Stored::yes ? click.saved.click : click.taken.event.id, tries);
    intake_.save(click.saved, click.taken.place, click.stored);
  }
  void finish(std::uint16_t process) {
    const Click click = clicks.at(process);
    const bool stored = click.stored == Intake::Stored::yes;
    intake_.finish(stored ? click.saved.click : click.taken.event.id, click.taken.place,
                   click.stored);
    clicks.erase(process);
  }
  Intake& intake() { return intake_; }

  std::map<std::uint32_t, Click> clicks;  // open ones, by the process that names them
  std::vector<std::uint32_t> order;       // as they were delivered
  std::vector<std::uint64_t> again;       // handles of those that were not
  std::map<std::uint32_t, std::pair<std::uint32_t, bool>> restored;  // tries; with an intent
  std::vector<Intake::Event> events;
  std::uint64_t snapshots = 0;  // that a write reported

 private:
  std::function<void(Bytes&)> saved() {
    return [this](Bytes& content) {
      for (const auto& [process, click] : clicks) {
        if (click.stored == Intake::Stored::yes) append_journal(click.saved, content);
      }
    };
  }
  void pump(Context& context) {
    if (intake_.lease_held(context.now())) {
      while (auto taken = intake_.next(
                 context, std::nullopt,
                 [&](const TakenClick&, Intake::Handle handle) { again.push_back(handle); })) {
        order.push_back(taken->event.id.process);
        clicks[taken->event.id.process].taken = std::move(*taken);
      }
      intake_.pump(context);
    }
    intake_.save_offsets();
    if (intake_.write(context, saved())) ++snapshots;
  }

  std::uint64_t epoch_;
  Intake intake_;
};

struct World {
  World() {
    for (std::uint16_t i = 1; i <= 4; ++i) {
      const logs::LogFile file{logs::LogType::foreign, 0, 0};
      harness.volumes[kLogs.value()].add(view_of(file.name()),
                                         framed_click(click_id(i), query_id(i), "click"));
    }
    start();
  }
  void start() {
    harness.start([this] {
      auto node = std::make_unique<Owner>(++epoch);
      owner = node.get();
      return node;
    });
    harness.run_for(1s);
  }
  void restart() {
    harness.run_for(1s);
    harness.crash([](const VolumeRequest&) { return std::size_t{0}; });
    start();
  }
  JournalState journal() {
    return read_journal(harness.volumes[kCell.value()].content(
        view_of(partition_journal(kDispatcherPrefix, kSelf.value()))));
  }

  Harness harness{kSelf};
  Owner* owner = nullptr;
  std::uint64_t epoch = 0;
};

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("C-04 intake: a crash returns what was neither finished nor saved, and only that") {
  World world;
  REQUIRE(world.owner->order == Numbers{1, 2, 3, 4});
  world.owner->finish(1);
  world.owner->save(2, 5);
  world.owner->finish(4);
  CHECK(world.owner->intake().saved() == 1);
  world.restart();
  CHECK(world.owner->restored ==
        std::map<std::uint32_t, std::pair<std::uint32_t, bool>>{{2, {5, false}}});
  // The offset stops before click 3: everything after it is read again.
  CHECK(world.owner->order == Numbers{3, 4});
  CHECK(world.owner->again.empty());
  CHECK(world.owner->intake().saved() == 1);
}

TEST_CASE("C-26 intake: a saved click that its log repeats belongs to its open click") {
  World world;
  world.owner->save(2, 1);
  world.owner->save(2, 2);  // one click, two records
  CHECK(world.owner->intake().saved() == 1);
  world.restart();
  CHECK(world.owner->order == Numbers{1, 3, 4});
  CHECK(world.owner->again == std::vector<std::uint64_t>{2});
  CHECK(world.owner->restored.at(2).first == 2);
  world.owner->finish(2);
  CHECK(world.owner->intake().saved() == 0);
  world.restart();
  CHECK(world.owner->restored.empty());
  CHECK(world.journal().saved.empty());
  CHECK(world.owner->order == Numbers{1, 2, 3, 4});  // at least once: 1 was not reported finished
}

TEST_CASE("C-03 intake: a write reports the snapshot that it took, and no other write") {
  World world;
  for (std::uint32_t tries = 1; tries <= 100; ++tries) {
    world.owner->save(2, tries);
    world.harness.run_for(100ms);
  }
  const std::uint64_t compactions = world.owner->intake().store().compactions();
  CHECK(compactions > 2);
  CHECK(compactions < 50);
  CHECK(world.owner->snapshots == compactions);
}

TEST_CASE("F-08 intake: an intent is restored with its click") {
  World world;
  world.owner->save(1, 1);
  world.owner->save(3, 1);
  world.owner->intake().append(IntentRecord{world.owner->clicks.at(3).saved.click, Token{1, 2, 3}});
  world.restart();
  CHECK_FALSE(world.owner->restored.at(1).second);
  CHECK(world.owner->restored.at(3).second);
}

TEST_CASE("C-06 intake: a completion for another object is ignored; a later owner fences it") {
  World world;
  IoResult result;
  CHECK(world.owner->intake().on_io(world.harness, Ticket(999'999), result) ==
        Intake::Event::not_mine);
  VolumeRequest fence;
  fence.volume = kCell;
  fence.operation = VolumeOperation::fence;
  fence.file = partition_directory(kDispatcherPrefix, kSelf.value());
  fence.epoch = 100;
  world.harness.volumes[kCell.value()].execute(fence);
  world.owner->save(1, 1);
  world.harness.run_for(1s);
  CHECK(std::ranges::count(world.owner->events, Intake::Event::fenced) == 1);
}

}  // namespace intake_test
