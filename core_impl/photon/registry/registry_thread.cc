#include "core_impl/photon/registry/registry_thread.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon {

RegistryThread::RegistryThread(const RegistryThreadOptions& options) : options_(options) {
  PHOTON_CHECK(options_.max_batch_operations > 0, "a batch holds at least one operation");
  PHOTON_CHECK(options_.max_batch_bytes >= kTransactionHeaderBytes + kInsertBytes,
               "a batch holds at least one insert");
}

void RegistryThread::enqueue(NodeId client, const RegistryRequest& request, const Applied& now,
                             std::span<const Refusal> refused) {
  const rpc::RequestId id{client, request.request};
  if (handles_.contains(id)) {
    PHOTON_MARK("registry.request.repeated");
    return;
  }
  const bool overloaded = !has_room();
  const std::uint64_t handle = requests_.emplace(Request{.id = id});
  handles_.emplace(id, handle);
  PHOTON_CHECK(handles_.size() == requests_.size(), "every open request has one handle");
  Request& entry = *requests_.find(handle);
  entry.reply.request = request.request;
  entry.reply.shard = request.shard;
  entry.reply.lookups = request.lookups;
  entry.reply.results.reserve(request.items.size());
  for (const RegistryItem& item : request.items) {
    RegistryResult& result = entry.reply.results.emplace_back();
    result.id = item.id;
    result.token = item.token;
    result.operation = item.operation;
    const auto index = narrow<std::uint32_t>(entry.reply.results.size() - 1);
    if (!refused.empty() && refused.front().index == index) {
      result.code = refused.front().code;
      refused = refused.subspan(1);
      continue;
    }
    if (request.lookups == LookupMode::bypass && item.operation == RegistryOperation::lookup) {
      result.code = now.store.lookup(item.id);
      result.slot = now.slot;
      continue;
    }
    if (overloaded) {
      result.code = RegistryCode::overloaded;
      PHOTON_MARK("registry.request.overloaded");
      ++overloaded_;
      continue;
    }
    ++entry.open;
    queued_changes_ += trace::is_read(item.operation) ? 0 : 1;
    queue_.push_back(
        Queued{StoreOperation{.operation = item.operation, .id = item.id, .token = item.token},
               handle, index});
  }
  PHOTON_CHECK(refused.empty(), "every refusal names an item of the request");
  if (entry.open == 0) release(handle);
}

void RegistryThread::enqueue(const StoreOperation& operation) {
  PHOTON_CHECK(!trace::is_read(operation.operation), "the server's own work changes the store");
  ++queued_changes_;
  queue_.push_back(Queued{operation, 0, 0});
}

bool RegistryThread::fills_batch() const {
  const std::size_t bytes = kTransactionHeaderBytes + queued_changes_ * kInsertBytes;
  PHOTON_LIMIT("registry.batch.bytes", bytes + kInsertBytes, options_.max_batch_bytes);
  return queue_.size() >= options_.max_batch_operations ||
         bytes + kInsertBytes > options_.max_batch_bytes;
}

std::size_t RegistryThread::form_batch(TransactionBuilder& transaction) {
  PHOTON_CHECK(!queue_.empty(), "a batch holds something");
  const std::size_t before = batch_.size();
  while (!sizes_.empty() && !queue_.empty() && trace::is_read(queue_.front().operation.operation)) {
    batch_.push_back(queue_.front());
    queue_.pop_front();
    ++sizes_.back();
  }
  PHOTON_LIMIT("registry.batch.operations", queue_.size(), options_.max_batch_operations);
  std::size_t size = 0;
  while (!queue_.empty() && size < options_.max_batch_operations &&
         transaction.bytes() + kInsertBytes <= options_.max_batch_bytes) {
    const Queued& next = queue_.front();
    if (!trace::is_read(next.operation.operation)) {
      transaction.add(next.operation);
      --queued_changes_;
    }
    batch_.push_back(next);
    queue_.pop_front();
    ++size;
  }
  if (!queue_.empty()) PHOTON_MARK("registry.batch.full");
  if (size > 0) sizes_.push_back(size);
  return batch_.size() - before;
}

