import { command } from '@tenant-payments/engine/command.ts';
import { describe, expect, test } from 'vitest';
import { onboard } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { sentEvents } from '../../../test/kit/sent_events.ts';
import { openServer } from '../../../test/kit/server.ts';
import type { Applicant } from '../../rails/identity.ts';
import { accounts } from '../accounts/table.ts';
import { type ContactChange, changeContact, changeProfile, type Profile } from './contact.ts';
import { lockPin } from './credentials/pin_lock.ts';
import { assertPin, hashPin } from './credentials/pins.ts';
import { collectIdentity, type IdentityData } from './identity.ts';
import { storeMobile } from './mobile_number.ts';
import { loadOnboarding, type Submission, submitOnboarding } from './onboarding.ts';
import { getCustomer } from './read.ts';
import { customers } from './table.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

const change = command('change', {
  load: (read, { id }: { id: string; to: ContactChange }) => read.one(customers, id),
  decide: (work, customer, { to }) => {
    changeContact(work, customer, to);
    return { record: customer };
  },
});
const profile = command('profile', {
  load: async (read, { id }: { id: string; to: Profile }) => {
    const customer = await read.one(customers, id);
    return { customer, account: await read.maybe(accounts, customer.account_id) };
  },
  decide: (work, { customer, account }, { to }) => {
    changeProfile(work, customer, account, to);
    return { record: customer };
  },
});
const submit = command('submit', {
  load: (read, { id }: { id: string; submission: Submission }) => loadOnboarding(read, id),
  decide: (work, rows, { submission }) => {
    submitOnboarding(work, rows, submission);
    return { record: rows.customer };
  },
});

const mobile = (number: string) =>
  storeMobile(server.service.vault, server.tenant.tenantId, number);

async function lastEvent(id: string) {
  const { type, data } = (await sentEvents(server.service.pool, id)).at(-1);
  return { type, previous: data.previous_attributes, version: data.object.version };
}

describe('a change without a move is customer.updated with the previous values', () => {
  test('email and mobile number in contact_change', async () => {
    const created = await api.customer('individual', { mobile_number: '+12025550901' });
    const id = uuid('customer', created.id);
    const to = { email: 'new@example.com', mobile: mobile('+12025550902') };
    const changed = await engine.run(change, { id, to });
    expect(changed).toMatchObject({ email: 'new@example.com', mobile_number_last4: '0902' });
    expect(await lastEvent(id)).toEqual({
      type: 'customer.updated',
      previous: { email: 'someone@example.com', mobile_number_last4: '0901' },
      version: 2,
    });
    // The old number is free again, and the new one is taken.
    await api.customer('individual', { mobile_number: '+12025550901' });
    const other = await api.customer('individual', { mobile_number: '+12025550903' });
    const taken = { id: uuid('customer', other.id), to: { mobile: mobile('+12025550902') } };
    expect(await engine.refusal(change, taken)).toMatchObject({ code: 'duplicate_mobile_number' });
  });

  test('a PIN that is locked, and unlocked by pin_reset only', async () => {
    const { customerId } = await api.approved('individual');
    const id = uuid('customer', customerId);
    await engine.run(lockPin, { id });
    expect(await lastEvent(id)).toEqual({
      type: 'customer.updated',
      previous: { pin_locked: false },
      version: 4,
    });
    const session = await api.session('pin_reset', { customerId });
    await api.simulate('session.completed', session.id);
    expect(await lastEvent(id)).toEqual({
      type: 'customer.updated',
      previous: { pin_locked: true },
      version: 5,
    });
  });

  test('business fields, and the holder name follows', async () => {
    const { customerId, accountId } = await api.approved('business');
    const id = uuid('customer', customerId);
    const to = { trading_name: 'Corner Cafe', industry: 'restaurants' };
    const shown = await engine.run(profile, { id, to });
    expect(shown.business).toEqual({
      legal_name: 'Corner Cafe LLC',
      owners_status: 'complete',
      ...to,
    });
    expect((await lastEvent(id)).previous).toEqual({
      business: {
        legal_name: 'Corner Cafe LLC',
        trading_name: null,
        industry: null,
        owners_status: 'complete',
      },
    });
    const { rows } = await server.service.pool.query(
      'select holder_name, version from accounts where id = $1',
      [uuid('account', accountId)],
    );
    expect(rows).toEqual([{ holder_name: 'Corner Cafe', version: 1 }]);
  });

  test('a change that is not visible makes no version', async () => {
    const created = await api.customer('individual', { mobile_number: '+12025550904' });
    const id = uuid('customer', created.id);
    await engine.run(change, { id, to: { mobile: mobile('+12025550904') } });
    expect(await engine.events(id)).toEqual(['customer.created']);
  });
});

