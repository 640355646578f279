#include "analysis/oracles/j_s4_returned_lookups.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void ReturnedLookups::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::registry_ask:
      return fact.source() == trace::Source::sent ? on_lookup(fact) : void();
    case trace::Kind::click_read: {
      const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
      if (pipeline != kNoIndex) on_read(fact, pipeline);
      return;
    }
    default: {  // retry_saved: from now on another owner may have it from the journal
      const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
      const auto reader = readers_.find((std::uint64_t{pipeline} << 32U) | fact.event);
      if (reader == readers_.end()) return;
      known_.erase(reader_key(reader->second, fact.event));
      readers_.erase(reader);
    }
  }
}

// The return that ends there; null if the record is none.
const Return* ReturnedLookups::returned(const trace::ClickRead& read, std::uint32_t click) const {
  const auto& returns = join_.returns_of(read.file);
  const auto found = std::ranges::lower_bound(returns, read.end, {}, &Return::end);
  const bool same = found != returns.end() && found->end == read.end && found->click == click;
  return same ? &*found : nullptr;
}

void ReturnedLookups::on_read(const Fact& fact, std::uint32_t pipeline) {
  const AtPipeline& at = join_.at(fact.event, pipeline);
  if (!at.returned) return;
  const trace::Header& header = fact.header();
  const Return* const back = returned(fact.as<trace::ClickRead>(), fact.event);
  const auto [found, fresh] = known_.try_emplace(reader_key(header.node, fact.event));
  Known& known = found->second;
  // Not kept here, nor asked for without an end: no other copy of it is open.
  const bool settled = !at.in_retry_store && (at.answers != 0 || at.first_asked_at == kNever);
  const bool alone = settled && (fresh || known.life != header.incarnation);
  known.life = header.incarnation;
  known.removed_at = alone && back != nullptr ? back->removed_at : 0;
  readers_[(std::uint64_t{pipeline} << 32U) | fact.event] = header.node;
}

void ReturnedLookups::on_lookup(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const bool stale = ask.operation == trace::RegistryOperation::lookup &&
                     ask.lookups == trace::LookupMode::replica;
  if (!stale) return;
  const trace::Header& header = fact.header();
  const auto found = known_.find(reader_key(header.node, fact.event));
  if (found == known_.end() || found->second.life != header.incarnation) return;
  const std::uint64_t removed_at = found->second.removed_at;
  if (removed_at == 0) return;
  oblige();
  if (ask.at_least >= removed_at) return;
  report(
      fact, ask.id,
      fmt::format("{} has read that this click was removed in slot {} of its shard, and lets any "
                  "replica answer its look-up from slot {} on",
                  process(header.node), removed_at, ask.at_least));
}

}  // namespace photon::analysis
