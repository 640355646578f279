// Disks of a new group's replicas in the registry's test environment, formatted as an
// operator does it.
#pragma once

#include "core_impl/paxos/disk_format.h"
#include "tests/photon/registry/registry_world.h"

namespace photon::testing {

inline void format_disk(World& world, VolumeId disk, ShardId group, paxos::ReplicaIndex self) {
  VolumeRequest request;
  request.operation = VolumeOperation::replace;
  request.file = paxos::format_name(group);
  request.data = paxos::format_of_new_group(group, self);
  IoResult result;
  world.volume(disk).serve(request, result);
}

}  // namespace photon::testing
