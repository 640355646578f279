#include "sim/volumes.h"

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

struct Answer {
  Ticket ticket{};
  SimTime when{};
  IoStatus status{};
  std::uint64_t length = 0;
  std::string text;
  std::vector<std::string> files;
};

// Lets one process submit requests one by one and collects the answers.
struct Client {
  Client(SimWorld& world, std::uint32_t node) : world_(world) {
    world.hooks[node].start = [this](Context& context) {
      context_ = &context;
      if (on_start) on_start(context);
    };
    world.hooks[node].io = [this](Context&, Ticket ticket, IoResult& result) {
      Answer answer{ticket,        world_.run.now(),     result.status,
                    result.length, text_of(result.data), {}};
      for (const FileInfo& file : result.files) {
        answer.files.push_back(std::string(view_of(file.name)) + ":" + std::to_string(file.length));
      }
      answers.push_back(answer);
    };
  }
  // Submits and runs until the answer is there.
  Answer ask(VolumeRequest request) {
    const Ticket ticket = context_->submit(std::move(request));
    world_.to(world_.run.now().time_since_epoch() + 1s);
    REQUIRE_FALSE(answers.empty());
    REQUIRE(answers.back().ticket == ticket);
    return answers.back();
  }
  Context& context() { return *context_; }

  std::function<void(Context&)> on_start;
  std::vector<Answer> answers;

 private:
  SimWorld& world_;
  Context* context_ = nullptr;
};

VolumeRequest read_all(std::uint32_t volume, const char* file = "f") {
  VolumeRequest made = request(VolumeOperation::read, volume, file);
  made.length = 1U << 20U;
  return made;
}

VolumeRequest with_epoch(VolumeRequest made, std::uint64_t epoch) {
  made.epoch = epoch;
  return made;
}

constexpr std::uint32_t kDisk = 0;
constexpr std::uint32_t kCell = 1;

}  // namespace

TEST_CASE("volume contract: append, read, stat, list, replace, remove and their answers") {
  SimWorld world;
  Client client(world, 0);
  world.run.start();
  CHECK(client.ask(read_all(kDisk)).status == IoStatus::missing);
  CHECK(client.ask(request(VolumeOperation::stat, kDisk)).status == IoStatus::missing);
  CHECK(client.ask(request(VolumeOperation::remove, kDisk)).status == IoStatus::missing);
  CHECK(client.ask(request(VolumeOperation::sync, kDisk)).status == IoStatus::missing);
  CHECK(client.ask(append(kDisk, "hello", 0)).length == 5);
  const Answer retried = client.ask(append(kDisk, "hello", 0));
  CHECK(retried.status == IoStatus::conflict);
  CHECK(retried.length == 5);
  CHECK(client.ask(append(kDisk, " world", 5)).length == 11);
  CHECK(client.ask(read_all(kDisk)).text == "hello world");
  VolumeRequest part = read_all(kDisk);
  part.offset = 6;
  part.length = 3;
  CHECK(client.ask(part).text == "wor");
  part.offset = 100;
  CHECK(client.ask(part).text.empty());
  VolumeRequest blob = request(VolumeOperation::replace, kDisk, "dir/b");
  blob.data = bytes_of("one");
  CHECK(client.ask(blob).status == IoStatus::ok);
  blob.data = bytes_of("four");
  CHECK(client.ask(blob).length == 4);
  CHECK(client.ask(read_all(kDisk, "dir/b")).text == "four");
  CHECK(client.ask(request(VolumeOperation::list, kDisk, "")).files ==
        std::vector<std::string>{"dir/b:4", "f:11"});
  CHECK(client.ask(request(VolumeOperation::list, kDisk, "dir/")).files.size() == 1);
  CHECK(client.ask(request(VolumeOperation::remove, kDisk)).status == IoStatus::ok);
  CHECK(client.ask(read_all(kDisk)).status == IoStatus::missing);
}

TEST_CASE("large files are read as written, from any offset") {
  SimWorld world;
  Client client(world, 0);
  world.run.start();
  std::string all;
  for (int i = 0; i < 40; ++i) {
    const std::string piece(7001, static_cast<char>('a' + i % 26));
    CHECK(client.ask(append(kCell, piece, all.size())).status == IoStatus::ok);
    all += piece;
  }
  CHECK(client.ask(read_all(kCell)).text == all);
  VolumeRequest part = read_all(kCell);
  part.offset = 65'530;
  part.length = 70'000;
  CHECK(client.ask(part).text == all.substr(65'530, 70'000));
}

