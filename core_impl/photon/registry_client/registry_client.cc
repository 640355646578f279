#include "core_impl/photon/registry_client/registry_client.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon {
namespace {

// A reply that names a better replica is followed at once, but two replicas with outdated beliefs
// must not bounce a request between them at the speed of the network.
constexpr std::uint32_t kMaxRedirects = 2;
// Attempts without an answer after which a shard counts as silent.
constexpr std::uint32_t kRound = 3;

bool answers(const RegistryResult& result, const RegistryItem& item) {
  if (result.id != item.id || result.operation != item.operation) return false;
  return item.operation == RegistryOperation::read_token || result.token == item.token;
}

}  // namespace

RegistryClientOptions with_timers(RegistryClientOptions options, TimerKind requests,
                                  TimerKind sharding) {
  options.timer = requests;
  if (options.sharding) options.sharding->timer = sharding;
  return options;
}

RegistryClient::RegistryClient(RegistryClientOptions options)
    : options_(std::move(options)), bundles_(options_.timer) {
  PHOTON_CHECK(options_.replicas.size() >= options_.shards.max_shards(),
               "every shard of the map has replicas");
  PHOTON_CHECK(options_.retry_delay > Duration::zero(), "a refused request pauses");
  PHOTON_CHECK(options_.request_timeout > Duration::zero(), "a reply takes time");
  PHOTON_CHECK(options_.max_bundle > 0, "a request carries at least one operation");
  PHOTON_CHECK(options_.nearest.empty() || options_.nearest.size() == options_.replicas.size(),
               "the nearest replicas are known for every shard or for none");
  const auto& nearest = options_.nearest.empty() ? options_.replicas : options_.nearest;
  const Duration detour = options_.request_timeout * kLongestDetour;
  for (std::size_t shard = 0; shard < options_.replicas.size(); ++shard) {
    Shard& made = shards_.emplace_back();
    made.master = rpc::MasterFinder(options_.replicas[shard]);
    made.nearest = NearestReplica(nearest[shard], detour);
  }
  if (options_.sharding) sharding_.emplace(*options_.sharding);
}

void RegistryClient::lookup(const EventId& id, std::uint64_t tag, std::uint64_t since) {
  ask(RegistryItem{id, Token{}, RegistryOperation::lookup}, tag, since);
}

void RegistryClient::insert(const EventId& id, const Token& token, std::uint64_t tag) {
  PHOTON_CHECK(!token.is_empty(), "an empty token is no token (B-45)");
  ask(RegistryItem{id, token, RegistryOperation::insert}, tag);
}

void RegistryClient::clear(const EventId& id, const Token& token, std::uint64_t tag) {
  PHOTON_CHECK(!token.is_empty(), "a cleared value matches nothing (B-45)");
  ask(RegistryItem{id, token, RegistryOperation::clear}, tag);
}

void RegistryClient::remove(const EventId& id, const Token& token, std::uint64_t tag) {
  PHOTON_CHECK(!token.is_empty(), "a cleared value matches nothing (B-45)");
  ask(RegistryItem{id, token, RegistryOperation::remove}, tag);
}

void RegistryClient::read_token(const EventId& id, std::uint64_t tag) {
  ask(RegistryItem{id, Token{}, RegistryOperation::read_token}, tag);
}

void RegistryClient::ask(const RegistryItem& item, std::uint64_t tag, std::uint64_t since) {
  ++outstanding(item.operation);
  asked_.push_back(Asked{.item = item, .tag = tag, .since = since});
}

std::size_t& RegistryClient::outstanding(RegistryOperation operation) {
  if (operation == RegistryOperation::lookup) return outstanding_lookups_;
  return operation == RegistryOperation::insert ? outstanding_inserts_ : outstanding_care_;
}

std::size_t RegistryClient::most_outstanding_inserts() const {
  std::size_t most = 0;
  for (const auto& shard : shards_) most = std::max<std::size_t>(most, shard.inserts);
  return most;
}

