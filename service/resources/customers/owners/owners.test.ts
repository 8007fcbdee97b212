import { expect, test } from 'vitest';
import { onboard } from '../../../../test/kit/engine.ts';
import { uuid } from '../../../../test/kit/ids.ts';
import { sentEvents } from '../../../../test/kit/sent_events.ts';
import { openServer } from '../../../../test/kit/server.ts';
import type { Applicant } from '../../../rails/identity.ts';
import { approveCustomer, holdCustomerForReview, rejectCustomer, requestMore } from '../moves.ts';
import { getCustomer, listOwners } from '../read.ts';
import { submitByLink } from './by_link.ts';
import type { OwnerContact } from './invitations.ts';
import { inviteOwner, inviteOwnerAgain, nameOwner } from './invitations.ts';
import {
  approveOwner,
  holdOwnerForReview,
  type NamedOwner,
  ownersStatusOf,
  rejectOwner,
  submitOwner,
} from './moves.ts';
import type { OwnerRow } from './table.ts';

const collected: Applicant[] = [];
const identity = {
  collect: async (applicant: Applicant) => {
    collected.push(applicant);
    return `reference-${applicant.subjectId}`;
  },
};
const server = await openServer({ manual: true });
const { api, engine } = server;

const daySeconds = 24 * 3600;
const contact: OwnerContact = { email: 'olga@example.com' };
const person: NamedOwner = { name: 'Olga Owner', role: 'owner', ownershipPercent: 40 };
const control: NamedOwner = {
  name: 'Carl Control',
  role: 'control_person',
  ownershipPercent: null,
};
const data = {
  firstName: 'Olga',
  lastName: 'Owner',
  birthDate: '1980-02-29',
  ssn: '123456789',
  address: { line1: '1 Main St', line2: null, city: 'Albany', state: 'NY', postalCode: '12207' },
};

const vault = () => server.service.vault;
const shop = async () => uuid('customer', (await api.customer('business')).id);
const invite = (id: string, owner = person) =>
  engine.run(inviteOwner(vault()), { id, owner, contact });
const again = (customer_id: string, owner: string, more: { contact?: OwnerContact } = {}) => ({
  id: uuid('owner', owner),
  customer_id,
  ...more,
});
const byLink = (token: string) => ({ token, data });
const submission = () => submitByLink({ db: server.service.db, identity, takesDocuments: false });
const shopOf = (id: string) =>
  getCustomer(engine.context(), { id: `cus_${id.replaceAll('-', '')}` });
const ownersStatus = async (id: string) => (await shopOf(id)).business?.owners_status;
const ownersOf = async (id: string) =>
  (await listOwners(engine.context(), { id: `cus_${id.replaceAll('-', '')}` })).data;

async function stored(owner: string) {
  const { rows } = await server.service.pool.query('select * from owners where id = $1', [
    uuid('owner', owner),
  ]);
  return rows[0];
}

test('an invited owner is shown with the time of its link, and makes the owners pending', async () => {
  const id = await shop();
  const { id: owner, link_token } = await invite(id);
  const named = { name: 'Olga Owner', role: 'owner', ownership_percent: 40 };
  const [shown] = await ownersOf(id);
  expect(shown).toMatchObject({ id: owner, ...named, verification_status: 'invited' });
  expect(shown?.invited_at).not.toBeNull();
  expect(await engine.events(uuid('owner', owner))).toEqual(['owner.invited']);
  expect(await ownersStatus(id)).toBe('pending');
  expect(await engine.events(id)).toEqual(['customer.created', 'customer.updated']);
  const row = JSON.stringify(await stored(owner));
  expect(row).not.toContain(link_token);
  expect(row).not.toContain('olga@example.com');
});

test('an owner submits by the link once, and only the provider gets the data', async () => {
  const id = await shop();
  const { id: owner, link_token } = await invite(id);
  const submitted = await engine.run(submission(), byLink(link_token));
  expect(submitted).toMatchObject({ id: owner, verification_status: 'pending' });
  const subjectId = uuid('owner', owner);
  const { tenantId } = server.tenant;
  expect(collected.at(-1)).toEqual({
    tenantId,
    subject: 'owner',
    subjectId,
    customerId: id,
    data,
  });
  const row = await stored(owner);
  expect(row.identity_reference).toBe(`reference-${subjectId}`);
  expect((await engine.jobs(subjectId)).map(({ name }) => name)).toEqual(['owner_check']);
  expect(await engine.refusal(submission(), byLink(link_token))).toEqual({
    code: 'session_invalid',
    param: 'token',
    details: { reason: 'unknown' },
  });
});

