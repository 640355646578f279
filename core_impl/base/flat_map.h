// The hash table of the hot paths: open addressing, hashed by the project's own function, its
// memory recycled.
//
// Its iteration order is unspecified: iterate over something sorted, or state at the loop why order
// cannot leak (the lint asks for it).
#pragma once

#include <functional>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core_impl/base/hash.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon {

template <class Key, class Value, class Hash = Hasher>
using FlatMap = boost::unordered_flat_map<Key, Value, Hash, std::equal_to<Key>,
                                          RecyclingAllocator<std::pair<const Key, Value>>>;

}  // namespace photon
