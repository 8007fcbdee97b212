import { randomUUID } from 'node:crypto';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import type { Actor } from '../actor.ts';
import { type Command, command } from '../command.ts';
import { openPool } from '../database/pool.ts';
import { fail } from '../fail.ts';
import { platformId } from '../platform.ts';
import { column, orNull, type RowOf, table } from '../table.ts';
import { openClocks } from '../time/clock.ts';
import type { Work } from '../work.ts';
import type { AuditRow } from '../write/flush_audit.ts';
import type { Act } from './acts.ts';
import { type Engine, startEngine } from './engine.ts';

/** The platform's rows, and the audit of whoever acts by a command. */
const tenantId = randomUUID();
let database: TestDatabase;
let pool: pg.Pool;
let engine: Engine;
let other: Engine;

const invitations = table({
  name: 'control.invitations',
  of: 'platform',
  key: ['id'],
  unique: { token: ['token_hash'] },
  sets: ['scope'],
  columns: {
    id: column.uuid,
    kind: column.text,
    scope: column.text,
    email: column.text,
    roles: column.texts,
    token_hash: column.text,
    invited_by: column.text,
    created_at: column.instant,
    expires_at: column.instant,
    revoked_at: orNull(column.instant),
  },
  audited: ({ id, scope, roles, revoked_at }) => ({ id, scope, roles, revoked_at }),
});
/** The audit shows it as people are shown it. */
const consents = table({
  name: 'control.support_consents',
  of: 'platform',
  key: ['id'],
  columns: {
    id: column.uuid,
    scope: column.text,
    note: column.text,
    created_at: column.instant,
    expires_at: column.instant,
  },
  present: ({ id, scope, note }) => ({ id, scope, note }),
});

const start = () =>
  startEngine({
    databaseUrl: database.url,
    environment: 'sandbox',
    clocks: openClocks(Date.now),
    seal: (_tenant, _row, value) => JSON.stringify(value),
    newSecret: (_tenant, prefix) => prefix,
    revive: async (_tenant, row) => row.body ?? '',
    redact: (value) => ('note' in value ? { ...value, note: '[redacted]' } : value),
    onAlarm: () => {},
  });

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 2, statementTimeoutMs: 5_000 });
  await pool.query(
    'insert into tenants (tenant_id, name, settings, created_at) values ($1, $2, $3, now())',
    [tenantId, 'Test', JSON.stringify(defaultSettings('Test'))],
  );
  [engine, other] = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all([engine.stop(), other.stop()]);
  await pool.end();
  await database.drop();
});

const actor: Actor = {
  kind: 'person',
  id: 'prs_1',
  personId: randomUUID(),
  roles: ['admin'],
  address: '192.0.2.1',
  requestId: null,
};
const acting = (parts: Partial<Act> = {}): { actor: Actor; act: Act } => ({
  actor,
  act: { act: 'createInvitation', record: null, scope: 'platform', ...parts },
});

let scope: string;
beforeEach(() => {
  scope = randomUUID();
});

const invited = (work: Work, roles: readonly string[] = ['support', 'a "quoted" \\ one']) => {
  const id = work.newId();
  return work.create(invitations, {
    id,
    kind: 'join',
    scope,
    email: 'ana@example.com',
    roles,
    token_hash: `hash of ${id}`,
    invited_by: 'nobody',
    created_at: work.now,
    expires_at: work.now,
    revoked_at: null,
  });
};
const invite = command('invite', {
  load: async () => null,
  decide: (work, _loaded, _input: object) => ({ value: { id: invited(work).id } }),
});
type Row = RowOf<typeof invitations>;
const changing = (set: (row: Row) => Partial<Row>, meanwhile = async () => {}) =>
  command('change', {
    load: async (read, { id }: { id: string }) => {
      const row = await read.one(invitations, id);
      await meanwhile();
      return row;
    },
    decide: (work, row) => ({ value: work.change<typeof invitations>(row, set(row)) }),
  });

const made = async (by: Engine = engine, of = platformId): Promise<string> =>
  JSON.parse((await by.submit(invite, { tenantId: of, input: {}, ...acting() })).body).id;
const rowOf = async (id: string) =>
  (
    await pool.query(
      'select tenant_id, revision, roles, revoked_at from control.invitations where id = $1',
      [id],
    )
  ).rows[0];
