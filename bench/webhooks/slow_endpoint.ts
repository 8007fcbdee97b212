import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryTimeoutSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import type pg from 'pg';
import type { Bench } from '../bench.ts';
import { assertCompleted } from '../ledger_check.ts';
import { forEachOver, openCaller } from '../load/callers.ts';
import { percentile } from '../load/window.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { hangingPath, uncountedPath } from '../receiver/receiver_process.ts';
import { allDelivered, setEndpoint } from '../setup/endpoints.ts';
import { createPayments, type OpenPayments } from '../setup/payments.ts';
import { setupConnections } from '../setup/population.ts';

/** Payments completed in a second, each with several events: far below what the service can do. */
const perSecond = 40;
const seconds = 15;
const connections = 32;
/** The payments of others in ten: one is of the Tenant whose endpoint hangs: a hundred times its share. */
const ofOthers = 9;
const deliveredWithinMs = 120_000;
/** An attempt under way ends after its time; the next one is answered at once. */
const recoveredMs = (deliveryTimeoutSeconds + 1) * 1_000;

/** Nine completions of the others, one of the first Tenant, and so on. */
const mixed = (others: OpenPayments, first: OpenPayments): string[] =>
  others.completions.flatMap((text, index) =>
    index % ofOthers === 0
      ? [text, ...first.completions.slice(index / ofOthers, index / ofOthers + 1)]
      : [text],
  );

/** The Tenant of these payments. */
async function tenantOf(client: pg.Client, { uuids }: OpenPayments): Promise<string | null> {
  const { rows } = await client.query<{ tenant_id: string }>(
    'select tenant_id from payments where id = $1',
    [uuids[0]],
  );
  return rows[0]?.tenant_id ?? null;
}

/** Every Tenant but the first has an endpoint that counts. */
export async function setEndpoints({ service, maker }: Bench, { url }: Receiver): Promise<void> {
  const [, ...others] = maker.allPeople;
  await forEachOver(service.port, setupConnections, others, (call, { tenant }) =>
    setEndpoint(call, tenant, url),
  );
}

/**
 * Completes payments at a steady rate while the first Tenant's endpoint answers, or hangs.
 * @returns the 99th percentile of the time from an event of another Tenant to its arrival, in ms
 */
async function delayWith(bench: Bench, receiver: Receiver, path: string): Promise<number> {
  const { client, service, maker } = bench;
  const [first] = maker.allPeople;
  if (!first) throw new Error('no tenant');
  const { call, close } = await openCaller(service.port);
  const count = perSecond * seconds;
  const others = await createPayments(
    maker,
    'others',
    Math.ceil((count * ofOthers) / (ofOthers + 1)),
  );
  const own = await createPayments(maker, 'one', Math.floor(count / (ofOthers + 1)));
  const tenantId = await tenantOf(client, own);
  await setEndpoint(call, first.tenant, `${receiver.url}${path}`);
  await allDelivered(client, deliveredWithinMs, tenantId);
  await receiver.reset();
  const requests = mixed(others, own);
  const { statuses } = await maker.generator.pace({
    port: service.port,
    requests,
    perSecond,
    connections,
  });
  if (statuses[202] !== requests.length) throw new Error(`replies: ${JSON.stringify(statuses)}`);
  await assertCompleted(bench, [...others.uuids, ...own.uuids]);
  await allDelivered(client, deliveredWithinMs, tenantId);
  const { delaysMs } = await receiver.report();
  await setEndpoint(call, first.tenant, `${receiver.url}${uncountedPath}`);
  close();
  if (path === hangingPath) await sleep(recoveredMs);
  const sorted = [...delaysMs].sort((a, b) => a - b);
  bench.say(
    `${delaysMs.length} events of others, the first Tenant's endpoint at ${path}: ` +
      `p50 ${percentile(sorted, 0.5)} ms, p99 ${percentile(sorted, 0.99)} ms`,
  );
  return percentile(sorted, 0.99);
}

/** Both ways in each round. @returns p99 while the endpoint hangs / p99 while it answers */
export async function compareDelays(bench: Bench, receiver: Receiver, rounds: number) {
  const ratios: number[] = [];
  await delayWith(bench, receiver, uncountedPath);
  for (let round = 1; round <= rounds; round += 1) {
    const usual = await delayWith(bench, receiver, uncountedPath);
    const hanging = await delayWith(bench, receiver, hangingPath);
    ratios.push(hanging / usual);
  }
  return ratios;
}
