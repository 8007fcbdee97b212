import { expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api } = server;
const ana = await api.funded('individual', 500_00);
const cafe = await api.banked('business');

const description = 'Two espressos';

/** The Transactions of both accounts, by id. */
async function listed(): Promise<Map<string, ReplyBody>> {
  const pages = [ana, cafe].map(({ accountId }) =>
    api.get(`/v1/accounts/${accountId}/transactions?limit=100`),
  );
  const found = (await Promise.all(pages)).flatMap(({ data }) => data as ReplyBody[]);
  return new Map(found.map((transaction) => [transaction.id, transaction]));
}

test('the event of each posted Transaction shows it as GET does, description and all', async () => {
  const paid = await api.confirmed(api.pay(ana, cafe, 40_00, { description }));
  const byBank = api.confirmed(api.payByBank(ana, cafe, 30_00, { description }));
  const paidByBank = await api.played(byBank, 'payment.completed');
  await api.confirmed(api.refund(paid, 10_00));
  await api.played(api.confirmed(api.refund(paidByBank, 5_00)), 'refund.completed');
  await api.played(api.confirmed(api.withdraw(ana, 1_00)), 'withdrawal.settled');
  const dispute = api.dispute(ana, { payment_id: paid.id });
  await api.played(dispute, 'dispute.investigating', 'dispute.provisional_credit');

  const { data } = await api.get('/v1/webhook-events?type=transaction.posted&limit=100');
  const told = new Map(data.map(({ data: { object } }: ReplyBody) => [object.id, object] as const));
  const found = await listed();
  expect(told).toEqual(found);
  const described = [...found.values()].filter((one) => one.description === description);
  expect(described.map(({ type }) => type).sort()).toEqual([
    'payment_received',
    'payment_received',
    'payment_sent',
    'refund_received',
    'refund_sent',
    'refund_sent',
  ]);
});
