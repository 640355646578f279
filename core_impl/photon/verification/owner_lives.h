// Which lives of joiners are known to be dead and fenced.
//
// Death lasts, so it is remembered. Everything else is asked anew each time: a life without an
// answer counts as alive (SPEC F-04, F-05).
//
// Paper: Photon section 3.3.3; SPEC F-03..F-06.
#pragma once

#include <algorithm>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/photon/verification/verification_messages.h"
#include "core_impl/runtime/context.h"

namespace photon {

// The registrar that grants the lives of that joiner.
struct JoinerRegistrar {
  std::uint32_t address = 0;
  NodeId incarnations = kNoNode;
};

class OwnerLives {
 public:
  // One row for each joiner there may be, in any order.
  explicit OwnerLives(PooledVector<JoinerRegistrar> registrars)
      : registrars_(std::move(registrars)) {
    std::ranges::sort(registrars_, {}, &JoinerRegistrar::address);
  }

  bool is_dead(const OutputOwner& owner) const {
    // A grant of a later life proves the death of all lives before it.
    const auto known = place_of(owner.address);
    return known != dead_.end() && known->address == owner.address &&
           known->incarnation >= owner.incarnation;
  }
  // Asks the registrar; sends nothing if the address has none.
  void ask(Context& context, const OutputOwner& owner) const {
    const auto registrar =
        std::ranges::lower_bound(registrars_, owner.address, {}, &JoinerRegistrar::address);
    if (registrar == registrars_.end() || registrar->address != owner.address) return;
    context.send(registrar->incarnations,
                 Body::make(IncarnationQuery{owner.address, owner.incarnation}));
  }
  void on_answer(const IncarnationAnswer& answer) {
    if (answer.liveness != Liveness::dead_and_fenced) return;
    const auto place = place_of(answer.address);
    if (place == dead_.end() || place->address != answer.address) {
      dead_.insert(place, {answer.address, answer.incarnation});
    } else {
      dead_[static_cast<std::size_t>(place - dead_.begin())].incarnation =
          std::max(place->incarnation, answer.incarnation);
    }
  }

 private:
  PooledVector<OutputOwner>::const_iterator place_of(std::uint32_t address) const {
    return std::ranges::lower_bound(dead_, address, {}, &OutputOwner::address);
  }

  PooledVector<JoinerRegistrar> registrars_;
  PooledVector<OutputOwner> dead_;  // by address: the latest life known to be dead
};

}  // namespace photon
