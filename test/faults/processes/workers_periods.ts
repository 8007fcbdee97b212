import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildService, closeService } from '../../../service/app.ts';
import { openRails } from '../../../service/composition.ts';
import type { Service } from '../../../service/service.ts';
import { buildWorkers, type Workers } from '../../../service/workers.ts';
import { choicesOf } from '../../kit/seed.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { openPeople } from '../../ledger/customers.ts';
import { openSender } from '../../ledger/sender.ts';
import type { Proof } from '../../prove/proof.ts';
import { startFaultyServer } from '../database/server.ts';

const workers = 3;
const tenantsAtMost = 20;
const paymentCents = 10_00;
const dayMs = 24 * 3_600_000;
/** Long enough that jobs begin, short enough that they are met in the middle. */
const longestDayMs = 300;
const patienceMs = 60_000;
const pollMs = 50;

interface TenantDays {
  readonly tenantId: string;
  /** A payment with a fee: something is swept that evening. */
  pay(): Promise<void>;
}

/** A tenant with one payer and one shop, and its whole calendar. */
async function openTenant(house: TestServer, tenantId: string): Promise<TenantDays> {
  const sender = openSender([house.service], tenantId);
  const [payer] = await openPeople(sender, 1, 'individual', 1_000_00);
  const [shop] = await openPeople(sender, 1, 'business', 0);
  return {
    tenantId,
    async pay() {
      const made = await sender.send(sender.commands.createPayment, {
        payer_customer_id: payer?.customerId ?? '',
        payee_customer_id: shop?.customerId ?? '',
        source: 'balance',
        amount: paymentCents,
      });
      if (made.code === 'done')
        await sender.simulate('session.completed', JSON.parse(made.text).id);
    },
  };
}

/** What must be there once for each day; each is a tenant, what, when and how often. */
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
    join entries e on e.tenant_id = f.tenant_id and e.source_id = f.id
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

const reports = 'select count(*)::integer as count from reconciliation_reports';

/** Three workers on one database and one clock, each as a process of its own would have it. */
async function openWorkers(house: TestServer, databaseUrl: string, realNow: () => number) {
  const surroundings = { databaseUrl, realNow, log: pino({ level: 'silent' }) };
  const others = await Promise.all(
    Array.from({ length: workers - 1 }, () => buildService(house.service.config, surroundings)),
  );
  const of = async (service: Service): Promise<Workers> =>
    buildWorkers(service, await openRails(service));
  const teams = [house.workers, ...(await Promise.all(others.map(of)))];
  return {
    start() {
      for (const team of teams) team.start();
    },
    async stop() {
      await Promise.all(teams.slice(1).map((team) => team.stop()));
      await Promise.all(others.map(closeService));
    },
    commands: () => [house.service, ...others].map(({ engine }) => engine.stats.commands),
  };
}

/** @returns a sentence for each period that is not as it must be */
async function comparePeriods({ service }: TestServer, from: string, to: string) {
  const [twice, none, fees] = await Promise.all([
    service.pool.query(doneTwice),
    service.pool.query(missing, [from, to]),
    service.pool.query(swept),
  ]);
  return [
    ...twice.rows.map((row) => `${row.what} of ${row.tenant_id}, ${row.at}: ${row.times} times`),
    ...none.rows.map((row) => `no report of ${row.tenant_id} for ${row.day}`),
    ...fees.rows
      .filter((row) => row.left < 0 || row.swept === 0)
      .map((row) => `of ${row.tenant_id} ${row.swept} cents were swept, ${row.left} are left`),
  ];
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const workersPeriodsProof: Proof = {
  key: 'workers-periods',
  fault: 'three workers run the same calendars, and days pass while they are at it',
  promise: 'every job of every day and month is done exactly once',
  rounds: 1_000,
  async run({ seed, rounds, progress }) {
    const tenantCount = Math.min(tenantsAtMost, Math.ceil(rounds / 10));
    const days = Math.ceil(rounds / tenantCount);
    // Noon in New York, far from every midnight.
    const startMs = Date.parse('2026-01-20T17:00:00Z');
    const begunMs = Date.now();
    let skewMs = 0;
    const realNow = () => startMs + skewMs + Date.now() - begunMs;
    const server = await startFaultyServer({ forTests: true });
    const house = await startTestServer({
      database: { url: server.url, drop: async () => {} },
      tenant: { sample: true },
      realNow,
      workers: false,
      onLog: () => {},
    });
    const ids = [house.tenant.tenantId];
    while (ids.length < tenantCount)
      ids.push((await house.anotherTenant({ sample: true })).tenantId);
    const tenants = await Promise.all(ids.map((id) => openTenant(house, id)));
    const team = await openWorkers(house, server.url, realNow);
    team.start();
    const count = async () => (await house.service.pool.query(reports)).rows[0].count as number;
    const violations: string[] = [];
    for (let day = 0; day < days; day += 1) {
      const { below, percent } = choicesOf(seed, `day ${day}`);
      await Promise.all(tenants.map((tenant) => tenant.pay()));
      skewMs += dayMs;
      // Half of the days end before their jobs have, so that leases end under their holders.
      if (percent(50)) await sleep(below(longestDayMs));
      else {
        const untilMs = performance.now() + patienceMs;
        while ((await count()) < tenantCount * day && performance.now() < untilMs)
          await sleep(pollMs);
      }
      progress(Math.min(rounds, (day + 1) * tenantCount));
    }
    const lastDay = days - 1;
    const untilMs = performance.now() + patienceMs;
    while ((await count()) < tenantCount * (lastDay + 1) && performance.now() < untilMs)
      await sleep(pollMs);
    const commands = team.commands();
    violations.push(
      ...(await comparePeriods(house, dayOf(startMs), dayOf(startMs + lastDay * dayMs))),
    );
    await team.stop();
    await house.stop().catch((error: unknown) => violations.push((error as Error).message));
    await server.stop();
    return {
      rounds: days * tenantCount,
      violations,
      figures: { tenants: tenantCount, days, leastCommandsOfAWorker: Math.min(...commands) },
    };
  },
};