void RegistryClient::count_at(Asked& asked, std::optional<ShardId> shard) {
  if (asked.item.operation != RegistryOperation::insert) return;
  PHOTON_CHECK(!asked.counted || shards_[asked.counted->value()].inserts > 0,
               "a shard counts its inserts");
  if (asked.counted) --shards_[asked.counted->value()].inserts;
  if (shard) ++shards_[shard->value()].inserts;
  asked.counted = shard;
}

std::optional<ShardId> RegistryClient::shard_of(const Context& context, const EventId& id) const {
  if (!sharding_) return options_.shards.shard_of(id);
  const RouteAnswer answer = sharding_->route(context, id);
  if (answer.routing != Routing::shard) return std::nullopt;
  PHOTON_CHECK(answer.shard.value() < shards_.size(), "the replicas of every shard are known");
  return answer.shard;
}

void RegistryClient::flush(Context& context) {
  if (asked_.empty()) return;
  dispatch(context, asked_, context.now() + options_.lookup_deadline);
  asked_.clear();
}

void RegistryClient::dispatch(Context& context, std::span<const Asked> asked,
                              MonotonicTime give_up_reads) {
  Bundle unrouted;
  for (const Asked& each : asked) {
    const std::optional<ShardId> where = shard_of(context, each.item.id);
    if (!where) {
      unrouted.items.push_back(each);
      continue;
    }
    Shard& shard = shards_[where->value()];
    if (shard.pending.empty() && shard.pending_lookups.empty()) asked_shards_.push_back(*where);
    const bool anywhere = options_.lookup_mode == LookupMode::replica &&
                          each.item.operation == RegistryOperation::lookup;
    PooledVector<Asked>& pending = anywhere ? shard.pending_lookups : shard.pending;
    pending.push_back(each);
    count_at(pending.back(), where);
  }
  Bundle pattern;
  pattern.give_up_reads = give_up_reads;
  for (const ShardId each : asked_shards_) {
    Shard& shard = shards_[each.value()];
    pattern.shard = each;
    pattern.lookups =
        options_.lookup_mode == LookupMode::bypass ? LookupMode::bypass : LookupMode::queue_ordered;
    begin_all(context, pattern, shard.pending);
    pattern.lookups = LookupMode::replica;
    begin_all(context, pattern, shard.pending_lookups);
  }
  asked_shards_.clear();
  if (unrouted.items.empty()) return;
  unrouted.give_up_reads = give_up_reads;
  wait_for_history(context, std::move(unrouted));
}

void RegistryClient::begin_all(Context& context, const Bundle& pattern,
                               PooledVector<Asked>& pending) {
  for (std::size_t start = 0; start < pending.size(); start += options_.max_bundle) {
    const std::size_t end = std::min(pending.size(), start + options_.max_bundle);
    Bundle bundle = pattern;
    bundle.incomplete = narrow<std::uint32_t>(end - start);
    bundle.items.assign(pending.begin() + static_cast<std::ptrdiff_t>(start),
                        pending.begin() + static_cast<std::ptrdiff_t>(end));
    begin(context, std::move(bundle));
  }
  pending.clear();
}

void RegistryClient::begin(Context& context, Bundle bundle) {
  PHOTON_CHECK(bundle.shard.has_value() && !bundle.items.empty(),
               "a request asks one shard for something");
  const Handle handle = bundles_.begin(std::move(bundle));
  bundles_.find(handle)->number = requests_.open(context, handle);
  send(context, handle);
  ++statistics_.requests;
}

void RegistryClient::wait_for_history(Context& context, Bundle bundle) {
  PHOTON_CHECK(sharding_.has_value() && !bundle.items.empty(),
               "only an id without a shard waits for the history");
  PHOTON_MARK("registry_client.route.unknown_yet");
  statistics_.unrouted += bundle.items.size();
  bundle.incomplete = narrow<std::uint32_t>(bundle.items.size());
  const Handle handle = bundles_.begin(std::move(bundle));
  unrouted_.push_back(handle);
  sharding_->need(context);
  const MonotonicTime due = context.now() + options_.request_timeout;
  bundles_.await(context, handle, rpc::Waiting::for_retry,
                 earliest_wake(*bundles_.find(handle), due));
}

