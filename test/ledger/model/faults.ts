import { setTimeout as sleep } from 'node:timers/promises';
import { openRails } from '../../../service/composition.ts';
import { buildWorkers, type Workers } from '../../../service/workers.ts';
import { type Choices, choicesOf } from '../../kit/seed.ts';
import { type ModelHouse, startMs } from './server.ts';
import type { Life } from './tenant.ts';

/** Faults that a run of the model meets, one at a time, each chosen by the seed. */
export interface Faults {
  born(life: Life): void;
  /** No fault of its own strikes this tenant any more. */
  died(life: Life): Promise<void>;
  /** Another fault, as soon as the one before is over. */
  strikeSoon(): void;
  end(): Promise<void>;
  /** How many there have been, with those that are still to come. */
  struck(): number;
  /** The same by kind. */
  count(): Record<string, number>;
}

/** Both services have seen by then which connections are gone. */
const noticeMs = 20;
const chaosRate = 0.3;
const backendsAtMost = 6;
/** No service takes this one, and it has not ended. */
const nobodysLease = new Date(startMs + 3_600_000).toISOString();
/** A holder looks at its lease once in two seconds. */
const loseMs = 3_000;

export function openFaults(house: ModelHouse, seed: number): Faults {
  const lives = new Set<Life>();
  const struck: Record<string, number> = {};
  let strikes = 0;
  let last: Promise<void> = Promise.resolve();
  let workers: Workers | null = null;
  let afflicted: Life | null = null;

  async function chaos({ token }: Life, api_503: number): Promise<void> {
    const body = { api_503, seed };
    const path = '/portal/api/chaos';
    for (let status = 0; status !== 200; )
      status = (await house.wire.once({ method: 'PUT', path, token, body }))?.status ?? 0;
  }

  const kinds = {
    /** A backend has no name yet while it starts: only what is known to be a service's is ended. */
    async backends(choices: Choices) {
      await house.control.query(
        `select pg_terminate_backend(pid, 1000) from (
           select pid from pg_stat_activity where datname = current_database()
             and application_name = 'tenant-payments' order by random() limit $1) picked`,
        [1 + choices.below(backendsAtMost)],
      );
      await sleep(noticeMs);
    },
    /** Clients lose their connections, whatever has become of what they asked. */
    async connections() {
      await house.wire.drop();
    },
    /** One tenant's calls are refused now and then, until the next fault of this kind. */
    async chaos(choices: Choices) {
      if (afflicted) await chaos(afflicted, 0);
      afflicted = lives.size > 0 ? choices.pick([...lives]) : null;
      if (afflicted) await chaos(afflicted, chaosRate);
    },
    /**
     * Whoever moves a clock loses its lease, and finds that out before another has it: leases of one
     * instant are alike here, where real time stands still.
     */
    async clocks() {
      const set = (to: string, where: string) => `update tenants set clock_lease_until = ${to}
        where tenant_id in (select tenant_id from tenants where ${where} for update skip locked)`;
      await house.control.query(set(`'${nobodysLease}'`, 'clock_target is not null'));
      await sleep(loseMs);
      await house.control.query(set('null', `clock_lease_until = '${nobodysLease}'`));
    },
    /** The second service begins to work for all, or leaves off. */
    async workers() {
      if (workers) {
        await workers.stop();
        workers = null;
        return;
      }
      const [, { service }] = house.services;
      workers = buildWorkers(service, await openRails(service));
      workers.start();
    },
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];

  async function strike(number: number): Promise<void> {
    const choices = choicesOf(seed, `fault ${number}`);
    const name = choices.pick(names);
    await house.strike(() => kinds[name](choices));
    struck[name] = (struck[name] ?? 0) + 1;
  }

  return {
    born: (life) => void lives.add(life),
    async died(life) {
      lives.delete(life);
      await last;
      if (afflicted !== life) return;
      afflicted = null;
      await chaos(life, 0);
    },
    strikeSoon() {
      const number = strikes;
      strikes += 1;
      last = last.then(() => strike(number));
    },
    async end() {
      await last;
      await workers?.stop();
    },
    struck: () => strikes,
    count: () => ({ faults: strikes, ...struck }),
  };
}
