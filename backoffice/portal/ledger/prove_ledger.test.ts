import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ workers: false });

/** The messages of a proof, in order. */
async function proof(token = server.token) {
  const reply = await fetch(`${server.baseUrl}/portal/api/ledger/proof`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  const blocks = (await reply.text()).trim().split('\n\n');
  return blocks.map((block) => {
    const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) };
  });
}

test('a proof tells each step in order, and ends with what the check at once answers', async () => {
  await server.api.funded('individual', 50_00);
  const told = await proof();
  const steps = told.slice(0, -1);
  const [{ data: first } = { data: null }] = steps;
  expect(steps.map(({ event, data }) => [event, data.done])).toEqual(
    Array.from({ length: first.all }, (_, index) => ['progress', index + 1]),
  );
  const last = told.at(-1);
  expect(last?.event).toBe('proof');
  expect(last?.data).toEqual(await server.api.get('/portal/api/ledger/verify'));
  expect(last?.data.checked).toBeGreaterThan(0);
});

test('damage is found, and is of its own Tenant alone', async () => {
  const other = await server.anotherTenant();
  const tenantId = other.tenantId;
  await server.apiOf(other).funded('individual', 10_00);
  await server.owner.query('update balances set available = available + 1 where tenant_id = $1', [
    tenantId,
  ]);
  const last = (await proof(other.token)).at(-1);
  expect(last?.data.ok).toBe(false);
  expect(last?.data.violations.length).toBeGreaterThan(0);
  expect((await proof()).at(-1)?.data.ok).toBe(true);
  await server.owner.query('update balances set available = available - 1 where tenant_id = $1', [
    tenantId,
  ]);
});

test('a Tenant has one proof at a time, and the next one when it has ended', async () => {
  const replies = await Promise.all(
    [1, 2, 3].map(() =>
      fetch(`${server.baseUrl}/portal/api/ledger/proof`, {
        headers: { authorization: `Bearer ${server.token}` },
      }),
    ),
  );
  const statuses = replies.map(({ status }) => status).sort();
  await Promise.all(replies.map((reply) => reply.text()));
  expect(statuses[0]).toBe(200);
  for (const status of statuses) expect([200, 409]).toContain(status);
  expect((await proof()).at(-1)?.event).toBe('proof');
});
