import { randomUUID } from 'node:crypto';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/kit/database/database.ts';
import { revivalOn } from '../../test/kit/database/revival.ts';
import { command } from '../command.ts';
import { openPool } from '../database/pool.ts';
import { column, table } from '../table.ts';
import { openClocks } from '../time/clock.ts';
import { type Engine, startEngine } from './engine.ts';

/** A session of the engine that is of no more use costs its batch another session, and its caller nothing. */

const notes = table({
  name: 'plain_notes',
  key: ['id'],
  columns: { id: column.uuid, text: column.text },
});

const tenantId = randomUUID();
let database: Awaited<ReturnType<typeof testDatabase>>;
let owner: pg.Pool;
let engine: Engine;
const lost: number[] = [];

beforeAll(async () => {
  database = await testDatabase();
  owner = openPool(database.url, { max: 1, statementTimeoutMs: 5_000 });
  await owner.query(`create table plain_notes (tenant_id uuid, id uuid, revision integer not null default 1,
    text text not null, constraint plain_notes_pkey primary key (tenant_id, id));
    grant all on plain_notes to tenant_payments_service;
    create sequence faults; grant all on sequence faults to tenant_payments_service`);
  await owner.query(
    'insert into tenants (tenant_id, name, settings, created_at) values ($1, $2, $3, now())',
    [tenantId, 'Test', JSON.stringify(defaultSettings('Test'))],
  );
  engine = startEngine({
    databaseUrl: database.url,
    environment: 'sandbox',
    clocks: openClocks(Date.now),
    seal: (_tenant, _row, value) => JSON.stringify(value),
    newSecret: (_tenant, prefix) => prefix,
    revive: revivalOn(owner),
    onAlarm: () => {},
    observer: {
      committed() {},
      rerun() {},
      split() {},
      shed() {},
      lost: (commands) => void lost.push(commands),
    },
  });
});
afterAll(async () => {
  await engine.stop();
  await owner.end();
  await database.drop();
});

const write = command('write', {
  load: (read, { id }: { id: string }) => read.maybe(notes, id),
  decide: (work, note, { id }) => {
    if (note) work.change(note, { text: `${note.text}.` });
    else work.create(notes, { id, text: 'a' });
    return { value: null };
  },
});
const written = (id: string) => engine.submit(write, { tenantId, input: { id } });

const textOf = async (id: string) =>
  (await owner.query<{ text: string }>('select text from plain_notes where id = $1', [id])).rows;

/** Both connections of the engine have prepared what they need. */
async function prepared(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const ids = [randomUUID(), randomUUID()];
    for (const id of [...ids, ...ids]) await written(id);
    await Promise.all(ids.map(written));
  }
}

async function rerunsOf(work: () => Promise<unknown>): Promise<number> {
  const before = engine.stats.reruns;
  await work();
  return engine.stats.reruns - before;
}

test('a column of another type makes a batch run again on a new connection, and its caller sees no fault', async () => {
  await prepared();
  await owner.query('alter table plain_notes alter column text type varchar');
  const id = randomUUID();
  const reruns = await rerunsOf(async () => {
    for (let round = 0; round < 6; round += 1) await written(id);
  });
  expect(await textOf(id)).toEqual([{ text: 'a.....' }]);
  // Each of the engine's two connections has its own prepared statements.
  expect(reruns).toBeGreaterThanOrEqual(1);
  expect(reruns).toBeLessThanOrEqual(4);
});

/** A fault that the sessions of the next `times` writes meet in the middle of their commit, or at its end. */
async function withFault<T>(
  { fault, times = 1, isAtEnd = false }: { fault: string; times?: number; isAtEnd?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  await owner.query(`alter sequence faults restart;
    create or replace function fault() returns trigger language plpgsql as $$ begin
      if nextval('faults') <= ${times} then ${fault}; end if; return null; end $$;
    create ${isAtEnd ? 'constraint' : ''} trigger fault after insert on plain_notes
      ${isAtEnd ? 'deferrable initially deferred' : ''} for each row execute function fault()`);
  try {
    return await work();
  } finally {
    await owner.query('drop trigger fault on plain_notes');
  }
}

const raised = (code: string, message = 'as it says') =>
  `raise exception '${message}' using errcode = '${code}'`;
const terminates = 'perform pg_terminate_backend(pg_backend_pid())';

test.each([
  ['its session is ended by the server (57P01)', terminates],
  ['its prepared statements are gone (26000)', "execute 'deallocate all'"],
  ["its prepared statements are another's (42P05)", raised('42P05')],
  ['its database takes no writes (25006)', raised('25006')],
  ['a plan names what was dropped (XX000)', raised('XX000', 'cache lookup failed for type 1')],
])('a batch is decided again on another connection where %s', async (_, fault) => {
  await prepared();
  const id = randomUUID();
  const reruns = await rerunsOf(() =>
    withFault({ fault }, async () => {
      // A loss in a session shows when the session is used again.
      for (let round = 0; round < 3; round += 1) await written(id);
    }),
  );
  expect(reruns).toBe(1);
  expect(await textOf(id)).toEqual([{ text: 'a..' }]);
  expect(lost).toEqual([]);
});

test('a batch whose session is ended twice is 503, and has written nothing', async () => {
  const id = randomUUID();
  await withFault({ fault: terminates, times: 2 }, () =>
    expect(written(id)).rejects.toMatchObject({ status: 503 }),
  );
  expect(await textOf(id)).toEqual([]);
  expect(lost.splice(0)).toEqual([1]);
});

test('a batch whose session is ended while it commits is 503 and not run again: it may have committed', async () => {
  const id = randomUUID();
  const reruns = await rerunsOf(() =>
    withFault({ fault: terminates, isAtEnd: true }, () =>
      expect(written(id)).rejects.toMatchObject({ status: 503 }),
    ),
  );
  expect(reruns).toBe(0);
  expect(lost.splice(0)).toEqual([1]);
});
