import { randomUUID } from 'node:crypto';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import type { BankAccount, LinkCheck, LinkRequest } from '../rails/aggregator.ts';
import type { LinkOutcome } from '../rails/facts.ts';
import { judgeHolders } from '../resources/linked_accounts/holders.ts';
import { openInbound } from './inbound.ts';

/** The holders of an account (rules/linking#25). */

const lines: string[] = [];
const server = await openServer({
  own: true,
  manual: true,
  onLog: (line) => void lines.push(line),
});
const { api, engine, rails, service } = server;
const { tenantId } = server.tenant;
const inbound = openInbound({ ...service, asks: false });

let given: Partial<BankAccount> = {};
const asked: (LinkRequest | LinkCheck)[] = [];
const { exchange, verify, linkToken } = rails.aggregator;
Object.assign(rails.aggregator, {
  exchange: async (request: Parameters<typeof exchange>[0]) => {
    const answer = await exchange(request);
    if (!answer.accounts) return answer;
    const [{ persistentId: _sandbox, ...account }] = answer.accounts;
    return { accounts: [{ ...account, ...given }], mismatch: null };
  },
  verify: (check: LinkCheck) => {
    asked.push(check);
    return verify(check);
  },
  linkToken: (request: LinkRequest) => {
    asked.push(request);
    return linkToken(request);
  },
});
beforeEach(() => {
  given = {};
  asked.length = 0;
});

type Given = Parameters<typeof api.approved>[1];
const named = (first_name: string, last_name: string): Given => ({
  prefill: { first_name, last_name },
});

async function linkOf(customerId: string): Promise<string> {
  const path = `/v1/customers/${customerId}/linked-accounts`;
  const { id } = await api.post(path, { public_token: `public-sandbox-standard-${randomUUID()}` });
  return id;
}
const linked = async (who?: Given, type: 'individual' | 'business' = 'individual') =>
  linkOf((await api.approved(type, who)).customerId);

const report = (id: string, outcome: LinkOutcome) =>
  inbound.aggregator(tenantId, {
    id: randomUUID(),
    linkId: uuid('linked_account', id),
    ...outcome,
  });
const holders = (...names: string[]): LinkOutcome => ({ outcome: 'holders', names });
const stateOf = async (id: string) => {
  const { status, failure_code } = await api.get(`/v1/linked-accounts/${id}`);
  return [status, failure_code];
};
const waiting = async (id: string) =>
  (await api.get('/portal/api/review')).data.find((item: { id: string }) => item.id === id)?.record;

test.each([
  ['the same name verifies a link', 'REYES, ANA', ['verified', null]],
  ['a joint holder verifies it', 'BEN COLE OR ANA REYES', ['verified', null]],
  ['a similar name waits for a reviewer', 'A REYES', ['held_for_review', null]],
  ['another name fails it', 'BEN COLE', ['failed', 'owner_mismatch']],
])('%s', async (_what, holder, state) => {
  const id = await linked();
  expect(await report(id, holders(holder))).toBe('taken');
  expect(await stateOf(id)).toEqual(state);
});

test('the reviewer sees both names and the score until the decision, and nobody afterwards', async () => {
  given = { institutionId: 'ins_3' };
  const id = await linked();
  await report(id, holders('A REYES', 'BEN COLE'));
  expect(await waiting(id)).toMatchObject({
    institution_id: 'ins_3',
    holder_match: { customer_name: 'Ana Reyes', holders: ['A REYES', 'BEN COLE'], score: 80 },
  });
  expect(await api.get(`/v1/linked-accounts/${id}`)).not.toHaveProperty('holder_match');
  await api.post(`/portal/api/review/linked-accounts/${id}/verify`, {
    note: 'as on the voided check',
  });
  expect(await stateOf(id)).toEqual(['verified', null]);
  const rows = await engine.query<{ holder_match: unknown }>(
    'select holder_match from linked_accounts where tenant_id = $1 and id = $2',
    uuid('linked_account', id),
  );
  expect(rows).toEqual([{ holder_match: null }]);
});

test('a result without names is decided by those of the exchange, and without any by a reviewer', async () => {
  given = { holderNames: ['ANA M REYES'] };
  const known = await linked();
  await report(known, { outcome: 'holders' });
  expect(await stateOf(known)).toEqual(['verified', null]);
  given = {};
  const unknown = await linked();
  await report(unknown, { outcome: 'holders' });
  expect(await stateOf(unknown)).toEqual(['held_for_review', null]);
  expect((await waiting(unknown)).holder_match).toBeNull();
});