describe('onboarding', () => {
  const data: IdentityData = {
    firstName: 'Secretfirst',
    lastName: 'Secretlast',
    birthDate: '1971-11-13',
    ssn: '987654329',
    address: {
      line1: '77 Hidden Lane',
      line2: 'Apt Unseen',
      city: 'Covertown',
      state: 'VT',
      postalCode: '05401',
    },
  };

  test("stores no identity data but the provider's reference", async () => {
    const created = await api.customer('individual');
    const id = uuid('customer', created.id);
    const { tenantId } = server.tenant;
    const heard: Applicant[] = [];
    const identity = {
      collect: async (applicant: Applicant) => {
        heard.push(applicant);
        return 'provider-reference-1';
      },
    };
    const identityReference = await collectIdentity(
      identity,
      tenantId,
      { subject: 'customer', id, customerId: id },
      data,
    );
    expect(heard).toEqual([{ tenantId, subject: 'customer', subjectId: id, customerId: id, data }]);
    const pin = '739164';
    const submission: Submission = {
      pinHash: await hashPin(server.service.config.pinPeppers, { tenantId, customerId: id }, pin),
      identityReference,
      names: { given_name: 'Ana', family_name: 'Reyes' },
      owners: [],
      read: null,
    };
    await engine.run(submit, { id, submission });
    const { rows } = await server.service.pool.query<{ text: string }>(
      `select query_to_xml(format('select * from %I', relname), true, false, '')::text as text
       from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
    );
    const whole = rows.map(({ text }) => text).join('\n');
    expect(whole).toContain('provider-reference-1');
    const { address, ...person } = data as Extract<IdentityData, { ssn: string }>;
    const secrets = [...Object.values(person), address.line1, address.line2, address.city];
    for (const secret of secrets) expect(whole).not.toContain(secret);
    const { rows: pins } = await server.service.pool.query<{ hash: string }>(
      'select hash from pins where customer_id = $1',
      [id],
    );
    expect(pins[0]?.hash).toMatch(/^p2\.test\.\$argon2id\$/);
    expect(pins[0]?.hash).not.toContain(pin);
  });

  test('shows the verified number where it differs from the supplied one', async () => {
    const created = await api.customer('individual', { mobile_number: '+12025550905' });
    expect(created.mobile_number_last4).toBe('0905');
    const id = uuid('customer', created.id);
    const submission: Submission = {
      pinHash: 'a hash',
      names: {},
      owners: [],
      read: null,
      mobile: mobile('+12025550906'),
    };
    const pending = await engine.run(submit, { id, submission });
    expect(pending).toMatchObject({ mobile_number_last4: '0906', version: 2 });
    expect(await engine.events(id)).toEqual(['customer.created', 'customer.pending']);
  });

  test('a second submission keeps number and names', async () => {
    const { id: wireId } = await api.customer('business');
    const id = uuid('customer', wireId);
    await engine.run(onboard, { id });
    const before = await getCustomer(engine.context(), { id: wireId });
    const submission: Submission = {
      names: { legal_name: 'Another LLC', trading_name: 'Another' },
      owners: [],
      read: null,
      mobile: mobile('+12025550907'),
    };
    await engine.run(submit, { id, submission });
    expect(await getCustomer(engine.context(), { id: wireId })).toEqual(before);
  });
});

test.each([
  ['28461', 'six_digits'],
  ['2846177', 'six_digits'],
  ['28461a', 'six_digits'],
  ['123456', 'run'],
  ['987654', 'run'],
  ['000000', 'repetition'],
  ['121212', 'repetition'],
  ['739739', 'repetition'],
])('a PIN of %s is refused: %s', (pin, reason) => {
  expect(() => assertPin(pin)).toThrow(
    expect.objectContaining({ code: 'parameter_invalid', param: 'pin', details: { reason } }),
  );
});

test.each(['284617', '112233', '123457', '890123'])('a PIN of %s is taken', (pin) => {
  expect(() => assertPin(pin)).not.toThrow();
});
