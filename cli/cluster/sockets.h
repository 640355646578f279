// TCP between rank 0 and the other ranks of a cluster: an ended rank is an ended connection, which
// MPI itself does not promise.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/pool/cluster.h"

namespace photonsim::cli {

// Where rank 0 can be reached, and the word that its ranks say. As one line of text between ranks.
struct Offer {
  std::uint16_t port = 0;
  std::string secret{};                  // 32 hexadecimal digits, new each time
  std::vector<std::string> addresses{};  // of this machine

  std::string text() const;
  static std::optional<Offer> parse(const std::string& text);
};

class RankListener {
 public:
  // A caller that has not said who it is after `introduction` is turned away.
  explicit RankListener(std::chrono::milliseconds introduction = std::chrono::seconds(5))
      : introduction_(introduction) {}
  RankListener(const RankListener&) = delete;
  RankListener& operator=(const RankListener&) = delete;
  ~RankListener();

  // Nothing: error() says why.
  std::optional<Offer> open();
  // Waits for so many ranks, or until `seconds` have passed; strangers are turned away, and none
  // of them holds up a rank. In the order of ranks. None, and an error(): ranks cannot be let in.
  std::vector<campaigns::Cluster::Connection> accept(std::size_t ranks, int seconds);
  const std::string& error() const { return error_; }

 private:
  struct Caller;

  bool let_in(std::vector<Caller>& callers);
  bool refuse(int error);

  std::chrono::milliseconds introduction_;
  int socket_ = -1;
  std::string secret_{};
  std::string error_{};
};

// The connected socket of this rank; -1: rank 0 cannot be reached at any of its addresses.
int call_rank_0(const Offer& offer, int rank);

}  // namespace photonsim::cli