TEST_CASE("F-06 fences shut out lower epochs, in files that exist and in files to come") {
  SimWorld world;
  Client old_life(world, 0);
  Client new_life(world, 1);
  world.run.start();
  CHECK(old_life.ask(with_epoch(append(kCell, "a", 0), 3)).status == IoStatus::ok);
  CHECK(old_life.ask(with_epoch(append(kCell, "b", 1), 2)).status == IoStatus::fenced);
  CHECK(new_life.ask(with_epoch(request(VolumeOperation::fence, kCell, "f"), 4)).status ==
        IoStatus::ok);
  CHECK(old_life.ask(with_epoch(append(kCell, "b", 1), 3)).status == IoStatus::fenced);
  VolumeRequest later = with_epoch(append(kCell, "b", 0), 3);
  later.file = FileName("f2");
  CHECK(old_life.ask(later).status == IoStatus::fenced);
  later.operation = VolumeOperation::replace;
  CHECK(old_life.ask(later).status == IoStatus::fenced);
  later.epoch = 4;
  CHECK(new_life.ask(later).status == IoStatus::ok);
  CHECK(new_life.ask(with_epoch(append(kCell, "b", 1), 4)).status == IoStatus::ok);
  later.file = FileName("g");  // another prefix is not concerned
  later.epoch = 0;
  CHECK(old_life.ask(later).status == IoStatus::ok);
}

TEST_CASE("an epoch survives removal and re-creation") {
  SimWorld world;
  Client client(world, 0);
  world.run.start();
  CHECK(client.ask(with_epoch(append(kCell, "a", 0), 9)).status == IoStatus::ok);
  CHECK(client.ask(request(VolumeOperation::remove, kCell)).status == IoStatus::ok);
  CHECK(client.ask(with_epoch(append(kCell, "a", 0), 8)).status == IoStatus::fenced);
  CHECK(client.ask(with_epoch(append(kCell, "a", 0), 9)).status == IoStatus::ok);
  CHECK(client.ask(with_epoch(append(kCell, "a", 1), 8)).status == IoStatus::fenced);
}

TEST_CASE("a full volume writes nothing and reports it; removing makes room") {
  SimWorld world(1, {}, three_datacenters(10));
  Client client(world, 0);
  world.run.start();
  CHECK(client.ask(append(kDisk, "12345678", 0)).status == IoStatus::ok);
  CHECK(client.ask(append(kDisk, "abc", 8)).status == IoStatus::full);
  CHECK(client.ask(append(kDisk, "ab", 8)).status == IoStatus::ok);
  VolumeRequest blob = request(VolumeOperation::replace, kDisk, "b");
  blob.data = bytes_of("x");
  CHECK(client.ask(blob).status == IoStatus::full);
  CHECK(client.ask(request(VolumeOperation::remove, kDisk)).status == IoStatus::ok);
  CHECK(client.ask(blob).status == IoStatus::ok);
}

TEST_CASE("damaged bytes answer torn; the rest of the file is readable") {
  SimWorld world;
  Client client(world, 0);
  world.run.start();
  client.ask(append(kDisk, "0123456789", 0));
  CHECK_FALSE(world.run.volumes().damage(VolumeId(kDisk), FileName("f"), 9, 2));
  CHECK(world.run.volumes().damage(VolumeId(kDisk), FileName("f"), 4, 2));
  CHECK(client.ask(read_all(kDisk)).status == IoStatus::torn);
  VolumeRequest part = read_all(kDisk);
  part.length = 4;
  CHECK(client.ask(part).text == "0123");
}

TEST_CASE("A-26 lost bytes read as zeros, without an error") {
  SimWorld world;
  Client client(world, 0);
  world.run.start();
  client.ask(append(kDisk, "0123456789", 0));
  Volumes& volumes = world.run.volumes();
  CHECK_FALSE(volumes.lose(VolumeId(kDisk), FileName("f"), 9, 2));
  CHECK(volumes.lose(VolumeId(kDisk), FileName("f"), 4, 2));
  const auto whole = client.ask(read_all(kDisk));
  CHECK(whole.status == IoStatus::ok);
  CHECK(whole.text == std::string("0123\0\0006789", 10));
  VolumeRequest part = read_all(kDisk);
  part.offset = 5;
  part.length = 2;
  CHECK(client.ask(part).text == std::string("\0006", 2));
  // Exactly what was lost can be restored, once.
  CHECK_FALSE(volumes.give_back(VolumeId(kDisk), FileName("f"), 4, 1));
  CHECK_FALSE(volumes.give_back(VolumeId(kDisk), FileName("g"), 4, 2));
  CHECK(volumes.give_back(VolumeId(kDisk), FileName("f"), 4, 2));
  CHECK_FALSE(volumes.give_back(VolumeId(kDisk), FileName("f"), 4, 2));
  CHECK(client.ask(read_all(kDisk)).text == "0123456789");
}

