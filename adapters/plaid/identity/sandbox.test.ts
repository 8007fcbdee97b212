import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openCounterpart } from '../../../test/kit/plaid/counterpart.ts';
import { memoryOfTest } from '../../../test/kit/plaid/memory.ts';
import { open } from '../index.ts';

/** The same application against the counterpart and, where its keys are set, against Plaid's own sandbox. */

const { PLAID_TEST_CLIENT_ID, PLAID_TEST_SECRET, PLAID_TEST_TEMPLATE } = process.env;
const counterpart = await openCounterpart();
afterAll(() => counterpart.close());

const ours = {
  PLAID_URL: counterpart.url,
  PLAID_CLIENT_ID: counterpart.state.clientId,
  PLAID_SECRET: counterpart.state.secret,
  PLAID_IDENTITY_TEMPLATE: counterpart.state.template,
};
const theirs =
  PLAID_TEST_CLIENT_ID && PLAID_TEST_SECRET && PLAID_TEST_TEMPLATE
    ? {
        PLAID_URL: 'https://sandbox.plaid.com',
        PLAID_CLIENT_ID: PLAID_TEST_CLIENT_ID,
        PLAID_SECRET: PLAID_TEST_SECRET,
        PLAID_IDENTITY_TEMPLATE: PLAID_TEST_TEMPLATE,
      }
    : null;

/** An application, its step at Plaid, and a second application. */
async function wayThrough(settings: typeof ours) {
  const adapted = await open({
    ports: ['identity'],
    values: { ...settings, PLAID_CLIENT_NAME: 'A Test' },
    environment: 'sandbox',
    receiveAt: (provider) => `https://pay.example.com/rails/${provider}`,
  });
  const [provider] = adapted.providers ?? [];
  const { identity } = adapted;
  if (!identity || !provider) throw new Error('the adapter brings identity and a provider');
  const memory = memoryOfTest();
  provider.open?.(memory);
  const signal = AbortSignal.timeout(60_000);
  const lines = (await provider.check?.({ signal })) ?? [];
  expect(lines.map(({ ok }) => ok)).toEqual([true, true]);
  const [tenantId, subjectId] = [randomUUID(), randomUUID()];
  const named = { tenantId, subject: 'customer', subjectId } as const;
  const address = {
    line1: '123 Main St.',
    line2: null,
    city: 'Pawnee',
    state: 'IN',
    postalCode: '46001',
  };
  // The person whom Plaid's sandbox knows.
  const data = {
    firstName: 'Leslie',
    lastName: 'Knope',
    birthDate: '1975-01-18',
    ssn: '123456789',
    address,
  };
  const contact = { email: 'leslie@example.com', mobileNumber: '+12345678909' };
  await identity.collect({ ...named, customerId: subjectId, data, contact });
  const asked = { ...named, since: '2026-03-01T12:00:00.000Z', reference: null };
  await identity.check(asked);
  await identity.check(asked);
  expect(await identity.session?.(asked)).toMatch(/^link-sandbox-/);
  const attempts = () => memory.objects.list('verification', null, 10);
  expect(await attempts()).toHaveLength(1);
  await identity.check({ ...asked, since: '2026-03-02T12:00:00.000Z' });
  expect(await attempts()).toHaveLength(2);
  const polled = await provider.poll?.run(null, { signal, objects: memory.objects });
  expect(polled).toEqual({ cursor: null, receipts: [] });
}

test("an application holds to Plaid's published file", async () => {
  await wayThrough(ours);
  expect(counterpart.faults).toEqual([]);
});

test.skipIf(!theirs)(
  `an application holds in Plaid's sandbox${theirs ? '' : ' (skipped: no key)'}`,
  async () => {
    if (theirs) await wayThrough(theirs);
  },
  60_000,
);
