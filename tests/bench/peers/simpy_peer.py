#!/usr/bin/python3
"""One run of PHOLD or M/M/1 on SimPy 2, for tests/bench/compare.

  simpy_peer.py phold|mm1 PENDING EVENTS

Prints user seconds, "-" and the peak memory in bytes. The models are those of models.h; the draws are Python's own,
because Philox in Python would cost more than the simulator.
"""
import random
import resource
import sys

from SimPy.Simulation import Process, Simulation, hold, passivate

TARGETS = 1024
PHOLD_MEAN = 10e6  # nanoseconds
GAP_MEAN = 10e6
SERVICE_MEAN = 7e6


class Count:
    """Of events: the time is taken when the warm-up is over, and the run ends with the last one."""

    def __init__(self, simulation, warm_up, events):
        self.simulation = simulation
        self.warm_up = warm_up
        self.end = warm_up + events
        self.done = 0
        self.begin = 0.0

    def note(self):
        self.done += 1
        if self.done == self.warm_up:
            self.begin = user_seconds()
        elif self.done == self.end:
            self.simulation.stopSimulation()


def user_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def peak_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


class Token(Process):
    """A pending event of PHOLD: it moves to a random process after each delay."""

    def run(self, count, rng, draws):
        target = rng.randrange(TARGETS)
        while True:
            yield hold, self, rng.expovariate(1 / PHOLD_MEAN)
            draws[target] += 1
            target = rng.randrange(TARGETS)
            count.note()


class Station(Process):
    """The server of M/M/1."""

    customers = 0

    def run(self, count, rng):
        while True:
            if self.customers == 0:
                yield passivate, self
                continue
            yield hold, self, rng.expovariate(1 / SERVICE_MEAN)
            self.customers -= 1
            count.note()


class Arrivals(Process):
    def run(self, count, rng, station):
        while True:
            yield hold, self, rng.expovariate(1 / GAP_MEAN)
            station.customers += 1
            if station.customers == 1:
                self.sim.reactivate(station)
            count.note()


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("phold", "mm1"):
        sys.exit(__doc__)
    pending, events = int(sys.argv[2]), int(sys.argv[3])
    simulation = Simulation()
    simulation.initialize()
    count = Count(simulation, 2 * pending, events)
    rng = random.Random(7)
    if sys.argv[1] == "phold":
        draws = [0] * TARGETS
        for _ in range(pending):
            token = Token(sim=simulation)
            simulation.activate(token, token.run(count, rng, draws))
    else:
        station = Station(sim=simulation)
        simulation.activate(station, station.run(count, rng))
        arrivals = Arrivals(sim=simulation)
        simulation.activate(arrivals, arrivals.run(count, rng, station))
    simulation.simulate(until=1e18)
    print(f"{user_seconds() - count.begin:.6f} - {peak_bytes()}")


main()