void RegistryClient::route_again(Context& context, Handle handle) {
  PHOTON_CHECK(bundles_.find(handle) != nullptr, "a bundle is routed again while it is open");
  Bundle bundle = std::move(*bundles_.find(handle));
  give_up_overdue(context, bundle);
  PHOTON_MARK("registry_client.route.again");
  if (bundle.shard) requests_.close(bundle.number);
  bundles_.end(handle);
  std::erase(unrouted_, handle);
  std::erase_if(bundle.items, [](const Asked& asked) { return asked.complete; });
  dispatch(context, bundle.items, bundle.give_up_reads);
}

void RegistryClient::reroute_wrong_shard(Context& context, Bundle& bundle) {
  Bundle wrong_shard;
  wrong_shard.give_up_reads = bundle.give_up_reads;
  for (Asked& asked : bundle.items) {
    if (!asked.wrong_shard || asked.complete) continue;
    wrong_shard.items.push_back(Asked{.item = asked.item,
                                      .tag = asked.tag,
                                      .since = asked.since,
                                      .counted = asked.counted,
                                      .sent = asked.sent});
    PHOTON_MARK("registry_client.answer.rerouted");
    asked.complete = true;  // for this bundle
    PHOTON_CHECK(bundle.incomplete > 0, "a bundle counts its open items");
    --bundle.incomplete;
  }
  if (!wrong_shard.items.empty()) wait_for_history(context, std::move(wrong_shard));
}

void RegistryClient::on_sharding(Context& context, NodeId from, const ShardingReply& reply) {
  PHOTON_CHECK(sharding_.has_value(), "a client that does not ask for the history gets no answers");
  if (sharding_->on_reply(context, from, reply) == News::none) return;
  const PooledVector<Handle> waiting = std::exchange(unrouted_, {});
  for (const Handle handle : waiting) route_again(context, handle);
}

void RegistryClient::on_sharding_timer(Context& context) {
  PHOTON_CHECK(sharding_.has_value(), "the timer belongs to the history's client");
  sharding_->on_timer(context);
}

void RegistryClient::end(Handle handle) {
  PHOTON_CHECK(bundles_.find(handle) != nullptr, "a bundle ends once");
  requests_.close(bundles_.find(handle)->number);
  bundles_.end(handle);
}

void RegistryClient::send(Context& context, Handle handle) {
  Bundle& bundle = *bundles_.find(handle);
  PHOTON_CHECK(bundle.shard.has_value() && bundle.number != 0,
               "a request has a shard and a number");
  RegistryRequest request;
  request.request = bundle.number;
  request.shard = *bundle.shard;
  request.lookups = bundle.lookups;
  Shard& shard = shards_[bundle.shard->value()];
  const bool anywhere = bundle.lookups == LookupMode::replica;
  if (anywhere) request.at_least = shard.seen;
  request.items.reserve(bundle.incomplete);
  for (Asked& asked : bundle.items) {
    if (asked.complete) continue;
    const bool repeated = std::exchange(asked.sent, true);
    if (repeated && renewed_ != nullptr && asked.item.operation == RegistryOperation::insert) {
      PHOTON_MARK("registry_client.token.renewed");
      asked.item.token = renewed_->next();
    }
    request.items.push_back(asked.item);
    request.at_least = std::max(request.at_least, asked.since);
  }
  PHOTON_CHECK(request.items.size() == bundle.incomplete, "a request asks what is still open");
  bundle.asked = anywhere ? shard.nearest.target(context.now()) : shard.master.target();
  context.send(bundle.asked, Body::make(std::move(request)));
  bundles_.await(context, handle, rpc::Waiting::for_reply,
                 earliest_wake(bundle, context.now() + time_limit(bundle)));
}

