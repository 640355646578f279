#include "tests/photon/registry_explorer/explored_server.h"

#include <utility>

#include "core_impl/base/hash.h"
#include "core_impl/paxos/disk_format.h"
#include "core_impl/paxos/log_frame.h"
#include "core_impl/paxos/replica_log.h"
#include "tests/support/catch.h"

namespace photon::testing {
namespace {

using namespace std::chrono_literals;

constexpr VolumeId kServerDisk{1};
constexpr TimerKind kServerConsensusTimer = 0;  // of RegistryServer
constexpr ShardId kShard{5};
constexpr std::uint32_t kFirstServer = 100;
constexpr std::uint32_t kFirstUser = 200;
// Longer than a lease, an election timeout and all staggers together.
constexpr Duration kLongTime = 20s;
// The preferred replica stands for election first; this is after its jitter, before the others'.
constexpr Duration kWarm = 300ms;

RegistryServerOptions options_of_explored(paxos::ReplicaIndex self, const ShardBounds& bounds) {
  RegistryServerOptions options;
  options.consensus.config.group = kShard;
  options.consensus.config.self = self;
  options.consensus.config.replicas = kExplored;
  options.consensus.config.pipeline_depth = bounds.pipeline_depth;
  for (std::uint32_t i = 0; i < kExplored; ++i) {
    options.consensus.members.push_back(NodeId(kFirstServer + i));
  }
  options.consensus.volume = kServerDisk;
  options.consensus.snapshot_min_bytes = 0;
  options.guard.check = ShardCheck::off;
  options.thread.max_batch_operations = bounds.max_batch_operations;
  return options;
}

class UseHash final : public UseSink {
 public:
  explicit UseHash(Encoder& encoder) : encoder_(encoder) {}
  void use(const ResourceUse& now) override { encoder_(now.used, now.waiting); }

