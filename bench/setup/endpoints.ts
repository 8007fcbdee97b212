import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Call } from '../load/callers.ts';
import type { BenchTenant } from './tenants.ts';

const pollMs = 50;

/** Sets and enables a Tenant's webhook endpoint. */
export async function setEndpoint(call: Call, { token }: BenchTenant, url: string): Promise<void> {
  const request = { method: 'PUT', path: '/portal/api/webhook-endpoint', token } as const;
  await call({ ...request, body: { url } }, 200);
}

/**
 * Resolves when nothing is left to be sent. @param except a Tenant that does not matter
 * @throws when that takes longer than `withinMs`
 */
export async function allDelivered(
  client: pg.Client,
  withinMs: number,
  except: string | null = null,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const { rows } = await client.query<{ open: boolean }>(
      `select exists (select from deliveries
         where wake_at is not null and tenant_id is distinct from $1) as open`,
      [except],
    );
    if (rows[0]?.open === false) return;
    if (performance.now() > deadline) throw new Error('not everything was delivered in time');
    await sleep(pollMs);
  }
}

/** @throws when a delivery has not ended as delivered */
export async function assertDelivered(client: pg.Client, count: number): Promise<void> {
  const { rows } = await client.query<{ delivered: number; all: number }>(
    `select count(*) filter (where status = 'delivered')::int as delivered, count(*)::int as all
     from deliveries`,
  );
  const [found] = rows;
  if (found?.delivered !== count || found.all !== count)
    throw new Error(`${found?.delivered} of ${found?.all} deliveries were delivered, not ${count}`);
}
