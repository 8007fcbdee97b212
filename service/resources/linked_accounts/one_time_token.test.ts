import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openOneTimeTokens } from '../../../test/kit/one_time_tokens.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ own: true, manual: true });
const other = await openServer({ manual: true, beside: server });
const { api, engine } = server;
const { aggregator, newToken, exchanges, linkTokens } = openOneTimeTokens(server.service.vault);
for (const { rails } of [server, other]) Object.assign(rails.aggregator, aggregator);

const pathOf = (id: string) => `/v1/customers/${id}/linked-accounts`;
const link = (id: string, body: object, key: string = randomUUID(), at = server) =>
  at.call('POST', pathOf(id), { key, body, token: server.token });

test('a repeat under the same key replays, and the token is exchanged once', async () => {
  const { customerId } = await api.approved('individual');
  const body = { public_token: newToken() };
  const [first, second] = [await link(customerId, body, 'k'), await link(customerId, body, 'k')];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect(exchanges(body.public_token)).toBe(1);
});

test('twenty parallel copies at two processes exchange once and have equal replies', async () => {
  const { customerId } = await api.approved('individual');
  const body = { public_token: newToken() };
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => link(customerId, body, 'copies', n % 2 ? server : other)),
  );
  const texts = replies.map((reply) => JSON.stringify([reply.status, reply.body]));
  expect(new Set(texts).size).toBe(1);
  expect([replies[0]?.status, exchanges(body.public_token)]).toEqual([201, 1]);
});

test('a call that is refused leaves the token whole for the right call', async () => {
  const unverified = await api.applied('individual');
  const { customerId, linkedAccountId } = await api.banked('individual');
  const [one, two] = [{ public_token: newToken() }, { public_token: newToken() }];
  expect((await link(unverified.id, one)).body.error.code).toBe('customer_not_verified');
  expect((await link(customerId, two)).body.error.code).toBe('linked_account_exists');
  expect((await link('cus_nobody', two)).status).toBe(404);
  expect([exchanges(one.public_token), exchanges(two.public_token)]).toEqual([0, 0]);
  await api.simulate('customer.approved', unverified.id);
  await server.call('DELETE', `${pathOf(customerId)}/${linkedAccountId}`);
  expect((await link(unverified.id, one)).status).toBe(201);
  expect((await link(customerId, two)).status).toBe(201);
});

test('a token that another call has used up links nobody again', async () => {
  const { customerId } = await api.approved('individual');
  const body = { public_token: newToken() };
  const { id } = (await link(customerId, body)).body;
  await api.simulate('linked_account.verified', id);
  await server.call('DELETE', `${pathOf(customerId)}/${id}`);
  expect((await link(customerId, body)).body.error).toMatchObject({
    code: 'link_token_mismatch',
    details: { reason: 'unknown_token' },
  });
});

test('of several accounts one can be chosen after a refusal, without a second exchange', async () => {
  const { customerId } = await api.approved('individual');
  const body = { public_token: newToken('two_accounts') };
  const choose = (aggregator_account_id: string | null) =>
    link(customerId, { ...body, aggregator_account_id });
  expect((await choose(null)).body.error.details).toEqual({ reason: 'account_required' });
  expect((await choose('acc_x')).body.error.details).toEqual({ reason: 'account_unknown' });
  expect((await choose('acc_savings')).body).toMatchObject({ account_mask: '7777' });
  expect(exchanges(body.public_token)).toBe(1);
  // The accounts that the link was made of are not kept beside it.
  const kept = await engine.query(
    'select 1 from exchanges where tenant_id = $1 and accounts_sealed is not null',
  );
  expect(kept).toEqual([]);
});

test('a link token is asked for after the key and the checks', async () => {
  const unverified = await api.applied('individual');
  const { customerId } = await api.approved('individual');
  const ask = (id: string) => {
    const body = { platform: 'ios' };
    return server.call('POST', `/v1/customers/${id}/link-tokens`, { key: `k-${id}`, body });
  };
  expect((await ask(unverified.id)).body.error.code).toBe('customer_not_verified');
  expect(linkTokens()).toBe(0);
  expect((await ask(customerId)).body).toEqual((await ask(customerId)).body);
  expect(linkTokens()).toBe(1);
});
