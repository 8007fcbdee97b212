import { expect, test } from 'vitest';
import { together } from './together.ts';

test('what is asked in one moment is asked together, in parts, for each Tenant apart', async () => {
  const asked: unknown[] = [];
  const nameOf = together<string>(2, async (tenantId, ids) => {
    asked.push([tenantId, ids]);
    return new Map(ids.filter((id) => id !== 'nobody').map((id) => [id, `name of ${id}`]));
  });
  const names = [nameOf(null, 'a'), nameOf('t', 'b'), nameOf(null, 'nobody'), nameOf(null, 'c')];
  expect(await Promise.all(names)).toEqual(['name of a', 'name of b', null, 'name of c']);
  expect(asked).toEqual([
    [null, ['a', 'nobody']],
    [null, ['c']],
    ['t', ['b']],
  ]);
});

test('a question that fails fails for whoever asked with it', async () => {
  const nameOf = together<string>(2, () => Promise.reject(new Error('unreachable')));
  const ends = await Promise.allSettled([nameOf(null, 'a'), nameOf(null, 'b')]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
