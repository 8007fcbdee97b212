import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, onboard, openHouse, uuid } from '../../../../test/kit/people.ts';
import type { Applicant } from '../../../rails/identity.ts';
import { approveCustomer, holdCustomerForReview, rejectCustomer, requestMore } from '../moves.ts';
import { getCustomer, listOwners } from '../read.ts';
import type { OwnerContact } from './invitations.ts';
import { inviteOwner, inviteOwnerAgain, nameOwner, submitByLink } from './invitations.ts';
import {
  approveOwner,
  holdOwnerForReview,
  type NamedOwner,
  ownersStatusOf,
  rejectOwner,
  submitOwner,
} from './moves.ts';
import type { OwnerRow } from './table.ts';

let house: House;
const collected: Applicant[] = [];
const identity = {
  collect: async (applicant: Applicant) => {
    collected.push(applicant);
    return `reference-${applicant.subjectId}`;
  },
};
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.test.stop());

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

const vault = () => house.test.service.vault;
const shop = async () => uuid('customer', (await house.customer('business')).id);
const invite = (id: string, owner = person) =>
  house.run(inviteOwner(vault()), { id, owner, contact });
const again = (customer_id: string, owner: string, more: { contact?: OwnerContact } = {}) => ({
  id: uuid('owner', owner),
  customer_id,
  ...more,
});
const byLink = (token: string) => ({ token, data });
const submission = () => submitByLink({ db: house.test.service.db, identity });
const shopOf = (id: string) =>
  getCustomer(house.context(), { id: `cus_${id.replaceAll('-', '')}` });
const ownersStatus = async (id: string) => (await shopOf(id)).business?.owners_status;
const ownersOf = async (id: string) =>
  (await listOwners(house.context(), { id: `cus_${id.replaceAll('-', '')}` })).data;

async function stored(owner: string) {
  const { rows } = await house.test.service.pool.query('select * from owners where id = $1', [
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
  expect(await house.events(uuid('owner', owner))).toEqual(['owner.invited']);
  expect(await ownersStatus(id)).toBe('pending');
  expect(await house.events(id)).toEqual(['customer.created', 'customer.updated']);
  const row = JSON.stringify(await stored(owner));
  expect(row).not.toContain(link_token);
  expect(row).not.toContain('olga@example.com');
});

test('an owner submits by its link once, and the provider alone gets what it entered', async () => {
  const id = await shop();
  const { id: owner, link_token } = await invite(id);
  const submitted = await house.run(submission(), byLink(link_token));
  expect(submitted).toMatchObject({ id: owner, verification_status: 'pending' });
  const subjectId = uuid('owner', owner);
  const { tenantId } = house.test.tenant;
  expect(collected.at(-1)).toEqual({ tenantId, subject: 'owner', subjectId, data });
  const row = await stored(owner);
  expect(row.identity_reference).toBe(`reference-${subjectId}`);
  expect((await house.jobs(subjectId)).map(({ name }) => name)).toEqual(['owner_check']);
  expect(await house.refusal(submission(), byLink(link_token))).toEqual({
    code: 'session_invalid',
    param: 'token',
    details: { reason: 'unknown' },
  });
});

test('a link is dead after seven days, and one sent again lives as long once more', async () => {
  const id = await shop();
  const { id: owner, link_token } = await invite(id);
  const [before] = await ownersOf(id);
  await house.advance(7 * daySeconds);
  expect(await house.refusal(submission(), byLink(link_token))).toMatchObject({
    code: 'session_invalid',
    details: { reason: 'expired' },
  });
  expect(await house.refusal(submitOwner, { id: uuid('owner', owner) })).toEqual({
    code: 'invalid_state',
    param: null,
    details: { current_status: 'invited', allowed: ['invited'], reason: 'link_expired' },
  });
  const second = await house.run(inviteOwnerAgain(vault()), again(id, owner));
  const [after] = await ownersOf(id);
  expect(after).toMatchObject({ id: owner, verification_status: 'invited' });
  expect(String(after?.invited_at) > String(before?.invited_at)).toBe(true);
  expect(await house.events(uuid('owner', owner))).toEqual(['owner.invited', 'owner.invited']);
  expect(await house.refusal(submission(), byLink(link_token))).toMatchObject({
    details: { reason: 'unknown' },
  });
  await house.advance(7 * daySeconds - 60);
  expect(await house.run(submission(), byLink(second.link_token))).toMatchObject({
    verification_status: 'pending',
  });
});

test('an owner who is present begins pending, and the provider is asked at once', async () => {
  const id = await shop();
  const owner = await house.run(nameOwner, { id, owner: { ...control } });
  expect(owner).toMatchObject({ verification_status: 'pending', invited_at: null });
  const row = uuid('owner', owner.id);
  expect(await house.events(row)).toEqual(['owner.pending']);
  expect((await house.jobs(row)).map(({ name }) => name)).toEqual(['owner_check']);
});

test('a rejected owner is invited again after a day, then after a week, then never', async () => {
  const id = await shop();
  const { id: owner } = await invite(id);
  const row = { id: uuid('owner', owner) };
  const invitation = () => house.refusal(inviteOwnerAgain(vault()), again(id, owner));
  for (const wait of [daySeconds, 7 * daySeconds]) {
    await house.run(submitOwner, row);
    await house.run(rejectOwner, row);
    await house.advance(wait - 60);
    expect(await invitation()).toEqual({
      code: 'invalid_state',
      param: null,
      details: {
        current_status: 'rejected',
        allowed: ['invited', 'rejected'],
        reason: 'retry_available_at',
      },
    });
    await house.advance(60);
    await house.run(inviteOwnerAgain(vault()), again(id, owner));
    expect(await ownersOf(id)).toMatchObject([{ verification_status: 'invited' }]);
  }
  await house.run(submitOwner, row);
  await house.run(holdOwnerForReview, row);
  await house.run(rejectOwner, row);
  await house.advance(365 * daySeconds);
  expect(await invitation()).toMatchObject({ details: { reason: 'final' } });
  expect(await house.events(row.id)).toEqual([
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

test('who was present and is rejected is invited again only with a contact', async () => {
  const id = await shop();
  const owner = await house.run(nameOwner, { id, owner: { ...person } });
  await house.run(rejectOwner, { id: uuid('owner', owner.id) });
  await house.advance(daySeconds);
  const invitation = inviteOwnerAgain(vault());
  expect(await house.refusal(invitation, again(id, owner.id))).toMatchObject({
    code: 'parameter_missing',
    param: 'contact',
  });
  await house.run(invitation, again(id, owner.id, { contact }));
  expect(await ownersOf(id)).toMatchObject([{ verification_status: 'invited' }]);
});

test('a link is sent again only by the business whose owner it is, and only while one waits', async () => {
  const [id, other] = [await shop(), await shop()];
  const { id: owner } = await invite(id);
  const invitation = inviteOwnerAgain(vault());
  expect(await house.refusal(invitation, again(other, owner))).toMatchObject({ code: 'not_found' });
  await house.run(submitOwner, { id: uuid('owner', owner) });
  expect(await house.refusal(invitation, again(id, owner))).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'pending' },
  });
});

test('owners are named by a business alone, and only while its onboarding is open', async () => {
  const individual = uuid('customer', (await house.customer('individual')).id);
  expect(await house.refusal(nameOwner, { id: individual, owner: person })).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'individual' },
  });
  const { customerId } = await house.approved('business');
  const id = uuid('customer', customerId);
  expect(await house.refusal(nameOwner, { id, owner: person })).toEqual({
    code: 'invalid_state',
    param: null,
    details: { current_status: 'approved', allowed: ['created', 'pending', 'rejected'] },
  });
  await house.run(holdCustomerForReview, { id });
  expect(await house.refusal(nameOwner, { id, owner: person })).toMatchObject({
    details: { current_status: 'in_review' },
  });
});

