import { randomUUID } from 'node:crypto';
import { CountryCode, Products } from 'plaid';
import { afterAll, expect, test } from 'vitest';
import { openCounterpart } from '../../test/kit/plaid/counterpart.ts';
import { memoryOfTest } from '../../test/kit/plaid/memory.ts';
import { openClient } from './client.ts';
import { open } from './index.ts';

/** The same way through the adapter against the counterpart and, where its keys are set, against Plaid's own sandbox. */

const { PLAID_TEST_CLIENT_ID, PLAID_TEST_SECRET } = process.env;
const counterpart = await openCounterpart();
afterAll(() => counterpart.close());

const { clientId, secret } = counterpart.state;
const ours = { url: counterpart.url, clientId, secret };
const theirs =
  PLAID_TEST_CLIENT_ID && PLAID_TEST_SECRET
    ? {
        url: 'https://sandbox.plaid.com',
        clientId: PLAID_TEST_CLIENT_ID,
        secret: PLAID_TEST_SECRET,
      }
    : null;

/** Customer, check, sign-in and end of a bank account. */
async function wayThrough({ url, clientId: PLAID_CLIENT_ID, secret: PLAID_SECRET }: typeof ours) {
  const { ask } = openClient({ url, clientId: PLAID_CLIENT_ID, secret: PLAID_SECRET });
  const values = { PLAID_URL: url, PLAID_CLIENT_ID, PLAID_SECRET, PLAID_CLIENT_NAME: 'A Test' };
  const receiveAt = () => 'https://pay.example.com/rails/plaid';
  const adapted = await open({ ports: ['aggregator'], values, environment: 'sandbox', receiveAt });
  const [provider] = adapted.providers ?? [];
  const { aggregator } = adapted;
  if (!aggregator || !provider) throw new Error('the adapter brings an aggregator and a provider');
  const memory = memoryOfTest();
  provider.open?.(memory);
  const signal = AbortSignal.timeout(60_000);
  const lines = (await provider.check?.({ signal })) ?? [];
  expect(lines.map(({ ok }) => ok)).toEqual([true, true]);

  const [tenantId, customerId] = [randomUUID(), `cus_${randomUUID().replaceAll('-', '')}`];
  const asked = { tenantId, customerId, platform: 'web', redirectUri: null } as const;
  expect(await aggregator.linkToken(asked)).toMatch(/^link-sandbox-/);
  const { public_token: publicToken } = await ask((api, options) =>
    api.sandboxPublicTokenCreate(
      { institution_id: 'ins_109508', initial_products: [Products.Auth, Products.Identity] },
      options,
    ),
  );
  const { accounts } = await aggregator.exchange({ tenantId, customerId, publicToken });
  const [account] = accounts ?? [];
  if (!account) throw new Error('an account was shared');
  const { reference } = account;
  expect(await aggregator.numbers?.(reference)).toMatchObject({
    routing: expect.stringMatching(/^\d{9}$/),
  });
  const linkId = randomUUID();
  const legalName = 'Alberta Bobbeth Charleson';
  await aggregator.verify({ tenantId, linkId, reference, legalName, kind: 'individual' });
  expect(memory.reported).toMatchObject([{ fact: { outcome: 'holders', score: 100 } }]);

  const [item] = await memory.objects.list('item', null, 1);
  const { accessToken = '' } = (item?.value ?? {}) as { accessToken?: string };
  await ask((api, options) => api.sandboxItemResetLogin({ access_token: accessToken }, options));
  const polled = await provider.poll?.run(null, { signal, objects: memory.objects });
  expect(polled?.receipts).toMatchObject([{ fact: { outcome: 'needs_login', linkId } }]);
  await aggregator.remove?.(reference);
  expect(await aggregator.numbers?.(reference)).toBeNull();
}

test("the way through the adapter holds to Plaid's published file", async () => {
  await wayThrough(ours);
  expect(counterpart.faults).toEqual([]);
});

test.skipIf(!theirs)(
  `the way through the adapter holds in Plaid's sandbox${theirs ? '' : ' (skipped: no key)'}`,
  async () => {
    if (theirs) await wayThrough(theirs);
  },
  60_000,
);

test('what Plaid does not have in its file is refused by the counterpart', async () => {
  const { ask } = openClient(ours);
  const misspelt = { client_name: 'A', language: 'en', country_code: [CountryCode.Us] } as never;
  await expect(ask((api, options) => api.linkTokenCreate(misspelt, options))).rejects.toThrow(
    'Plaid: INVALID_FIELD',
  );
  expect(counterpart.faults.splice(0)).toHaveLength(1);
});
