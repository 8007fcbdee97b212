import { command } from '@tenant-payments/engine/command.ts';
import { expect, test } from 'vitest';
import { uuid } from '../../../../test/kit/ids.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { holdCustomerForReview, requestMore } from '../moves.ts';
import { loadOnboarding, submitOnboarding } from '../onboarding.ts';
import { lockPin } from './pin_lock.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

test('a locked PIN has five failed attempts', async () => {
  const { customerId } = await api.approved('individual');
  const id = uuid('customer', customerId);
  const attempts = async () =>
    (await server.service.pool.query('select attempts from pins where customer_id = $1', [id]))
      .rows;
  expect(await attempts()).toEqual([{ attempts: 0 }]);
  await engine.run(lockPin, { id });
  expect(await attempts()).toEqual([{ attempts: 5 }]);
});

/** A submission by a caller that did not check whether a PIN is set. */
const apply = (pinHash?: string) =>
  command('apply', {
    load: (read, { id }: { id: string }) => loadOnboarding(read, id),
    decide: (work, rows) => {
      const pin = pinHash === undefined ? {} : { pinHash };
      submitOnboarding(work, rows, { ...pin, names: {}, owners: [], read: null });
      return { value: rows.customer.status };
    },
  });

test('onboarding sets the first PIN and never replaces one', async () => {
  const newcomer = { id: uuid('customer', (await api.customer('individual')).id) };
  expect(await engine.refusal(apply(), newcomer)).toMatchObject({
    code: 'parameter_missing',
    param: 'pin',
  });
  const ana = { id: uuid('customer', (await api.approved('individual')).customerId) };
  const readPin = async () =>
    (await server.service.pool.query('select hash from pins where customer_id = $1', [ana.id]))
      .rows;
  const first = await readPin();
  expect(first).toHaveLength(1);
  await engine.run(holdCustomerForReview, ana);
  await engine.run(requestMore, ana);
  expect(await engine.refusal(apply('another hash'), ana)).toEqual({
    code: 'parameter_invalid',
    param: 'pin',
    details: { reason: 'already_set' },
  });
  expect(await engine.run(apply(), ana)).toBe('pending');
  expect(await readPin()).toEqual(first);
});
