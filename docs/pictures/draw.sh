#!/usr/bin/env bash
# Draws the pictures of docs/SCHEDULING.md and docs/TUNING.md anew, with the simulator. Takes about a minute.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
varve=${VARVE:-../../varve}

figure() {
  "$varve" simulate --reproduce "$1" --svg "$2.svg" >/dev/null
}

# What 30 s windows look like when 4,000 records/s arrive for two hours at the paper's node.
policy() {
  "$varve" simulate --policy "$2" --scheduler "${3:-fair}" --arrivals constant:4000 --svg "$1.svg" >/dev/null
}

policy none 'none'
policy constant 'constant(3)'
policy prefix 'prefix(8g, 5, 1.2)'
policy binomial 'binomial(6)'
policy size-bounded 'size-bounded(1.2, 2, 10, 16g)'
policy bounded-greedy 'leveling(10)' 'bounded-greedy(4)'
figure fig6 blsm
figure fig9 tiering
figure fig10 leveling
figure fig12 limits
figure fig13 gates
figure fig19 size-tiered
figure fig21 partitioned-leveling
figure fig23 partitioned-leveling-exact
figure adoc-varve-nvme tuning-nvme
figure adoc-varve-ssd tuning-ssd
ls -l ./*.svg
