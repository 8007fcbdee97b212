import type { Bench } from '../bench.ts';
import type { LoadReport } from '../load/drive.ts';
import { measuredSeconds, warmUpSeconds } from '../loads.ts';
import { median } from '../report.ts';
import { assertAll, planPairs } from '../setup/payments.ts';

const peakClients = 128;
const fewClients = 8;
const times = 5;
const overloadSeconds = 10;
/** Until the queue is full. */
const settlingSeconds = 3;
/** The connections are more than the queue holds, so that the others are refused at once. */
const connections = 6_000;
const firstGuessPerSecond = 1_000;
/** The factor by which a time as quick as before may differ by noise. */
const wellFactor = 1.5;
const longestRecoveryMs = 60_000;

interface Held extends LoadReport {
  readonly perSecond: number;
}

/** Creates so many payments in a closed loop. */
async function create(bench: Bench, clients: number, count: number, warmUp: number): Promise<Held> {
  const { maker, service } = bench;
  const { requests } = planPairs(maker, 'uniform', count);
  const plan = { ports: [service.port], clients, requests, wantsBodies: false };
  const unheard = { onOpen: () => {}, onClose: () => {} };
  const report = await maker.generator.run({ ...plan, warmUpSeconds: warmUp }, unheard);
  assertAll(report, 201, count);
  return { ...report, perSecond: report.answered / report.seconds };
}

/** The most payments that were created in a second, of two runs. */
async function peakOf(bench: Bench): Promise<number> {
  const seconds = warmUpSeconds + measuredSeconds;
  const first = await create(bench, peakClients, firstGuessPerSecond * seconds, warmUpSeconds);
  const count = Math.ceil(first.perSecond * seconds);
  const second = await create(bench, peakClients, count, warmUpSeconds);
  return Math.max(first.perSecond, second.perSecond);
}

/** @returns payments created in a second while five times as many are asked for as can be */
async function goodputOf({ maker, service, say }: Bench, peak: number): Promise<number> {
  const perSecond = times * peak;
  const { requests } = planPairs(maker, 'uniform', Math.ceil(perSecond * overloadSeconds));
  const plan = { port: service.port, requests, perSecond, connections };
  const { statuses, unsent, goodInSecond, longestMs } = await maker.generator.pace(plan);
  const strange = Object.keys(statuses).filter((status) => status !== '201' && status !== '503');
  if (strange.length > 0) throw new Error(`replies: ${JSON.stringify(statuses)}`);
  say(
    `${perSecond.toFixed(0)} requests a second for ${overloadSeconds} s: ${JSON.stringify(statuses)}, ` +
      `${unsent} not sent, a reply after ${longestMs.toFixed(0)} ms at most; ` +
      `created in each second: ${goodInSecond.join(' ')}`,
  );
  return median(goodInSecond.slice(settlingSeconds, overloadSeconds));
}

/** @returns seconds until a few clients are answered as quickly as before */
async function recoveryOf(bench: Bench, usual: Held): Promise<number> {
  const begun = performance.now();
  const inHalfASecond = Math.ceil(usual.perSecond / 2);
  for (;;) {
    const now = await create(bench, fewClients, inHalfASecond, 0);
    const ms = performance.now() - begun;
    if (now.perSecond * wellFactor >= usual.perSecond) return ms / 1_000;
    if (ms > longestRecoveryMs) throw new Error('the service did not get well');
  }
}

/** One round: peak, overload, recovery. */
export async function overload(bench: Bench) {
  const peak = await peakOf(bench);
  const usual = await create(bench, fewClients, Math.ceil(peak), 0);
  const goodput = await goodputOf(bench, peak);
  const recovery = await recoveryOf(bench, usual);
  bench.say(
    `peak ${peak.toFixed(0)} payments created in a second, ${goodput.toFixed(0)} under overload, ` +
      `well again after ${recovery.toFixed(1)} s`,
  );
  return { goodput: goodput / peak, recovery };
}
