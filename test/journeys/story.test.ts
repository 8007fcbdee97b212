import { expect, test } from 'vitest';
import { BrokenFact, dollars, openStory, short } from './story.ts';

test('a story numbers its steps, ticks what holds, and without a terminal has no colors', () => {
  const lines: string[] = [];
  const story = openStory((line) => lines.push(line));
  story.step('Ana pays');
  story.say('With a smile.');
  story.fact('it is paid', { status: 'paid' }, { status: 'paid' });
  story.step('Ana leaves');
  expect(lines).toEqual([
    '',
    '1. Ana pays',
    '   With a smile.',
    '   ✓ it is paid',
    '',
    '2. Ana leaves',
  ]);
  expect(story.facts).toBe(1);
});

test('a fact that does not hold ends the story and says what was found instead', () => {
  const lines: string[] = [];
  const story = openStory((line) => lines.push(line));
  expect(() => story.fact('Dana has $1.00', 99, 100)).toThrow(
    new BrokenFact('Dana has $1.00: expected 100, found 99'),
  );
  expect(lines).toEqual(['   ✗ Dana has $1.00']);
  expect(story.facts).toBe(0);
});

test('money is written in dollars and ids are shortened, both without losing what they are', () => {
  expect([0, 5, 2_450, -12].map(dollars)).toEqual(['$0.00', '$0.05', '$24.50', '-$0.12']);
  expect(dollars(1_000_000_01)).toBe('$1,000,000.01');
  expect(short('acct_0198aa11bb22cc33dd44ee55ff66c41e')).toBe('acct_…c41e');
});