test('a link expires after seven days, and a new one is valid for seven more', async () => {
  const id = await shop();
  const { id: owner, link_token } = await invite(id);
  const [before] = await ownersOf(id);
  await engine.moveClock(7 * daySeconds);
  expect(await engine.refusal(submission(), byLink(link_token))).toMatchObject({
    code: 'session_invalid',
    details: { reason: 'expired' },
  });
  expect(await engine.refusal(submitOwner, { id: uuid('owner', owner) })).toEqual({
    code: 'invalid_state',
    param: null,
    details: { current_status: 'invited', allowed: ['invited'], reason: 'link_expired' },
  });
  const second = await engine.run(inviteOwnerAgain(vault()), again(id, owner));
  const [after] = await ownersOf(id);
  expect(after).toMatchObject({ id: owner, verification_status: 'invited' });
  expect(String(after?.invited_at) > String(before?.invited_at)).toBe(true);
  expect(await engine.events(uuid('owner', owner))).toEqual(['owner.invited', 'owner.invited']);
  expect(await engine.refusal(submission(), byLink(link_token))).toMatchObject({
    details: { reason: 'unknown' },
  });
  await engine.moveClock(7 * daySeconds - 60);
  expect(await engine.run(submission(), byLink(second.link_token))).toMatchObject({
    verification_status: 'pending',
  });
});

test("an owner who is present is pending at once, and the provider's check is requested", async () => {
  const id = await shop();
  const owner = await engine.run(nameOwner, { id, owner: { ...control } });
  expect(owner).toMatchObject({ verification_status: 'pending', invited_at: null });
  const row = uuid('owner', owner.id);
  expect(await engine.events(row)).toEqual(['owner.pending']);
  expect((await engine.jobs(row)).map(({ name }) => name)).toEqual(['owner_check']);
});

test('a rejected owner is invited again after a day, then after a week, then never', async () => {
  const id = await shop();
  const { id: owner } = await invite(id);
  const row = { id: uuid('owner', owner) };
  const invitation = () => engine.refusal(inviteOwnerAgain(vault()), again(id, owner));
  for (const wait of [daySeconds, 7 * daySeconds]) {
    await engine.run(submitOwner, row);
    await engine.run(rejectOwner, row);
    await engine.moveClock(wait - 60);
    expect(await invitation()).toEqual({
      code: 'invalid_state',
      param: null,
      details: {
        current_status: 'rejected',
        allowed: ['invited', 'rejected'],
        reason: 'retry_available_at',
      },
    });
    await engine.moveClock(60);
    await engine.run(inviteOwnerAgain(vault()), again(id, owner));
    expect(await ownersOf(id)).toMatchObject([{ verification_status: 'invited' }]);
  }
  await engine.run(submitOwner, row);
  await engine.run(holdOwnerForReview, row);
  await engine.run(rejectOwner, row);
  await engine.moveClock(365 * daySeconds);
  expect(await invitation()).toMatchObject({ details: { reason: 'final' } });
  expect(await engine.events(row.id)).toEqual([
    'owner.invited',
    'owner.pending',
    'owner.rejected',
    'owner.invited',
    'owner.pending',
    'owner.rejected',
    'owner.invited',
    'owner.pending',
    'owner.in_review',
    'owner.rejected',
  ]);
});

test('a rejected owner who was present is invited only with a contact', async () => {
  const id = await shop();
  const owner = await engine.run(nameOwner, { id, owner: { ...person } });
  await engine.run(rejectOwner, { id: uuid('owner', owner.id) });
  await engine.moveClock(daySeconds);
  const invitation = inviteOwnerAgain(vault());
  expect(await engine.refusal(invitation, again(id, owner.id))).toMatchObject({
    code: 'parameter_missing',
    param: 'contact',
  });
  await engine.run(invitation, again(id, owner.id, { contact }));
  expect(await ownersOf(id)).toMatchObject([{ verification_status: 'invited' }]);
});

test("only the owner's business can send a link again, and only while the owner is invited", async () => {
  const [id, other] = [await shop(), await shop()];
  const { id: owner } = await invite(id);
  const invitation = inviteOwnerAgain(vault());
  expect(await engine.refusal(invitation, again(other, owner))).toMatchObject({
    code: 'not_found',
  });
  await engine.run(submitOwner, { id: uuid('owner', owner) });
  expect(await engine.refusal(invitation, again(id, owner))).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'pending' },
  });
});

