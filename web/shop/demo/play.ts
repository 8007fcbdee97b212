import { setTimeout as sleep } from 'node:timers/promises';
import { listEventAttempts } from '@tenant-payments/contract/portal/attempts.ts';
import { putChaos } from '@tenant-payments/contract/portal/chaos.ts';
import { advanceClock, getClock } from '@tenant-payments/contract/portal/clock.ts';
import { listLedgerEntries, verifyLedger } from '@tenant-payments/contract/portal/ledger.ts';
import { listRequests } from '@tenant-payments/contract/portal/requests.ts';
import { reviewRecord } from '@tenant-payments/contract/portal/review.ts';
import type { Client } from '@tenant-payments/sdk-server';
import type { Verbs } from '../server/around.ts';
import type { Demo } from './state.ts';

/** Whose accounts the book may speak of. */
const named = new Map([
  ['sample-ana', 'Ana'],
  ['sample-ben', 'Ben'],
  ['sample-cafe', 'Corner Cafe'],
]);

/** The clock answers after a minute at the latest. */
const advanceWithin = { timeoutMs: 65_000 };

const lookEveryMs = 100;
/** Half a minute: an event that chaos holds back waits five seconds. */
const mostLooks = 300;

/** What the inspector's buttons send. */
interface Played {
  readonly id: string;
  readonly text: string;
  readonly event: Parameters<Client['sandbox']['simulate']>[0];
  readonly failure_code: string | null;
  readonly seconds: number;
  readonly rates: Readonly<Record<string, number>>;
}

/** @param clock the tenant's, and the world's */
const offsetOf = (clock: { readonly now: string; readonly real_now: string }): number =>
  Date.parse(clock.now) - Date.parse(clock.real_now);

export const readClock = async (client: Client): Promise<number> =>
  offsetOf((await client.request(getClock)).data);

/** What only a sandbox lets one do: be the bank and the reviewer, move the clock, break things. */
export function playVerbs(client: Client, demo: Demo): Verbs<Played> {
  /** Events from before there was an address are pending for good. */
  let downFrom = new Date().toISOString();
  const moved = async (to: { seconds: number } | { to: string }) => {
    const { data } = await client.request(advanceClock, to, advanceWithin);
    demo.clock_offset_ms = offsetOf(data);
    return data;
  };
  return {
    simulate: ({ event, id, failure_code }) =>
      client.sandbox.simulate(event, { object_id: id, failure_code }),
    clock: ({ seconds }) => moved({ seconds }),
    async retry() {
      // An attempt that was only just answered may not be written yet.
      for (let looks = 0; looks < mostLooks; looks += 1) {
        const wanted = { delivery_status: 'pending', from: downFrom, limit: 1 } as const;
        if ((await client.webhookEvents.list(wanted)).data.length === 0) break;
        await sleep(lookEveryMs);
      }
      const { data } = await client.webhookEvents.list({ delivery_status: 'retrying', limit: 100 });
      const times = data.map(({ delivery }) => delivery.next_attempt_at ?? '').sort();
      return times.length > 0 ? moved({ to: times.at(-1) ?? '' }) : null;
    },
    async chaos({ rates }) {
      demo.chaos = (await client.request(putChaos, rates)).data;
      return demo.chaos;
    },
    async down({ id }) {
      demo.is_down = id === 'down';
      if (demo.is_down) downFrom = new Date(Date.now() + demo.clock_offset_ms).toISOString();
    },
    resend: ({ id }) => client.webhookEvents.resend(id),
    async publish() {
      const path = ['documents', 'digital_account_terms', 'publish'] as const;
      return (await client.request(reviewRecord, ...path, { note: 'from Corner Shop' })).data;
    },
    async book({ text }) {
      const [proof, ...lists] = await Promise.all([
        client.request(verifyLedger),
        ...text
          .split(' ')
          .filter(Boolean)
          .map((source_id) => client.request(listLedgerEntries, { source_id })),
      ]);
      const people = await Promise.all(
        [...named].map(async ([external_ref, name]) => {
          const [customer] = (await client.customers.list({ external_ref })).data;
          return [customer?.account_id ?? '', name];
        }),
      );
      const entries = lists.flatMap(({ data }) => data.data);
      return { proof: proof.data, entries, names: Object.fromEntries(people) };
    },
    request: async ({ id }) =>
      (await client.request(listRequests, { request_id: id })).data.data[0],
    attempts: async ({ id }) => (await client.request(listEventAttempts, id)).data.data,
  };
}
