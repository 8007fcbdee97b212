import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { until } from '../../kit/wait.ts';
import { type ProofContext, proofTest } from '../../prove/proof.ts';
import { proveUnderLoad, type Round } from '../database/under_load.ts';
import { type Cluster, openCluster } from './cluster.ts';
import type { Node } from './member.ts';
import { missing } from './settings.ts';
import { strikes } from './strikes.ts';

/** The time from the promotion until a payment was acknowledged again, on a machine that does much else. */
const backWithinMs = 5_000;
/** haproxy looks once a second, and once more when a look failed. */
const haproxyMs = 15_000;
const betweenMs = 2_000;
/** All 24 rounds lose none of 50,000. */
const ackedBetween = 2_100;

const connections = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and usename = 'tenant_payments'`;

/** Both ports of haproxy lead where their names say. */
async function followed(cluster: Cluster, { violate }: Round): Promise<void> {
  for (const port of ['primary', 'standby'] as const)
    await until(
      async () => (await cluster.takesWrites(port).catch(() => null)) === (port === 'primary'),
      { what: `the ${port} behind haproxy`, withinMs: haproxyMs, everyMs: 200 },
    ).catch((error: Error) => violate(error.message));
}

async function leftOn(node: Node): Promise<number> {
  const [row] = await node.ask(connections, 'pay');
  return Number(row?.count);
}

async function run(context: ProofContext) {
  const cluster = await openCluster();
  const recoveriesMs: number[] = [];
  const promotionsMs: number[] = [];
  let isBroken = false;
  let onStandby = 0;
  let madeAnew = 0;

  async function play(round: Round): Promise<void> {
    const beganMs = performance.now();
    await strikes[round.round % strikes.length]?.(cluster, {
      ...round,
      async promotion(promotedMs) {
        promotionsMs.push(Math.round(promotedMs - beganMs));
        await round.recovery(promotedMs);
        recoveriesMs.push(Math.round(performance.now() - promotedMs));
      },
    });
    if (await cluster.whole()) madeAnew += 1;
    await followed(cluster, round);
    const { standby } = await cluster.roles();
    const found = await leftOn(standby);
    onStandby += found;
    if (found > 0) round.violate(`${found} connections lead to the standby`);
    await sleep(betweenMs);
  }

  const verdict = await proveUnderLoad(
    context,
    { database: { ...cluster, drop: cluster.stop }, backWithinMs, byPin: 2, ackedBetween },
    async (_running, round) => {
      if (isBroken) return;
      await play(round).catch(async (error: Error) => {
        isBroken = true;
        round.violate(error.message);
        process.stderr.write(await cluster.logs());
      });
    },
  );
  const median = (of: number[]) => of.sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;
  const figures = {
    ...verdict.figures,
    promotions: promotionsMs.length,
    medianPromotionMs: median(promotionsMs),
    medianRecoveryMs: median(recoveriesMs),
    slowestAfterPromotionMs: recoveriesMs.at(-1) ?? 0,
    madeAnew,
    onStandby,
  };
  return { ...verdict, figures, server: cluster.version };
}

const name =
  'a failover by Patroni costs 503 until the promotion, and nothing that was acknowledged';
const without = missing();
if (without.length > 0) test.skip(`${name} (skipped: not installed: ${without.join(', ')})`);
// Minutes of a cluster of its own: `npm run prove -- --only patroni`.
else if (process.env.ROUNDS) proofTest(name, strikes.length, run);
else test.skip(`${name} (npm run prove -- --only patroni)`);
