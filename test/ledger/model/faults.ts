import { setTimeout as sleep } from 'node:timers/promises';
import { openRails } from '../../../start/composition.ts';
import { buildWorkers, type Workers } from '../../../start/workers.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { until } from '../../kit/wait.ts';
import { type ModelServer, startMs } from './server.ts';
import type { TenantRun } from './tenant.ts';

/** Both services have noticed by then which connections are gone. */
const noticeMs = 20;
const chaosRate = 0.3;
const backendsAtMost = 6;
/** No service takes this lease, and it has not ended. */
const foreignLease = new Date(startMs + 3_600_000).toISOString();
/** A holder checks its lease every two seconds. */
const loseMs = 3_000;

/** Faults of a run of the model, one at a time, each chosen by the seed. */
export function openFaults(server: ModelServer, seed: number) {
  const tenants = new Set<TenantRun>();
  const caused: Record<string, number> = {};
  let count = 0;
  let last: Promise<void> = Promise.resolve();
  let workers: Workers | null = null;
  let inChaos: TenantRun | null = null;

  async function setChaos({ token }: TenantRun, api_503: number): Promise<void> {
    const request = { method: 'PUT', path: '/portal/api/chaos', token, body: { api_503, seed } };
    await until(async () => (await server.wire.once(request))?.status === 200);
  }

  const kinds = {
    /** A backend has no name yet while it starts: only those of a service are ended. */
    async backends(choices: Choices) {
      await choices.pick(server.places.controls).query(
        `select pg_terminate_backend(pid, 1000) from (
           select pid from pg_stat_activity where datname = current_database()
             and application_name = 'tenant-payments' order by random() limit $1) picked`,
        [1 + choices.below(backendsAtMost)],
      );
      await sleep(noticeMs);
    },
    /** Clients lose their connections, with every request under way. */
    connections: () => server.wire.drop(),
    /** Requests of one tenant are refused now and then, until the next fault of this kind. */
    async chaos(choices: Choices) {
      if (inChaos) await setChaos(inChaos, 0);
      inChaos = tenants.size > 0 ? choices.pick([...tenants]) : null;
      if (inChaos) await setChaos(inChaos, chaosRate);
    },
    /** Services that move a clock lose its lease, and notice before another has it. */
    async clocks() {
      const set = (to: string, where: string) => `update tenants set clock_lease_until = ${to}
        where tenant_id in (select tenant_id from tenants where ${where} for update skip locked)`;
      const inAll = (sql: string) =>
        Promise.all(server.places.controls.map((control) => control.query(sql)));
      await inAll(set(`'${foreignLease}'`, 'clock_target is not null'));
      await sleep(loseMs);
      await inAll(set('null', `clock_lease_until = '${foreignLease}'`));
    },
    /** The workers of a cell in the second process are started, or stopped. */
    async workers(choices: Choices) {
      const running = workers;
      workers = null;
      if (running) return running.stop();
      const { service } = choices.pick(server.places.processes[1]?.cells ?? []);
      workers = buildWorkers(service, await openRails(service));
      workers.start();
    },
    /** A tenant goes to another cell. */
    async moves(choices: Choices) {
      if (tenants.size === 0) return;
      const { tenantId } = choices.pick([...tenants]);
      const isMoved = await server.places.move(tenantId, (others) => choices.pick(others));
      if (!isMoved) caused.stayed = (caused.stayed ?? 0) + 1;
    },
  };
  const isMoving = server.places.controls.length > 1;
  const names = (Object.keys(kinds) as (keyof typeof kinds)[]).filter(
    (name) => name !== 'moves' || isMoving,
  );

  async function cause(number: number): Promise<void> {
    const choices = choicesOf(seed, `fault ${number}`);
    const name = choices.pick(names);
    await server.causeFault(() => kinds[name](choices));
    caused[name] = (caused[name] ?? 0) + 1;
  }

  return {
    begin: (tenant: TenantRun) => void tenants.add(tenant),
    /** No fault of its own concerns this tenant any more. */
    async finish(tenant: TenantRun): Promise<void> {
      tenants.delete(tenant);
      await last;
      if (inChaos !== tenant) return;
      inChaos = null;
      await setChaos(tenant, 0);
    },
    /** Another fault, as soon as the one before is over. */
    causeSoon(): void {
      const number = count;
      count += 1;
      last = last.then(() => cause(number));
    },
    async end(): Promise<void> {
      await last;
      await workers?.stop();
    },
    count: () => count,
    figures: () => ({ faults: count, ...caused }),
  };
}
