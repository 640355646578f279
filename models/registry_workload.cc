#include "models/registry_workload.h"

#include <algorithm>
#include <array>

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "core_impl/logs/event_id_generator.h"
#include "models/near_twins.h"
#include "models/purposes.h"
#include "models/server_ids.h"

namespace photon::models {
namespace {

// Half of the known ids are drawn from this number of the newest ones: these meet in one batch.
constexpr std::uint64_t kNewest = 8;
// Operations that follow the answer of an insert come later than its rivals by this factor.
constexpr std::int64_t kLater = 20;
constexpr std::uint32_t kWordsOfOne = 256;  // random words of one operation; contenders take two
constexpr std::uint32_t kMostContenders = 100;

// The random words of one operation or arrival.
class Draws {
 public:
  Draws(const RandomStream& stream, std::uint64_t ordinal, std::uint32_t first)
      : stream_(stream), ordinal_(ordinal), next_(first) {}
  std::uint64_t word() { return stream_.word(ordinal_, next_++); }
  std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>(uniform_below(word(), bound));
  }
  bool happens(double chance) { return Chance(chance).happens(word()); }

 private:
  const RandomStream& stream_;
  std::uint64_t ordinal_;
  std::uint32_t next_;
};

class Planner {
 public:
  Planner(const RegistryWorkload::Options& options, const sim::ClockModel& clocks)
      : options_(options),
        clocks_(clocks),
        stream_(options.seed, purpose::kWorkloadRegistry, 0),
        plans_(options.clients) {
    PHOTON_CHECK(options.clients > 0 && options.per_second > 0, "some client asks at some rate");
    PHOTON_CHECK(options.bundle > 0, "an arrival is at least one operation");
    PHOTON_CHECK(options.contenders <= kMostContenders, "the words of one operation suffice");
    const std::uint32_t process = logs::process_field(0, Incarnation(1));
    for (std::uint32_t i = 0; i < generators_.size(); ++i) {
      generators_[i] = logs::EventIdGenerator(i + 1, process);
    }
  }

  std::vector<std::vector<LoadOperation>> run() {
    const double size = 1 + options_.bundled * (options_.bundle - 1);
    const Duration gap(static_cast<std::int64_t>(1e9 * size / options_.per_second));
    SimTime at = options_.start;
    for (std::uint64_t arrival = 0;; ++arrival) {
      Draws draws(stream_, arrival, 0);
      at += exponential(draws.word(), gap);
      if (at >= options_.end) break;
      const std::uint32_t client = draws.below(options_.clients);
      const std::uint32_t count = draws.happens(options_.bundled) ? options_.bundle : 1;
      for (std::uint32_t i = 1; i <= count; ++i) {
        plan(SimTime(on_tick(at.time_since_epoch())), client,
             Draws(stream_, arrival, i * kWordsOfOne));
      }
    }
    for (auto& each : plans_) std::ranges::stable_sort(each, {}, &LoadOperation::at);
    return std::move(plans_);
  }

 private:
  void plan(SimTime at, std::uint32_t client, Draws draws) {
    const bool lookup = draws.happens(options_.lookups);
    if (!lookup && draws.happens(options_.at_boundary)) {
      return add(client, {at, {}, LoadKind::at_boundary});
    }
    const EventId id = id_at(at, draws);
    add(client, {at, id, lookup ? LoadKind::lookup : LoadKind::insert});
    ids_.push_back(id);
    if (lookup) return;
    // Some repetitions meet the first one, others come after its end.
    const auto perhaps = [&](double share, LoadKind kind) {
      if (!draws.happens(share)) return;
      const bool soon = kind == LoadKind::repeat && draws.happens(0.5);
      const Duration lag = soon ? options_.lag : kLater * options_.lag;
      add(client, {at + on_tick(exponential(draws.word(), lag)), id, kind});
    };
    perhaps(options_.repeated, LoadKind::repeat);
    perhaps(options_.cleared, LoadKind::clear);
    perhaps(options_.removed, LoadKind::remove);
    if (options_.clients < 2 || !draws.happens(options_.contested)) return;
    for (std::uint32_t i = 1; i < options_.contenders; ++i) {
      const std::uint32_t other = client + 1 + draws.below(options_.clients - 1);
      const SimTime later = at + on_tick(exponential(draws.word(), options_.lag));
      add(other % options_.clients, {later, id, LoadKind::insert});
    }
  }

  EventId id_at(SimTime at, Draws& draws) {
    const double choice = unit_interval(draws.word());
    const double known = options_.known;
    const double aged = known + options_.aged;
    if (choice < known && !ids_.empty()) {
      return one_of_last(draws.happens(0.5) ? kNewest : ids_.size(), draws);
    }
    const std::uint32_t server = draws.below(generators_.size());
    const sim::HostId host(options_.first_host + server);
    const LocalTime wall = coarse(clocks_.wall(host, at), options_.stamp_resolution);
    if (choice >= known && choice < aged) {
      const Duration age = uniform_duration(draws.word(), Duration(0), options_.age);
      return odd_id(stamp_from(wall) - on_tick(age));
    }
    if (choice >= aged && choice < aged + options_.ahead) {
      return odd_id(stamp_from(wall) + options_.lead);
    }
    const double twins = aged + options_.ahead + options_.twins;
    if (choice >= aged + options_.ahead && choice < twins && !ids_.empty()) {
      return twin_of(one_of_last(kNewest, draws), static_cast<Twin>(draws.below(kTwins)));
    }
    return generators_[server].next_id(wall);
  }

  const EventId& one_of_last(std::uint64_t count, Draws& draws) const {
    return ids_[ids_.size() - 1 - draws.below(std::min<std::uint64_t>(count, ids_.size()))];
  }

  Duration on_tick(Duration drawn) const { return drawn - drawn % options_.tick; }

  // Of a server that has no generator; its second word makes it unique.
  EventId odd_id(Stamp stamp) { return {RegistryWorkload::kServers + 1, ++odd_ids_, stamp}; }

  void add(std::uint32_t client, const LoadOperation& operation) {
    if (operation.at < options_.end) plans_[client].push_back(operation);
  }

  const RegistryWorkload::Options& options_;
  const sim::ClockModel& clocks_;
  RandomStream stream_;
  std::array<logs::EventIdGenerator, RegistryWorkload::kServers> generators_{};
  std::vector<EventId> ids_;  // of all operations so far
  std::uint32_t odd_ids_ = 0;
  std::vector<std::vector<LoadOperation>> plans_;
};

}  // namespace

RegistryWorkload::RegistryWorkload(const Options& options, const sim::ClockModel& clocks)
    : plans_(Planner(options, clocks).run()), end_(options.end) {}

}  // namespace photon::models
