import { verifyLedger } from '@tenant-payments/service/invariants/verify.ts';
import { openNightly } from '@tenant-payments/service/jobs/nightly.ts';
import { openSweep } from '@tenant-payments/service/jobs/sweep.ts';
import { expect, test, vi } from 'vitest';
import { openApprovals, shortOf } from '../../../test/kit/approvals.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';

/** Two people acknowledge what a proof has found (rules/invariants#28). */

const { server, admins, openCase } = await openApprovals();
const [maria, otto] = admins;
const { service, owner } = server;
const of = await openCase();
const { tenantId } = of.tenant;
const told = vi.spyOn(service.log, 'error').mockImplementation(() => {});

/** Entries that belong to no movement, as nothing but a hand in the database leaves them. */
const stray = (count: number, cents = 5) =>
  owner.query(
    `insert into entries (tenant_id, id, account_id, pocket, delta, source_type, source_id, step, leg,
       created_at) select $1, id, null, 'cash', $3, 'adjustment', id, 'adjusted', 1, now()
     from (select gen_random_uuid() as id from generate_series(1, $2)) made`,
    [tenantId, count, cents],
  );
const prove = async () => {
  told.mockClear();
  await openNightly(service, { rests: 0 }).verifyNow();
  const alarms = told.mock.calls
    .map(([facts]) => facts as { alarm?: string; found: number })
    .filter(({ alarm }) => alarm === 'ledger');
  const { body } = await of.send(maria, 'GET', '/ledger/proofs');
  return { proof: body.data[0] as ReplyBody, alarms };
};
const ask = (id: string, move = 'acknowledge', note = 'a hand in the database, ticket 7') =>
  of.send(maria, 'POST', '/approvals', { resource: 'ledger-proofs', id, move, note });
const acknowledge = async (id: string) => {
  const { body } = await ask(id);
  return of.send(otto, 'POST', `/approvals/${body.id}/approve`, {});
};

test('what two people have acknowledged raises no alarm, and what is new or changed does', async () => {
  await stray(30);
  const first = await prove();
  expect(first.proof).toMatchObject({ ok: false, since_checkpoint: null, acknowledgements: [] });
  expect(first.alarms).toMatchObject([{ found: first.proof.found }]);
  const made = (await ask(first.proof.id)).body;
  expect(made.effect.changes).toHaveLength(first.proof.found);
  expect(made.effect.changes).toContainEqual(
    expect.objectContaining({ object: 'violation', field: '1.movements', after: 'acknowledged' }),
  );
  expect((await prove()).alarms).toHaveLength(1);
  expect((await of.send(otto, 'POST', `/approvals/${made.id}/approve`, {})).status).toBe(200);

  const second = await prove();
  expect(second.alarms).toEqual([]);
  expect(second.proof).toMatchObject({ ok: true, found: 0 });
  expect(second.proof.violations).toHaveLength(first.proof.found);
  for (const { acknowledged } of second.proof.violations) expect(acknowledged).toBe(first.proof.id);
  const emails = [maria, otto].map(({ email }) => email);
  expect(second.proof.acknowledgements).toEqual([
    {
      proof_id: first.proof.id,
      at: expect.any(String),
      by: emails,
      note: 'a hand in the database, ticket 7',
      taken_back: null,
    },
  ]);
  expect(await verifyLedger(service.pool, { tenantId })).toMatchObject({ ok: true });
  expect(await verifyLedger(service.pool)).toMatchObject({ ok: true });

  await stray(1);
  const third = await prove();
  expect(third.proof).toMatchObject({ ok: false });
  const open = (third.proof.violations as ReplyBody[]).filter((one) => !one.acknowledged);
  // The new entry, and the sums that it changes.
  expect(open.length).toBe(third.proof.found);
  expect(third.alarms).toMatchObject([{ found: open.length }]);
  expect(third.proof.violations.slice(0, open.length)).toEqual(open);
  const names = new Set(open.map(({ invariant }) => invariant));
  expect([...names]).toEqual(expect.arrayContaining(['1.movements', '3.cash']));
  expect(await verifyLedger(service.pool, { tenantId })).toMatchObject({ ok: false });
});

test('more than are shown are acknowledged one lot after the other, and none is passed over', async () => {
  await stray(250);
  const first = await prove();
  expect((await acknowledge(first.proof.id)).status).toBe(200);
  const second = await prove();
  expect(second.proof.ok).toBe(false);
  expect((await acknowledge(second.proof.id)).status).toBe(200);
  let last = await prove();
  for (let lots = 0; !last.proof.ok && lots < 5; lots += 1) {
    await acknowledge(last.proof.id);
    last = await prove();
  }
  expect(last.proof).toMatchObject({ ok: true, found: 0 });
  expect(last.alarms).toEqual([]);
});