TEST_CASE("forgotten bytes answer torn, kept ones are readable and grow on") {
  SimWorld world;
  Client client(world, 0);
  world.run.start();
  std::uint64_t length = 0;
  const std::string piece(10'000, 'x');
  for (; length < 200'000; length += piece.size()) client.ask(append(kDisk, piece, length));
  Volumes& volumes = world.run.volumes();
  volumes.forget_before(VolumeId(kDisk), FileName("f"), 150'000);
  std::uint64_t kept = 0;
  Bytes bytes;
  volumes.read_durable(VolumeId(kDisk), FileName("f"), kept, bytes);
  CHECK(kept == 131'072);  // whole chunks of 64 KiB
  CHECK(bytes.size() == volumes.durable_files(VolumeId(kDisk), "f").at(0).length - kept);
  VolumeRequest part = read_all(kDisk);
  part.offset = kept - 1;
  CHECK(client.ask(part).status == IoStatus::torn);
  part.offset = kept;
  part.length = 10;
  CHECK(client.ask(part).text == "xxxxxxxxxx");
  CHECK(client.ask(append(kDisk, "yz", length)).status == IoStatus::ok);
  part.offset = length;
  CHECK(client.ask(part).text == "yz");
}

TEST_CASE("requests to one file complete in order although service times vary") {
  SimWorld world;
  world.storage.jitter = 50ms;
  Client client(world, 0);
  std::uint64_t length = 0;
  world.run.start();
  for (int i = 0; i < 50; ++i) {
    client.context().submit(append(kDisk, "abc", length));
    length += 3;
  }
  client.context().submit(request(VolumeOperation::list, kDisk, ""));
  world.to(10s);
  REQUIRE(client.answers.size() == 51);
  for (std::size_t i = 0; i < 50; ++i) {
    CHECK(client.answers[i].ticket == Ticket(i + 1));
    CHECK(client.answers[i].status == IoStatus::ok);
  }
  CHECK(client.answers[50].files == std::vector<std::string>{"f:150"});
}

TEST_CASE("an outage answers unavailable after a wait; requests in flight may have taken effect") {
  int took_effect = 0;
  constexpr int kRuns = 60;
  for (int seed = 0; seed < kRuns; ++seed) {
    SimWorld world(static_cast<std::uint64_t>(seed));
    Client client(world, 0);
    Fault outage;
    outage.at = at(1ms);
    outage.duration = 1s;
    outage.action = Outage{DatacenterId(0), mask_of(kCellComponent)};
    world.run.set_faults({outage});
    client.on_start = [](Context& context) { context.submit(append(kCell, "x", 0)); };
    world.run.start();
    world.to(100ms);
    REQUIRE(client.answers.size() == 1);
    CHECK(client.answers[0].status == IoStatus::unavailable);
    const Answer refused = client.ask(append(kCell, "yy", 0));
    CHECK(refused.status == IoStatus::unavailable);
    CHECK(refused.when == at(600ms));
    world.to(1100ms);
    CHECK(world.run.processes().at(NodeId(0)).up());  // the cell alone was out
    const Answer after = client.ask(request(VolumeOperation::stat, kCell));
    took_effect += after.status == IoStatus::ok ? 1 : 0;
    CHECK((after.status == IoStatus::missing || after.length == 1));
    CHECK(client.ask(append(kDisk, "disk", 0)).status == IoStatus::ok);
    CHECK(world.run.faults().effective(0));
  }
  CHECK(took_effect > kRuns / 4);
  CHECK(took_effect < kRuns * 3 / 4);
}

TEST_CASE("a request in flight when its process dies takes effect fully, partly or not at all") {
  int full = 0;
  int none = 0;
  int part = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SimWorld world(seed);
    Client client(world, 0);
    client.on_start = [](Context& context) {
      if (context.incarnation() == Incarnation(1)) context.submit(append(kCell, "0123456789", 0));
    };
    world.run.set_faults({crash(1ms, 0, 10ms)});
    world.run.start();
    world.to(100ms);
    CHECK(client.answers.empty());
    const StoredFile* file = world.run.volumes().files(VolumeId(kCell)).find(FileName("f"));
    const std::uint64_t length = file == nullptr ? 0 : file->bytes.size();
    ++(length == 10 ? full : length == 0 ? none : part);
    CHECK(client.ask(read_all(kCell)).text == std::string("0123456789").substr(0, length));
  }
  CHECK(full > 20);
  CHECK(none > 20);
  CHECK(part > 20);
}

TEST_CASE("a host crash drops or tears unsynced bytes; synced ones stay") {
  int dropped = 0;
  int torn = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SimWorld world(seed);
    Client client(world, 0);
    Fault fault;
    fault.at = at(3500ms);
    fault.duration = 100ms;
    fault.action = CrashHost{HostId(0)};
    world.run.set_faults({fault});
    world.run.start();
    client.ask(append(kDisk, "sync", 0));
    client.ask(append(kDisk, "0123", 4, Durability::buffered));
    client.ask(append(kDisk, "4567", 8, Durability::buffered));
    world.to(4s);
    CHECK_FALSE(client.answers.empty());
    const std::string left = client.ask(read_all(kDisk)).text;
    CHECK(left == std::string("sync01234567").substr(0, left.size()));
    CHECK(left.size() >= 4);
    CHECK(left.size() < 12);
    ++(left.size() == 4 ? dropped : torn);
    CHECK(client.ask(append(kDisk, "!", left.size())).status == IoStatus::ok);
  }
  CHECK(dropped > 15);
  CHECK(torn > 15);
}

TEST_CASE("B-18 a lost disk returns empty; what was provisioned is there from the beginning") {
  SimWorld world(3);
  Client client(world, 0);
  Fault fault;
  fault.at = at(4500ms);
  fault.duration = 100ms;
  fault.action = LoseDisk{HostId(0)};
  world.run.set_faults({fault});
  world.run.volumes().provision(VolumeId(kDisk), FileName("deployed"), bytes_of("label"));
  world.run.start();
  VolumeRequest deployed = read_all(kDisk);
  deployed.file = "deployed";
  CHECK(client.ask(deployed).text == "label");
  client.ask(append(kDisk, "abcd", 0));
  client.ask(append(kCell, "wxyz", 0));
  world.to(5s);
  CHECK(client.ask(read_all(kDisk)).status == IoStatus::missing);
  CHECK(client.ask(deployed).status == IoStatus::missing);
  CHECK(client.ask(read_all(kCell)).text == "wxyz");
  CHECK(world.run.faults().effective(0));
}

TEST_CASE("a process crash alone spares its host's page cache, but not a cell client's buffer") {
  SimWorld world(3);
  Client client(world, 0);
  world.run.set_faults({crash(5s, 0, 100ms)});
  world.run.start();
  client.ask(append(kDisk, "disk", 0, Durability::buffered));
  client.ask(append(kCell, "cell", 0, Durability::buffered));
  world.to(6s);
  CHECK(client.ask(read_all(kDisk)).text == "disk");
  CHECK(client.ask(read_all(kCell)).text.size() < 4);
}

TEST_CASE("a sync makes buffered bytes durable") {
  SimWorld world;
  Client client(world, 0);
  Fault fault;
  fault.at = at(4500ms);
  fault.duration = 100ms;
  fault.action = CrashHost{HostId(0)};
  world.run.set_faults({fault});
  world.run.start();
  client.ask(append(kDisk, "abcd", 0, Durability::buffered));
  client.ask(append(kCell, "wxyz", 0, Durability::buffered));
  client.ask(request(VolumeOperation::sync, kDisk));
  client.ask(request(VolumeOperation::sync, kCell));
  world.to(5s);
  CHECK(client.ask(read_all(kDisk)).text == "abcd");
  CHECK(client.ask(read_all(kCell)).text == "wxyz");
}

namespace {

// States each durable or issued piece of "f" as one fact: offset and length.
class PieceProjector final : public StorageProjector {
 public:
  void project(const StorageFact& fact, trace::FactSink& sink) override {
    if (fact.change != StorageChange::appended) return;
    sink.fact(trace::LogVisible{fact.offset, static_cast<std::uint32_t>(fact.bytes.size())});
  }
};

}  // namespace

TEST_CASE("storage is tapped when issued and when durable, under the name of its writer") {
  PieceProjector projector;
  SimWorld world(1, {}, three_datacenters(), &projector);
  Client first(world, 0);
  Client second(world, 1);
  world.run.start();
  first.ask(append(kCell, "abc", 0, Durability::buffered));
  second.ask(append(kCell, "de", 3));
  std::vector<std::array<std::uint64_t, 4>> seen;  // source, node, offset, length
  for (const trace::Record& record : world.sink.records) {
    if (record.header.kind != trace::Kind::log_visible) continue;
    CHECK(record.header.peer == NodeId(kCell));
    const auto& piece = record.as<trace::LogVisible>();
    seen.push_back({static_cast<std::uint64_t>(record.header.source), record.header.node.value(),
                    piece.length, piece.file});
  }
  const auto issued = static_cast<std::uint64_t>(trace::Source::issued);
  const auto durable = static_cast<std::uint64_t>(trace::Source::durable);
  CHECK(seen == std::vector<std::array<std::uint64_t, 4>>{
                    {issued, 0, 0, 3}, {issued, 1, 3, 2}, {durable, 0, 0, 3}, {durable, 1, 3, 2}});
}

TEST_CASE("a volume is reached from its own host or datacenter only") {
  SimWorld world;
  world.hooks[2].start = [](Context& context) { context.submit(read_all(kDisk)); };
  CHECK_THROWS_AS(world.run.start(), CheckFailed);
}

}  // namespace photon::sim
