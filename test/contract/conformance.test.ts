import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';
import { type Conformance, openConformance, operations } from './run.ts';
import { openSender, type Sender } from './send.ts';

let on: TestService;
let sender: Sender;
let conformance: Conformance;

/** What is kept of requests themselves, and is no record. */
const ofRequests = ['access_tokens', 'requests', 'processes'];

/** A digest of every row of every Tenant. */
async function digestOf(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'tenant_id' and table_name <> all($1)
      order by 1`,
    [ofRequests],
  );
  const parts = tables.map(
    ({ name }) => `select '${name} ' || count(*) || ' '
      || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as part from ${name} t`,
  );
  const { rows } = await pool.query<{ part: string }>(parts.join(' union all '));
  return rows.map(({ part }) => part).join('\n');
}

beforeAll(async () => {
  const rateLimit = 10_000_000;
  // Without workers: nothing changes by itself, such as a request that lives for a second.
  on = await startTestService({ tenant: { rateLimit }, workers: false });
  const stranger = await on.anotherTenant({ rateLimit });
  sender = openSender(on.baseUrl);
  conformance = await openConformance({
    baseUrl: on.baseUrl,
    sender,
    token: on.token,
    strangerToken: stranger.token,
    digest: () => digestOf(on.service.pool),
  });
});
afterAll(async () => {
  await sender.close();
  await on.stop();
});

test.each(operations.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s refuses all that the contract does not allow, by name, and nothing changes',
  async (_, endpoint) => {
    const { cases, violations } = await conformance.check(endpoint);
    expect(violations, violations.join('\n')).toEqual([]);
    expect(cases).toBeGreaterThan(20);
  },
);