test('the owners are complete, pending again when one more is named, and complete when it is approved', async () => {
  const id = await shop();
  const first = await house.run(nameOwner, {
    id,
    owner: { ...control, role: 'owner_and_control_person', ownershipPercent: 60 },
  });
  await house.run(onboard, { id });
  expect(await ownersOf(id)).toHaveLength(1);
  await house.run(approveOwner, { id: uuid('owner', first.id) });
  expect(await ownersStatus(id)).toBe('complete');
  await house.run(holdCustomerForReview, { id });
  await house.run(requestMore, { id });
  const { id: second } = await invite(id);
  expect(await ownersStatus(id)).toBe('pending');
  expect(await house.refusal(approveCustomer, { id })).toMatchObject({
    details: { reason: 'owners_incomplete' },
  });
  await house.run(onboard, { id });
  await house.run(submitOwner, { id: uuid('owner', second) });
  await house.run(approveOwner, { id: uuid('owner', second) });
  expect(await ownersStatus(id)).toBe('complete');
  // Once complete, the provider, whose approval counted for nothing before, is asked again.
  expect((await house.jobs(id)).map(({ name }) => name)).toEqual(['customer_check']);
  await house.run(approveCustomer, { id });
  expect(await house.events(id)).toEqual([
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
  const { rows } = await house.test.service.pool.query<{ body: string }>(
    'select body from events where object_id = $1 order by version desc limit 1',
    [id],
  );
  const { type, data: told } = JSON.parse(rows[0]?.body ?? '');
  expect(type).toBe('customer.updated');
  expect(told.object).toMatchObject({ version: 2, business: { owners_status: 'pending' } });
  expect(told.previous_attributes).toEqual({
    business: {
      legal_name: 'Corner Cafe LLC',
      trading_name: null,
      industry: null,
      owners_status: 'not_started',
    },
  });
});

const row = (more: Partial<OwnerRow>) =>
  ({ role: 'owner', ownership_percent: 10, status: 'approved', ...more }) as OwnerRow;
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

test('of two owners who are approved at once, the later sees the earlier', async () => {
  const id = await shop();
  const both = [
    await house.run(nameOwner, { id, owner: { ...control } }),
    await house.run(nameOwner, { id, owner: { ...person } }),
  ];
  await Promise.all(both.map((owner) => house.run(approveOwner, { id: uuid('owner', owner.id) })));
  expect(await ownersStatus(id)).toBe('complete');
});

test('a business that is rejected names nobody until it may apply again', async () => {
  const id = await shop();
  await house.run(onboard, { id });
  await house.run(rejectCustomer, { id });
  expect(await house.refusal(nameOwner, { id, owner: person })).toMatchObject({
    details: { reason: 'retry_available_at' },
  });
  await house.advance(daySeconds);
  await house.run(nameOwner, { id, owner: person });
  expect(await ownersOf(id)).toHaveLength(2);
});
