import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kit/wait.ts';
import type { Round } from '../database/under_load.ts';
import type { Cluster } from './cluster.ts';
import type { Node } from './member.ts';

/** Patroni waits for `ttl`, 20 s, before it elects another leader. */
const electedWithinMs = 90_000;
/** The time after the election for which nobody has told the old leader. */
const aloneMs = 3_000;
/** Longer than `ttl`: whoever could lose the lead for this has lost it. */
const etcdAwayMs = 30_000;

interface Strike extends Round {
  /** Waits for an acknowledged write that began after the promotion. */
  promotion(promotedMs: number): Promise<void>;
}

/** Waits until a standby takes writes. @returns `performance.now()` of that moment */
async function promoted(node: Node): Promise<number> {
  const follows = async () => (await node.ask('select pg_is_in_recovery() as it'))[0]?.it;
  await until(async () => (await follows().catch(() => true)) === false, {
    what: `the promotion of ${node.name}`,
    withinMs: electedWithinMs,
    everyMs: 20,
  });
  return performance.now();
}

type Act = (node: Node, cluster: Cluster) => Promise<void> | void;
type Play = (cluster: Cluster, strike: Strike) => Promise<void>;

/** The leader is lost in one way or another, and comes back once another one leads. */
const losing =
  (lose: Act, back: Act) =>
  async (cluster: Cluster, { promotion }: Strike): Promise<void> => {
    const { leader, standby } = await cluster.roles();
    await lose(leader, cluster);
    await promotion(await promoted(standby));
    await sleep(aloneMs);
    await back(leader, cluster);
  };

/** The standby is lost: writes go on once Patroni no longer waits for it. */
const losingStandby =
  (lose: Act, back: Act) =>
  async (cluster: Cluster, { recovery }: Strike): Promise<void> => {
    const { leader, standby } = await cluster.roles();
    await lose(standby, cluster);
    await until(
      async () =>
        (await leader.ask('show synchronous_standby_names'))[0]?.synchronous_standby_names === '',
      { what: 'a leader that waits for none', withinMs: electedWithinMs, everyMs: 100 },
    );
    await recovery(performance.now());
    await back(standby, cluster);
  };

/** The faults of the cluster, in turn. */
export const strikes: readonly Play[] = [
  losing(
    (leader) => leader.kill(),
    (leader) => leader.start(),
  ),
  async (cluster, { promotion }) => {
    const { standby } = await cluster.roles();
    const watched = promoted(standby);
    await cluster.switchover();
    await promotion(await watched);
  },
  losingStandby(
    (standby) => standby.kill(),
    (standby) => standby.start(),
  ),
  losing(
    (leader, cluster) => cluster.cut(leader),
    (_leader, cluster) => cluster.heal(),
  ),
  losing(
    (leader) => leader.freeze(),
    (leader) => leader.thaw(),
  ),
  losingStandby(
    (standby, cluster) => cluster.cut(standby),
    (_standby, cluster) => cluster.heal(),
  ),
  // Patroni starts it again, and nobody else is elected.
  async (cluster, { recovery }) => {
    const { leader } = await cluster.roles();
    await leader.killPostgres();
    await promoted(leader);
    await recovery(performance.now());
  },
  async (cluster, { recovery, violate }) => {
    const { leader } = await cluster.roles();
    cluster.freezeEtcd('SIGSTOP');
    await sleep(etcdAwayMs);
    const [row] = await leader.ask('select pg_is_in_recovery() as follows');
    if (row?.follows) violate('the leader has stepped down although it reaches the other one');
    await recovery(performance.now());
    cluster.freezeEtcd('SIGCONT');
  },
];