// After a pause of this process answers may arrive before the timer that ends overdue reads.
void RegistryClient::repeat(Context& context, Handle handle) {
  Bundle& bundle = *bundles_.find(handle);
  give_up_overdue(context, bundle);
  if (bundle.incomplete == 0) {
    PHOTON_MARK("registry_client.read.overdue_at_repeat");
    return end(handle);
  }
  PHOTON_MARK("registry_client.request.repeated");
  ++statistics_.repetitions;
  send(context, handle);
}

void RegistryClient::on_reply(Context& context, NodeId from, const RegistryReply& reply) {
  const Handle handle = requests_.find(reply.request);
  Bundle* bundle = bundles_.find(handle);
  if (bundle == nullptr || bundle->shard != reply.shard) {
    PHOTON_MARK("registry_client.answer.late");
    return;  // ended, or not of this life
  }
  const Advice advice = merge(*bundle, from, reply);
  if (sharding_) {
    reroute_wrong_shard(context, *bundle);
    bundle = bundles_.find(handle);  // another bundle has begun
  }
  if (bundle->incomplete == 0) {
    end(handle);
    return;
  }
  // Advice of a replica that is not being waited for is late: the latest attempt continues.
  if (from != bundle->asked || advice == Advice::none) {
    if (advice != Advice::none) PHOTON_MARK("registry_client.answer.from_another_replica");
    return;
  }
  if (bundle->lookups == LookupMode::replica) turn_away(context, *bundle);
  if (advice == Advice::ask_again && bundle->redirects < kMaxRedirects) {
    PHOTON_MARK("registry_client.request.redirected");
    ++bundle->redirects;
    repeat(context, handle);
    return;
  }
  PHOTON_MARK("registry_client.request.pauses");
  bundle->redirects = 0;
  bundle->asked = kNoNode;  // a copy of this answer must not end the pause
  bundles_.await(context, handle, rpc::Waiting::for_retry,
                 earliest_wake(*bundle, context.now() + pause(*bundle)));
}

Duration RegistryClient::time_limit(const Bundle& bundle) const {
  // The first round over the replicas is quick, in case the master died. A shard that is silent for
  // longer is cut off or overloaded; then haste does not help.
  return options_.request_timeout *
         (std::int64_t{1} << std::min(kMostDoublings, bundle.silences / kRound));
}

Duration RegistryClient::pause(Bundle& bundle) const {
  // While there is no master, every replica refuses at once: pauses that double up to the time-out
  // keep a long outage from costing more messages than silence would.
  const Duration delay = options_.retry_delay * (std::int64_t{1} << bundle.pauses);
  PHOTON_LIMIT("registry_client.retry.delay", delay, options_.request_timeout);
  if (delay >= options_.request_timeout) {
    PHOTON_MARK("registry_client.pause.longest");
    return options_.request_timeout;
  }
  ++bundle.pauses;
  return delay;
}

RegistryClient::Advice RegistryClient::merge(Bundle& bundle, NodeId from,
                                             const RegistryReply& reply) {
  PHOTON_CHECK(bundle.shard.has_value(), "an answer is merged into a bundle of its shard");
  // Results are in the order of the attempt's items, which is the bundle's order with some left
  // out: one pass over both finds every pair.
  auto asked = bundle.items.begin();
  Shard& shard = shards_[bundle.shard->value()];
  bool refused = false;
  bool deferred = false;
  bool served = false;
  for (const RegistryResult& result : reply.results) {
    asked = std::find_if(asked, bundle.items.end(),
                         [&](const Asked& candidate) { return answers(result, candidate.item); });
    if (asked == bundle.items.end()) {
      PHOTON_MARK("registry_client.answer.not_ours");
      break;  // not an answer to this bundle
    }
    // The same operation asked twice in one turn: if one of the two was answered before, the
    // repetition was for the other.
    auto meant = std::find_if(asked, bundle.items.end(), [&](const Asked& candidate) {
      return !candidate.complete && answers(result, candidate.item);
    });
    if (meant == bundle.items.end()) {
      PHOTON_MARK("registry_client.answer.again");
      meant = asked;
    }
    if (result.code == RegistryCode::wrong_shard) {
      PHOTON_MARK("registry_client.answer.wrong_shard");
      meant->wrong_shard = true;
    }
    if (!trace::is_definitive(result.code)) {
      (result.code == RegistryCode::not_master ? refused : deferred) = true;
    } else {
      served = true;
      shard.seen = std::max(shard.seen, result.slot);
      if (!meant->complete) complete(bundle, *meant, result);
    }
    ++asked;
  }
  // The next replica may answer what this one cannot.
  if (bundle.lookups == LookupMode::replica) return deferred ? Advice::ask_again : Advice::none;
  if (refused) {
    const rpc::Redirect redirect = shard.master.refused(from, reply.master_hint);
    return redirect == rpc::Redirect::follow ? Advice::ask_again : Advice::wait;
  }
  if (served) shard.master.confirmed(from);
  return deferred ? Advice::wait : Advice::none;
}

