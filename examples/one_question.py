"""A survey researcher asks 500 people one question that is hard to answer: exact intervals for few answers."""

from __future__ import annotations

import math

import numpy as np

import deniable as dn

PEOPLE = 500
TRUE_SHARE = 0.18
EPSILON = math.log(3)
"""The truth with probability 3/4: easy to explain, and to do by hand with two coins."""


def main() -> None:
    """The whole story."""
    survey = dn.RandomizedResponse(["yes", "no"], EPSILON)
    chances = survey.channel().probabilities
    print("Have you ever cheated in an exam? Your device says yes or no, at random:")
    print(f"  if it is so, yes with probability {chances[0, 0]:.4f}; if not, {chances[1, 0]:.4f}")

    error = math.sqrt(survey.risk(PEOPLE, truth=[0.2, 0.8]) / 2)
    needed = dn.plan(["yes", "no"], epsilon=EPSILON, accuracy=0.02).users
    print(f"With {PEOPLE} people and a share near 20% expect an error of {error:.1%}.")
    print(f"For an error of 2%, whatever the share, ask {needed} people.")

    people = np.random.default_rng(4).random(PEOPLE) < TRUE_SHARE
    reports = survey.privatize_many(["yes" if cheated else "no" for cheated in people], seed=4)
    estimate = survey.estimate(survey.tally(reports))
    said_yes = int((reports == 0).sum())
    print(f"\n{said_yes} of {PEOPLE} reports say yes, most of them by chance.")
    print(f"Estimate: {estimate.frequencies[0]:.1%} cheated, standard error {estimate.stderr[0]:.1%}.")

    for level in (0.90, 0.95, 0.99):
        (low, high), _ = estimate.interval(level)
        (low_here, high_here), _ = estimate.interval(level, target="sample")
        here = f"{low_here:.1%} to {high_here:.1%} of these {PEOPLE}"
        print(f"  {level:.0%}: {low:.1%} to {high:.1%} of the population, {here}")
    print(f"(In this made-up story {TRUE_SHARE:.0%} of the population did, {people.mean():.1%} of the 500.)")


if __name__ == "__main__":
    main()
