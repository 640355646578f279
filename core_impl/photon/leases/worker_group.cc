#include "core_impl/photon/leases/worker_group.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"

namespace photon {
namespace {

// A sign of life differs from every earlier one of the same worker.
struct SignOfLife {
  Incarnation life{};
  std::uint64_t number = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.life, self.number);
  }
};

constexpr std::uint32_t kLongestSign = 64;  // bytes, with its frame

}  // namespace

WorkerGroup::WorkerGroup(Options options) : options_(std::move(options)) {
  PHOTON_CHECK(!options_.workers.empty(), "a group has a worker");
  for (const NodeId node : options_.workers) members_.push_back(Member{.node = node});
}

void WorkerGroup::start(Context& context) {
  self_ = context.self();
  PHOTON_CHECK(number_of(self_) < size(), "a worker is one of its group");
}

void WorkerGroup::tick(Context& context) {
  PHOTON_CHECK(self_ != kNoNode, "a worker starts before it ticks");
  if (members_.size() == 1) return;
  if (!show_busy_) show(context);
  for (std::uint32_t place = 0; place < size(); ++place) {
    if (members_[place].node != self_ && !members_[place].busy) look(context, place);
  }
}

void WorkerGroup::show(Context& context) {
  PHOTON_CHECK(!show_busy_, "one sign of life is written at a time");
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::replace;
  request.file = signs_of_life_file(options_.prefix, self_);
  request.epoch = context.incarnation().value();  // a dead life's request shows no sign any more
  append_encoded(SignOfLife{context.incarnation(), ++signs_}, request.data);
  show_busy_ = true;
  showing_ = context.submit(std::move(request));
}

void WorkerGroup::look(Context& context, std::uint32_t place) {
  Member& member = members_[place];
  PHOTON_CHECK(!member.busy, "a worker's sign is read once at a time");
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = VolumeOperation::read;
  request.file = signs_of_life_file(options_.prefix, member.node);
  request.length = kLongestSign;
  member.busy = true;
  reads_.emplace(context.submit(std::move(request)).value(), place);
}

bool WorkerGroup::on_io(Ticket ticket, const IoResult& result) {
  if (show_busy_ && ticket == showing_) {
    show_busy_ = false;
    return true;
  }
  const auto found = reads_.find(ticket.value());
  if (found == reads_.end()) return false;
  Member& read = members_[found->second];
  reads_.erase(found);
  if (result.status != IoStatus::ok && result.status != IoStatus::missing) {
    PHOTON_MARK("leases.sign.unreadable");
  }
  read.busy = false;
  const bool known = result.status == IoStatus::ok || result.status == IoStatus::missing;
  const bool same = known && read.sign == result.data;
  if (same && read.unchanged + 1 == kUnchangedReads) PHOTON_MARK("leases.worker.goes_silent");
  if (!same && known && read.unchanged == kUnchangedReads) PHOTON_MARK("leases.worker.comes_back");
  read.unchanged = same ? std::min(read.unchanged + 1, kUnchangedReads) : 0;
  if (known) read.sign = result.data;
  return true;
}

bool WorkerGroup::is_alive(const Member& member) const {
  return member.node == self_ || member.unchanged < kUnchangedReads;
}

bool WorkerGroup::is_alive(NodeId worker) const {
  const auto member = std::ranges::find(members_, worker, &Member::node);
  return member != members_.end() && is_alive(*member);
}

NodeId WorkerGroup::owner_of(std::uint32_t partition) const {
  const Member& home = members_[partition % size()];
  if (is_alive(home)) return home.node;
  PHOTON_MARK("leases.partition.stands_in");
  PooledVector<NodeId> there;
  for (const Member& member : members_) {
    if (is_alive(member)) there.push_back(member.node);
  }
  PHOTON_CHECK(!there.empty(), "the worker that asks is alive");
  return there[(partition / size() + partition % size()) % there.size()];
}

std::uint32_t WorkerGroup::number_of(NodeId worker) const {
  const auto found = std::ranges::find(members_, worker, &Member::node);
  return narrow<std::uint32_t>(found - members_.begin());
}

}  // namespace photon
