import { expect, test } from 'vitest';
import { blankDatabase } from '../../test/kit/database/database.ts';
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

test('a batch after one that lost its connection has another connection at once', async () => {
  const database = await blankDatabase();
  const { openSnapshot, end } = openConnection(() => database.url);
  async function ask(text: string) {
    const snapshot = openSnapshot();
    try {
      return (await snapshot.query(text, [], text)).rows;
    } finally {
      snapshot.close();
    }
  }
  try {
    for (let round = 0; round < 5; round += 1) {
      await expect(ask('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(
        'terminating connection',
      );
      expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
    }
  } finally {
    await end();
    await database.drop();
  }
});
