import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../../../scripts/operate/actor.ts';
import { type MoveStep, moveTenant } from '../../../service/cells/move/move.ts';
import { openClient } from '../../../service/db/pool.ts';
import { openCells } from '../../kit/cells.ts';
import { startTestReceiver } from '../../kit/http/receiver.ts';
import { proveLedger } from '../../kit/ledger/prove_ledger.ts';
import { samplePerson } from '../../kit/people.ts';
import { refusalOf } from '../../kit/refusal.ts';
import type { TestTenant } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { openPayments } from './moving.ts';

const { cells, baseUrl, apiOf, asOwner, ownerUrl } = await openCells(['cell_a', 'cell_b']);
const [first, second] = cells;

const move = (tenantId: string, to: string, at?: (step: MoveStep) => void | Promise<void>) =>
  moveTenant(ownerUrl, { tenantId, to, actor: commandLine() }, at ? { at } : {});

/** A move that failed has ended its stop; processes look for stops five times a second. */
async function servedAgain(tenant: TestTenant): Promise<void> {
  const list = () => apiOf(tenant).call('GET', '/v1/customers?external_ref=none');
  await until(async () => (await list()).status === 200, { withinMs: 2_000 });
}

/** How many rows of a Tenant a cell has. */
async function rowsIn(cell: string, tenantId: string): Promise<number> {
  const tables = (await asOwner(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = '${cell}'::regnamespace and c.relkind = 'r' and a.attname = 'tenant_id'`,
  )) as readonly { name: string }[];
  const counts = tables.map(
    ({ name }) => `select count(*) from ${cell}.${name} where tenant_id = '${tenantId}'`,
  );
  const [sum] = (await asOwner(
    `select sum(count)::integer as rows from (${counts.join(' union all ')}) c`,
  )) as readonly { rows: number }[];
  return sum?.rows ?? 0;
}

test('a Tenant that is moved while it is served is refused with 503 alone, for 5 seconds at most, and loses nothing', async () => {
  const tenant = await first.anotherTenant({ name: 'Moved' });
  const api = apiOf(tenant);
  const load = await openPayments(api);
  await load.more(20);
  const there = await move(tenant.tenantId, 'cell_b');
  await load.more(20);
  const back = await move(tenant.tenantId, 'cell_a');
  await load.more(20);
  const { longestMs, payer } = await load.end();
  expect(there.rows - there.rows_in_stop, 'copied while it was served').toBeGreaterThan(100);
  for (const { stopped_ms } of [there, back]) expect(stopped_ms).toBeLessThan(5_000);
  expect(longestMs, 'as the caller saw it').toBeLessThan(6_000);
  expect(await rowsIn('cell_b', tenant.tenantId)).toBe(0);
  const { available } = await api.balance(payer);
  expect(available).toBe(500_00 - load.completed.length);
});

test('what is due and what is to be delivered goes on in the new cell, each event with the same id', async () => {
  const receiver = await startTestReceiver();
  onTestFinished(() => receiver.close());
  const tenant = await first.anotherTenant({ name: 'Due' });
  const api = apiOf(tenant);
  receiver.answer(500);
  await api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
  const merchant = await api.banked('business');
  const { id } = await api.request(merchant, 1_00);
  await until(() => receiver.received.length > 0);
  await move(tenant.tenantId, 'cell_b');
  receiver.answer(200);
  receiver.received.length = 0;
  await api.advance(40 * 86_400);
  const { status } = await api.get(`/v1/payment-requests/${id}`);
  expect(status).toBe('expired');
  const undelivered = () =>
    asOwner(`select from cell_b.deliveries where tenant_id = '${tenant.tenantId}'
      and status <> 'delivered'`);
  await until(async () => (await undelivered()).length === 0, { what: 'all deliveries' });
  const events = (await asOwner(
    `select id from cell_b.events where tenant_id = '${tenant.tenantId}'`,
  )) as readonly { id: string }[];
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(events.length);
});

test('an open stream of events ends with the stop, and the next one goes on in the new cell', async () => {
  const tenant = await first.anotherTenant({ name: 'Stream' });
  const api = apiOf(tenant);
  const open = () =>
    fetch(`${baseUrl}/portal/api/stream?types=events`, {
      headers: { authorization: `Bearer ${tenant.token}` },
    });
  const ended = (await open()).text().then(
    () => 'ended',
    () => 'cut',
  );
  await move(tenant.tenantId, 'cell_b');
  expect(await ended).toBe('cut');
  const again = await open();
  const reader = again.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { id } = await api.customer('individual');
  let seen = '';
  await until(async () => {
    seen += (await reader?.read())?.value ?? '';
    return seen.includes(id);
  });
  await reader?.cancel();
});

test('while it is copied, lists show the Tenant once, and each cell proves its ledger', async () => {
  const tenant = await first.anotherTenant({ name: 'Copied' });
  const api = apiOf(tenant);
  const payer = await api.funded('individual', 10_00);
  const payee = await api.banked('business');
  await api.confirmed(await api.pay(payer, payee, 1_00));
  const person = await samplePerson(
    { call: api.call, service: first.service },
    first.tenant.tenantId,
    'platform',
  );
  const look = async () => {
    for (const { owner } of cells) await proveLedger(owner);
    for (const path of ['/tenants', '/reserves', '/desk', '/adjustments', '/unmatched-money']) {
      const { status, body } = await person.ask('GET', `${path}?limit=100`);
      expect([path, status]).toEqual([path, 200]);
      const ids = body.data.map((item: object) => JSON.stringify(item));
      expect(new Set(ids).size, path).toBe(ids.length);
    }
  };
  const looked: MoveStep[] = [];
  await move(tenant.tenantId, 'cell_b', async (step) => {
    if (step !== 'copied' && step !== 'switched') return;
    expect(await rowsIn('cell_b', tenant.tenantId)).toBeGreaterThan(20);
    await look();
    looked.push(step);
  });
  expect(looked).toEqual(['copied', 'switched']);
  await look();
});

test('a move that cannot be begun is refused, and changes nothing', async () => {
  const { tenantId } = await second.anotherTenant({ name: 'Refused' });
  const unknown = await refusalOf(move(randomUUID(), 'cell_b'));
  expect(unknown).toMatchObject({ code: 'not_found', details: { reason: 'unknown_tenant' } });
  const same = await refusalOf(move(tenantId, 'cell_b'));
  expect(same).toMatchObject({ param: 'to', details: { reason: 'same_cell' } });
  await asOwner(`update cell_b.tenants set clock_at = now(), clock_target = now() + interval '1 day',
    clock_lease_until = now() + interval '1 hour' where tenant_id = '${tenantId}'`);
  const advancing = await refusalOf(move(tenantId, 'cell_a'));
  expect(advancing).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'clock_advancing' },
  });
  await asOwner(`update cell_b.tenants set clock_at = null, clock_target = null,
    clock_lease_until = null where tenant_id = '${tenantId}'`);
  expect(await rowsIn('cell_a', tenantId)).toBe(0);

  const running: Promise<unknown>[] = [];
  await move(tenantId, 'cell_a', (step) => {
    if (step === 'begun') running.push(refusalOf(move(tenantId, 'cell_a')));
  });
  expect(await running[0]).toMatchObject({ details: { reason: 'moving' } });
});

test('a stop that would take too long is undone, and the Tenant goes on where it was', async () => {
  const tenant = await first.anotherTenant({ name: 'Busy' });
  const { tenantId } = tenant;
  const holder = await openClient(ownerUrl);
  onTestFinished(() => holder.end());
  await holder.query('begin');
  const refused = refusalOf(
    move(tenantId, 'cell_b', async (step) => {
      if (step === 'stopped')
        await holder.query(`select from cell_a.tenants where tenant_id = '${tenantId}' for share`);
    }),
  );
  expect(await refused).toMatchObject({ details: { reason: 'stop_too_long', longest_ms: 5_000 } });
  expect(await rowsIn('cell_b', tenantId)).toBe(0);
  await servedAgain(tenant);
});

test.each([
  ['lacks rows', 'return null', 'the copy has not the same rows'],
  ['has other values', "new.created_at := 'epoch'; return new", 'the copy differs'],
])('a copy that %s ends the move', async (_, copied, message) => {
  const tenant = await first.anotherTenant({ name: 'Differs' });
  const { tenantId } = tenant;
  await apiOf(tenant).applied('individual');
  // A row that was damaged once is copied again where an old transaction makes it count as young.
  await asOwner(`create function cell_b.damage() returns trigger language plpgsql
      as $$ begin ${copied}; end $$;
    create trigger damage before insert on cell_b.idempotency
      for each row execute function cell_b.damage()`);
  onTestFinished(() => asOwner('drop function cell_b.damage() cascade').then());
  await expect(move(tenantId, 'cell_b')).rejects.toThrow(message);
  expect(await rowsIn('cell_b', tenantId)).toBe(0);
  await servedAgain(tenant);
});

test('append-only rows of a Tenant are deleted in no cell that is its own', async () => {
  const tenant = await first.anotherTenant({ name: 'Kept' });
  const { tenantId } = tenant;
  await apiOf(tenant).funded('individual', 1_00);
  const owner = await openClient(ownerUrl);
  onTestFinished(() => owner.end());
  await owner.query(`select set_config('tenant_payments.left_behind', $1, false)`, [tenantId]);
  for (const table of ['entries', 'events']) {
    const { rows } = await owner.query(
      `select count(*)::integer as count from cell_a.${table} where tenant_id = $1`,
      [tenantId],
    );
    expect(rows[0].count, table).toBeGreaterThan(0);
    const deleting = owner.query(`delete from cell_a.${table} where tenant_id = $1`, [tenantId]);
    await expect(deleting, table).rejects.toThrow(`${table} is append-only`);
  }
});
