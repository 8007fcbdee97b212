import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { Outdated } from '../../rails/providers/provider.ts';

/** The memory of a provider, which several processes write (rules/rails#13). */

const server = await openServer({ own: true, workers: false });
const { tenantId } = server.tenant;
const objects = server.providers.objectsOf('signed');
const named = { kind: 'item', tenantId, record: null };

async function kept(key: string) {
  const found = await objects.get('item', key);
  if (!found) throw new Error('it is kept');
  return found;
}

test('of two writers that have read the same object the second is refused, and loses nothing of the first', async () => {
  await objects.put({ ...named, key: 'one', value: { a: 0 } });
  const read = await kept('one');
  await objects.put({ ...read, value: { a: 1 } });
  await expect(objects.put({ ...read, value: { a: 2 } })).rejects.toThrow(Outdated);
  expect((await kept('one')).value).toEqual({ a: 1 });
  await objects.put({ ...(await kept('one')), value: { a: 3 } });
  const [listed] = await objects.list('item', null, 1);
  expect(listed).toEqual(await kept('one'));
  expect(listed?.value).toEqual({ a: 3 });
});

test('of two writers at once that make an object one is refused', async () => {
  const writers = [1, 2].map((value) =>
    objects.put({ ...named, key: 'new', value, revision: null }).then(
      () => value,
      (error: unknown) => error,
    ),
  );
  const ended = await Promise.all(writers);
  expect(ended.filter((one) => one instanceof Outdated)).toHaveLength(1);
  expect(ended).toContain((await kept('new')).value);
});

test('an object that is put without a revision replaces whatever is there', async () => {
  await objects.put({ ...named, key: 'any', value: 1 });
  await objects.put({ ...named, key: 'any', value: 2 });
  expect((await kept('any')).value).toBe(2);
});
