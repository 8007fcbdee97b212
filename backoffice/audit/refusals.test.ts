import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEntry, AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { openServer, startTestServer, type TestServer } from '../../test/kit/server.ts';
import { openRefusals } from './refusals.ts';
import { verifyAudit } from './verify.ts';

const server = await openServer({ workers: false });

const rowsIn = async (scope: string, { service }: TestServer = server): Promise<AuditRow[]> =>
  (
    await service.control.query<AuditRow>(
      'select * from control.audit where scope = $1 order by number',
      [scope],
    )
  ).rows;

const afterOf = ({ body }: AuditRow) => JSON.parse(body).after;

const person = { kind: 'person', id: 'prs_1', personId: 'prs_1', roles: [] } as const;
const entryIn = (scope: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  scope,
  actor: { ...person, address: '192.0.2.1', requestId: 'req_1' },
  act: 'putSettings',
  record: null,
  outcome: 'forbidden',
  ...more,
});

/** With minutes of this length; what is counted is written at the test's end at the latest. */
function open(everyMs: number) {
  const refusals = openRefusals(server.service, everyMs);
  onTestFinished(refusals.close);
  return refusals;
}

const reader = async (own: TestServer): Promise<PortalPerson> =>
  portalPerson(own, own.tenant.tenantId, ['reader']);

test('refusals of one caller and act are one row a minute with their number, in a chain that holds', async () => {
  const scope = randomUUID();
  const refusals = open(400);
  await refusals.note(entryIn(scope, { record: 'one' }));
  await Promise.all(
    ['two', 'three', 'three'].map((record) => refusals.note(entryIn(scope, { record }))),
  );
  await refusals.note(entryIn(scope, { outcome: 'parameter_invalid', record: null }));
  expect((await rowsIn(scope)).map(({ record }) => record)).toEqual(['one']);
  await expect.poll(() => rowsIn(scope)).toHaveLength(2);
  const [first, counted] = await rowsIn(scope);
  expect(first && afterOf(first)).toBeNull();
  expect(counted).toMatchObject({ act: 'putSettings', outcome: 'parameter_invalid' });
  expect(counted && afterOf(counted)).toEqual({
    refusals: 4,
    since: expect.stringMatching(/Z$/),
    outcomes: { forbidden: 3, parameter_invalid: 1 },
    records: ['two', 'three'],
    addresses: ['192.0.2.1'],
  });
  expect(await verifyAudit(server.service.control, { scope })).toMatchObject({ ok: true });
});

test('a flood of refusals is one row a minute, and the first after a quiet minute is written at once', async () => {
  const scope = randomUUID();
  const refusals = open(500);
  const begunMs = performance.now();
  let refused = 0;
  for (; performance.now() - begunMs < 1_200; refused += 1) {
    await refusals.note(entryIn(scope));
    await sleep(5);
  }
  const told = async () =>
    (await rowsIn(scope)).reduce((sum, row) => sum + (afterOf(row)?.refusals ?? 1), 0);
  await expect.poll(told).toBe(refused);
  const minutes = Math.ceil((performance.now() - begunMs) / 500);
  expect((await rowsIn(scope)).length).toBeLessThanOrEqual(minutes + 1);
  await sleep(600);
  await refusals.note(entryIn(scope, { record: 'again' }));
  expect((await rowsIn(scope)).at(-1)).toMatchObject({ record: 'again' });
});

test('another caller, act or chain has a row of its own, and the names that a row holds are few', async () => {
  const [scope, other] = [randomUUID(), randomUUID()];
  const refusals = open(60_000);
  const actor = { ...person, id: 'prs_2', personId: 'prs_2', address: null, requestId: null };
  for (const entry of [
    entryIn(scope),
    entryIn(scope, { actor }),
    entryIn(scope, { act: 'createCredential' }),
    entryIn(other),
  ])
    await refusals.note(entry);
  expect(await rowsIn(scope)).toHaveLength(3);
  expect(await rowsIn(other)).toHaveLength(1);
  for (let n = 0; n < 100; n += 1) await refusals.note(entryIn(scope, { record: `cus_${n}` }));
  await refusals.close();
  const counted = (await rowsIn(scope)).at(-1);
  expect(counted && afterOf(counted)).toMatchObject({
    refusals: 100,
    records: Array.from({ length: 20 }, (_, n) => `cus_${n}`),
  });
});

test('over HTTP a hundred refused writes are two rows, the second of which says how many, also when the process stops', async () => {
  const own = await startTestServer({ workers: false, alone: true });
  const caller = await reader(own);
  const { tenantId } = own.tenant;
  const before = (await rowsIn(tenantId, own)).length;
  for (let n = 0; n < 100; n += 1)
    expect((await caller.ask('PUT', '/settings', { refund_window_days: 1 })).status).toBe(403);
  expect(await rowsIn(tenantId, own)).toHaveLength(before + 1);
  await own.app.close();
  const rows = await rowsIn(tenantId, own);
  expect(rows).toHaveLength(before + 2);
  expect(rows.at(-1)).toMatchObject({ actor_id: caller.id, act: 'putSettings' });
  expect(afterOf(rows.at(-1) as AuditRow)).toMatchObject({
    refusals: 99,
    outcomes: { forbidden: 99 },
  });
  await own.stop();
});

test('a row that stands for many refusals is listed with their number', async () => {
  const { tenantId, token } = await server.anotherTenant();
  const refusals = openRefusals(server.service, 60_000);
  for (let n = 0; n < 3; n += 1) await refusals.note(entryIn(tenantId));
  await refusals.close();
  const { body } = await server.call('GET', '/portal/api/audit?outcome=refused', { token });
  expect(body.data.map(({ count }: { count: number }) => count)).toEqual([2, 1]);
});
