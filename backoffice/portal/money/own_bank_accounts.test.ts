import { expect, test } from 'vitest';
import { openApprovals } from '../../../test/kit/approvals.ts';

const { server, admins, openCase } = await openApprovals();
const [maria, otto] = admins;

const number = '00012345678901';
const account = {
  title: 'Maple Market FBO',
  account_type: 'checking',
  routing_number: '021000021',
  account_number: number,
};
const facts = {
  title: 'Maple Market FBO',
  account_type: 'checking',
  routing_number: '021000021',
  last4: '8901',
};
const path = '/own-bank-accounts/fbo';
const request = {
  resource: 'own-bank-accounts',
  id: 'fbo',
  move: 'put_in_force',
  note: 'as on the letter of the bank',
};

test('an account that one admin has proposed is in force when another has approved it, and its number is nowhere in clear', async () => {
  const of = await openCase();
  const proposed = await of.send(maria, 'PUT', path, account);
  expect([proposed.status, proposed.body.proposed, proposed.body.in_force]).toEqual([
    200,
    facts,
    null,
  ]);
  const alone = await of.send(maria, 'POST', `${path}/put-in-force`);
  expect([alone.status, alone.body.error.details.reason]).toEqual([409, 'approval_required']);

  const asked = await of.send(maria, 'POST', '/approvals', request);
  expect(asked.body.effect.changes).toEqual(
    Object.entries(facts).map(([field, after]) => ({
      object: 'own_bank_account',
      id: 'fbo',
      field,
      before: null,
      after,
    })),
  );
  const approved = await of.send(otto, 'POST', `/approvals/${asked.body.id}/approve`);
  expect(approved.status, JSON.stringify(approved.body)).toBe(200);
  const [fbo] = (await of.send(maria, 'GET', '/own-bank-accounts')).body.data;
  expect([fbo.in_force, fbo.proposed]).toEqual([facts, null]);

  const { rows } = await server.owner.query(
    'select number_sealed from own_bank_accounts where tenant_id = $1',
    [of.tenant.tenantId],
  );
  const { vault } = server.service;
  expect(vault.open(of.tenant.tenantId, 'own bank account fbo', rows[0].number_sealed)).toBe(
    number,
  );
  const everywhere = await server.owner.query(
    `select x.t from (select to_jsonb(a)::text t from control.audit a union all
      select to_jsonb(a)::text from approvals a union all
      select to_jsonb(a)::text from own_bank_accounts a union all
      select to_jsonb(a)::text from requests a) x where x.t like '%' || $1 || '%'`,
    [number],
  );
  expect(everywhere.rows).toEqual([]);
});

test('an approval is refused when another account was proposed after the request', async () => {
  const of = await openCase();
  await of.send(maria, 'PUT', path, account);
  const asked = await of.send(maria, 'POST', '/approvals', request);
  await of.send(maria, 'PUT', path, { ...account, account_number: '99900000001111' });
  const approved = await of.send(otto, 'POST', `/approvals/${asked.body.id}/approve`);
  expect([approved.status, approved.body.error.details.reason]).toEqual([409, 'changed_since']);
  const [fbo] = (await of.send(maria, 'GET', '/own-bank-accounts')).body.data;
  expect(fbo.in_force).toBe(null);
});

test.each([
  ['routing_number', '021000022', 'check_digit'],
  ['routing_number', '000000000', 'check_digit'],
  ['routing_number', '02100002', undefined],
  ['account_number', '12', undefined],
  ['account_number', '12 34567', undefined],
  ['title', '', undefined],
  ['account_type', 'gold', undefined],
])('a proposal with the %s "%s" is refused', async (field, value, reason) => {
  const of = await openCase();
  const { status, body } = await of.send(maria, 'PUT', path, { ...account, [field]: value });
  expect([status, body.error.code, body.error.param]).toEqual([400, 'parameter_invalid', field]);
  if (reason) expect(body.error.details.reason).toBe(reason);
  const [fbo] = (await of.send(maria, 'GET', '/own-bank-accounts')).body.data;
  expect(fbo.proposed).toBe(null);
});

test('without a proposal nothing comes into force', async () => {
  const of = await openCase();
  const put = () => of.send(maria, 'POST', '/own-bank-accounts/reserve/put-in-force');
  expect((await put()).status).toBe(404);
  const other = await of.send(maria, 'PUT', '/own-bank-accounts/savings', account);
  expect([other.status, other.body.error.param]).toEqual([404, 'id']);
});
