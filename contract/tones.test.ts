import { expect, test } from 'vitest';
import { lifecycles } from './lifecycles.ts';
import { furtherTones, stateTones, toneOfState } from './tones.ts';

const states = Object.values(lifecycles).flatMap(({ resource, states: all }) =>
  all.map((state) => [resource, state] as const),
);

test('every state of every resource has a tone, and no other state has one', () => {
  const toned = Object.entries(stateTones).flatMap(([resource, of]) =>
    Object.keys(of).map((state) => `${resource} ${state}`),
  );
  expect(toned.sort()).toEqual(states.map((one) => one.join(' ')).sort());
});

test('what a move can still reach from no state is not on its way', () => {
  for (const { resource, states: all, moves } of Object.values(lifecycles))
    for (const state of all) {
      const isLast = !Object.values(moves).some(
        ({ from, to }) => from !== 'new' && to !== 'same' && [...from].includes(state as never),
      );
      if (isLast) expect([resource, state, toneOfState(state, resource)]).not.toContain('progress');
    }
});

test('a dispute that is closed is not red, and a delivery that is tried again is not gray', () => {
  expect(toneOfState('closed', 'dispute')).toBe('ended');
  expect(toneOfState('retrying')).toBe('action');
  for (const state of ['expired', 'canceled']) expect(toneOfState(state)).toBe('ended');
});

test('a word means the same of each resource, or is shown with its resource', () => {
  const tones = new Map<string, Set<string>>();
  for (const of of [...Object.values(stateTones), ...Object.values(furtherTones)])
    for (const [state, tone] of Object.entries(of))
      tones.set(state, (tones.get(state) ?? new Set()).add(tone));
  const ambiguous = [...tones].filter(([, of]) => of.size > 1).map(([state]) => state);
  expect(ambiguous.sort()).toEqual(['open', 'received', 'refused', 'waiting']);
});
