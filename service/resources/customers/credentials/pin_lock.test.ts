import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse, uuid } from '../../../../test/kit/people.ts';
import { command } from '../../../core/command.ts';
import { holdCustomerForReview, requestMore } from '../moves.ts';
import { readOnboarding, submitOnboarding } from '../onboarding.ts';
import { lockPin } from './pin_lock.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.test.stop());

test('a PIN that is locked stands at five wrong attempts', async () => {
  const { customerId } = await house.approved('individual');
  const id = uuid('customer', customerId);
  const attempts = async () =>
    (await house.test.service.pool.query('select attempts from pins where customer_id = $1', [id]))
      .rows;
  expect(await attempts()).toEqual([{ attempts: 0 }]);
  await house.run(lockPin, { id });
  expect(await attempts()).toEqual([{ attempts: 5 }]);
});

/** A further application, as a caller would hand it in who has not looked whether a PIN is set. */
const apply = (pinHash?: string) =>
  command('apply', {
    load: (read, { id }: { id: string }) => readOnboarding(read, id),
    decide: (work, rows) => {
      const pin = pinHash === undefined ? {} : { pinHash };
      submitOnboarding(work, rows, { ...pin, names: {}, owners: [] });
      return { value: rows.customer.status };
    },
  });

test('an application brings the first PIN and never takes the place of one', async () => {
  const newcomer = { id: uuid('customer', (await house.customer('individual')).id) };
  expect(await house.refusal(apply(), newcomer)).toMatchObject({
    code: 'parameter_missing',
    param: 'pin',
  });
  const ana = { id: uuid('customer', (await house.approved('individual')).customerId) };
  await house.run(holdCustomerForReview, ana);
  await house.run(requestMore, ana);
  expect(await house.refusal(apply('another hash'), ana)).toEqual({
    code: 'parameter_invalid',
    param: 'pin',
    details: { reason: 'already_set' },
  });
  expect(await house.run(apply(), ana)).toBe('pending');
  const { rows } = await house.test.service.pool.query(
    'select hash from pins where customer_id = $1',
    [ana.id],
  );
  expect(rows).toEqual([{ hash: 'a hash' }]);
});