test('only a business can name owners, and only while its onboarding is open', async () => {
  const individual = uuid('customer', (await api.customer('individual')).id);
  expect(await engine.refusal(nameOwner, { id: individual, owner: person })).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'individual' },
  });
  const { customerId } = await api.approved('business');
  const id = uuid('customer', customerId);
  expect(await engine.refusal(nameOwner, { id, owner: person })).toEqual({
    code: 'invalid_state',
    param: null,
    details: { current_status: 'approved', allowed: ['created', 'pending', 'rejected'] },
  });
  await engine.run(holdCustomerForReview, { id });
  expect(await engine.refusal(nameOwner, { id, owner: person })).toMatchObject({
    details: { current_status: 'in_review' },
  });
});

test('owners_status is pending again after a new owner, and complete once that one is approved', async () => {
  const id = await shop();
  const first = await engine.run(nameOwner, {
    id,
    owner: { ...control, role: 'owner_and_control_person', ownershipPercent: 60 },
  });
  await engine.run(onboard, { id });
  expect(await ownersOf(id)).toHaveLength(1);
  await engine.run(approveOwner, { id: uuid('owner', first.id) });
  expect(await ownersStatus(id)).toBe('complete');
  await engine.run(holdCustomerForReview, { id });
  await engine.run(requestMore, { id });
  const { id: second } = await invite(id);
  expect(await ownersStatus(id)).toBe('pending');
  expect(await engine.refusal(approveCustomer, { id })).toMatchObject({
    details: { reason: 'owners_incomplete' },
  });
  await engine.run(onboard, { id });
  await engine.run(submitOwner, { id: uuid('owner', second) });
  await engine.run(approveOwner, { id: uuid('owner', second) });
  expect(await ownersStatus(id)).toBe('complete');
  // Once the owners are complete the provider's check is requested again.
  expect((await engine.jobs(id)).map(({ name }) => name)).toEqual(['customer_check']);
  await engine.run(approveCustomer, { id });
  expect(await engine.events(id)).toEqual([
    'customer.created',
    'customer.updated',
    'customer.pending',
    'customer.updated',
    'customer.in_review',
    'customer.pending',
    'customer.updated',
    'customer.updated',
    'customer.approved',
  ]);
});

test('a change of owners_status shows the business as it was before', async () => {
  const id = await shop();
  await invite(id);
  const { type, data: event } = (await sentEvents(server.service.pool, id)).at(-1);
  expect(type).toBe('customer.updated');
  expect(event.object).toMatchObject({ version: 2, business: { owners_status: 'pending' } });
  expect(event.previous_attributes).toEqual({
    business: {
      legal_name: 'Corner Cafe LLC',
      trading_name: null,
      industry: null,
      owners_status: 'not_started',
    },
  });
});

const row = (more: Partial<OwnerRow>) =>
  ({ id: '', role: 'owner', ownership_percent: 10, status: 'approved', ...more }) as OwnerRow;
const controls = row({ role: 'control_person', ownership_percent: null });

test.each([
  ['nobody', [], 'not_started'],
  ['one control person, approved', [controls], 'complete'],
  ['a control person who waits', [row({ ...controls, status: 'pending' })], 'pending'],
  ['two control persons, both approved', [controls, controls], 'pending'],
  ['an owner alone', [row({ ownership_percent: 100 })], 'pending'],
  ['an owner who also controls', [row({ role: 'owner_and_control_person' })], 'complete'],
  ['25 % that waits', [controls, row({ ownership_percent: 25, status: 'invited' })], 'pending'],
  ['24 % that waits', [controls, row({ ownership_percent: 24, status: 'invited' })], 'complete'],
  [
    '24 % that was rejected',
    [controls, row({ ownership_percent: 24, status: 'rejected' })],
    'complete',
  ],
  [
    '25 % that was rejected',
    [controls, row({ ownership_percent: 25, status: 'rejected' })],
    'pending',
  ],
] as const)('owners_status of %s', (_who, people, status) => {
  expect(ownersStatusOf(people)).toBe(status);
});

test('two owners approved at the same time make the owners complete', async () => {
  const id = await shop();
  const both = [
    await engine.run(nameOwner, { id, owner: { ...control } }),
    await engine.run(nameOwner, { id, owner: { ...person } }),
  ];
  await Promise.all(both.map((owner) => engine.run(approveOwner, { id: uuid('owner', owner.id) })));
  expect(await ownersStatus(id)).toBe('complete');
});

test('a rejected business can name owners only once it can apply again', async () => {
  const id = await shop();
  await engine.run(onboard, { id });
  await engine.run(rejectCustomer, { id });
  expect(await engine.refusal(nameOwner, { id, owner: person })).toMatchObject({
    details: { reason: 'retry_available_at' },
  });
  await engine.moveClock(daySeconds);
  await engine.run(nameOwner, { id, owner: person });
  expect(await ownersOf(id)).toHaveLength(2);
});
