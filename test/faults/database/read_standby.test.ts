import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openClient } from '../../../engine/database/pool.ts';
import { openStandby } from '../../../service/db/standby.ts';
import { openNightly } from '../../../service/jobs/nightly.ts';
import { openWholeProofs } from '../../../service/jobs/whole_proofs.ts';
import { fileOf } from '../../kit/files/report_files.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type Standby, startStandby } from './standby.ts';
import { openStatementProxy } from './statement_proxy.ts';
import type { TcpProxy } from './tcp_proxy.ts';

/** Reads of DATABASE_READ_URL, a standby, and that nothing that decides goes there (rules/operations#84). */

let primary: Postgres;
let standby: Standby;
let proxy: TcpProxy;
let server: TestServer;
let day = 19;
const seen: string[] = [];
const lines: { msg: string; level: number; alarm?: string; fault?: object }[] = [];

beforeAll(async () => {
  primary = await startPostgres();
  standby = await startStandby(primary);
  proxy = await openStatementProxy(standby.urlOf(primary.serviceUrl), {
    actionOf: ({ sql }) => {
      seen.push(sql);
      return 'pass';
    },
  });
  server = await startTestServer({
    database: { url: primary.url, serviceUrl: primary.serviceUrl, drop: async () => {} },
    config: { databaseReadUrl: proxy.url },
    manual: true,
    alone: true,
    onLog: (line) => lines.push(JSON.parse(line)),
  });
  await server.service.processRegistry.start();
}, 60_000);
beforeEach(() => {
  seen.length = 0;
  lines.length = 0;
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
  await standby.stop().catch(() => {});
  await primary.stop();
});

const told = () => lines.map(({ msg }) => msg).filter((msg) => /DATABASE_READ_URL/.test(msg));
const copies = () => seen.filter((sql) => /^\s*copy /i.test(sql));

async function onStandby(text: string, values: unknown[] = []) {
  const client = await openClient(standby.urlOf(primary.url));
  return client.query(text, values).finally(() => client.end());
}

/** The work that decides: calls, hosted pages, jobs, the night, with its reads and writes. */
async function work(): Promise<void> {
  const { api } = server;
  const payer = await api.funded('individual', 100_00);
  await api.confirmed(api.pay(payer, await api.banked('business'), 10_00));
  await api.get('/portal/api/ledger/verify');
  await api.get('/portal/api/ledger/entries');
  await server.runJobs();
}

/** Ends a day. @returns its report, whose file is not read yet */
async function nextReport(): Promise<ReplyBody> {
  day += 1;
  await server.api.advance(`2026-01-${day + 1}T12:00:00Z`);
  const { body } = await server.call('GET', `/v1/reports/reconciliation?date=2026-01-${day}`);
  return body;
}
/** Waits until it has arrived on the standby. */
const arrived = (date: number) =>
  until(async () => {
    const text = 'select from reconciliation_reports where day = $1';
    return (await onStandby(text, [`2026-01-${date}`])).rowCount === 1;
  });
const read = ({ file }: ReplyBody) => fileOf(server, file.download_url);

/** All ledgers are large, and were proven whole long ago. */
async function proveWhole(): Promise<number> {
  await server.owner.query("update ledger_proofs set at = at - interval '8 days'");
  const proofs = openWholeProofs(server.service, { from: 0 });
  return proofs.proveNow().finally(() => proofs.stop());
}

test('calls, pages, jobs and the night ask the standby nothing', async () => {
  await work();
  await openNightly(server.service, { rests: 0, sealsAlways: true }).verifyNow();
  expect(seen).toEqual([]);
});

test('the weekly proof of a large ledger reads on the standby alone, and is kept in the database', async () => {
  expect(await proveWhole()).toBe(1);
  expect(seen.length).toBeGreaterThan(50);
  expect(seen.some((sql) => /\bentries\b/.test(sql))).toBe(true);
  for (const sql of seen)
    expect(sql).toMatch(/^\s*(?:select|with|begin|commit|set local|declare|fetch|close)\b/i);
  expect(seen.join('\n')).not.toMatch(/\b(?:insert into|for (?:no key )?update|pg_\w*advisory)\b/i);
  const { rows } = await server.owner.query(
    'select ok from ledger_proofs where since_checkpoint is null order by at desc limit 1',
  );
  expect(rows).toEqual([{ ok: true }]);
  expect(told()).toEqual([]);
});

test('the rows of a report are read on a standby that has the report, and else from the database', async () => {
  const there = await nextReport();
  await arrived(day);
  const whole = await read(there);
  expect(copies()).toHaveLength(1);
  expect(whole.rows.length).toBeGreaterThan(0);

  await onStandby('select pg_wal_replay_pause()');
  const behind = await nextReport();
  expect((await read(behind)).trailer.postings_count).toBeTypeOf('number');
  expect(copies()).toHaveLength(1);
  await onStandby('select pg_wal_replay_resume()');
  await arrived(day);
  await read(behind);
  expect(copies()).toHaveLength(2);
  expect(told()).toEqual([]);
});

test('a standby that is far behind is not read', async () => {
  const late: string[] = [];
  const { service } = server;
  const far = openStandby({
    url: proxy.url,
    clocks: { realNow: () => service.clocks.realNow() + 120_000 },
    processRegistry: service.processRegistry,
    log: { warn: (facts: { reason: string }) => void late.push(facts.reason) } as never,
  });
  expect([await far.fit(), await far.fit()]).toEqual([null, null]);
  expect(late).toEqual(['far_behind']);
  await far.close();
});

test('a standby that is away leaves proofs and files to the database, says so once, and is read again when it is back', async () => {
  const report = await nextReport();
  await arrived(day);
  proxy.leadTo('postgresql://127.0.0.1:1/none');
  proxy.cutAll();
  expect((await read(report)).trailer.postings_count).toBeTypeOf('number');
  expect(await proveWhole()).toBe(1);
  expect(seen).toEqual([]);
  expect(told()).toEqual([
    'DATABASE_READ_URL is not read: proofs and files are read from the database itself',
  ]);
  const away = lines.find(({ msg }) => /is not read/.test(msg));
  expect(away?.fault).toMatchObject({ type: expect.any(String), frames: expect.any(Array) });
  expect(JSON.stringify(away)).not.toMatch(/"message":|"reason":/);
  proxy.leadTo(standby.urlOf(primary.serviceUrl));
  await until(
    async () => {
      await read(report);
      return copies().length > 0;
    },
    { withinMs: 20_000, what: 'the standby is read again' },
  );
  expect(told().at(-1)).toBe('DATABASE_READ_URL is read again');
}, 60_000);

test('a proof that the standby breaks off begins anew on the database', async () => {
  let cut = false;
  const cutting = await openStatementProxy(standby.urlOf(primary.serviceUrl), {
    actionOf: ({ sql }) => {
      cut ||= /\bpayments\b/.test(sql);
      return cut ? 'cut_before' : 'pass';
    },
  });
  const { service } = server;
  const apart = openStandby({ ...service, url: cutting.url });
  const proofs = openWholeProofs({ ...service, standby: apart }, { from: 0 });
  await server.owner.query("update ledger_proofs set at = at - interval '8 days'");
  expect(await proofs.proveNow()).toBe(1);
  expect(cut).toBe(true);
  expect(told()).toEqual([
    'a proof on DATABASE_READ_URL broke off; it begins anew on the database',
  ]);
  await proofs.stop();
  await apart.close();
  await cutting.close();
});
