// The public header of the CMake package (cmake/package): what a project needs for an adapter or a
// joiner of its own.
#pragma once

#include "cli/program.h"
#include "core_impl/base/codec.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/photon/joiner/joiner.h"
#include "core_impl/photon/joiner/standard_adapters.h"
#include "core_impl/photon/pipeline_messages.h"

namespace photonsim {

using cli::run_program;
using photon::models::ReferenceEvent;
using photon::models::ReferenceJoin;
using scenarios::Extensions;

}  // namespace photonsim
