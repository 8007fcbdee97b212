import { setTimeout as sleep } from 'node:timers/promises';
import { type ProofContext, proofTest } from '../../prove/proof.ts';
import { openTwoServers, type TwoServers } from './two_servers.ts';
import { proveUnderLoad, type Round } from './under_load.ts';

/** Patroni takes longer: what must be found out is then found out. */
const electionMs = 2_000;
/** Longer than the deadline of a query, after which a silent connection is given up; Patroni takes longer. */
const cutMs = 12_000;
/** The time from the promotion until a payment was acknowledged again, on a machine that does much else. */
const backWithinMs = 5_000;
/** A whole proof loses none of 50,000. */
const wholeRounds = 20;
const ackedBetween = 2_500;

type Strike = (servers: TwoServers, round: Round) => Promise<void>;

/** How long each recovery took. */
const recoveriesMs: number[] = [];

async function promoted(servers: TwoServers, { recovery }: Round, afterMs: number) {
  await sleep(afterMs);
  const promotedMs = await servers.promote();
  await recovery(promotedMs);
  recoveriesMs.push(Math.round(performance.now() - promotedMs));
}

/** The strikes on the two servers; after each a new standby is there. */
const strikes: readonly Strike[] = [
  async (servers, round) => {
    await servers.killPrimary();
    await promoted(servers, round, electionMs);
  },
  async (servers, round) => {
    await servers.stopPrimary();
    await promoted(servers, round, 0);
  },
  async (servers, { recovery }) => {
    await servers.killStandby();
    await sleep(electionMs);
    await servers.waitForNone();
    await recovery(performance.now());
  },
  async (servers, round) => {
    servers.cutNetwork();
    await sleep(cutMs);
    // A primary that nobody reaches is ended before another one is made.
    await servers.killPrimary();
    await promoted(servers, round, 0);
  },
];

async function run(context: ProofContext) {
  const servers = await openTwoServers();
  let onStandby = 0;
  const verdict = await proveUnderLoad(
    context,
    {
      database: { ...servers, drop: servers.stop },
      backWithinMs,
      byPin: 2,
      ackedBetween: context.rounds < wholeRounds ? 0 : ackedBetween,
    },
    async (_running, round) => {
      await strikes[round.round % strikes.length]?.(servers, round);
      await servers.renew();
      await sleep(500);
      const found = await servers.connectionsOnStandby();
      onStandby += found;
      if (found > 0) round.violate(`${found} connections lead to the standby`);
    },
  );
  recoveriesMs.sort((a, b) => a - b);
  const medianRecoveryMs = recoveriesMs[Math.floor(recoveriesMs.length / 2)] ?? 0;
  return { ...verdict, figures: { ...verdict.figures, medianRecoveryMs, onStandby } };
}

proofTest(
  'a failover costs 503 until the promotion, and nothing that was acknowledged',
  strikes.length,
  run,
);
