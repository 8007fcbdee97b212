import { randomUUID } from 'node:crypto';
import { serviceActor } from '@tenant-payments/engine/actor.ts';
import { openClient, openPool } from '@tenant-payments/engine/database/pool.ts';
import { appendAuditRows } from '@tenant-payments/engine/write/flush_audit.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import { type AuditFault, verifyAudit } from './verify.ts';

let database: TestDatabase;
let pool: pg.Pool;
/** The owner of the database, whom no trigger stops. */
let owner: pg.Client;
let scope: string;

const entry = (act: string) => ({
  scope,
  actor: { ...serviceActor, address: '203.0.113.9', requestId: 'req_1' },
  act,
  record: 'cus_1',
  outcome: 'done',
  before: { text: 'naïve "1"\n' },
  after: { amount: 9007199254740991, list: [1.5, null, true] },
});

async function append(...acts: string[]): Promise<void> {
  const { text, values } = appendAuditRows(acts.map(entry));
  await owner.query(text, values);
}

async function faults(head?: { number: number; hash: string }) {
  const proof = await verifyAudit(pool, { scope, ...(head ? { head } : {}) });
  expect(proof.ok).toBe(proof.faults.length === 0);
  return proof.faults.map(({ number, fault }: AuditFault) => [number, fault]);
}

const heads = async () => (await verifyAudit(pool, { scope })).heads[0];

beforeAll(async () => {
  database = await testDatabase(true);
  pool = openPool(database.serviceUrl, { max: 2, statementTimeoutMs: 30_000 });
  owner = await openClient(database.url);
  await owner.query('set session_replication_role = replica');
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await database.drop();
});
beforeEach(async () => {
  scope = randomUUID();
  await append('first', 'second', 'third');
  await append('fourth');
});

test('an untouched chain is whole, and ends at its head', async () => {
  expect(await faults()).toEqual([]);
  const { rows } = await pool.query(
    'select number, hash from control.audit_heads where scope = $1',
    [scope],
  );
  expect(await heads()).toEqual({ scope, ...rows[0] });
  expect((await verifyAudit(pool)).faults).toEqual([]);
});

describe('what the owner of the database does to a row shows, with its number', () => {
  test.each<[string, string, [number, AuditFault['fault']][]]>([
    ['deleted', 'delete from control.audit where number = 2', [[3, 'missing']]],
    ['the first deleted', 'delete from control.audit where number = 1', [[2, 'missing']]],
    ['the last deleted', 'delete from control.audit where number = 4', [[4, 'head']]],
    [
      'another act in its column',
      `update control.audit set act = 'x' where number = 2`,
      [[2, 'columns']],
    ],
    [
      'another actor in its column',
      `update control.audit set actor_id = 'x' where number = 3`,
      [[3, 'columns']],
    ],
    [
      'another time in its column',
      `update control.audit set at = at + interval '1 ms' where number = 3`,
      [[3, 'columns']],
    ],
    [
      'another text',
      `update control.audit set body = replace(body, 'naïve', 'naive') where number = 2`,
      [[2, 'changed']],
    ],
    [
      'act and text changed together',
      `update control.audit set act = 'x', body = replace(body, 'second', 'x') where number = 2`,
      [[2, 'changed']],
    ],
    [
      'its hash made anew',
      `update control.audit set act = 'x', body = replace(body, 'second', 'x') where number = 2;
       update control.audit set hash = encode(sha256(decode(previous_hash, 'hex') || convert_to(body, 'UTF8')), 'hex')
         where number = 2`,
      [[3, 'unlinked']],
    ],
    [
      'one put in between',
      `update control.audit set number = 5 where number = 4;
       insert into control.audit select scope, 4, at, actor_kind, actor_id, person_id, act, record, address,
         request_id, outcome, body, previous_hash, hash from control.audit where number = 3`,
      [
        [4, 'unlinked'],
        [4, 'columns'],
        [5, 'columns'],
        [4, 'head'],
      ],
    ],
    [
      'two exchanged',
      `update control.audit set number = 99 where number = 2;
       update control.audit set number = 2 where number = 3;
       update control.audit set number = 3 where number = 99`,
      [
        [2, 'unlinked'],
        [2, 'columns'],
        [3, 'unlinked'],
        [3, 'columns'],
        [4, 'unlinked'],
      ],
    ],
    ['another head', `update control.audit_heads set hash = repeat('1', 64)`, [[4, 'head']]],
    ['a head further on', 'update control.audit_heads set number = 5', [[5, 'head']]],
    ['no head', 'delete from control.audit_heads', [[0, 'head']]],
  ])('%s', async (_what, damage, expected) => {
    const ofScope = damage.replaceAll(
      /(where number = \d+)|(update control\.audit_heads set [^;]+|delete from control\.audit_heads)$/g,
      (found, row) => (row ? `${row} and scope = '${scope}'` : `${found} where scope = '${scope}'`),
    );
    await owner.query(ofScope);
    expect(await faults()).toEqual(expected);
    await owner.query(`delete from control.audit where scope = '${scope}';
      delete from control.audit_heads where scope = '${scope}'`);
  });
});

test('an end that was cut off shows against a head that is known from elsewhere', async () => {
  const known = await heads();
  if (!known) throw new Error('the chain has a head');
  await append('fifth');
  expect(await faults(known)).toEqual([]);
  await owner.query(`delete from control.audit where scope = '${scope}' and number > 3;
    update control.audit_heads h set number = 3,
      hash = (select hash from control.audit a where a.scope = h.scope and a.number = 3)
      where scope = '${scope}'`);
  expect(await faults()).toEqual([]);
  expect(await faults(known)).toEqual([[4, 'known_head']]);
  await append('other');
  expect(await faults(known)).toEqual([[4, 'known_head']]);
});

test('many writers at once make one chain, whatever the order of their scopes', async () => {
  const other = randomUUID();
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const entries = [entry(`a${index}`), { ...entry(`b${index}`), scope: other }];
      const { text, values } = appendAuditRows(index % 2 ? entries : entries.reverse());
      await pool.query(text, values);
    }),
  );
  expect(await faults()).toEqual([]);
  expect(await verifyAudit(pool, { scope: other })).toMatchObject({ ok: true, checked: 20 });
});

test('what a transaction appends is gone with it', async () => {
  const before = await heads();
  const client = await pool.connect();
  const { text, values } = appendAuditRows([entry('undone')]);
  await client.query('begin');
  await client.query(text, values);
  await client.query('rollback');
  client.release();
  expect(await heads()).toEqual(before);
});

test('not even the owner changes a row while the triggers are there', async () => {
  const client = await openClient(database.url);
  for (const sql of [
    `update control.audit set act = 'x'`,
    'delete from control.audit',
    'truncate control.audit',
    'delete from control.audit_heads',
    'truncate control.audit_heads',
  ])
    await expect(client.query(sql), sql).rejects.toMatchObject({ code: '42501' });
  await client.end();
});
