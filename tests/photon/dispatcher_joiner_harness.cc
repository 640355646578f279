#include "tests/photon/dispatcher_joiner_harness.h"

#include <algorithm>

#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/event.h"

namespace photon::testing {
namespace {

std::string text_of(const FileName& name) { return std::string(name.data(), name.size()); }

}  // namespace

std::uint64_t HarnessVolume::epoch_of(std::string_view file) const {
  const auto found = files_.find(file);
  std::uint64_t epoch = found == files_.end() ? 0 : found->second.epoch;
  for (const auto& [prefix, fence] : fences_) {
    if (file.starts_with(prefix)) epoch = std::max(epoch, fence);
  }
  return epoch;
}

IoResult HarnessVolume::execute(const VolumeRequest& request) {
  IoResult result;
  const std::string name = text_of(request.file);
  const auto found = files_.find(name);
  switch (request.operation) {
    case VolumeOperation::list:
      for (const auto& [file, data] : files_) {
        if (!file.starts_with(name)) continue;
        result.files.push_back(FileInfo{FileName(file.data(), file.size()), data.content.size()});
      }
      return result;
    case VolumeOperation::fence: {
      auto& fence = fences_[name];
      if (request.epoch < fence) result.status = IoStatus::fenced;
      fence = std::max(fence, request.epoch);
      return result;
    }
    case VolumeOperation::append:
    case VolumeOperation::replace: {
      if (request.epoch < epoch_of(name)) {
        result.status = IoStatus::fenced;
        return result;
      }
      const std::uint64_t length = found == files_.end() ? 0 : found->second.content.size();
      if (request.operation == VolumeOperation::append && length != request.expected_length) {
        result.status = IoStatus::conflict;
        result.length = length;
        return result;
      }
      TestFile& file = files_[name];
      file.epoch = request.epoch;
      if (request.operation == VolumeOperation::replace) file.content.clear();
      file.content.insert(file.content.end(), request.data.begin(), request.data.end());
      result.length = file.content.size();
      return result;
    }
    default:
      break;
  }
  if (found == files_.end()) {
    result.status = IoStatus::missing;
    return result;
  }
  const Bytes& content = found->second.content;
  result.length = content.size();
  if (request.operation == VolumeOperation::read && request.offset < content.size()) {
    const auto count = std::min<std::uint64_t>(request.length, content.size() - request.offset);
    const auto begin = content.begin() + static_cast<std::ptrdiff_t>(request.offset);
    result.data.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return result;
}

void HarnessVolume::tear(const VolumeRequest& request, std::size_t prefix) {
  const bool whole = prefix >= request.data.size();
  if (!whole && request.operation != VolumeOperation::append) return;  // atomic
  if (!whole && prefix == 0) return;
  VolumeRequest torn = request;
  if (!whole) torn.data.resize(prefix);
  static_cast<void>(execute(torn));
}

void HarnessVolume::add(std::string_view file, std::span<const std::byte> bytes) {
  Bytes& content = files_[std::string(file)].content;
  content.insert(content.end(), bytes.begin(), bytes.end());
}

void HarnessVolume::lose(std::string_view file, std::size_t begin, std::size_t length) {
  Bytes& content = files_.find(file)->second.content;
  std::fill_n(content.begin() + static_cast<std::ptrdiff_t>(begin), length, std::byte{0});
}

const Bytes& HarnessVolume::content(std::string_view file) const {
  static const Bytes kNothing;
  const auto found = files_.find(file);
  return found == files_.end() ? kNothing : found->second.content;
}

std::vector<Bytes> HarnessVolume::contents(std::string_view prefix) const {
  std::vector<Bytes> all;
  for (const auto& [name, file] : files_) {
    if (name.starts_with(prefix)) all.push_back(file.content);
  }
  return all;
}

void Harness::start(const Factory& factory) {
  ++life_;
  node_ = factory();
  node_->on_start(*this);
}

void Harness::crash(const Survival& survival) {
  node_.reset();
  timers_.clear();
  for (const auto& [ticket, request] : requests_) {
    volumes[request.volume.value()].tear(request, survival(request));
  }
  requests_.clear();
}

void Harness::at(Duration from_now, std::function<void()> action) {
  queue_[{now_ + from_now.count(), ++sequence_}] = Queued{std::move(action)};
}

void Harness::deliver(NodeId from, Body body, Duration delay) {
  at(delay, [this, from, body = std::move(body)] {
    if (node_ != nullptr) node_->on_message(*this, from, body);
  });
}

bool Harness::step() {
  const auto timer =
      std::ranges::min_element(timers_, {}, [](const auto& armed) { return armed.second; });
  const bool has_timer = timer != timers_.end();
  if (queue_.empty() && !has_timer) return false;
  ++events;
  if (has_timer && (queue_.empty() || timer->second < queue_.begin()->first)) {
    const TimerKind kind = timer->first;
    now_ = std::max(now_, timer->second.first);
    timers_.erase(timer);
    node_->on_timer(*this, kind);
    return true;
  }
  now_ = std::max(now_, queue_.begin()->first.first);
  auto action = std::move(queue_.begin()->second.action);
  queue_.erase(queue_.begin());
  action();
  return true;
}

std::optional<std::int64_t> Harness::next_at() const {
  std::optional<std::int64_t> next;
  if (!queue_.empty()) next = queue_.begin()->first.first;
  for (const auto& [kind, due] : timers_) next = std::min(next.value_or(due.first), due.first);
  return next ? std::optional(std::max(*next, now_)) : next;
}

void Harness::run_for(Duration span) {
  bool over = false;
  at(span, [&over] { over = true; });
  while (!over) step();
}

LocalTime Harness::wall() const {
  return from_nanoseconds<LocalTime>(now_) + std::chrono::hours(24) + wall_offset;
}

TrueTimeInterval Harness::true_time() const {
  const auto middle = from_nanoseconds<TrueTimePoint>(now_) + std::chrono::hours(24);
  return {middle - std::chrono::milliseconds(4), middle + std::chrono::milliseconds(4)};
}

void Harness::send(NodeId to, Body body) {
  if (world) {
    at(Duration{}, [this, to, body = std::move(body)] { world(to, body); });
  }
}

void Harness::set_timer(TimerKind kind, MonotonicTime due) {
  timers_[kind] = {nanoseconds_of(due), ++sequence_};
}

Ticket Harness::submit(VolumeRequest request) {
  const std::uint64_t ticket = ++last_ticket_;
  requests_.emplace(ticket, std::move(request));
  at(io_delay, [this, ticket, life = life_] { complete(ticket, life); });
  return Ticket(ticket);
}

void Harness::complete(std::uint64_t ticket, std::uint32_t life) {
  const auto found = requests_.find(ticket);
  if (found == requests_.end() || life != life_) return;
  const IoFate fate = io_fate ? io_fate(found->second) : IoFate::done;
  if (fate == IoFate::held) return;
  const VolumeRequest request = std::move(found->second);
  requests_.erase(found);
  IoResult result;
  if (fate == IoFate::done || fate == IoFate::unconfirmed) {
    result = volumes[request.volume.value()].execute(request);
  }
  if (fate == IoFate::refused) result.status = IoStatus::fenced;
  if (fate == IoFate::lost || fate == IoFate::unconfirmed) {
    result = IoResult{};
    result.status = IoStatus::unavailable;
  }
  node_->on_io(*this, Ticket(ticket), result);
}

std::uint64_t Harness::random(std::uint64_t ordinal) {
  return RandomStream(seed_, Purpose::component, self_.value()).word(ordinal);
}

void Harness::raw_decide(trace::Kind kind, const void* payload, std::size_t size) {
  trace::Record record;
  record.header.at = from_nanoseconds<SimTime>(now_);
  record.header.kind = kind;
  record.header.node = self_;
  record.header.source = trace::Source::decision;
  std::memcpy(record.payload.data(), payload, size);
  decisions.push_back(record);
}

RegistryReply TestRegistry::serve(const RegistryRequest& request) {
  RegistryReply reply;
  reply.request = request.request;
  reply.shard = request.shard;
  for (const RegistryItem& item : request.items) {
    RegistryResult result{item.id, item.token, 1, item.operation, RegistryCode::too_old};
    if (item.operation == RegistryOperation::insert) tokens_asked.push_back(item.token);
    if (item.id.stamp >= boundary) {
      if (item.operation == RegistryOperation::insert) {
        result.code = insert(item);
      } else if (trace::is_read(item.operation)) {
        result.code = read(item, result.token);
      } else {
        result.code = change(item);
      }
    }
    reply.results.push_back(result);
  }
  return reply;
}

RegistryCode TestRegistry::insert(const RegistryItem& item) {
  const auto [place, fresh] = ids.emplace(item.id, item.token);
  if (fresh) ++inserts;
  return place->second == item.token ? RegistryCode::inserted : RegistryCode::already_exists;
}

RegistryCode TestRegistry::change(const RegistryItem& item) {
  const auto found = ids.find(item.id);
  if (found == ids.end()) return RegistryCode::not_found;
  if (item.operation == RegistryOperation::clear) {
    const bool known = found->second.is_empty() || found->second == item.token;
    if (known) found->second = {};
    return known ? RegistryCode::cleared : RegistryCode::no_match;
  }
  if (found->second != item.token) return RegistryCode::no_match;
  ids.erase(found);
  removed.push_back(item.id);
  return RegistryCode::removed;
}

RegistryCode TestRegistry::read(const RegistryItem& item, Token& token) const {
  const auto found = ids.find(item.id);
  if (found == ids.end()) return RegistryCode::not_found;
  if (item.operation == RegistryOperation::lookup) return RegistryCode::exists;
  token = found->second;
  return token.is_empty() ? RegistryCode::cleared : RegistryCode::exists;
}

EventId click_id(std::uint32_t number, Duration stamp) {
  return EventId{1, number, from_nanoseconds<Stamp>(0) + std::chrono::hours(24) + stamp};
}

EventId query_id(std::uint32_t number) {
  return EventId{2, number, from_nanoseconds<Stamp>(0) + std::chrono::hours(23)};
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return Bytes(bytes.begin(), bytes.end());
}

Bytes framed_click(const EventId& click, const EventId& query, std::string_view payload) {
  Bytes out;
  append_encoded(logs::ForeignEvent{click, query, bytes_of(payload)}, out);
  return out;
}

}  // namespace photon::testing
