import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { expect, test } from 'vitest';
import { afterAttempt, type DeliveryState, withoutEndpoint } from './outcome.ts';

const first = '2026-11-21T09:30:00.000Z';
const minutes = (count: number) => addSeconds(first, count * 60);

const pending: DeliveryState = {
  status: 'pending',
  attempts: 0,
  first_attempt_at: null,
  last_attempt_at: null,
  last_response_status: null,
  next_attempt_at: null,
  due_at: first,
  extra: false,
};
const retrying: DeliveryState = {
  ...pending,
  status: 'retrying',
  attempts: 2,
  first_attempt_at: first,
  last_attempt_at: minutes(1),
  last_response_status: 500,
  next_attempt_at: minutes(5),
  due_at: minutes(5),
};

test.each([200, 201, 204, 299])('%i is a yes and nothing more is due', (status) => {
  expect(afterAttempt(pending, pending, { at: first, status })).toEqual({
    ...pending,
    status: 'delivered',
    attempts: 1,
    first_attempt_at: first,
    last_attempt_at: first,
    last_response_status: status,
    due_at: null,
  });
});

test.each([null, 199, 300, 301, 410, 429, 500])('%s is retried at the next offset', (status) => {
  const after = afterAttempt(pending, pending, { at: first, status });
  expect(after).toMatchObject({
    status: 'retrying',
    next_attempt_at: minutes(1),
    due_at: minutes(1),
  });
});

test('the attempt at 72 hours is the last one', () => {
  const after = afterAttempt(retrying, retrying, { at: minutes(72 * 60), status: 500 });
  expect(after).toMatchObject({ status: 'failed', next_attempt_at: null, due_at: null });
});

test('an extra attempt that fails leaves the schedule as it stands', () => {
  const asked = { ...retrying, extra: true, due_at: minutes(2) };
  const after = afterAttempt(asked, asked, { at: minutes(2), status: 500 });
  expect(after).toEqual({ ...retrying, attempts: 3, last_attempt_at: minutes(2) });
});

test('an extra attempt that fails late does not take the place of the one that is overdue', () => {
  const asked = { ...retrying, extra: true, due_at: minutes(2) };
  const after = afterAttempt(asked, asked, { at: minutes(6), status: 500 });
  expect(after).toMatchObject({ next_attempt_at: minutes(5), due_at: minutes(5), extra: false });
});

test('an extra attempt asked for while one is under way is due at once when that one fails', () => {
  const asked = { ...retrying, extra: true, due_at: minutes(6) };
  const after = afterAttempt(asked, retrying, { at: minutes(5), status: 500 });
  expect(after).toMatchObject({ next_attempt_at: minutes(30), due_at: minutes(6), extra: true });
});

test('another extra attempt asked for during an extra one is due at once, too', () => {
  const claimed = { ...retrying, extra: true, due_at: minutes(2) };
  const asked = { ...claimed, due_at: minutes(3) };
  const after = afterAttempt(asked, claimed, { at: minutes(2), status: 500 });
  expect(after).toMatchObject({ next_attempt_at: minutes(5), due_at: minutes(3), extra: true });
});

test('asked for in the last attempt of a schedule, a resend begins a new one', () => {
  const asked = { ...retrying, extra: true, due_at: minutes(72 * 60 + 1) };
  const after = afterAttempt(asked, retrying, { at: minutes(72 * 60), status: 500 });
  expect(after).toMatchObject({ status: 'pending', first_attempt_at: null, extra: false });
  expect(after.due_at).toBe(asked.due_at);
});

test('without an endpoint what was never attempted waits, and a schedule runs on to its end', () => {
  expect(withoutEndpoint(pending, pending, first)).toEqual({ ...pending, due_at: null });
  const later = withoutEndpoint(retrying, retrying, minutes(5));
  expect(later).toEqual({ ...retrying, next_attempt_at: minutes(30), due_at: minutes(30) });
  const over = withoutEndpoint(retrying, retrying, minutes(72 * 60));
  expect(over).toMatchObject({ status: 'failed', attempts: 2, next_attempt_at: null });
});
