import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Longer than any claim takes whose holder is alive, or a clock's holder before it renews its own. */
const heldTooLongMs = 4_000;
const lookEveryMs = 250;

/** What tells one claim of a row from the next, since all leases end at the same instant here. */
interface Claim {
  readonly claim: string;
}

/** What is held under a lease: its key, and the column that says until when. */
const held = [
  { table: 'jobs', key: 'tenant_id, name, ref', lease: 'lease_until' },
  { table: 'deliveries', key: 'tenant_id, event_id', lease: 'lease_until' },
  { table: 'tenants', key: 'tenant_id', lease: 'clock_lease_until' },
] as const;

const claimOf = ({ table, key }: (typeof held)[number]): string =>
  `concat_ws(' ', '${table}', ${key}, xmin)`;

const claimed = held
  .map((one) => `select ${claimOf(one)} as claim from ${one.table} where ${one.lease} is not null`)
  .join(' union all ');

export interface Relief {
  /** How many leases it has ended. */
  count(): number;
  stop(): Promise<void>;
}

/**
 * Ends the leases whose holder was lost with its connection. Real time, which would end them, stands
 * still here for the tenants' sake.
 */
export function openRelief(control: pg.Pool): Relief {
  let relieved = 0;
  const seen = new Map<string, number>();
  let stopped = false;

  async function look(): Promise<void> {
    const nowMs = performance.now();
    const { rows } = await control.query<Claim>(claimed);
    const claims = new Set(rows.map(({ claim }) => claim));
    for (const claim of seen.keys()) if (!claims.has(claim)) seen.delete(claim);
    for (const claim of claims) if (!seen.has(claim)) seen.set(claim, nowMs);
    const lost = [...claims].filter((claim) => nowMs - (seen.get(claim) ?? nowMs) > heldTooLongMs);
    if (lost.length === 0) return;
    relieved += lost.length;
    for (const one of held)
      await control.query(
        `update ${one.table} set ${one.lease} = null where (${one.key}) in (select ${one.key}
           from ${one.table} where ${one.lease} is not null and ${claimOf(one)} = any($1)
           for update skip locked)`,
        [lost],
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
    count: () => relieved,
    async stop() {
      stopped = true;
      await looping;
    },
  };
}
