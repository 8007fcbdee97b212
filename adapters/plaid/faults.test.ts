import { afterAll, afterEach, expect, test } from 'vitest';
import { linkCheckJob } from '../../service/inbound/check_jobs.ts';
import { uuid } from '../../test/kit/ids.ts';
import { PlaidRefusal } from '../../test/kit/plaid/refusal.ts';
import { openPlaid } from '../../test/kit/plaid/service.ts';
import { accountAt } from '../../test/kit/plaid/state.ts';

/** Links while Plaid does not answer as it should: nothing is lost, and nothing is done twice. */

const lines: string[] = [];
const plaid = await openPlaid({ onLog: (line) => void lines.push(line) });
const { counterpart, server } = plaid;
afterAll(() => counterpart.close());
afterEach(() => {
  Object.assign(counterpart.misbehaviour, { isDown: false, delayMs: 0, refuse: undefined });
  expect(counterpart.faults).toEqual([]);
});

const refuseAll = (code: string, type: string, status: number) => (path: string) =>
  path === '/identity/match' ? new PlaidRefusal(code, type, status) : null;

/** A link that was made, and whose check has not begun. */
async function pending() {
  const customer = await plaid.opened();
  const { publicToken } = plaid.share(customer);
  const { status, body } = await plaid.tryLink(customer, publicToken);
  expect(status).toBe(201);
  return body.id as string;
}
const check = (id: string) =>
  server.engine.run(linkCheckJob({ ...server.service, ...server.rails }), {
    ref: uuid('linked_account', id),
  });

test.each([
  ['is down', { isDown: true }],
  ['has had too many calls', { refuse: refuseAll('RATE_LIMIT', 'RATE_LIMIT_EXCEEDED', 429) }],
  ['has a fault of its own', { refuse: refuseAll('INTERNAL_SERVER_ERROR', 'API_ERROR', 500) }],
  [
    'does not know a replaced secret',
    { refuse: refuseAll('INVALID_API_KEYS', 'INVALID_INPUT', 400) },
  ],
])('a link waits while Plaid %s, and is checked once when it answers', async (_what, wrong) => {
  const id = await pending();
  Object.assign(counterpart.misbehaviour, wrong);
  lines.length = 0;
  await expect(check(id)).rejects.toThrow();
  expect((await plaid.linkOf(id)).status).toBe('pending');
  expect(lines.join()).toContain('"method":"aggregator.verify"');
  Object.assign(counterpart.misbehaviour, { isDown: false, refuse: undefined });
  counterpart.state.calls.length = 0;
  await check(id);
  await check(id);
  expect((await plaid.linkOf(id)).status).toBe('verified');
  expect(counterpart.calls('/identity/match')).toHaveLength(1);
  const [{ count } = { count: null }] = await server.engine.query<{ count: number }>(
    `select count(*)::int as count from rail_messages where tenant_id = $1 and record = $2`,
    uuid('linked_account', id),
  );
  expect(count).toBe(1);
});

test('an exchange that Plaid answers late is 503, and the next call links what was shared', async () => {
  const customer = await plaid.opened();
  const { publicToken } = plaid.share(customer);
  counterpart.misbehaviour.refuse = (path) =>
    path === '/auth/get' ? new PlaidRefusal('INTERNAL_SERVER_ERROR', 'API_ERROR', 500) : null;
  expect((await plaid.tryLink(customer, publicToken)).status).toBe(503);
  counterpart.misbehaviour.refuse = undefined;
  counterpart.state.calls.length = 0;
  expect((await plaid.tryLink(customer, publicToken)).status).toBe(201);
  expect(counterpart.calls('/item/public_token/exchange')).toHaveLength(0);
});

const unknownToken = {
  status: 422,
  body: { error: { code: 'link_token_mismatch', details: { reason: 'unknown_token' } } },
};

test('a bank without an account that can be paid is refused each time, and Plaid is asked about it no more', async () => {
  const customer = await plaid.opened();
  const { publicToken, item } = plaid.share(customer, [accountAt({ numbers: null })]);
  counterpart.state.calls.length = 0;
  for (let times = 0; times < 2; times += 1)
    expect(await plaid.tryLink(customer, publicToken)).toMatchObject(unknownToken);
  expect([item.isRemoved, counterpart.calls('/item/remove').length]).toEqual([true, 1]);
  counterpart.state.calls.length = 0;
  expect(await plaid.poll()).toBe('done');
  const asked = counterpart.calls('/item/get').map(({ body }) => body.access_token);
  expect(asked).not.toContain(item.access_token);
});

test('a bank that is gone at Plaid before its accounts were read is refused likewise', async () => {
  const customer = await plaid.opened();
  const { publicToken, item } = plaid.share(customer);
  counterpart.misbehaviour.refuse = (path) =>
    path === '/auth/get' ? new PlaidRefusal('INTERNAL_SERVER_ERROR', 'API_ERROR', 500) : null;
  expect((await plaid.tryLink(customer, publicToken)).status).toBe(503);
  counterpart.misbehaviour.refuse = undefined;
  item.isRemoved = true;
  for (let times = 0; times < 2; times += 1)
    expect(await plaid.tryLink(customer, publicToken)).toMatchObject(unknownToken);
});

test('rails check says that Plaid does not know a secret, and what to do', async () => {
  const checked = () =>
    server.rails.providers
      ?.find(({ name }) => name === 'plaid')
      ?.check?.({ signal: AbortSignal.timeout(5_000) });
  expect(await checked()).toMatchObject([{ ok: true }, { ok: true }]);
  const { secret } = counterpart.state;
  counterpart.state.secret = 'replaced in the dashboard';
  const [line] = (await checked()) ?? [];
  counterpart.state.secret = secret;
  expect(line).toMatchObject({
    ok: false,
    advice: expect.stringMatching(/^set PLAID_CLIENT_ID and PLAID_SECRET .*\(INVALID_API_KEYS\)$/),
  });
});

test('no secret, token or number is in a line of the log, a row or an error', async () => {
  const account = (await plaid.linked()).item;
  counterpart.misbehaviour.refuse = () => new PlaidRefusal('INVALID_API_KEYS');
  await plaid.opened().catch(() => {});
  const { rows } = await server.service.pool.query(
    `select row_to_json(o)::text as text from rail_objects o
     union all select row_to_json(m)::text from rail_messages m
     union all select row_to_json(a)::text from control.audit a`,
  );
  const text = [...lines, ...rows.map((row) => row.text)].join('\n');
  const numbers = account.accounts.map(({ numbers }) => numbers?.account ?? '');
  for (const secret of [counterpart.state.secret, account.access_token, ...numbers])
    expect(text).not.toContain(secret);
  for (const [token] of counterpart.state.linkTokens) expect(text).not.toContain(token);
});