 private:
  Encoder& encoder_;
};

}  // namespace

ExploredServer::ExploredServer(paxos::ReplicaIndex self, const ShardBounds& bounds)
    : self_(self), bounds_(&bounds), context_(NodeId(kFirstServer + self)) {
  const FileName format = paxos::format_name(kShard);
  context_.disks[kServerDisk][std::string(format.data(), format.size())] =
      paxos::format_of_new_group(kShard, self);
  // The boundary moves with true time; here it stands still, so a master moves it once.
  context_.fixed_true_time = TrueTimePoint(Duration(1h));
  start();
  context_.advance(kWarm);
  collect(kTimePasses);
}

void ExploredServer::start() {
  server_ = std::make_unique<RegistryServer>(options_of_explored(self_, *bounds_));
  server_->on_start(context_);
  context_.complete_all(*server_);
}

void ExploredServer::happen(Event event, const Flying* flying) {
  sent.clear();
  replies.clear();
  switch (event & kEventKind) {
    case kDeliver:
      server_->on_message(context_, NodeId(kFirstServer + flying->from),
                          paxos::envelope(flying->message));
      break;
    case kAsk:
      ask(event & ~kEventKind);
      break;
    case kTick:
      ++ticks_;
      context_.fire(*server_, kServerConsensusTimer);
      break;
    case kTimePasses:
      context_.advance(kLongTime);
      break;
    case kPersist:
      context_.complete(*server_);
      break;
    case kCrash:
      crash(0);
      break;
    default:
      crash(std::size_t{1} << 20U);
  }
  if (bounds_->writes == Writes::at_once) context_.complete_all(*server_);
  collect(event);
}

void ExploredServer::ask(std::uint32_t request) {
  RegistryRequest message;
  message.request = request + 1;
  message.shard = kShard;
  const auto& items = bounds_->script[request].items;
  message.items.assign(items.begin(), items.end());
  server_->on_message(context_, NodeId(kFirstUser + request), Body::make(std::move(message)));
}

void ExploredServer::crash(std::size_t kept) {
  server_.reset();
  context_.crash(kept);
  context_.decisions.clear();
  history_ = decisions_ = 0;
  start();
}

// The history: requests, decisions and replies, in order.
void ExploredServer::collect(Event event) {
  if ((event & kEventKind) == kAsk) history_ = combine(history_, event);
  for (; decisions_ < context_.decisions.size(); ++decisions_) {
    const auto& [kind, bytes] = context_.decisions[decisions_];
    history_ = combine(history_, hash_bytes(bytes, static_cast<std::uint64_t>(kind)));
  }
  collect_sent();
  for (const SentReply& reply : replies) history_ = combine(history_, reply.hash);
  collect_own_votes();
  if (!writing()) unsettled_ = 0;
  if (writing() && server_->driver().records() != records_) {
    Bytes bytes;
    Encoder encoder(bytes);
    server_->driver().replica().encode_state(encoder);
    unsettled_ = combine(combine(unsettled_, event), hash_bytes(bytes));
  }
  records_ = server_->driver().records();
}

void ExploredServer::collect_sent() {
  for (const FakeContext::Sent& one : context_.sent) {
    if (one.body.type() == RegistryReply::kType) {
      const auto& reply = one.body.as<RegistryReply>();
      Bytes bytes;
      Encoder encoder(bytes);
      RegistryReply::each_field(reply, encoder);
      replies.push_back({one.to.value() - kFirstUser,
                         server_->driver().applied_slot(),
                         {reply.results.begin(), reply.results.end()},
                         hash_bytes(bytes, one.to.value())});
      continue;
    }
    const auto to = static_cast<paxos::ReplicaIndex>(one.to.value() - kFirstServer);
    std::visit(
        [&]<class M>(const M& message) {
          if constexpr (std::is_constructible_v<paxos::Message, M> &&
                        !std::is_same_v<M, paxos::Reject>) {
            send_to(to, paxos::Message(message));
          }
        },
        one.body.as<paxos::Envelope>().payload);
  }
  context_.sent.clear();
}

void ExploredServer::send_to(paxos::ReplicaIndex to, const paxos::Message& message) {
  Bytes bytes;
  Encoder encoder(bytes);
  paxos::encode_message(message, encoder);
  const std::uint64_t hash = hash_bytes(bytes, std::uint64_t{self_} * kExplored + to + 1);
  sent.push_back(Flying{self_, to, message, hash});
}

// A master's own acceptances cross no network: they are read from its disk, where they count.
void ExploredServer::collect_own_votes() {
  for (std::uint64_t segment = 1;; ++segment) {
    const FileName name = paxos::segment_name(kShard, segment);
    const FakeDisk& disk = context_.disks[kServerDisk];
    const auto file = disk.find(std::string(name.data(), name.size()));
    if (file == disk.end()) return;
    paxos::for_each_frame(file->second, {kShard, segment, 0}, [&](std::span<const std::byte> body) {
      paxos::LogRecord record;
      Decoder decode(body);
      paxos::LogRecord::each_field(record, decode);
      const bool acceptance = decode.ok() && decode.remaining() == 0 &&
                              record.kind == paxos::RecordKind::accept &&
                              record.ballot != paxos::Ballot{};
      if (!acceptance || paxos::owner_of(record.ballot) != self_) return true;
      paxos::Accepted vote{kShard, record.ballot, record.slot, 0, {}, paxos::kFirstGeneration, {}};
      vote.value_hashes.push_back(record.value.hash());
      send_to(self_, vote);
      return true;
    });
  }
}

bool ExploredServer::timer_due() const {
  const auto due = context_.timer(kServerConsensusTimer);
  return due && *due <= context_.now();
}

ServerEvidence ExploredServer::evidence() const {
  ServerEvidence evidence;
  evidence.slots = context_.decided<trace::SlotApplied>();
  evidence.operations = context_.decided<trace::OperationApplied>();
  evidence.elected = context_.decided<trace::MasterElected>().size();
  if (const auto* master = std::get_if<paxos::Master>(&server_->driver().replica().role())) {
    evidence.open = master->open.size();
  }
  for (const auto& [kind, bytes] : context_.decisions) {
    const bool judged = kind == trace::SlotApplied::kKind || kind == trace::OperationApplied::kKind;
    if (judged) evidence.hash = combine(evidence.hash, hash_bytes(bytes));
  }
  return evidence;
}

std::uint64_t ExploredServer::hash() const {
  Bytes bytes;
  bytes.reserve(4096);
  Encoder encoder(bytes);
  server_->driver().replica().encode_state(encoder);
  encoder(self_, history_, unsettled_, ticks_, context_.now(), context_.incarnation());
  for (TimerKind kind = 0; kind < kMaxTimerKinds; ++kind) {
    encoder(context_.timer(kind).value_or(MonotonicTime::min()));
  }
  const auto disk = context_.disks.find(kServerDisk);
  for (const auto& [name, content] : disk->second) {
    encoder(hash_bytes(std::as_bytes(std::span(name))), hash_bytes(content));
  }
  for (const FakeContext::Pending& pending : context_.pending) {
    encoder(static_cast<std::uint8_t>(pending.request.operation), pending.request.expected_length,
            hash_bytes(pending.request.data));
  }
  server_->store().snapshot(bytes);
  UseHash use(encoder);
  server_->report_use(use);
  return hash_bytes(bytes);
}

}  // namespace photon::testing
