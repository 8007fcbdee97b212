import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../kit/api.ts';
import { choicesOf } from '../../kit/seed.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';
import { proofTest } from '../../prove/proof.ts';

/** Each server makes one; the others are made in addition. */
const workers = 3;
const tenantsAtMost = 20;
const paymentCents = 10_00;
const dayMs = 24 * 3_600_000;
/** Long enough that jobs begin, short enough that days end in the middle of them. */
const longestDayMs = 300;
/** Noon in New York, far from every midnight. */
const startMs = Date.parse('2026-01-20T17:00:00Z');

/** One payer and one shop of a tenant. @returns pays with a fee, which is swept */
async function openPayments(api: Api): Promise<() => Promise<unknown>> {
  const [payer, shop] = await Promise.all([
    api.funded('individual', 1_000_00),
    api.approved('business'),
  ]);
  return () => api.confirmed(api.pay(payer, shop, paymentCents));
}

/** Records that are there more than once for a day; each is a tenant, what, when and how often. */
const doneTwice = `
  select 'report' as what, tenant_id, day::text as at, count(*)::integer as times
    from reconciliation_reports group by tenant_id, day having count(*) > 1
  union all
  select 'statement', tenant_id, account_id::text || ' ' || period_end::text, count(*)::integer
    from statements group by tenant_id, account_id, period_end having count(*) > 1
  union all
  select 'event of a ' || object_type, tenant_id, object_id::text, count(*)::integer from events
    where object_type in ('reconciliation_report', 'statement')
    group by tenant_id, object_type, object_id, version having count(*) > 1
  union all
  select 'sweep', f.tenant_id, f.day::text, count(distinct e.created_at)::integer from fee_sweeps f
    join entries e on e.tenant_id = f.tenant_id and e.source_id = f.id and e.step = 'fee_sweep_ordered'
    group by f.tenant_id, f.day having count(distinct e.created_at) <> 1`;

const missing = `
  select t.tenant_id, d::date::text as day from tenants t
    cross join generate_series($1::date, $2::date, '1 day') d
    left join reconciliation_reports r on r.tenant_id = t.tenant_id and r.day = d::date
  where r.id is null`;

const swept = `select t.tenant_id,
    (select coalesce(sum(platform_fees + tenant_fees), 0) from fee_sweeps f where f.tenant_id = t.tenant_id)
      ::bigint as swept,
    (select coalesce(sum(delta), 0) from entries e where e.tenant_id = t.tenant_id
      and account_id is null and pocket in ('fees_platform', 'fees_tenant'))::bigint as left
  from tenants t`;

/** @returns a sentence for each period that is not as it must be */
async function comparePeriods({ service: { pool } }: TestServer, days: readonly string[]) {
  const [twice, none, fees] = await Promise.all([
    pool.query(doneTwice),
    pool.query(missing, [days[0], days.at(-1)]),
    pool.query(swept),
  ]);
  return [
    ...twice.rows.map((row) => `${row.what} of ${row.tenant_id}, ${row.at}: ${row.times} times`),
    ...none.rows.map((row) => `no report of ${row.tenant_id} for ${row.day}`),
    ...fees.rows
      .filter((row) => row.left < 0 || row.swept === 0)
      .map((row) => `of ${row.tenant_id} ${row.swept} cents were swept, ${row.left} are left`),
  ];
}

const dayOf = (day: number) => new Date(startMs + day * dayMs).toISOString().slice(0, 10);

proofTest(
  'three workers on the same calendars do every job of every day exactly once',
  20,
  async ({ seed, rounds, progress }) => {
    const tenants = Math.max(workers, Math.min(tenantsAtMost, Math.ceil(rounds / 10)));
    const days = Math.ceil(rounds / tenants);
    const begunMs = Date.now();
    let skewMs = 0;
    const options = { tenant: { sample: true }, workers: false, onLog: () => {} };
    const server = await startTestServer({
      ...options,
      realNow: () => startMs + skewMs + Date.now() - begunMs,
    });
    const beside = { ...options, beside: server };
    const others = [await startTestServer(beside), await startTestServer(beside)];
    const servers = [server, ...others];
    const apis = servers.map(({ api }) => api);
    while (apis.length < tenants)
      apis.push(server.apiOf(await server.anotherTenant({ sample: true })));
    const payments = await Promise.all(apis.map(openPayments));
    for (const one of servers) one.workers.start();
    const areReported = (count: number) => async () => {
      const { rowCount } = await server.service.pool.query('select from reconciliation_reports');
      return (rowCount ?? 0) >= tenants * count;
    };
    for (let day = 0; day < days; day += 1) {
      const { below, percent } = choicesOf(seed, `day ${day}`);
      await Promise.all(payments.map((pay) => pay()));
      skewMs += dayMs;
      // Half of the days end before their jobs have, so that leases end under their holders.
      if (percent(50)) await sleep(below(longestDayMs));
      else await until(areReported(day), { everyMs: 50 }).catch(() => {});
      progress(Math.min(rounds, (day + 1) * tenants));
    }
    await until(areReported(days), { everyMs: 50 }).catch(() => {});
    const commands = servers.map(({ service }) => service.engine.stats.commands);
    const violations = await comparePeriods(
      server,
      Array.from({ length: days }, (_, day) => dayOf(day)),
    );
    for (const one of servers.reverse())
      await one.stop().catch((error: Error) => violations.push(error.message));
    const figures = { tenants, days, leastCommandsOfAWorker: Math.min(...commands) };
    return { rounds: days * tenants, violations, figures };
  },
);
