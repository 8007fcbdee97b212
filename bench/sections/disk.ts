import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, openBench } from '../bench.ts';
import { passDays } from '../disk/retention.ts';
import { growth, readPackedSizes, readSizes, type Sizes, scaled, sumOf } from '../disk/sizes.ts';
import { diskTable } from '../disk/table.ts';
import { checkLedger } from '../ledger_check.ts';
import { openCaller } from '../load/callers.ts';
import { prepareLoad } from '../loads.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { allDelivered, setEndpoint } from '../setup/endpoints.ts';
import { equalTenants } from '../setup/furnish.ts';
import type { Section } from './section.ts';

const tenants = { count: 1, payers: 250, merchants: 60 };
/** After each part the tables are vacuumed, as autovacuum does where a day takes a day. */
const parts = 4;
const paymentsInPart = 2_500;
const payments = parts * paymentsInPart;
const clients = 8;
/**
 * The requests of a payment, of a Tenant below 25 payments a second; of a faster one 50 requests a second are logged.
 */
const requestsOfPayment = 2;
const deliveredWithinMs = 600_000;
/** The request log writes after the replies. */
const logPauseMs = 3_000;
const bytesInKilobyte = 1_000;

const kind = { load: 'pairs', clients, spread: 'uniform', processes: 1 } as const;

/** Creates and completes the payments, and waits until their webhooks have arrived. */
async function hold(bench: Bench): Promise<void> {
  for (let part = 1; part <= parts; part += 1) {
    const load = await prepareLoad(bench, kind, paymentsInPart);
    await load();
    await allDelivered(bench.client, deliveredWithinMs);
    await sleep(logPauseMs);
    await bench.client.query('vacuum analyze');
    bench.say(`${part * paymentsInPart} payments created, completed and delivered`);
  }
}

const counted = `select (select count(*) from deliveries)::float8 as deliveries,
  (select count(*) from requests)::float8 as requests`;

/** The service removes what is old before and after, so that the setup's own rows do not count. */
async function measureDisk(bench: Bench, receiver: Receiver): Promise<number> {
  const { client, database, service, maker, say } = bench;
  const { call, close } = await openCaller(service.port);
  await passDays(database, 400);
  const before = await readPackedSizes(client);
  for (const { tenant } of maker.allPeople) await setEndpoint(call, tenant, receiver.url);
  close();
  await hold(bench);
  const { rows } = await client.query<{ deliveries: number; requests: number }>(counted);
  const { deliveries, requests } = rows[0] ?? { deliveries: 0, requests: 0 };
  const logged = { requests: (requestsOfPayment * payments) / requests };
  const grown = (after: Sizes) => scaled(growth(before, after, payments), logged);
  const written = grown(await readSizes(client));
  const packed = grown(await readPackedSizes(client));
  const { checked, seconds } = await checkLedger(database);
  say(`every invariant holds: ${checked} rows checked in ${seconds.toFixed(1)} s`);
  await passDays(database, 30);
  const after30Days = grown(await readPackedSizes(client));
  await passDays(database, 400);
  const after400Days = grown(await readPackedSizes(client));
  say(diskTable({ written, packed, after30Days, after400Days }));
  say(
    `a payment has ${(deliveries / payments).toFixed(2)} deliveries and, of a slow Tenant, ` +
      `${requestsOfPayment} logged requests; here ${(requests / payments).toFixed(2)} were logged`,
  );
  return sumOf(written) / bytesInKilobyte;
}

/** The bytes that payments leave on the disk. */
export const diskSection: Section = {
  keys: ['disk_kb_per_payment'],
  async measure({ folder, say }) {
    const needs = { needsReference: false, needsSecond: false, canProfile: false };
    const bench = await openBench({
      dataDir: folder,
      ...needs,
      say,
      furnish: equalTenants(tenants),
    });
    const receiver = await startReceiver();
    try {
      return { disk_kb_per_payment: [await measureDisk(bench, receiver)] };
    } finally {
      await bench.close();
      receiver.stop();
    }
  },
};
