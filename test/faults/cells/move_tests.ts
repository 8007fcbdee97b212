import { expect, onTestFinished, test } from 'vitest';
import { openClient } from '../../../engine/database/pool.ts';
import { type MoveStep, moveTenant } from '../../../fleet/move/move.ts';
import { commandLine } from '../../../scripts/operate/actor.ts';
import type { TestCells } from '../../kit/cells.ts';
import { startTestReceiver } from '../../kit/http/receiver.ts';
import { proveLedger } from '../../kit/ledger/prove_ledger.ts';
import { samplePerson } from '../../kit/people.ts';
import { refusalOf } from '../../kit/refusal.ts';
import type { TestTenant } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { openPayments } from './moving.ts';

/** The acts of a test on moves between `cell_a` and `cell_b`. */
export function openMoving({ apiOf, asOwner, owners }: TestCells) {
  const move = (tenantId: string, to: string, at?: (step: MoveStep) => void | Promise<void>) =>
    moveTenant(owners, { tenantId, to, actor: commandLine() }, at ? { at } : {});

  /** A move that failed has ended its stop; processes look for stops five times a second. */
  async function servedAgain(tenant: TestTenant, withinMs = 2_000): Promise<void> {
    const list = () => apiOf(tenant).call('GET', '/v1/customers?external_ref=none');
    await until(async () => (await list()).status === 200, { withinMs });
  }

  /** How many rows of a Tenant a cell has. */
  async function rowsIn(cell: string, tenantId: string): Promise<number> {
    const tables = (await asOwner(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = '${cell}'::regnamespace and c.relkind = 'r' and a.attname = 'tenant_id'
       and c.relname <> 'departures'`,
      cell,
    )) as readonly { name: string }[];
    const counts = tables.map(
      ({ name }) => `select count(*) from ${cell}.${name} where tenant_id = '${tenantId}'`,
    );
    const [sum] = (await asOwner(
      `select sum(count)::integer as rows from (${counts.join(' union all ')}) c`,
      cell,
    )) as readonly { rows: number }[];
    return sum?.rows ?? 0;
  }

  return { move, servedAgain, rowsIn };
}

/** The tests for moves between two cells, wherever they are: of one database, or the second of another. */
export function testMoves(opened: TestCells): void {
  const { cells, baseUrl, apiOf, asOwner, ownerUrl, owners } = opened;
  const [first] = cells;
  const { move, servedAgain, rowsIn } = openMoving(opened);

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

  test('rows that are gone by the stop are in the new cell no more, the last one of a table included', async () => {
    const tenant = await first.anotherTenant({ name: 'Gone' });
    const { tenantId } = tenant;
    await apiOf(tenant).applied('individual');
    const own = `where tenant_id = '${tenantId}'`;
    await move(tenantId, 'cell_b', async (step) => {
      if (step === 'copied') await asOwner(`delete from cell_a.idempotency ${own}`);
    });
    expect(await asOwner(`select from cell_b.idempotency ${own}`, 'cell_b')).toEqual([]);
  });

  test('what is due and what is to be delivered goes on in the new cell, each event with the same id', async () => {
    const receiver = await startTestReceiver();
    onTestFinished(() => receiver.close());
    const tenant = await first.anotherTenant({ name: 'Due' });
    const api = apiOf(tenant);
    receiver.answer(500);
    await api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
    const books = await startTestReceiver();
    onTestFinished(() => books.close());
    books.answer(500);
    await api.post('/portal/api/webhook-endpoints', { name: 'Books', url: books.url });
    const merchant = await api.banked('business');
    const { id } = await api.request(merchant, 1_00);
    await until(() => receiver.received.length > 0);
    await move(tenant.tenantId, 'cell_b');
    for (const one of [receiver, books]) {
      one.answer(200);
      one.received.length = 0;
    }
    await api.advance(40 * 86_400);
    const { status } = await api.get(`/v1/payment-requests/${id}`);
    expect(status).toBe('expired');
    const undelivered = () =>
      asOwner(
        `select from cell_b.deliveries where tenant_id = '${tenant.tenantId}' and status <> 'delivered'
         union all select from cell_b.further_deliveries
         where tenant_id = '${tenant.tenantId}' and status <> 'delivered'`,
        'cell_b',
      );
    await until(async () => (await undelivered()).length === 0, { what: 'all deliveries' });
    const events = (await asOwner(
      `select id from cell_b.events where tenant_id = '${tenant.tenantId}'`,
      'cell_b',
    )) as readonly { id: string }[];
    for (const { received } of [receiver, books])
      expect(new Set(received.map(({ event }) => event.id)).size).toBe(events.length);
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
    const looking: MoveStep[] = [
      'copied',
      ...(owners.remote.size > 0 ? (['departed'] as const) : []),
      'switched',
    ];
    const looked: MoveStep[] = [];
    await move(tenant.tenantId, 'cell_b', async (step) => {
      if (!looking.includes(step)) return;
      expect(await rowsIn('cell_b', tenant.tenantId)).toBeGreaterThan(20);
      await look();
      looked.push(step);
    });
    expect(looked).toEqual(looking);
    await look();
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
          await holder.query(
            `select from cell_a.tenants where tenant_id = '${tenantId}' for share`,
          );
      }),
    );
    expect(await refused).toMatchObject({
      details: { reason: 'stop_too_long', longest_ms: 5_000 },
    });
    expect(await rowsIn('cell_b', tenantId)).toBe(0);
    await servedAgain(tenant);
  });

  test.each([
    ['lacks rows', 'return null', /the copy differs \([1-9]\d* rows here, 0 there\)/],
    [
      'has other values',
      "new.created_at := 'epoch'; return new",
      /the copy differs \((\d+) rows here, \1 there\)/,
    ],
  ])('a copy that %s ends the move', async (_, copied, message) => {
    const tenant = await first.anotherTenant({ name: 'Differs' });
    const { tenantId } = tenant;
    await apiOf(tenant).applied('individual');
    // A row that was damaged once is copied again where an old transaction makes it count as young.
    await asOwner(
      `create function cell_b.damage() returns trigger language plpgsql
      as $$ begin ${copied}; end $$;
    create trigger damage before insert on cell_b.idempotency
      for each row execute function cell_b.damage()`,
      'cell_b',
    );
    onTestFinished(() => asOwner('drop function cell_b.damage() cascade', 'cell_b').then());
    await expect(move(tenantId, 'cell_b')).rejects.toThrow(message);
    expect(await rowsIn('cell_b', tenantId)).toBe(0);
    await servedAgain(tenant);
  });
}
