import { expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import { customerInReview, lateMoney, newDispute } from '../../test/kit/desk.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';

const { admins, openCase } = await openApprovals();
const [maria, otto] = admins;
const staff = await openCase();
const { api, engine, tenant } = staff;

const fileOf = async (path: string, of: StaffCase = staff): Promise<ReplyBody> =>
  (await of.send(maria, 'GET', `/cases/${path}`)).body;
const note = (path: string, text: string) =>
  staff.send(maria, 'POST', `/cases/${path}/notes`, { text });
const review = async (path: string, body: object = {}, by = maria): Promise<ReplyBody> => {
  const reply = await staff.send(by, 'POST', `/review/${path}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};

const found = ['finding', 'customer_bears', 'learned_on', 'shown_on'];

test('a file shows the record and what can be decided', async () => {
  const id = await newDispute(staff);
  expect(await fileOf(`disputes/${id}`)).toMatchObject({
    object: 'case',
    tenant_id: tenant.tenantId,
    resource: 'disputes',
    id,
    status: 'received',
    amount: 10_00,
    customer_id: expect.stringMatching(/^cus_/),
    assigned_to: null,
    decisions: [],
    earlier: [],
    notes: [],
    options: expect.arrayContaining([
      { move: 'resolve_denied', required: [], optional: found, may_need_approval: true },
      {
        move: 'resolve_partial',
        required: ['amount'],
        optional: found,
        may_need_approval: true,
      },
      {
        move: 'classify',
        required: ['handled_as', 'note'],
        optional: [],
        may_need_approval: true,
      },
      { move: 'resolve_approved', required: [], optional: ['amount'], may_need_approval: true },
    ]),
  });
});

test('decisions are shown of the record, and of the other records of its customer', async () => {
  const id = await newDispute(staff);
  const { customer_id } = await fileOf(`disputes/${id}`);
  const { account_id } = await api.get(`/v1/customers/${customer_id}`);
  await review(`accounts/${account_id}/suspend`, { note: 'stolen' });
  await review(`accounts/${account_id}/reactivate`, {}, otto);
  await review(`disputes/${id}/investigate`, { note: 'asked the shop' });
  await review(`disputes/${id}/resolve_approved`, {}, otto);
  const file = await fileOf(`disputes/${id}`);
  const name = expect.stringMatching(/^Person \d+$/);
  expect(file.decisions).toMatchObject([
    { resource: 'disputes', id, move: 'investigate', by: name, note: 'asked the shop' },
    { resource: 'disputes', id, move: 'resolve_approved', by: name, note: null },
  ]);
  expect(file.decisions[0].by).not.toBe(file.decisions[1].by);
  expect(file.earlier).toMatchObject([
    { resource: 'accounts', id: account_id, move: 'reactivate' },
    { resource: 'accounts', id: account_id, move: 'suspend', note: 'stolen' },
  ]);
  const ofAccount = await fileOf(`accounts/${account_id}`);
  expect(ofAccount.decisions.map(({ move }: ReplyBody) => move)).toEqual(['suspend', 'reactivate']);
  expect(ofAccount.earlier.map(({ id }: ReplyBody) => id)).toEqual([id, id]);
});

test('a decision of a program names the kind of caller', async () => {
  const id = await customerInReview(staff);
  await api.post(`/portal/api/review/customers/${id}/approve`, {});
  expect((await fileOf(`customers/${id}`)).decisions).toMatchObject([{ by: 'client' }]);
});

test('a request shows what it would do now, and then who decided it', async () => {
  const id = await lateMoney(staff);
  const ask = { resource: 'suspense', id, move: 'match', note: 'hers' };
  const { body } = await staff.send(maria, 'POST', '/approvals', ask);
  const path = `approvals/${body.id}`;
  const { customer_id } = await fileOf(`suspense/${id}`);
  expect(await fileOf(path)).toMatchObject({
    status: 'waiting',
    customer_id,
    record: { effect: { postings: body.effect.postings }, changed: false, obstacle: null },
    decisions: [],
  });
  await staff.send(otto, 'POST', `/approvals/${body.id}/approve`, { note: 'seen' });
  expect(await fileOf(path)).toMatchObject({
    status: 'approved',
    moves: [],
    decisions: [{ resource: 'approvals', id: body.id, move: 'approve', note: 'seen' }],
  });
  expect((await fileOf(`suspense/${id}`)).decisions).toMatchObject([{ move: 'match' }]);
});

test('a note stays, with its author, and the audit holds nothing of its text', async () => {
  const id = await customerInReview(staff);
  const path = `customers/${id}`;
  const first = await note(path, 'called her bank');
  expect(first.body).toMatchObject({ object: 'case_note', text: 'called her bank' });
  expect(first.body.by).toMatch(/^Person \d+$/);
  const second = await api.post(`/portal/api/cases/${path}/notes`, { text: 'by a program' });
  expect(second.by).toBe('client');
  await review(`${path}/approve`);
  await note(path, 'and after it');
  const file = await fileOf(path);
  expect(file.notes_count).toBe(3);
  expect(file.notes.map(({ text }: ReplyBody) => text)).toEqual([
    'called her bank',
    'by a program',
    'and after it',
  ]);
  const rows = await engine.query<{ body: string }>(
    "select body from control.audit where scope = $1::text and act = 'addCaseNote'",
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { body } of rows) expect(body).not.toMatch(/called|program|after it/);
  const change = engine.query(
    "update review_notes set text = '' where tenant_id = $1 and record_id = $2",
    uuid('customer', id),
  );
  await expect(change).rejects.toThrow(/permission denied|may not be changed|append/);
});

test('a note is written once under one key, and not empty', async () => {
  const id = await customerInReview(staff);
  const path = `/portal/api/cases/customers/${id}/notes`;
  const [one, two] = [
    await api.post(path, { text: 'once' }, 'note'),
    await api.post(path, { text: 'once' }, 'note'),
  ];
  expect(two).toEqual(one);
  expect((await fileOf(`customers/${id}`)).notes).toHaveLength(1);
  const empty = await api.call('POST', path, { body: { text: '' } });
  expect(empty.body.error).toMatchObject({ code: 'parameter_invalid', param: 'text' });
});

test('a case of another Tenant is not found', async () => {
  const other = await openCase();
  const id = await newDispute(other);
  const path = `/cases/disputes/${id}`;
  expect(shortOf(await staff.send(maria, 'GET', path))).toEqual([404, 'not_found']);
  expect(shortOf(await note(`disputes/${id}`, 'x'))).toEqual([404, 'not_found']);
  const previewed = await staff.send(maria, 'POST', `${path}/preview`, { move: 'investigate' });
  expect(shortOf(previewed)).toEqual([404, 'not_found']);
});
