import { expect, test } from 'vitest';
import { gradeOf } from './grade.ts';
import { checks } from './verify.ts';

test.each([
  ['1.movements', 'money'],
  ['2.pockets', 'money'],
  ['3.books', 'money'],
  ['5.held_cents', 'money'],
  ['8.paid_once', 'money'],
  ['12.credits', 'money'],
  ['an invariant that is not listed', 'money'],
  ['6.records', 'order'],
  ['14.attempts', 'order'],
  ['people.pin', 'order'],
  ['9.times', 'time'],
  ['9.end_due', 'time'],
  ['12.deadlines', 'time'],
])('a violation of %s is one of %s', (invariant, grade) => {
  expect(gradeOf(invariant)).toBe(grade);
});

test('what a wrong clock leaves is a violation of time alone, and no check of money is one', () => {
  const ofTime = checks.filter(({ name }) => gradeOf(name) === 'time').map(({ name }) => name);
  expect(ofTime).toContain('9.times');
  for (const name of ofTime) expect(name).not.toMatch(/^[1235]\./);
});
