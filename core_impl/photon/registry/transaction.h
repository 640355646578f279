// The bytes of one registry transaction: what one consensus round replicates.
//
// Layout, little-endian: proposer (4), its life (4), number (8), count of operations (4), then per
// operation its kind (1) and insert, clear, remove: id (16), token (16); move_boundary: stamp (8);
// collect: limit (4). Metadata only, never event payload (SPEC B-77). The header makes every
// transaction of every life of every proposer distinct, so that a master recognises its own among
// the applied ones.
//
// Paper: Photon section 2.2.1 (several requests in one transaction).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/codec.h"
#include "core_impl/photon/registry/id_store.h"

namespace photon {

struct TransactionHeader {
  NodeId proposer{};
  Incarnation life{};
  std::uint64_t number = 0;  // counts the proposals of that life
  std::uint32_t operations = 0;

  friend bool operator==(const TransactionHeader&, const TransactionHeader&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.proposer, self.life, self.number, self.operations);
  }
};

inline constexpr std::size_t kTransactionHeaderBytes = 20;
inline constexpr std::size_t kInsertBytes = 33;  // the largest operation

// Collects operations; `finish` gives the bytes and leaves the builder empty for the next one.
class TransactionBuilder {
 public:
  void add(const StoreOperation& operation);
  std::uint32_t operations() const { return operations_; }
  // Size that `finish` would return.
  std::size_t bytes() const { return kTransactionHeaderBytes + body_.size(); }
  // Fills in header.operations itself.
  SharedBytes finish(TransactionHeader header);

 private:
  Bytes body_;
  std::uint32_t operations_ = 0;
};

// Reads a transaction back. Malformed bytes are a broken invariant of the log (its checksums have
// been verified), so they fail a check.
class TransactionReader {
 public:
  explicit TransactionReader(std::span<const std::byte> bytes);
  const TransactionHeader& header() const { return header_; }
  // The next operation; empty at the end.
  std::optional<StoreOperation> next();

 private:
  Decoder decoder_;
  TransactionHeader header_;
  std::uint32_t read_ = 0;
};

}  // namespace photon
