import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fetchToken } from '../test/kit/http/http.ts';
import { programs } from '../test/kit/processes/built.ts';
import { settingsOf } from '../test/kit/processes/settings.ts';
import { openServer } from '../test/kit/server.ts';
import { until } from '../test/kit/wait.ts';
import { run } from './run.ts';

const server = await openServer({ environment: 'production', workers: false });
const folder = mkdtempSync(join(tmpdir(), 'tpay-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command line beside the service of production, with its settings. */
async function cliWith(env: Record<string, string>, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, {
    env: { ...settingsOf(server), ...env },
    programs,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out, err };
}
const cli = (...args: string[]) => cliWith({}, ...args);

const isTaken = async (token: string) =>
  (await server.call('GET', '/v1/payments/pay_x', { token })).status !== 401;

test('tenants create makes a Tenant of production whose client gets a token; its log line has no secret', async () => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify({ refund_window_days: 90 }));
  const flags = ['--name', 'Shop', '--rate-limit', '50', '--settings', file, '--json'];
  const { code, out, err } = await cli('tenants', 'create', ...flags);
  expect([code, out.length, err.length]).toEqual([0, 1, 2]);
  const made = JSON.parse(out.join());
  expect(made).toMatchObject({ base_url: 'https://pay.example.com', shop_url: null });
  expect(await isTaken(await fetchToken(server.baseUrl, made))).toBe(true);
  expect(JSON.parse(err[0] ?? '')).toMatchObject({ audit: { act: 'createTenant' } });
  expect(JSON.parse(err[1] ?? '')).toMatchObject({
    security: 'tenant_made',
    actor: 'operator',
    tenant_id: made.tenant_id,
  });
  expect(err.join()).not.toMatch(/cs_|whsec_/);
  const { rows } = await server.owner.query('select settings from tenants where tenant_id = $1', [
    made.tenant_id,
  ]);
  expect(rows[0].settings).toMatchObject({ refund_window_days: 90, rate_limit_per_minute: 50 });
});

test('tenants suspend ends the tokens of the running service, and tenants resume lets it give others', async () => {
  const { tenantId, token, ...facts } = await server.anotherTenant();
  const ended = await cli('tenants', 'suspend', tenantId, '--reason', 'unpaid fees');
  expect([ended.code, ended.err.length]).toEqual([0, 2]);
  expect(ended.out.join('\n')).toMatch(/state +suspended .*: unpaid fees\n/);
  expect(ended.out.at(-1)).toContain('Ended access tokens: 1;');
  await until(async () => !(await isTaken(token)));
  await expect(fetchToken(server.baseUrl, facts)).rejects.toThrow('401');
  const again = await cli('tenants', 'suspend', tenantId, '--reason', 'unpaid fees');
  expect([again.code, again.err]).toEqual([
    1,
    expect.arrayContaining([
      expect.stringMatching(/^error: invalid_state \(already_suspended\): /),
    ]),
  ]);
  expect(again.err.at(-1)).toBe('hint: See why with: npm run cli -- tenants show ID');
  const resumed = await cli('tenants', 'resume', tenantId, '--json');
  expect(JSON.parse(resumed.out.join())).toMatchObject({ suspended_at: null });
  expect(await isTaken(await fetchToken(server.baseUrl, facts))).toBe(true);
});

test('ledger verify verifies all Tenants of production, and a violation of any is exit code 1', async () => {
  await server.owner.query(`insert into suspense
      (tenant_id, id, amount, status, reason, source_type, source_id, created_at)
      select tenant_id, gen_random_uuid(), 1, 'held', 'late', 'load', gen_random_uuid(), created_at
      from tenants limit 1`);
  const found = await cli('ledger', 'verify', '--json');
  await server.owner.query('delete from suspense');
  expect(found.code).toBe(1);
  expect(JSON.parse(found.out.join())).toMatchObject({ ok: false });
});

test('ledger acknowledge asks an admin of the console, and nothing is acknowledged before', async () => {
  const { rows } = await server.owner.query(
    `insert into ledger_proofs (tenant_id, id, at, cause, ok, checked, found, violations, duration_ms, process_id)
     values ($1::uuid, gen_random_uuid(), now(), 'night', false, 10, 1, jsonb_build_array(jsonb_build_object(
       'invariant', '9.login_due', 'tenant_id', $1::uuid::text, 'subject', 'pay_1', 'message', 'no job')), 5, gen_random_uuid())
     returning id`,
    [server.tenant.tenantId],
  );
  const asking = ['ledger', 'acknowledge', '--tenant', server.tenant.tenantId, '--note', 'a clock'];
  const asked = await cli(...asking, '--json');
  expect(asked.code).toBe(0);
  expect(JSON.parse(asked.out.join())).toMatchObject({
    status: 'waiting',
    resource: 'ledger-proofs',
    record_id: rows[0].id,
    note: 'a clock',
    effect: { changes: [{ id: 'pay_1', field: '9.login_due', before: 'no job' }] },
  });
  expect((await cli(...asking)).out).toContain('  9.login_due  pay_1: no job');
  const kept = 'select acknowledged_at from ledger_proofs where id = $1';
  expect((await server.owner.query(kept, [rows[0].id])).rows).toEqual([{ acknowledged_at: null }]);
});

test('ledger take-back asks an admin of the console, and the acknowledgement stands before', async () => {
  const { tenantId } = server.tenant;
  const { rows } = await server.owner.query(
    `update ledger_proofs set acknowledged_at = now() where tenant_id = $1
     returning id, acknowledged_at`,
    [tenantId],
  );
  const asking = ['--tenant', tenantId, '--note', 'the clock was right', '--proof', rows[0].id];
  const asked = await cli('ledger', 'take-back', ...asking);
  expect([asked.code, asked.out]).toEqual([
    0,
    expect.arrayContaining(['  9.login_due  pay_1: no job']),
  ]);
  const kept = 'select id, acknowledged_at from ledger_proofs where tenant_id = $1';
  expect((await server.owner.query(kept, [tenantId])).rows).toEqual(rows);
});

test('a database that is away and a Tenant that is not named are told in one line and a hint', async () => {
  const away = await cliWith({ DATABASE_URL: 'postgresql://a@127.0.0.1:9/b' }, 'tenants', 'list');
  expect([away.code, away.err]).toEqual([
    1,
    [
      'error: the database cannot be reached: nothing listens there',
      'hint: Look at DATABASE_URL and at the database, then try again.',
    ],
  ]);
  const unnamed = await cli('credentials', 'list');
  expect([unnamed.code, unnamed.err[0]]).toEqual([2, 'error: --tenant is missing']);
});