const audited = async (in_ = scope) => {
  const { rows } = await pool.query<AuditRow>(
    'select * from control.audit where scope = $1 order by number',
    [in_],
  );
  return rows.map(({ body, ...row }) => {
    const { before, after } = JSON.parse(body);
    return { ...row, before, after };
  });
};
const reads: Command<object> = command('look', {
  load: (read) => read.set(invitations, 'scope', scope),
  decide: (_work, rows) => ({ value: rows.map(({ id }) => id) }),
});

test('a command of the platform makes and changes its rows, without a Tenant', async () => {
  const id = await made();
  const roles = ['admin', '{', 'a,b', ''];
  await engine.submit(
    changing(() => ({ roles })),
    { tenantId: platformId, input: { id } },
  );
  expect(await rowOf(id)).toMatchObject({ tenant_id: platformId, revision: 2, roles });
  const { rowCount } = await pool.query('select from tenants where tenant_id = $1', [platformId]);
  expect(rowCount).toBe(0);
});

test("a Tenant's command reads and changes a row of the platform, by key, unique key and set", async () => {
  const id = await made(engine, tenantId);
  expect(await rowOf(id)).toMatchObject({ tenant_id: platformId, revision: 1 });
  const found = command('found', {
    load: (read) =>
      Promise.all([
        read.one(invitations, id),
        read.by(invitations, 'token', { token_hash: `hash of ${id}` }),
        read.set(invitations, 'scope', scope),
      ]),
    decide: (work, [one, by, [first]]) => {
      work.change<typeof invitations>(one, { revoked_at: work.now });
      return { value: one === by && one === first };
    },
  });
  expect((await engine.submit(found, { tenantId, input: {} })).body).toBe('true');
  expect(await rowOf(id)).toMatchObject({ revision: 2, revoked_at: expect.any(String) });
  await expect(
    engine.submit(
      changing(() => ({})),
      { tenantId, input: { id: randomUUID() } },
    ),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('of two processes that change one row of the platform the later decides again', async () => {
  const id = await made();
  const adding = (role: string) => (row: Row) => ({ roles: [...row.roles, role] });
  let isDone = false;
  const meanwhile = async () => {
    if (isDone) return;
    isDone = true;
    await other.submit(changing(adding('theirs')), { tenantId: platformId, input: { id } });
  };
  const { reruns } = engine.stats;
  await engine.submit(changing(adding('ours'), meanwhile), { tenantId, input: { id } });
  expect((await rowOf(id)).roles.slice(-2)).toEqual(['theirs', 'ours']);
  expect(engine.stats.reruns).toBe(reruns + 1);
});

test('a statement that changes a row of the platform past the engine is a conflict too', async () => {
  const id = await made();
  let isDone = false;
  const meanwhile = async () => {
    if (isDone) return;
    isDone = true;
    await pool.query(`update control.invitations set roles = '{theirs}' where id = $1`, [id]);
  };
  const adding = changing((row) => ({ roles: [...row.roles, 'ours'] }), meanwhile);
  await engine.submit(adding, { tenantId: platformId, input: { id } });
  expect(await rowOf(id)).toMatchObject({ roles: ['theirs', 'ours'], revision: 3 });
});

test('a command for an actor leaves its row of the audit by itself, from the rows that it changed', async () => {
  const by = () => acting({ scope });
  const { body } = await engine.submit(invite, { tenantId, input: {}, ...by() });
  const { id } = JSON.parse(body);
  const change = { ...by(), act: { ...by().act, act: 'revoke', record: id } };
  const revoke = changing(() => ({ roles: ['admin'], token_hash: 'another' }));
  await engine.submit(revoke, { tenantId, input: { id }, ...change });
  const roles = ['support', 'a "quoted" \\ one'];
  expect(await audited()).toMatchObject([
    {
      number: 1,
      act: 'createInvitation',
      record: id,
      actor_id: 'prs_1',
      person_id: actor.personId,
      address: '192.0.2.1',
      outcome: 'done',
      before: null,
      after: { id, scope, roles, revoked_at: null },
    },
    { act: 'revoke', record: id, before: { roles }, after: { roles: ['admin'] } },
  ]);
});

test('an act that changes nothing has its row, and a refused one has none', async () => {
  const nothing = command('nothing', {
    load: async () => null,
    decide: () => ({ value: null }),
  });
  const refused = command('refused', {
    load: async () => null,
    decide: (work): never => {
      invited(work);
      work.audit({ after: { roles: ['owner'] } });
      throw fail('invalid_state');
    },
  });
  await engine.submit(nothing, { tenantId, input: {}, ...acting({ scope, record: 'x' }) });
  await expect(
    engine.submit(refused, { tenantId, input: {}, ...acting({ scope }) }),
  ).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await audited()).toMatchObject([{ record: 'x', before: null, after: null }]);
});

test('several rows of one act stand in one row of the audit, by their table', async () => {
  const two = command('two', {
    load: async () => null,
    decide: (work) => ({ value: [invited(work, ['one']).id, invited(work, ['two']).id] }),
  });
  const { body } = await engine.submit(two, { tenantId, input: {}, ...acting({ scope }) });
  const [first, second] = JSON.parse(body);
  expect(await audited()).toMatchObject([
    {
      record: first,
      after: { id: first, roles: ['one'], [invitations.name]: [{ id: second, roles: ['two'] }] },
    },
  ]);
});

test('a table that says nothing of the audit is shown as to people, redacted', async () => {
  const consent = command('consent', {
    load: async () => null,
    decide: (work) => {
      const id = work.newId();
      const times = { created_at: work.now, expires_at: work.now };
      return { value: work.create(consents, { id, scope, note: 'call Ana', ...times }).id };
    },
  });
  const { body } = await engine.submit(consent, { tenantId, input: {}, ...acting({ scope }) });
  const id = JSON.parse(body);
  expect(await audited()).toMatchObject([
    { record: id, before: null, after: { id, scope, note: '[redacted]' } },
  ]);
});

test('what a command says of its act stands in place of the rows, with another actor and a second chain', async () => {
  const alsoIn = randomUUID();
  const personId = randomUUID();
  const person: Actor = { ...actor, id: personId, personId, roles: [] };
  const signIn = command('sign_in', {
    load: async () => null,
    decide: (work) => {
      invited(work);
      work.audit({ actor: person, scope, alsoIn, record: 'ses_1', after: { scope } });
      return { value: null };
    },
  });
  const act = { act: 'finishSignIn', record: null, scope: 'platform' };
  await engine.submit(signIn, { tenantId: platformId, input: {}, act });
  const row = { act: 'finishSignIn', record: 'ses_1', actor_id: personId, before: null };
  for (const one of [scope, alsoIn])
    expect(await audited(one)).toMatchObject([{ ...row, after: { scope } }]);
});

test('another act that a command names is a row beside that of its submission', async () => {
  const both = command('both', {
    load: async () => null,
    decide: (work) => {
      work.audit({ act: 'other', record: 'y' });
      return { value: null };
    },
  });
  await engine.submit(both, { tenantId, input: {}, ...acting({ scope, record: 'x' }) });
  expect(await audited()).toMatchObject([
    { act: 'other', record: 'y' },
    { act: 'createInvitation', record: 'x' },
  ]);
});

test('whoever acts by a role names the act, or only looks', async () => {
  const nameless = { tenantId, input: {}, actor };
  await expect(engine.submit(invite, nameless)).rejects.toThrow('invite of somebody with a role');
  const look: Command<object> = { ...reads, isRead: true };
  expect((await engine.submit(look, nameless)).body).toBe('[]');
  const writes: Command<object> = { ...invite, isRead: true };
  await expect(engine.submit(writes, nameless)).rejects.toThrow('what only reads changes nothing');
  expect((await engine.submit(look, nameless)).body).toBe('[]');
});

test('an act whose actor nobody has named is no act of the service itself', async () => {
  const { act } = acting({ scope });
  await expect(engine.submit(invite, { tenantId, input: {}, act })).rejects.toThrow(
    'an act names who does it',
  );
  expect(await audited()).toEqual([]);
});

test('a question to the outside leaves no row before its act is done', async () => {
  const asks = command('asks', {
    prepare: async (_input: object): Promise<string | null> => null,
    load: async () => null,
    decide: (work, _loaded, _input, answer) => {
      if (answer === null) {
        invited(work);
        return { ask: 'now' };
      }
      return { value: answer };
    },
    ask: async () => 'answered',
  });
  await engine.submit(asks, { tenantId, input: {}, ...acting({ scope, record: 'x' }) });
  expect(await audited()).toMatchObject([{ record: 'x', after: null }]);
});
