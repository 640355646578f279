#include "sim/process.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "sim/body_digest.h"
#include "sim/quiet_rounds.h"
#include "sim/use_meter.h"

namespace photon::sim {

Process::Process(Services& services, const ProcessInfo& info)
    : services_(services),
      info_(info),
      streams_(services.seed, info.id),
      component_stream_(services.seed, Purpose::component, info.id.value()) {}

Process::~Process() { drop_bodies(); }

void Process::renew(std::uint64_t seed) {
  streams_.renew(seed, info_.id);
  component_stream_ = RandomStream(seed, Purpose::component, info_.id.value());
}

void Process::start() {
  PHOTON_CHECK(!up(), "only a process that is down starts");
  PHOTON_CHECK(factory_ != nullptr, "every process has a factory");
  ++life_;
  PHOTON_CHECK(inbox_.empty(), "a life begins with an empty inbox");
  busy_until_ = paused_until_ = last_came_ = services_.kernel.now();
  wake_pending_ = false;
  timers_.fill(Timer{});
  requests_ = open_requests_ = 0;
  streams_.begin_life(incarnation());
  context_.emplace(*this, incarnation());
  services_.tap.record(trace::Source::environment, party(), trace::ProcessStarted{info_.role});
  node_ = factory_();
  PHOTON_CHECK(node_ != nullptr, "a factory makes a node");
  rounds_ = node_->rounds();
  node_->on_start(*context_);
  observe();
}

void Process::stop() {
  PHOTON_CHECK(up(), "only a live process is asked to stop");
  end_rest();
  node_->on_stop(*context_);
  observe();
}

void Process::crash(std::uint32_t fault, Ending ending) {
  PHOTON_CHECK(up(), "only a live process crashes");
  end_rest();
  settle_hold_ups(HoldUps::Ends::now);
  services_.tap.record(trace::Source::environment, party(),
                       trace::ProcessCrashed{fault, ending == Ending::in_order ? 1U : 0U});
  for (const Delivery& delivery : inbox_) {
    if (delivery.kind == EventKind::storage) services_.volumes->release(delivery.payload);
  }
  drop_bodies();
  rounds_ = nullptr;
  node_.reset();
  context_.reset();
  services_.volumes->process_crashed(info_.id);
  services_.meter->ended(info_);
}

void Process::pause(Duration length, std::uint32_t fault, Duration least) {
  PHOTON_CHECK(up() && length.count() >= 0, "only a live process pauses, for a while");
  end_rest();
  paused_until_ = std::max(paused_until_, services_.kernel.now() + length);
  if (fault != kNoFault) {
    hold_ups_.add({fault, departure(), paused_until_, least}, !inbox_.empty());
  }
  busy_until_ = std::max(busy_until_, paused_until_);
  services_.tap.record(trace::Source::environment, party(), trace::ProcessPaused{length.count()});
}

// A pending wake-up comes too late; when it comes, it does no harm.
void Process::resume() {
  const SimTime now = services_.kernel.now();
  if (!up() || paused_until_ <= now) return;
  settle_hold_ups(HoldUps::Ends::now);
  busy_until_ = paused_until_ = now;
  services_.tap.record(trace::Source::environment, party(), trace::ProcessResumed{});
  if (!wake_pending_) return;
  services_.kernel.schedule(now, info_.datacenter, ActorId(info_.id.value()),
                            make_tag(EventKind::wake_up), life_);
}

// Frees the waiting bodies; requests are freed by their volume.
void Process::drop_bodies() {
  for (const Delivery& delivery : inbox_) {
    if (delivery.kind == EventKind::message) Body::adopt(delivery.payload);
  }
  inbox_.clear();
}

void Process::on_event(Kernel&, const Event& event) {
  if (kind_of(event.tag) != EventKind::timer) end_rest();
  switch (kind_of(event.tag)) {
    case EventKind::message:
      return on_message_event(event);
    case EventKind::timer:
      return on_timer_event(event);
    case EventKind::wake_up:
      return on_wake_up(event);
    default:
      PHOTON_CHECK(false, "a process gets messages, timers and wake-ups");
  }
}

bool Process::must_wait() const { return busy_until_ > services_.kernel.now() || !inbox_.empty(); }

void Process::wait(Delivery delivery) {
  inbox_.push_back(delivery);
  services_.meter->waiting(info_, inbox_.size());
  if (hold_ups_.any()) hold_ups_.arrived(services_.kernel.now());
  if (wake_pending_) return;
  wake_pending_ = true;
  services_.kernel.schedule(busy_until_, info_.datacenter, ActorId(info_.id.value()),
                            make_tag(EventKind::wake_up), life_);
}

void Process::on_wake_up(const Event& event) {
  services_.kernel.witness(info_.datacenter, static_cast<std::uint32_t>(event.payload), 0);
  if (!up() || event.payload != life_) return;
  wake_pending_ = false;
  settle_hold_ups(HoldUps::Ends::in_time);
  while (!inbox_.empty() && busy_until_ <= services_.kernel.now()) {
    const Delivery delivery = inbox_.front();
    inbox_.pop_front();
    services_.meter->waiting(info_, inbox_.size());
    deliver(delivery);
  }
  if (inbox_.empty()) return;
  wake_pending_ = true;
  services_.kernel.schedule(busy_until_, info_.datacenter, ActorId(info_.id.value()),
                            make_tag(EventKind::wake_up), life_);
}

void Process::deliver(const Delivery& delivery) {
  switch (delivery.kind) {
    case EventKind::message:
      return deliver_message(NodeId(delivery.argument), Body::adopt(delivery.payload),
                             delivery.number);
    case EventKind::timer:
      return deliver_timer(static_cast<TimerKind>(delivery.argument));
    default:
      return deliver_io(delivery.payload);
  }
}

void Process::on_message_event(const Event& event) {
  Body body = Body::adopt(event.payload);
  const NodeId from(argument_of(event.tag));
  services_.kernel.witness(info_.datacenter, life_, digest_of(body, scratch_));
  Network& network = *services_.network;
  const bool cut = !network.arrives(from, info_.id);
  if (cut || !up()) {
    if (network.follows_any()) network.missed(event, from);
    if (!cut) network.count_found_down();
    return;
  }
  network.count_delivered();
  if (network.follows_any()) network.taken(event, from, info_.id, last_came_);
  last_came_ = services_.kernel.now();
  const std::uint32_t number = Tap::message_number(services_.kernel.counter_of(event));
  if (must_wait()) {
    wait({EventKind::message, from.value(), body.release(), number});
  } else {
    deliver_message(from, std::move(body), number);
  }
}

void Process::deliver_message(NodeId from, Body body, std::uint32_t number) {
  services_.tap.delivered(party(), from, body, number);
  services_.network->delivered(info_.id, body);
  charge(services_.service_times.of(info_.role, body));
  node_->on_message(*context_, from, body);
  observe();
}

// ---- timers

bool Process::is_due(const Timer& timer) const {
  return services_.clocks.monotonic(info_.host, services_.kernel.now()) >= timer.due;
}

void Process::set_timer(TimerKind kind, MonotonicTime due) {
  PHOTON_CHECK(kind < kMaxTimerKinds, "a timer kind is below kMaxTimerKinds");
  Timer& timer = timers_[kind];
  timer.armed = true;
  timer.due = due;
  arm(kind);
}

// Ensures that some event comes no later than the timer is due.
void Process::arm(TimerKind kind) {
  Timer& timer = timers_[kind];
  if (timer.events > 0 && timer.pending[timer.events - 1].due <= timer.due) {
    return;  // that event comes no later, and will re-check
  }
  schedule_timer(kind, services_.clocks.when(info_.host, timer.due, services_.kernel.now()));
}

void Process::schedule_timer(TimerKind kind, SimTime at) {
  Timer& timer = timers_[kind];
  if (timer.events == Timer::kMostEvents) {
    // Drop the latest: when it comes it is recognised as an orphan.
    std::shift_left(timer.pending.begin(), timer.pending.end(), 1);
    --timer.events;
  }
  PHOTON_CHECK(timer.events < Timer::kMostEvents, "a timer has room for one more event");
  timer.pending[timer.events++] = {services_.kernel.at_tick(at), timer.due};
  services_.kernel.schedule(at, info_.datacenter, ActorId(info_.id.value()),
                            make_tag(EventKind::timer, kind), life_);
}

void Process::on_timer_event(const Event& event) {
  services_.kernel.witness(info_.datacenter, static_cast<std::uint32_t>(event.payload), 0);
  if (!up() || event.payload != life_) return;
  const auto kind = static_cast<TimerKind>(argument_of(event.tag));
  PHOTON_CHECK(kind < kMaxTimerKinds, "a timer kind is below kMaxTimerKinds");
  Timer& timer = timers_[kind];
  const bool orphan =
      timer.events == 0 || timer.pending[timer.events - 1].at != services_.kernel.now();
  if (orphan) return;
  --timer.events;
  if (!timer.armed || timer.queued) return;
  if (resting_with_ != kNoNode) {
    if (kind == round_timer_) return;
    end_rest();
  }
  if (!is_due(timer)) return arm(kind);
  if (rounds_ != nullptr && services_.rounds->may_leave_out(*this, kind)) return;
  last_came_ = services_.kernel.now();
  if (!must_wait()) return fire(timer, kind);
  timer.queued = true;
  wait({EventKind::timer, kind, 0, 0});
}

void Process::deliver_timer(TimerKind kind) {
  Timer& timer = timers_[kind];
  timer.queued = false;
  if (!timer.armed) return;
  if (!is_due(timer)) return arm(kind);
  fire(timer, kind);
}

void Process::fire(Timer& timer, TimerKind kind) {
  PHOTON_CHECK(timer.armed, "only an armed timer fires");
  timer.armed = false;
  node_->on_timer(*context_, kind);
  observe();
}

// ---- rounds that are left out

Node* Process::woken_node() {
  if (up()) end_rest();
  return node_.get();
}

bool Process::may_rest() const {
  return up() && resting_with_ == kNoNode && open_requests_ == 0 && !must_wait() &&
         !hold_ups_.any();
}

void Process::rest(NodeId leader, TimerKind timer) {
  PHOTON_CHECK(leader != kNoNode && may_rest(), "a process that has nothing to do rests");
  resting_with_ = leader;
  round_timer_ = timer;
}

void Process::end_rest() {
  if (resting_with_ != kNoNode) services_.rounds->wake(resting_with_);
}

void Process::set_timer_anew(TimerKind kind, MonotonicTime due) {
  timers_[kind].events = 0;
  set_timer(kind, due);
}

void Process::see_to_timer(TimerKind kind, SimTime time) {
  const Timer& timer = timers_[kind];
  if (timer.armed && !timer.queued && timer.events == 0) schedule_timer(kind, time);
}

// ---- storage

void Process::io_completed(std::uint64_t handle, Operation& operation) {
  PHOTON_CHECK(up() && operation.requester.party.incarnation == incarnation(),
               "requests of a dead life are abandoned by their volume");
  EffectTracker& tracker = services_.volumes->effect_tracker();
  if (tracker.any()) {
    tracker.arrived(handle, {{info_.id, info_.id}, services_.kernel.now(), last_came_});
  }
  last_came_ = services_.kernel.now();
  if (must_wait()) {
    wait({EventKind::storage, 0, handle, 0});
  } else {
    deliver_io(handle);
  }
}

void Process::deliver_io(std::uint64_t handle) {
  Operation* operation = services_.volumes->find(handle);
  PHOTON_CHECK(operation != nullptr, "a completed request keeps its result until delivered");
  PHOTON_CHECK(operation->done, "a result is delivered when its request is done");
  PHOTON_CHECK(operation->requester.party.node == info_.id,
               "a result goes to the process that asked");
  IoResult result = std::move(operation->result);
  const Ticket ticket = operation->requester.ticket;
  const Duration takes = services_.service_times.of(info_.role, operation->request, result);
  services_.volumes->release(handle);
  --open_requests_;
  charge(takes);
  node_->on_io(*context_, ticket, result);
  observe();
}

void Process::observe() const { services_.meter->observe(info_, *node_); }

SimTime Process::departure() const { return std::max(busy_until_, services_.kernel.now()); }

void Process::charge(Duration usual) {
  if (usual > Duration::zero()) consume(usual);
}

void Process::consume(Duration usual) {
  const auto [takes, fault] = services_.slowness->stretch(info_.datacenter, usual);
  PHOTON_CHECK(takes >= usual, "a slow datacenter is no faster than others");
  const SimTime begin = departure();
  busy_until_ = begin + takes;
  services_.meter->works(info_, begin, busy_until_);
  if (fault == kNoFault || services_.effects->had_effect(fault)) return;
  settle_hold_ups(HoldUps::Ends::in_time);
  hold_ups_.add({fault, begin + usual, busy_until_, kLeastWait}, !inbox_.empty());
}

void Process::settle_hold_ups(HoldUps::Ends ends) {
  if (hold_ups_.any()) hold_ups_.settle(services_.kernel.now(), ends, *services_.effects);
}

// ---- the context of one life

NodeId SimContext::self() const { return process_.info_.id; }

MonotonicTime SimContext::now() const {
  const SimTime now = process_.services_.kernel.now();
  if (read_at_ != now) {
    reading_ = process_.services_.clocks.monotonic(process_.info_.host, now);
    read_at_ = now;
  }
  return reading_;
}

LocalTime SimContext::wall() const {
  process_.services_.clocks.wall_used(process_.info_.host, process_.services_.kernel.now());
  return process_.services_.clocks.wall(process_.info_.host, process_.services_.kernel.now());
}

TrueTimeInterval SimContext::true_time() const {
  return process_.services_.clocks.true_time(process_.info_.host, process_.services_.kernel.now());
}

void SimContext::send(NodeId to, Body body) {
  PHOTON_CHECK(!body.empty(), "a message has a body");
  PHOTON_CHECK(process_.up(), "only a live process sends");
  process_.services_.tap.sent(process_.party(), to, body);
  process_.services_.network->send(process_.streams_, process_.info_.id, to, process_.departure(),
                                   std::move(body));
}

void SimContext::set_timer(TimerKind kind, MonotonicTime due) { process_.set_timer(kind, due); }

void SimContext::cancel_timer(TimerKind kind) {
  PHOTON_CHECK(kind < kMaxTimerKinds, "a timer kind is below kMaxTimerKinds");
  process_.timers_[kind].armed = false;
}

Ticket SimContext::submit(VolumeRequest request) {
  const Ticket ticket(++process_.requests_);
  PHOTON_CHECK(process_.up(), "only a live process asks a volume");
  ++process_.open_requests_;
  process_.services_.volumes->submit({process_.party(), ticket}, process_.departure(),
                                     std::move(request));
  return ticket;
}

std::uint64_t SimContext::random(std::uint64_t ordinal) {
  return process_.component_stream_.word(ordinal, life_.value());
}

void SimContext::consume(Duration busy) {
  PHOTON_CHECK(busy.count() >= 0, "busy time is not negative");
  process_.consume(busy);
}

void SimContext::raw_decide(trace::Kind kind, const void* payload, std::size_t size) {
  process_.services_.tap.raw_record(trace::Source::decision, process_.party(), kNoNode, kind,
                                    {payload, size});
}

}  // namespace photon::sim
