import { expect, test } from 'vitest';
import { entered, isoDay, partsOf, wholeDay } from '../../ui/day.ts';
import { texts } from '../texts/en.ts';
import { birthDateFault, isEmail, mobileOf, pinFault, postalCodeOf } from './checks.ts';
import { states } from './states.ts';

const { forms } = texts;
const today = '2026-11-21';

const { date } = forms;
test.each([
  ['11/21/2008', undefined, undefined],
  ['11/22/2008', 'year', forms.tooYoung],
  ['2/29/2004', undefined, undefined],
  ['2/29/2003', 'day', date.daysOf(28, 2003)],
  ['2/29/1900', 'day', date.daysOf(28, 1900)],
  ['4/31/1990', 'day', date.daysOf(30, 1990)],
  ['', 'month', date.missing],
  ['3//1987', 'day', date.missingPart.day],
  ['3/14/', 'year', date.missingPart.year],
  ['13/14/1987', 'month', date.badMonth],
  ['00/14/1987', 'month', date.badMonth],
  ['3/32/1987', 'day', date.badDay],
  ['3/14/87', 'year', date.shortYear],
  ['1/31/0190', 'year', date.badYear],
  ['1/31/2099', 'year', date.badYear],
])('born %j: %s, %s', (value, part, text) => {
  expect(birthDateFault(value, today, forms)).toEqual(part && { part, text });
});

test.each([
  ['2026-02-28', forms.tooYoung],
  ['2026-03-01', undefined],
])('on %s who was born on February 29, 2008: %s', (now, text) => {
  expect(birthDateFault('2/29/2008', now, forms)?.text).toBe(text);
});

test('a day is sent in the form of the API, and a whole date is taken at once', () => {
  expect(isoDay('3/4/1987')).toBe('1987-03-04');
  expect(isoDay('2/30/1987')).toBeNull();
  for (const text of ['3/4/1987', '03-04-1987', ' 03041987 ', '1987-03-04', '3 . 4 . 1987'])
    expect([text, isoDay(entered(wholeDay(text) ?? partsOf('')))]).toEqual([text, '1987-03-04']);
  for (const text of ['3', '03/04', '1987', '3/4/87'])
    expect([text, wholeDay(text)]).toEqual([text, null]);
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
  ['٢٠٢ ٥٥٥ ٠١٠٣', '+12025550103'],
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
