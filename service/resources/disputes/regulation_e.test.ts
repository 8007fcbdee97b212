import { describe, expect, test } from 'vitest';
import { choicesOf, seedOf } from '../../../test/kit/seed.ts';
import {
  deadlinesOf,
  endOfBusinessDays,
  isOfNewAccount,
  isUnderRegulationE,
  lastNoticeDay,
  type Notice,
  nextMorning,
} from './regulation_e.ts';

const posted = {
  postedAt: '2026-03-10T15:00:00.000Z',
  statementAt: null,
  isPaymentByBank: false,
};
const notice: Notice = {
  type: 'error',
  receivedAt: '2026-03-11T15:00:00.000Z',
  isIndividual: true,
  movement: posted,
};

describe('a notice is under Regulation E', () => {
  test.each([
    ['error', true],
    ['unauthorized_transfer', true],
    ['purchase_dispute', false],
  ] as const)('by its type: %s %s', (type, expected) => {
    expect(isUnderRegulationE({ ...notice, type })).toBe(expected);
    expect(isUnderRegulationE({ ...notice, type, isIndividual: false })).toBe(false);
  });

  test('without a movement, and for one that is not posted yet, but not for a payment by bank', () => {
    expect(isUnderRegulationE({ ...notice, movement: null })).toBe(true);
    const pending = { ...posted, postedAt: null };
    expect(isUnderRegulationE({ ...notice, movement: pending })).toBe(true);
    for (const postedAt of [posted.postedAt, null])
      expect(
        isUnderRegulationE({ ...notice, movement: { ...posted, postedAt, isPaymentByBank: true } }),
      ).toBe(false);
  });

  test('until the sixtieth day after the statement that first shows the movement', () => {
    const movement = { ...posted, statementAt: '2026-04-01T10:00:00.000Z' };
    expect(lastNoticeDay(movement.statementAt)).toBe('2026-05-31');
    const at = (receivedAt: string) => isUnderRegulationE({ ...notice, movement, receivedAt });
    expect(at('2026-06-01T03:59:59.999Z')).toBe(true);
    expect(at('2026-06-01T04:00:00.000Z')).toBe(false);
  });

  test('however late, while no statement shows the movement', () => {
    expect(isUnderRegulationE({ ...notice, receivedAt: '2030-01-01T00:00:00.000Z' })).toBe(true);
  });
});

test('an account is new for thirty days after the first deposit', () => {
  const first = '2026-01-10T15:00:00.000Z';
  expect(isOfNewAccount('2026-02-10T04:59:59.999Z', first)).toBe(true);
  expect(isOfNewAccount('2026-02-10T05:00:00.000Z', first)).toBe(false);
  expect(isOfNewAccount(null, first)).toBe(false);
  expect(isOfNewAccount(first, null)).toBe(false);
});

// The deadlines computed a second way: a plain list of days and Intl's New York time.

const dayMs = 86_400_000;
const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
});
const wall = (ms: number): string => parts.format(ms).replace(', ', ' ');

/** Searches the first hour at which New York shows this. */
function instantAt(day: string, time: string): string {
  for (let ms = Date.parse(`${day}T00:00:00Z`); ; ms += 3_600_000)
    if (wall(ms) === `${day} ${time}:00`) return new Date(ms).toISOString();
}

const text = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const fixed = ['01-01', '06-19', '07-04', '11-11', '12-25'];

function isOpen(day: string): boolean {
  const date = new Date(`${day}T12:00:00Z`);
  const [weekday, month, number] = [date.getUTCDay(), date.getUTCMonth() + 1, date.getUTCDate()];
  if (weekday === 0 || weekday === 6 || fixed.includes(day.slice(5))) return false;
  if (weekday === 1 && fixed.includes(text(date.getTime() - dayMs).slice(5))) return false;
  const nth = Math.ceil(number / 7);
  const mondays: Readonly<Record<number, number>> = { 1: 3, 2: 3, 9: 1, 10: 2 };
  if (weekday === 1 && (mondays[month] === nth || (month === 5 && number > 24))) return false;
  return !(weekday === 4 && month === 11 && nth === 4);
}

function openDay(day: string, count: number): string {
  let ms = Date.parse(`${day}T00:00:00Z`);
  for (let left = count; left > 0; ) {
    ms += dayMs;
    if (isOpen(text(ms))) left -= 1;
  }
  return text(ms);
}

test('the deadlines of 500 notices from 2024 to 2040 agree with a second computation', () => {
  const seed = seedOf(process.env);
  const choices = choicesOf(seed, 'deadlines');
  const span = Date.UTC(2040, 9, 1) - Date.UTC(2024, 0, 1);
  for (let index = 0; index < 500; index += 1) {
    const ms = Date.UTC(2024, 0, 1) + choices.below(span / 1000) * 1000 + choices.below(1000);
    const receivedAt = new Date(ms).toISOString();
    const day = wall(ms).slice(0, 10);
    const after = (days: number) => text(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
    const isNew = choices.percent(50);
    const label = `SEED=${seed}, notice ${receivedAt}, ${isNew ? 'new' : 'old'} account`;
    expect(deadlinesOf(receivedAt, isNew), label).toEqual({
      credit: instantAt(openDay(day, isNew ? 20 : 10), '09:00'),
      result: instantAt(after(46), '00:00'),
    });
    expect(nextMorning(receivedAt), label).toBe(instantAt(openDay(day, 1), '09:00'));
    for (const count of [1, 2, 3, 5]) {
      const end = text(Date.parse(`${openDay(day, count)}T00:00:00Z`) + dayMs);
      expect(endOfBusinessDays(receivedAt, count), label).toBe(instantAt(end, '00:00'));
    }
  }
});
