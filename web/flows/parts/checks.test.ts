import { expect, test } from 'vitest';
import { texts } from '../texts/en.ts';
import { birthDateFault, isEmail, mobileOf, pinFault, postalCodeOf } from './checks.ts';
import { states } from './states.ts';

const { forms } = texts;
const today = '2026-11-21';

test.each([
  ['2008-11-21', undefined],
  ['2008-11-22', forms.tooYoung],
  ['', forms.badDate],
  ['0190-01-31', forms.badDate],
])('born %s: %s', (value, fault) => {
  expect(birthDateFault(value, today, forms)).toBe(fault);
});

test.each([
  ['284617', undefined],
  ['28461', forms.pinLength],
  ['123456', forms.pinRun],
  ['987654', forms.pinRun],
  ['111111', forms.pinRepetition],
  ['121212', forms.pinRepetition],
  ['123123', forms.pinRepetition],
])('PIN %s: %s', (pin, fault) => {
  expect(pinFault(pin, forms)).toBe(fault);
});

test.each([
  ['(202) 555-0103', '+12025550103'],
  ['+1 202 555 0103', '+12025550103'],
  ['555-0103', null],
  ['+44 20 7946 0958', null],
])('mobile number %s is taken as %s', (value, number) => {
  expect(mobileOf(value)).toBe(number);
});

test('what is stored of a postal code, an address and a state has the form of the contract', () => {
  expect(postalCodeOf('12207')).toBe('12207');
  expect(postalCodeOf('12207 1234')).toBe('12207-1234');
  expect(postalCodeOf('1220')).toBeNull();
  expect(isEmail('ana@example.com')).toBe(true);
  expect(isEmail('ana@example')).toBe(false);
  expect(isEmail('ana@mail.example.com')).toBe(true);
  expect(isEmail('ana@example.')).toBe(false);
  expect(isEmail('ana@.com')).toBe(false);
  expect(states).toHaveLength(56);
  for (const [letters, name] of states) expect(`${letters} ${name}`).toMatch(/^[A-Z]{2} [A-Z]/);
});
