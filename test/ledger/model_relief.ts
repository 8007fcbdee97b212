import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Longer than any claim takes whose holder is alive, and a tenth of what a lease lasts. */
const heldTooLongMs = 3_000;
const lookEveryMs = 250;

/** What tells one claim of a row from the next, since all leases end at the same instant here. */
interface Claim {
  readonly claim: string;
}

const tables = { due: 'tenant_id, what, ref', deliveries: 'tenant_id, event_id' } as const;

const claimOf = (table: keyof typeof tables): string =>
  `concat_ws(' ', '${table}', ${tables[table]}, xmin)`;

const claimed = Object.keys(tables)
  .map((table) => table as keyof typeof tables)
  .map((table) => `select ${claimOf(table)} as claim from ${table} where lease_until is not null`)
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
    const held = new Set(rows.map(({ claim }) => claim));
    for (const claim of seen.keys()) if (!held.has(claim)) seen.delete(claim);
    for (const claim of held) if (!seen.has(claim)) seen.set(claim, nowMs);
    const lost = [...held].filter((claim) => nowMs - (seen.get(claim) ?? nowMs) > heldTooLongMs);
    if (lost.length === 0) return;
    relieved += lost.length;
    for (const table of Object.keys(tables) as (keyof typeof tables)[])
      await control.query(
        `update ${table} set lease_until = null
         where lease_until is not null and ${claimOf(table)} = any($1)`,
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
