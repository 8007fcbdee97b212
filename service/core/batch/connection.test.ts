import { expect, test } from 'vitest';
import { blankDatabase } from '../../../test/kit/database/database.ts';
import { openConnection } from './connection.ts';

test('a connection of the engine is made anew where its address leads elsewhere', async () => {
  const [first, second] = [await blankDatabase(), await blankDatabase()];
  let { url } = first;
  const { openSnapshot, end } = openConnection(() => url);
  const nameNow = async () => {
    const snapshot = openSnapshot();
    const { rows } = await snapshot.query('select current_database() as name', [], 'name');
    snapshot.close();
    return (rows[0] as { name: string }).name;
  };
  try {
    const before = await nameNow();
    expect(await nameNow()).toBe(before);
    ({ url } = second);
    expect(new URL(second.url).pathname).toBe(`/${await nameNow()}`);
  } finally {
    await end();
    await second.drop();
    await first.drop();
  }
});
