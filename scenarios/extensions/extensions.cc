#include "scenarios/extensions/extensions.h"

#include <utility>

namespace photonsim::scenarios {
namespace {

Extensions& of_this_process() {
  static Extensions extensions;
  return extensions;
}

}  // namespace

void install_extensions(Extensions extensions) { of_this_process() = std::move(extensions); }
const Extensions& installed_extensions() { return of_this_process(); }

}  // namespace photonsim::scenarios
