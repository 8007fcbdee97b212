import { expect, test } from 'vitest';
import { openBreaker } from './breaker.ts';

let nowMs = 0;
const said: string[] = [];
function open() {
  nowMs = 0;
  said.length = 0;
  return openBreaker(
    (state) => said.push(state),
    () => nowMs,
  );
}
type Opened = ReturnType<typeof open>;
const fail = (breaker: Opened, count: number) => {
  for (let done = 0; done < count; done += 1) breaker.failed();
};

test('ten failures in a row pause the calls for 5 s, and nine with a success among them do not', () => {
  const breaker = open();
  fail(breaker, 9);
  breaker.succeeded();
  fail(breaker, 9);
  expect(breaker.waitMs()).toBe(0);
  fail(breaker, 1);
  expect(breaker.waitMs()).toBe(5_000);
  expect(said).toEqual(['open']);
});

test('after the pause one call tries, and its success lets all through again', () => {
  const breaker = open();
  fail(breaker, 10);
  nowMs = 5_000;
  expect(breaker.waitMs()).toBe(0);
  expect(breaker.waitMs()).toBeGreaterThan(0);
  breaker.succeeded();
  expect([breaker.waitMs(), breaker.waitMs()]).toEqual([0, 0]);
  expect(said).toEqual(['open', 'closed']);
});

test('each failure of such a call doubles the pause, up to a minute, and is said once', () => {
  const breaker = open();
  fail(breaker, 10);
  const pauses = Array.from({ length: 6 }, () => {
    nowMs += breaker.waitMs();
    expect(breaker.waitMs()).toBe(0);
    breaker.failed();
    return breaker.waitMs();
  });
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  expect(said).toEqual(['open']);
});

test('calls that had begun before a pause neither prolong nor end it by their failure', () => {
  const breaker = open();
  fail(breaker, 10);
  nowMs = 1_000;
  fail(breaker, 50);
  expect(breaker.waitMs()).toBe(4_000);
});