test('a proof is acknowledged once, and one that found nothing never', async () => {
  const { body } = await of.send(maria, 'GET', '/ledger/proofs?limit=100');
  const proofs = body.data as ReplyBody[];
  const done = proofs.find(({ id, acknowledgements }) =>
    (acknowledgements as ReplyBody[]).some(({ proof_id }) => proof_id === id),
  );
  const whole = proofs.find(({ ok }) => ok);
  expect(shortOf(await ask(done?.id))).toEqual([409, 'already_acknowledged']);
  expect(shortOf(await ask(whole?.id))).toEqual([409, 'nothing_found']);
  expect(shortOf(await ask('other'))).toEqual([404, 'not_found']);
});

test('what two people have taken back is found again by the next proof, and may be acknowledged anew', async () => {
  const openOf = ({ proof }: { proof: ReplyBody }) =>
    (proof.violations as ReplyBody[])
      .filter(({ acknowledged }) => acknowledged === undefined)
      .map((one) => JSON.stringify(one))
      .sort();
  await stray(1);
  const first = await prove();
  const own = openOf(first);
  expect(own.length).toBeGreaterThan(0);
  expect(shortOf(await ask(first.proof.id, 'take_back'))).toEqual([409, 'not_acknowledged']);
  expect((await acknowledge(first.proof.id)).status).toBe(200);
  const second = await prove();
  expect(second.proof).toMatchObject({ ok: true, found: 0 });

  const asked = (await ask(first.proof.id, 'take_back', 'it was no hand')).body;
  expect(asked.effect.changes).toHaveLength(own.length);
  for (const { object, before } of asked.effect.changes)
    expect([object, before]).toEqual(['violation', 'acknowledged']);
  // Nobody alone, and nothing before the second person.
  const alone = await of.send(maria, 'POST', `/approvals/${asked.id}/approve`, {});
  expect(alone.status).toBe(403);
  expect((await prove()).proof.ok).toBe(true);
  expect((await of.send(otto, 'POST', `/approvals/${asked.id}/approve`, {})).status).toBe(200);

  const third = await prove();
  expect(third.proof).toMatchObject({ ok: false, found: own.length });
  expect(third.alarms).toMatchObject([{ found: own.length }]);
  // The same ones: what others had acknowledged before stays so.
  expect(openOf(third)).toEqual(own);
  expect(await verifyLedger(service.pool, { tenantId })).toMatchObject({ ok: false });
  const { body } = await of.send(maria, 'GET', '/ledger/proofs?limit=100');
  const emails = [maria, otto].map(({ email }) => email);
  const shown = (body.data as ReplyBody[]).find(({ id }) => id === first.proof.id);
  const ofItself = ((shown?.acknowledgements ?? []) as ReplyBody[]).filter(
    ({ proof_id }) => proof_id === first.proof.id,
  );
  const taken_back = { at: expect.any(String), by: emails, note: 'it was no hand' };
  expect(ofItself).toMatchObject([{ by: emails, taken_back }]);
  const audit = await owner.query(
    `select act from control.audit where scope = $1 and record = $2 and outcome = 'done'
     order by number`,
    [tenantId, first.proof.id],
  );
  expect(audit.rows.map(({ act }) => act)).toEqual(
    expect.arrayContaining(['acknowledgeViolations', 'takeBackAcknowledgement']),
  );

  expect(shortOf(await ask(first.proof.id, 'take_back'))).toEqual([409, 'not_acknowledged']);
  expect((await acknowledge(third.proof.id)).status).toBe(200);
  expect((await prove()).proof).toMatchObject({ ok: true, found: 0 });
});

test("a member of the Tenant reads that it was acknowledged, and not the staff's names and note", async () => {
  const member = await portalPerson(server, tenantId, ['finance']);
  const { body } = await member.ask('GET', '/ledger/proofs');
  const [{ acknowledgements }] = body.data;
  expect(acknowledgements.length).toBeGreaterThan(0);
  for (const { by, note } of acknowledgements) expect([by, note]).toEqual([[], null]);
});

test('what was acknowledged is kept as long as a proof reads it', async () => {
  await owner.query("update ledger_proofs set at = at - interval '500 days' where tenant_id = $1", [
    tenantId,
  ]);
  await openSweep(service).sweepNow();
  const { rows } = await owner.query<{ acknowledged: boolean }>(
    'select acknowledged_at is not null as acknowledged from ledger_proofs where tenant_id = $1',
    [tenantId],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ acknowledged }) => acknowledged)).toBe(true);
  expect((await prove()).proof).toMatchObject({ ok: true });
});

test('a violation that is mended leaves nothing of it in the next proof', async () => {
  const client = await owner.connect();
  await client.query('begin; set local session_replication_role = replica');
  await client.query("delete from entries where tenant_id = $1 and step = 'adjusted'", [tenantId]);
  await client.query('commit');
  client.release();
  expect((await prove()).proof).toMatchObject({ ok: true, violations: [] });
});
