import { randomUUID } from 'node:crypto';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { paymentRequests } from '@tenant-payments/service/resources/payment_requests/table.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import { revivalOn } from '../../test/kit/database/revival.ts';
import { command, type Reply } from '../command.ts';
import { openPool } from '../database/pool.ts';
import { ApiError } from '../fail.ts';
import { openClocks } from '../time/clock.ts';
import { type Engine, startEngine } from './engine.ts';
import { fingerprintOf, type IdempotencyRow, isKept, keyHashOf } from './idempotency.ts';

describe('a key', () => {
  test.each([
    '',
    '""',
    'a b',
    '"a b"',
    'a\u007f',
    'é',
    '\t',
    'k'.repeat(256),
    `"${'k'.repeat(256)}"`,
  ])('form %# is refused', (header) => {
    expect(() => keyHashOf(header)).toThrow(ApiError);
  });

  test.each(['k', '"', 'a"', '"a', '~!#', 'k'.repeat(255), `"${'k'.repeat(255)}"`])(
    'form %# is taken',
    (header) => {
      expect(keyHashOf(header)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  test('is the same with and without the quotes of the IETF form', () => {
    expect(keyHashOf('"k"')).toBe(keyHashOf('k'));
    expect(keyHashOf('K')).not.toBe(keyHashOf('k'));
  });
});

describe('a fingerprint', () => {
  const of = (body: unknown) => fingerprintOf('POST', '/v1/payments', body);

  test('ignores the order of keys, at any depth, but not that of a list', () => {
    expect(of({ a: 1, b: { c: [1, 2], d: null } })).toBe(of({ b: { d: null, c: [1, 2] }, a: 1 }));
    expect(of([1, 2])).not.toBe(of([2, 1]));
  });

  test('distinguishes text from numbers, null from absence, and keys from values', () => {
    const bodies = [
      { a: 1 },
      { a: '1' },
      { a: null },
      {},
      { a: { b: 1 } },
      { 'a:{"b"': 1 },
      [],
      '',
    ];
    expect(new Set(bodies.map(of)).size).toBe(bodies.length);
  });

  test('includes method and path', () => {
    expect(fingerprintOf('DELETE', '/v1/payments', {})).not.toBe(of({}));
    expect(fingerprintOf('POST', '/v1/loads', {})).not.toBe(of({}));
  });
});

test('a key is kept for 30 days to the millisecond', () => {
  const row = { created_at: '2026-01-01T00:00:00.000Z' } as IdempotencyRow;
  expect(isKept(row, '2026-01-30T23:59:59.999Z')).toBe(true);
  expect(isKept(row, '2026-01-31T00:00:00.000Z')).toBe(false);
});

describe('an expired key in the engine', () => {
  const tenantId = randomUUID();
  let database: TestDatabase;
  let pool: pg.Pool;
  let engines: readonly [Engine, Engine];

  const start = () =>
    startEngine({
      databaseUrl: database.url,
      environment: 'sandbox',
      clocks: openClocks(Date.now),
      seal: (_tenant, _row, value) => JSON.stringify(value),
      newSecret: (_tenant, prefix) => prefix,
      revive: revivalOn(pool),
      onAlarm: () => {},
    });

  beforeAll(async () => {
    database = await testDatabase();
    pool = openPool(database.url, { max: 2, statementTimeoutMs: 5_000 });
    await pool.query(
      'insert into tenants (tenant_id, name, settings, created_at) values ($1, $2, $3, now())',
      [tenantId, 'Test', JSON.stringify(defaultSettings('Test'))],
    );
    engines = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
    await pool.end();
    await database.drop();
  });

  const create = command('create', {
    load: async () => null,
    decide: (work) => {
      const record = work.create(
        paymentRequests,
        {
          id: work.newId(),
          type: 'dynamic',
          merchant_customer_id: tenantId,
          merchant_account_id: tenantId,
          amount: 100,
          order_reference: null,
          collection_reference: null,
          collection_name: null,
          qr_payload: 'x',
          expires_at: null,
          paid_payment_id: null,
          claimed_by: null,
          metadata: null,
          created_at: work.now,
        },
        'create',
      );
      return { record };
    },
  });

  const idIn = (reply: Reply): string => JSON.parse(reply.body).id;
  const count = async () =>
    Number((await pool.query('select count(*) from payment_requests')).rows[0]?.count);

  let idempotency: { keyHash: string; fingerprint: string };
  let first: Reply;

  beforeEach(async () => {
    idempotency = { keyHash: randomUUID(), fingerprint: randomUUID() };
    first = await engines[0].submit(create, { tenantId, input: {}, idempotency });
    await pool.query("update idempotency set created_at = created_at - interval '30 days'");
  });

  test.each([
    ['one batch', [0]],
    ['two processes', [0, 1]],
  ] as const)('has one effect when %s use it again', async (_, of) => {
    const before = await count();
    // Submitted in one turn, so they share a batch: none of them is written when all are loaded.
    const copies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        engines[of[index % of.length] ?? 0].submit(create, { tenantId, input: {}, idempotency }),
      ),
    );
    expect(await count()).toBe(before + 1);
    expect(copies.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(copies.map(({ body }) => body)).size).toBe(1);
    expect(copies[0]?.body).not.toBe(first.body);
  });

  test('keeps the event that shows the record, and replays its very text', async () => {
    const key = { keyHash: randomUUID(), fingerprint: randomUUID() };
    const reply = await engines[0].submit(create, { tenantId, input: {}, idempotency: key });
    const { rows } = await pool.query(
      `select k.body, e.object_id from idempotency k
        join events e on e.tenant_id = k.tenant_id and e.id = k.event_id where k.key_hash = $1`,
      [key.keyHash],
    );
    expect(rows).toEqual([{ body: null, object_id: uuidOf('payment_request', idIn(reply)) }]);
    const again = await engines[1].submit(create, { tenantId, input: {}, idempotency: key });
    expect(again).toEqual({ body: reply.body, replayed: true, shownBy: null });
  });

  test('belongs to the request that uses it first', async () => {
    const other = { ...idempotency, fingerprint: randomUUID() };
    const outcomes = await Promise.allSettled(
      [other, idempotency].map((key) =>
        engines[0].submit(create, { tenantId, input: {}, idempotency: key }),
      ),
    );
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: { replayed: false } },
      { status: 'rejected', reason: { details: { reason: 'idempotency_key_reused' } } },
    ]);
  });
});
