import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse, uuid } from '../../../test/harness/people.ts';
import { lockPin } from './moves.ts';

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
