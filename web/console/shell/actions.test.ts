import { expect, test } from 'vitest';
import { actions } from './actions.ts';
import { pageGroups } from './pages.ts';

test('every action of the console is done on a page of its menu, under a name of its own', () => {
  const paths = pageGroups.flatMap(({ pages }) => pages.map(({ path }) => path));
  for (const { name, path } of actions)
    expect([name, paths.includes(path.split('#')[0] ?? '')]).toEqual([name, true]);
  expect(new Set(actions.map(({ name }) => name)).size).toBe(actions.length);
});