void RegistryThread::before_operation(const IdStore& store, std::uint64_t slot) {
  PHOTON_CHECK(!sizes_.empty(), "results belong to a batch in flight");
  while (cursor_ < sizes_.front() && trace::is_read(batch_[cursor_].operation.operation)) {
    answer_read(store, batch_[cursor_], slot);
    ++cursor_;
  }
}

void RegistryThread::after_operation(const OperationResult& result, std::uint64_t slot) {
  PHOTON_CHECK(cursor_ < sizes_.front(), "a result belongs to an operation of the batch");
  PHOTON_CHECK(!trace::is_read(batch_[cursor_].operation.operation),
               "reads before an operation are answered before it");
  resolve(batch_[cursor_], result.code, slot);
  ++cursor_;
}

void RegistryThread::finish_batch(const IdStore& store, std::uint64_t slot) {
  before_operation(store, slot);
  PHOTON_CHECK(cursor_ == sizes_.front(), "every operation of an applied batch has its result");
  release_finished();
  PHOTON_CHECK(cursor_ <= batch_.size(), "a batch is a part of what is in flight");
  batch_.erase(batch_.begin(), batch_.begin() + static_cast<std::ptrdiff_t>(cursor_));
  sizes_.pop_front();
  cursor_ = 0;
  PHOTON_CHECK(!sizes_.empty() || batch_.empty(), "an operation in flight belongs to a batch");
}

void RegistryThread::fail_all(RegistryCode code, NodeId master_hint) {
  PHOTON_CHECK(!trace::is_definitive(code), "a lost mastership decides nothing (B-27)");
  PHOTON_CHECK(finished_.empty(), "a batch is not given up in the middle of its application");
  for (; cursor_ < batch_.size(); ++cursor_) resolve(batch_[cursor_], code, 0);
  if (!queue_.empty()) PHOTON_MARK("registry.master.lost_with_queue");
  for (const Queued& queued : queue_) resolve(queued, code, 0);
  for (const std::uint64_t handle : finished_) {
    PHOTON_MARK("registry.master.lost_with_answers");
    RegistryReply& reply = requests_.find(handle)->reply;
    reply.master_hint = master_hint;
    // Also operations answered earlier in a long request: authority ended before the reply left.
    for (RegistryResult& result : reply.results) {
      result.code = code;
      result.slot = 0;
    }
  }
  release_finished();
  PHOTON_CHECK(requests_.size() == 0, "whatever is asked waits in the batch or in the queue");
  batch_.clear();
  sizes_.clear();
  cursor_ = 0;
  queue_.clear();
  queued_changes_ = 0;
}

void RegistryThread::answer_read(const IdStore& store, const Queued& queued, std::uint64_t slot) {
  const EventId& id = queued.operation.id;
  if (queued.operation.operation == RegistryOperation::lookup) {
    return resolve(queued, store.lookup(id), slot);
  }
  const IdStore::StoredToken stored = store.read_token(id);
  requests_.find(queued.request)->reply.results[queued.index].token = stored.token;
  resolve(queued, stored.code, slot);
}

void RegistryThread::resolve(const Queued& queued, RegistryCode code, std::uint64_t slot) {
  if (queued.request == 0) return;
  Request* request = requests_.find(queued.request);
  PHOTON_CHECK(request != nullptr && request->open > 0, "an operation gets one result");
  PHOTON_CHECK(queued.index < request->reply.results.size(), "a result has its place in the reply");
  RegistryResult& result = request->reply.results[queued.index];
  result.code = code;
  result.slot = trace::is_definitive(code) ? slot : 0;
  if (--request->open == 0) finished_.push_back(queued.request);
}

void RegistryThread::release(std::uint64_t handle) {
  Request* request = requests_.find(handle);
  PHOTON_CHECK(request != nullptr, "a request is answered once");
  outbox_.push_back({request->id.from, std::move(request->reply)});
  handles_.erase(request->id);
  requests_.erase(handle);
  PHOTON_CHECK(handles_.size() == requests_.size(), "every open request has one handle");
}

void RegistryThread::release_finished() {
  for (const std::uint64_t handle : finished_) release(handle);
  finished_.clear();
}

}  // namespace photon
