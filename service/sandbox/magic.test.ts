import { expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { linkAnswer } from './rails/aggregator.ts';
import { bankAnswer, customerAnswer } from './rails/test_values.ts';

const server = await openServer({ workers: false });
const magic = await server.api.get('/portal/api/sandbox/magic');

test('each published amount fails as the sandbox lets it fail, and every other one settles', () => {
  const digits = magic.amounts.map(({ cents }: { cents: number }) => cents);
  for (let cents = 0; cents < 100; cents += 1)
    for (const kind of ['request_for_payment', 'credit_transfer'] as const)
      expect([cents, bankAnswer(kind, 5_00 + cents)?.outcome === 'settled']).toEqual([
        cents,
        !digits.includes(cents),
      ]);
});

test('each published name is decided on so, and each published bank ends so', () => {
  for (const { name, outcome } of magic.names) {
    const decision = customerAnswer({ type: 'business', family_name: null, legal_name: name });
    expect([name, outcome]).toEqual([name, decision === 'rejected' ? 'rejected' : 'in_review']);
  }
  for (const { name, outcome } of magic.banks) {
    const { outcome: answer } = linkAnswer(name, 'Ana Reyes');
    const isHeld = answer === 'unclear' || answer === 'holders';
    expect([name, outcome]).toEqual([name, isHeld ? 'held_for_review' : answer]);
  }
});

test('each published token links an account of its bank', async () => {
  for (const { public_token, name, accounts } of magic.banks) {
    const { customerId } = await server.api.approved('individual');
    const [{ id }] = accounts;
    const link = await server.api.post(`/v1/customers/${customerId}/linked-accounts`, {
      public_token,
      ...(id === null ? {} : { aggregator_account_id: id }),
    });
    expect(link).toMatchObject({ institution_name: name, status: 'pending' });
  }
});
