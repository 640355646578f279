#include "tests/photon/registry/registry_world.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::testing {

class World::NodeContext final : public Context {
 public:
  NodeContext(World& world, NodeId self, std::uint32_t life)
      : world_(world), self_(self), life_(life) {}

  NodeId self() const override { return self_; }
  Incarnation incarnation() const override { return Incarnation(life_); }
  MonotonicTime now() const override { return MonotonicTime(world_.now_); }
  LocalTime wall() const override {
    const auto error = world_.wall_error.find(self_.value());
    return LocalTime(world_.now_ +
                     (error == world_.wall_error.end() ? Duration::zero() : error->second));
  }
  TrueTimeInterval true_time() const override {
    const Duration half = world_.options_.true_time_uncertainty;
    const auto lag = world_.true_time_lag.find(self_.value());
    const Duration extra = lag == world_.true_time_lag.end() ? Duration::zero() : lag->second;
    return {TrueTimePoint(world_.now_ - half - extra), TrueTimePoint(world_.now_ + half)};
  }
  void send(NodeId to, Body body) override { world_.send(Sent{self_, to, std::move(body)}); }
  void set_timer(TimerKind kind, MonotonicTime due) override {
    const std::uint64_t number = ++timers_.at(kind);
    const Duration at = std::max(due.time_since_epoch(), world_.now_);
    world_.schedule(at, [this, &world = world_, self = self_, life = life_, kind, number] {
      if (world.slot(self).life != life || !world.alive(self)) return;
      if (timers_.at(kind) == number) world.slot(self).node->on_timer(*this, kind);
    });
  }
  void cancel_timer(TimerKind kind) override { ++timers_.at(kind); }
  Ticket submit(VolumeRequest request) override {
    const Ticket ticket(++tickets_);
    auto shared = std::make_shared<VolumeRequest>(std::move(request));
    world_.schedule(world_.now_ + world_.options_.storage,
                    [&world = world_, self = self_, life = life_, ticket, shared] {
                      complete(world, self, life, ticket, *shared);
                    });
    return ticket;
  }
  std::uint64_t random(std::uint64_t ordinal) override {
    return RandomStream(world_.options_.seed, Purpose::component, self_.value()).word(ordinal);
  }

 private:
  static void complete(World& world, NodeId self, std::uint32_t life, Ticket ticket,
                       const VolumeRequest& request) {
    const bool living = world.slot(self).life == life && world.alive(self);
    if (!living && world.draw(2) == 0) return;
    IoResult result;
    world.volume(request.volume).serve(request, result);
    if (living) world.slot(self).node->on_io(*world.slot(self).context, ticket, result);
  }
  void raw_decide(trace::Kind kind, const void* payload, std::size_t size) override {
    trace::Record record;
    record.header.kind = kind;
    record.header.source = trace::Source::decision;
    record.header.node = self_;
    record.header.incarnation = Incarnation(life_);
    record.header.at = SimTime(world_.now_);
    std::memcpy(record.payload.data(), payload, size);
    world_.decisions.push_back(record);
  }

  World& world_;
  NodeId self_;
  std::uint32_t life_;
  std::array<std::uint64_t, kMaxTimerKinds> timers_{};
  std::uint64_t tickets_ = 0;
};

void WorldVolume::serve(const VolumeRequest& request, IoResult& result) {
  const std::string name(request.file.begin(), request.file.end());
  if (!available) {
    result.status = IoStatus::unavailable;
    return;
  }
  const bool writes =
      request.operation == VolumeOperation::append || request.operation == VolumeOperation::replace;
  if (writes && request.epoch < epoch_of(name)) {
    result.status = IoStatus::fenced;
    return;
  }
  const auto file = files_.find(name);
  switch (request.operation) {
    case VolumeOperation::fence:
      if (request.epoch < epoch_of(name)) result.status = IoStatus::fenced;
      fences_.emplace_back(name, request.epoch);
      return;
    case VolumeOperation::replace:
      files_[name] = request.data;
      return;
    case VolumeOperation::append: {
      Bytes& content = files_[name];
      result.length = content.size();
      if (request.expected_length != content.size()) {
        result.status = IoStatus::conflict;
        return;
      }
      content.insert(content.end(), request.data.begin(), request.data.end());
      result.length = content.size();
      return;
    }
    case VolumeOperation::list:
      for (const auto& [known, content] : files_) {
        if (known.starts_with(name)) {
          result.files.push_back({FileName(known.c_str(), known.size()), content.size()});
        }
      }
      return;
    case VolumeOperation::remove:
      files_.erase(name);
      return;
    case VolumeOperation::sync:
    case VolumeOperation::stat:
    case VolumeOperation::read:
      break;
  }
  if (file == files_.end()) {
    result.status = IoStatus::missing;
    return;
  }
  result.length = file->second.size();
  if (request.operation != VolumeOperation::read) return;
  const std::uint64_t end = std::min<std::uint64_t>(result.length, request.offset + request.length);
  for (std::uint64_t at = request.offset; at < end; ++at) result.data.push_back(file->second[at]);
}

