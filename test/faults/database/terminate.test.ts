import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from '../../../engine/database/pool.ts';
import { proofTest } from '../../prove/proof.ts';
import { proveUnderLoad } from './under_load.ts';

/** Ten in a second. */
const everyMs = 100;

/** Ends one session of the service; half of the time one that is at work. */
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

proofTest(
  'while the database ends its sessions at random no answer is wrong, and a retry finds one effect',
  30,
  async (context) => {
    let admin: pg.Client | null = null;
    let terminated = 0;
    let reruns = 0;
    const verdict = await proveUnderLoad(
      context,
      {},
      async ({ databaseUrl, server }, { round, choices }) => {
        admin ??= await openClient(databaseUrl);
        if (round === 0) await admin.query(injectConflicts);
        const values = [choices.percent(50), choices.below(2 ** 31)];
        terminated += (await admin.query(terminate, values)).rowCount ?? 0;
        await sleep(everyMs);
        reruns = server.service.engine.stats.reruns;
        if (round < context.rounds - 1) return;
        await admin.query('drop trigger injected_conflict on entries');
        await admin.end();
      },
    );
    return { ...verdict, figures: { terminated, reruns, ...verdict.figures } };
  },
);
