// From tokens to the numbers of the attempts that used them first. A life of a process counts its
// tokens, so those of one life are a list; a token far beyond the others has an entry of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

class TokenIndex {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffffU;

  std::uint32_t find(const Token& token) const {
    const auto life = lives_.find(life_of(token));
    if (life != lives_.end() && token.sequence < life->second.size()) {
      if (const std::uint32_t number = life->second[token.sequence]; number != kUnknown) {
        return number;
      }
    }
    const auto other = others_.find(token);
    return other == others_.end() ? kUnknown : other->second;
  }
  // A token that is known keeps its number.
  void insert(const Token& token, std::uint32_t number) {
    if (find(token) != kUnknown) return;
    std::vector<std::uint32_t>& life = lives_[life_of(token)];
    if (token.sequence >= life.size() + kGap) {
      others_.emplace(token, number);
      return;
    }
    if (token.sequence >= life.size()) life.resize(token.sequence + 1, kUnknown);
    life[token.sequence] = number;
  }

 private:
  static constexpr std::size_t kGap = 256;
  static std::uint64_t life_of(const Token& token) {
    return (std::uint64_t{token.address} << 32U) | token.incarnation;
  }

  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>, Hasher> lives_{};
  boost::unordered_flat_map<Token, std::uint32_t, Hasher> others_{};
};

}  // namespace photon::analysis
