import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@tenant-payments/sdk-server';
import { merchant, people } from '../people.ts';
import type { Actions } from '../server/context.ts';
import { type Chaos, type Clock, openPortal } from './portal.ts';
import type { Demo } from './state.ts';

const checkEveryMs = 100;
/** Half a minute: an event that chaos holds back waits five seconds. */
const maximumChecks = 300;

/** The input that the inspector's buttons send. */
interface PlayInput {
  readonly id: string;
  readonly text: string;
  readonly event: Parameters<Client['sandbox']['simulate']>[0];
  readonly failure_code: string | null;
  readonly seconds: number;
  readonly rates: Partial<Chaos>;
}

/** Milliseconds by which the Tenant's clock is ahead of real time. */
export const offsetOf = (clock: Clock): number =>
  Date.parse(clock.now) - Date.parse(clock.real_now);

/** Actions that only a sandbox allows: act as bank and reviewer, move the clock, inject faults. */
export function playActions(client: Client, demo: Demo): Actions<PlayInput> {
  const portal = openPortal(client);
  /** Events from before an endpoint was registered stay pending for good. */
  let downFrom = new Date().toISOString();
  const advance = async (to: { seconds: number } | { to: string }) => {
    const clock = await portal.advance(to);
    demo.clock_offset_ms = offsetOf(clock);
    return clock;
  };
  /** An attempt that was answered a moment ago may not be recorded yet. */
  const untilAttempted = async () => {
    const wanted = { delivery_status: 'pending', from: downFrom, limit: 1 } as const;
    for (let checks = 0; checks < maximumChecks; checks += 1) {
      if ((await client.webhookEvents.list(wanted)).data.length === 0) return;
      await sleep(checkEveryMs);
    }
  };
  const accountNames = async () => {
    const entries = [...people, merchant].map(async ({ ref, name }) => {
      const [customer] = (await client.customers.list({ external_ref: ref })).data;
      return [customer?.account_id ?? '', name] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  return {
    simulate: ({ event, id, failure_code }) =>
      client.sandbox.simulate(event, { object_id: id, failure_code }),
    clock: ({ seconds }) => advance({ seconds }),
    async retry() {
      await untilAttempted();
      const { data } = await client.webhookEvents.list({ delivery_status: 'retrying', limit: 100 });
      const times = data.map(({ delivery }) => delivery.next_attempt_at ?? '').sort();
      return times.length > 0 ? advance({ to: times.at(-1) ?? '' }) : null;
    },
    async chaos({ rates }) {
      demo.chaos = await portal.setChaos(rates);
      return demo.chaos;
    },
    async down({ id }) {
      demo.is_down = id === 'down';
      if (demo.is_down) downFrom = new Date(Date.now() + demo.clock_offset_ms).toISOString();
    },
    resend: ({ id }) => client.webhookEvents.resend(id),
    publish: () => portal.publishTerms(),
    /** @param text the ids of the records whose ledger entries are shown, with spaces between */
    async ledger({ text }) {
      const sources = text.split(' ').filter(Boolean);
      const [check, names, ...entries] = await Promise.all([
        portal.verifyLedger(),
        accountNames(),
        ...sources.map((id) => portal.entriesOf(id)),
      ]);
      return { check, entries: entries.flat(), names };
    },
    request: ({ id }) => portal.requestBy(id),
    attempts: ({ id }) => portal.attemptsOf(id),
  };
}