const Bytes* WorldVolume::content(std::string_view name) const {
  const auto file = files_.find(std::string(name));
  return file == files_.end() ? nullptr : &file->second;
}

std::uint64_t WorldVolume::epoch_of(std::string_view name) const {
  std::uint64_t epoch = 0;
  for (const auto& [prefix, fence] : fences_) {
    if (name.starts_with(prefix)) epoch = std::max(epoch, fence);
  }
  return epoch;
}

World::World(const WorldOptions& options) : options_(options) {}
World::~World() = default;

NodeId World::add(Factory factory) {
  slots_.emplace_back();
  slots_.back().factory = std::move(factory);
  return NodeId(static_cast<std::uint32_t>(slots_.size() - 1));
}

VolumeId World::add_volume() {
  volumes_.push_back(std::make_unique<WorldVolume>());
  return VolumeId(static_cast<std::uint32_t>(volumes_.size() - 1));
}

void World::start(NodeId node) {
  Slot& process = slot(node);
  PHOTON_CHECK(process.node == nullptr, "a running node is not started");
  process.context = std::make_unique<NodeContext>(*this, node, ++process.life);
  process.node = process.factory();
  process.node->on_start(*process.context);
}

void World::crash(NodeId node) { slot(node).node.reset(); }

Context& World::context(NodeId node) { return *slot(node).context; }

std::uint64_t World::draw(std::uint64_t bound) {
  const auto word = RandomStream(options_.seed, Purpose::test, 0).word(draws_++);
  return uniform_below(word, bound);
}

void World::send(const Sent& sent) {
  if (on_send) on_send(sent);
  if (drop && drop(sent)) return;
  if (sent.from != sent.to && (is_cut(sent.from) || is_cut(sent.to))) return;
  if (draw(1000) < options_.loss_per_mille) return;
  const auto spread =
      static_cast<std::uint64_t>((options_.delay_most - options_.delay_least).count());
  const std::uint32_t copies = draw(1000) < options_.duplicate_per_mille ? 2 : 1;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    const Duration extra(static_cast<std::int64_t>(draw(spread + 1)));
    deliver(sent, options_.delay_least + extra + copy * std::chrono::milliseconds(20));
  }
}

void World::deliver(const Sent& sent, Duration delay) {
  schedule(now_ + delay, [this, sent] {
    if (sent.from != sent.to && is_cut(sent.to)) return;
    if (alive(sent.to)) slot(sent.to).node->on_message(context(sent.to), sent.from, sent.body);
  });
}

void World::at(Duration from_now, std::function<void()> action) {
  schedule(now_ + from_now, std::move(action));
}

void World::schedule(Duration at, std::function<void()> action) {
  events_.emplace(at, std::move(action));
}

bool World::step(Duration limit) {
  if (events_.empty() || events_.begin()->first > limit) return false;
  auto event = events_.extract(events_.begin());
  now_ = event.key();
  event.mapped()();
  return true;
}

void World::run_for(Duration duration) {
  const Duration limit = now_ + duration;
  while (step(limit)) {
  }
  now_ = limit;
}

bool World::run_until(const std::function<bool()>& done, Duration limit) {
  const Duration end = now_ + limit;
  while (!done()) {
    if (!step(end)) return done();
  }
  return true;
}

}  // namespace photon::testing
