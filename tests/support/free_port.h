#pragma once

namespace muster::test {

/// The first of `count` ports in a row on which nobody listens. Two test runs beside each other look in different
/// places, below those for outgoing calls. Not for several threads at once.
int free_ports(int count);

}  // namespace muster::test