test('a business may hold its account under its trading name', () => {
  const business = { type: 'business', given_name: null, family_name: null } as const;
  const acme = { ...business, legal_name: 'Acme Holdings LLC', trading_name: 'Corner Cafe' };
  const given = { names: ['JANE DOE DBA CORNER CAFE'], score: null };
  const judged = judgeHolders(defaultSettings('Shop'), acme, given);
  expect(judged).toEqual({
    decision: 'verified',
    match: {
      customer_name: 'Acme Holdings LLC',
      holders: ['JANE DOE DBA CORNER CAFE'],
      score: 100,
    },
  });
});

test('where the bands begin is a setting of the Tenant', async () => {
  await engine.change({ holder_match_verified: 80, holder_match_review: 50 });
  const [similar, half] = [await linked(), await linked()];
  await report(similar, holders('A REYES'));
  await report(half, holders('BEN REYES'));
  expect([await stateOf(similar), await stateOf(half)]).toEqual([
    ['verified', null],
    ['held_for_review', null],
  ]);
  await engine.change({ holder_match_verified: 85, holder_match_review: 70 });
});

test('the aggregator is told whose account to check, and whose widget to open', async () => {
  const { customerId } = await api.approved('individual');
  await api.post(`/v1/customers/${customerId}/link-tokens`, {
    platform: 'android',
    locale: 'es',
    android_package: 'com.example.shop',
  });
  expect(asked).toEqual([
    {
      tenantId,
      customerId,
      platform: 'android',
      redirectUri: null,
      locale: 'es',
      androidPackage: 'com.example.shop',
      legalName: 'Ana Reyes',
      mobileNumber: expect.stringMatching(/^\+1\d{10}$/),
    },
  ]);
  await linkOf(customerId);
  await server.runJobs();
  expect(asked[1]).toMatchObject({ legalName: 'Ana Reyes', kind: 'individual' });
});

const verifiedOf = async (...made: Parameters<typeof linked>) => {
  const id = await linked(...made);
  await report(id, { outcome: 'verified' });
  return stateOf(id);
};
const fine = ['verified', null];
const twice = ['failed', 'duplicate_account'];

test('one person who links an account as two customers fails the second time, joint holders and the own business do not', async () => {
  given = { persistentId: 'joint' };
  expect(await verifiedOf(named('Ana', 'Reyes'))).toEqual(fine);
  expect(await verifiedOf(named('Ben', 'Cole'))).toEqual(fine);
  expect(await verifiedOf({ prefill: { legal_name: 'Ana Reyes' } }, 'business')).toEqual(fine);
  expect(await verifiedOf(named('Ana', 'Reyes'))).toEqual(twice);
  expect(await verifiedOf(named('ana maria', 'reyes'))).toEqual(twice);
  given = { persistentId: 'another' };
  expect(await verifiedOf(named('Ana', 'Reyes'))).toEqual(fine);
});

test('of two links of one account that are checked at the same time the first one stays', async () => {
  given = { persistentId: 'at the same time' };
  const [first, second] = [await linked(), await linked()];
  await report(second, holders('ANA REYES'));
  await report(first, holders('ANA REYES'));
  expect([await stateOf(first), await stateOf(second)]).toEqual([fine, twice]);
});

test('a customer may link the same account again after its link was removed', async () => {
  given = { persistentId: 'again' };
  const { customerId } = await api.approved('individual');
  const first = await linkOf(customerId);
  await report(first, { outcome: 'verified' });
  await server.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${first}`);
  const second = await linkOf(customerId);
  await report(second, { outcome: 'verified' });
  expect(await stateOf(second)).toEqual(fine);
  // And once it is free, somebody of that name may link it too.
  await server.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${second}`);
  expect(await verifiedOf()).toEqual(fine);
});

test('a name that nobody can read is not shown, and decides nothing', async () => {
  const id = await linked();
  await report(id, holders('\u202eAna Reyes', 'Ana\u0000Reyes'));
  expect(await stateOf(id)).toEqual(['held_for_review', null]);
  expect((await waiting(id)).holder_match).toBeNull();
});

test('no log and no alarm has the names of a fact', async () => {
  lines.length = 0;
  const id = await linked();
  await report(id, { outcome: 'verified' });
  await server.call(
    'DELETE',
    `/v1/customers/${(await api.get(`/v1/linked-accounts/${id}`)).customer_id}/linked-accounts/${id}`,
  );
  expect(await report(id, holders('ANA REYES'))).toBe('contradiction');
  expect(lines.join()).toContain('contradiction');
  expect(lines.join()).not.toContain('ANA REYES');
  const kept = await server.owner.query(
    `select 1 from control.alarms a where to_jsonb(a)::text like '%ANA REYES%'`,
  );
  expect(kept.rows).toEqual([]);
});
