#include "core_impl/photon/registry/transaction.h"

#include "core_impl/base/check.h"

namespace photon {
namespace {

enum class Code : std::uint8_t {
  insert = 1,
  move_boundary = 2,
  collect = 3,
  clear = 4,
  remove = 5
};

}  // namespace

void TransactionBuilder::add(const StoreOperation& operation) {
  Encoder encode(body_);
  switch (operation.operation) {
    case RegistryOperation::insert:
      PHOTON_CHECK(!operation.token.is_empty(), "an insert carries the token of its attempt");
      encode(Code::insert, operation.id, operation.token);
      break;
    case RegistryOperation::clear:
      PHOTON_CHECK(!operation.token.is_empty(), "a cleared value matches nothing (B-45)");
      encode(Code::clear, operation.id, operation.token);
      break;
    case RegistryOperation::remove:
      PHOTON_CHECK(!operation.token.is_empty(), "a cleared value matches nothing (B-45)");
      encode(Code::remove, operation.id, operation.token);
      break;
    case RegistryOperation::move_boundary:
      encode(Code::move_boundary, operation.boundary);
      break;
    case RegistryOperation::collect:
      encode(Code::collect, operation.limit);
      break;
    case RegistryOperation::lookup:
    case RegistryOperation::read_token:
      PHOTON_CHECK(false, "reads are not replicated");
  }
  ++operations_;
}

SharedBytes TransactionBuilder::finish(TransactionHeader header) {
  header.operations = operations_;
  Bytes bytes;
  bytes.reserve(kTransactionHeaderBytes + body_.size());
  Encoder encode(bytes);
  TransactionHeader::each_field(header, encode);
  PHOTON_CHECK(bytes.size() == kTransactionHeaderBytes, "the header has a fixed size");
  encode.raw(body_);
  body_.clear();
  operations_ = 0;
  return SharedBytes(bytes);
}

TransactionReader::TransactionReader(std::span<const std::byte> bytes) : decoder_(bytes) {
  TransactionHeader::each_field(header_, decoder_);
  PHOTON_CHECK(decoder_.ok(), "a chosen transaction has a header");
}

std::optional<StoreOperation> TransactionReader::next() {
  if (read_ == header_.operations) {
    PHOTON_CHECK(decoder_.remaining() == 0, "a transaction ends after its last operation");
    return std::nullopt;
  }
  ++read_;
  Code code{};
  StoreOperation operation;
  decoder_(code);
  switch (code) {
    case Code::insert:
      operation.operation = RegistryOperation::insert;
      decoder_(operation.id, operation.token);
      break;
    case Code::clear:
      operation.operation = RegistryOperation::clear;
      decoder_(operation.id, operation.token);
      break;
    case Code::remove:
      operation.operation = RegistryOperation::remove;
      decoder_(operation.id, operation.token);
      break;
    case Code::move_boundary:
      operation.operation = RegistryOperation::move_boundary;
      decoder_(operation.boundary);
      break;
    case Code::collect:
      operation.operation = RegistryOperation::collect;
      decoder_(operation.limit);
      break;
    default:
      PHOTON_CHECK(false, "a transaction holds an unknown operation");
  }
  PHOTON_CHECK(decoder_.ok(), "a chosen transaction decodes");
  return operation;
}

}  // namespace photon
