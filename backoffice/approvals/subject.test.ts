import { command } from '@tenant-payments/engine/command.ts';
import { liabilityMerchant } from '@tenant-payments/service/resources/disputes/moves.ts';
import { expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import { uuid } from '../../test/kit/ids.ts';
import { inOneBatch, planned } from '../../test/kit/one_batch.ts';
import { type Facts, loadSubject } from './subject.ts';

const { api, server } = await openDisputes();

test('a request is compared with its record as a command before it in the batch has left it', async () => {
  const ana = await api.funded('individual', 500_00);
  const cafe = await api.banked('business');
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const id = uuid('dispute', (await api.dispute(ana, { payment_id: payment.id })).id);
  const seen: Facts[] = [];
  const look = command('look', {
    load: (read, { id: named }: { id: string }) =>
      loadSubject(read, 'disputes', { id: named, settings: null }),
    decide: (_work, subject) => {
      seen.push(subject.facts());
      return { value: null };
    },
  });
  await inOneBatch(server, planned(liabilityMerchant, { id }), planned(look, { id }));
  expect(seen).toMatchObject([{ liability: 'merchant' }]);
});
