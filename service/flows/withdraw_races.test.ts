import { expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import { approveCustomer, rejectCustomer } from '../resources/customers/moves.ts';

/** A customer who closes or withdraws, and somebody else at the same time; whose number is free. */

const server = await openServer({ manual: true });
const { api, engine } = server;

let lastNumber = 100;
const newNumber = () => `+1202555${String(++lastNumber).padStart(4, '0')}`;
const close = (customerId: string) => api.close({ customerId });

test('a number that has become free is taken by one customer, the other is refused', async () => {
  const mobile_number = newNumber();
  await close((await api.customer('individual', { mobile_number })).id);
  const takers = await Promise.allSettled(
    [1, 2, 3].map(() => api.customer('individual', { mobile_number })),
  );
  expect(takers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const again = api.customer('individual', { mobile_number });
  expect(await refusalOf(again)).toMatchObject({ code: 'duplicate_mobile_number' });
});

test('the number of an account that has closed is free, and the closed record shows its own', async () => {
  const mobile_number = newNumber();
  const { id } = await api.played(
    api.customer('individual', { mobile_number }),
    'customer.pending',
    'customer.approved',
  );
  const again = () => api.customer('individual', { mobile_number });
  await close(id);
  expect(await refusalOf(again())).toMatchObject({ code: 'duplicate_mobile_number' });
  await server.runJobs();
  await again();
  expect(await api.get(`/v1/customers/${id}`)).toMatchObject({
    mobile_number_last4: mobile_number.slice(-4),
  });
});

const decisions = {
  approved: (id: string) => engine.run(approveCustomer, { id }),
  rejected: (id: string) => engine.run(rejectCustomer, { id }),
};
test.each(['approved', 'rejected'] as const)(
  'a close and the decision %s end in one order or the other',
  async (decision) => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await api.played(api.customer('individual'), 'customer.pending');
      const [closing, decided] = await Promise.allSettled([
        close(id),
        decisions[decision](uuid('customer', id)),
      ]);
      expect(closing.status).toBe('fulfilled');
      const { verification, account_id } = await api.get(`/v1/customers/${id}`);
      const isApproved = decision === 'approved' && decided.status === 'fulfilled';
      expect([verification.status, account_id !== null]).toEqual(
        isApproved ? ['approved', true] : ['rejected', false],
      );
      if (!isApproved) expect(verification.retry_available_at).toBeNull();
    }
  },
);
