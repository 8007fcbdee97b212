import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Longer than any holder keeps a lease without renewing it. */
const heldTooLongMs = 4_000;
const lookEveryMs = 250;

/** The rows held under a lease: its key and the column of the lease. */
const held = [
  { table: 'jobs', key: 'tenant_id, name, ref', lease: 'lease_until' },
  { table: 'deliveries', key: 'tenant_id, event_id', lease: 'lease_until' },
  { table: 'tenants', key: 'tenant_id', lease: 'clock_lease_until' },
] as const;

/** Tells two claims of a row apart: all leases end at the same instant here. */
const claimOf = ({ table, key }: (typeof held)[number]): string =>
  `concat_ws(' ', '${table}', ${key}, xmin)`;

const claimed = held
  .map((one) => `select ${claimOf(one)} as claim from ${one.table} where ${one.lease} is not null`)
  .join(' union all ');

/** Ends the leases of holders whose connection was lost: real time, which would end them, stands still. */
export function openLeaseRecovery(control: pg.Pool) {
  let recovered = 0;
  let sinceMs = new Map<string, number>();
  let stopped = false;

  async function look(): Promise<void> {
    const nowMs = performance.now();
    const { rows } = await control.query<{ readonly claim: string }>(claimed);
    sinceMs = new Map(rows.map(({ claim }) => [claim, sinceMs.get(claim) ?? nowMs]));
    const lost = [...sinceMs].filter(([, since]) => nowMs - since > heldTooLongMs);
    recovered += lost.length;
    if (lost.length === 0) return;
    for (const one of held)
      await control.query(
        `update ${one.table} set ${one.lease} = null where (${one.key}) in (select ${one.key}
           from ${one.table} where ${one.lease} is not null and ${claimOf(one)} = any($1)
           for update skip locked)`,
        [lost.map(([claim]) => claim)],
      );
  }
  async function loop(): Promise<void> {
    while (!stopped) {
      await look();
      await sleep(lookEveryMs);
    }
  }
  const looping = loop();
  return {
    count: () => recovered,
    async stop(): Promise<void> {
      stopped = true;
      await looping;
    },
  };
}
