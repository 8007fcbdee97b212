import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '../../../service/db/pool.ts';
import { choicesOf } from '../../kit/seed.ts';
import type { Proof } from '../../prove/proof.ts';
import { startLoad } from './load.ts';
import { openDatabaseHouse } from './service.ts';

/** Five in a second. */
const everyMs = 200;

/** In each turn one backend of the service; half of the time one that is at work. */
const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  order by (case when $1 then state = 'idle' else false end), hashint4extended(pid, $2) limit 1`;

/** One commit in twenty meets a conflict or a deadlock, as another process would cause them. */
const injectConflicts = `
  create function injected_conflict() returns trigger language plpgsql as $$
  begin
    if random() < 0.05 then
      raise exception 'injected' using errcode = case when random() < 0.5 then '40001' else '40P01' end;
    end if;
    return null;
  end $$;
  create trigger injected_conflict after insert on entries
    for each statement execute function injected_conflict()`;
const endConflicts = 'drop trigger injected_conflict on entries';

export const databaseTerminateProof: Proof = {
  key: 'database-terminate',
  fault: 'backends are terminated at random, five in a second, and one commit in twenty conflicts',
  promise: 'no wrong result: an answer, or a 503 after which a retry finds one effect',
  rounds: 600,
  async run({ seed, rounds, progress }) {
    const { server, house, stop } = await openDatabaseHouse();
    const load = await startLoad(house, { seed });
    const admin = await openClient(server.url);
    await admin.query(injectConflicts);
    let terminated = 0;
    for (let round = 0; round < rounds; round += 1) {
      const choices = choicesOf(seed, `terminate ${round}`);
      const { rowCount } = await admin.query(terminate, [
        choices.percent(50),
        choices.below(2 ** 31),
      ]);
      terminated += rowCount ?? 0;
      await sleep(everyMs);
      progress(round + 1);
    }
    await admin.query(endConflicts);
    await admin.end();
    const { reruns } = house.service.engine.stats;
    const ended = await load.end();
    const { acked, refused, unavailable } = load.counts;
    return {
      rounds,
      violations: [...ended.violations, ...(await stop())],
      figures: {
        terminated,
        acked,
        refused,
        unavailable,
        ambiguous: ended.ambiguous,
        ambiguousApplied: ended.ambiguousApplied,
        reruns,
      },
    };
  },
};