void RegistryClient::turn_away(Context& context, Bundle& bundle) {
  Shard& shard = shards_[bundle.shard->value()];
  if (bundle.lookups == LookupMode::replica) {
    PHOTON_MARK("registry_client.replica.turned_away");
    shard.nearest.failed(bundle.asked, context.now());
  } else {
    shard.master.silent(bundle.asked);
  }
}

void RegistryClient::on_timer(Context& context) {
  bundles_.on_timer();
  while (const auto due = bundles_.take_due(context.now())) {
    Bundle& bundle = *bundles_.find(due->handle);
    give_up_overdue(context, bundle);
    if (bundle.shard && due->waiting == rpc::Waiting::for_reply) {
      PHOTON_MARK("registry_client.request.timed_out");
      ++bundle.silences;
      turn_away(context, bundle);
    }
    if (!bundle.shard || (bundle.incomplete > 0 && has_moved(context, bundle))) {
      PHOTON_MARK("registry_client.timeout.routed_again");
      route_again(context, due->handle);
    } else {
      repeat(context, due->handle);
    }
  }
  bundles_.rearm(context);
}

bool RegistryClient::has_moved(Context& context, const Bundle& bundle) {
  if (!sharding_ || bundle.silences == 0) return false;
  if (bundle.silences % kRound == 0) {
    PHOTON_MARK("registry_client.silence.asks_for_history");
    sharding_->need(context);
  }
  return std::ranges::any_of(bundle.items, [&](const Asked& asked) {
    if (asked.complete) return false;
    const std::optional<ShardId> shard = shard_of(context, asked.item.id);
    return shard.has_value() && shard != bundle.shard;
  });
}

void RegistryClient::complete(Bundle& bundle, Asked& asked, const RegistryResult& result) {
  asked.complete = true;
  count_at(asked, std::nullopt);
  --bundle.incomplete;
  completed_.push_back(RegistryCompletion{asked.tag, result.id, result.token, result.slot,
                                          result.operation, result.code});
}

void RegistryClient::give_up_overdue(const Context& context, Bundle& bundle) {
  if (bundle.give_up_reads > context.now()) return;
  for (Asked& asked : bundle.items) {
    if (asked.complete || !trace::is_read(asked.item.operation)) continue;
    complete(
        bundle, asked,
        RegistryResult{asked.item.id, Token{}, 0, asked.item.operation, RegistryCode::unavailable});
    PHOTON_MARK("registry_client.read.given_up");
    ++statistics_.unknown_reads;
  }
}

MonotonicTime RegistryClient::earliest_wake(const Bundle& bundle, MonotonicTime due) const {
  const bool has_read = std::ranges::any_of(bundle.items, [](const Asked& asked) {
    return !asked.complete && trace::is_read(asked.item.operation);
  });
  return has_read ? std::min(due, bundle.give_up_reads) : due;
}

std::optional<RegistryCompletion> RegistryClient::next() {
  if (completed_.empty()) return std::nullopt;
  const RegistryCompletion completion = completed_.front();
  completed_.pop_front();
  PHOTON_CHECK(outstanding(completion.operation) > 0, "a completed operation was counted");
  --outstanding(completion.operation);
  return completion;
}

}  // namespace photon
