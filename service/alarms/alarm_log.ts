import { runbookOf } from '@tenant-payments/contract/core/runbook.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import Type from 'typebox';
import { redactedText, redactedValue } from '../http/log/redact.ts';
import { openLineLimit } from '../operations/line_limit.ts';
import { alarmRecord } from './alarm_record.ts';

/** Rows that wait in memory at most; what comes then is in the log alone. */
const maximumWaiting = 1_000;
const longestFacts = 16_384;
const pauseMs = 250;
const pauseAfterFailureMs = 5_000;

type Facts = Readonly<Record<string, unknown>>;

/** Whatever the log said besides. */
export const factsColumn = jsonColumn(
  'control.alarms.facts',
  'jsonb',
  Type.Record(Type.String(), Type.Unknown()),
);

interface Waiting {
  readonly id: string;
  readonly alarm: string;
  readonly scope: string;
  readonly record: string;
  readonly day: string;
  readonly message: string;
  readonly facts: unknown;
  readonly process_id: string;
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
}

/** The alarms as rows (rules/operations#69). Nothing waits for it, and it never fails. */
export interface AlarmLog {
  record(alarm: string, facts: Facts, message: string): void;
  /** Resolves when all is written, or the database is away. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface Needs {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly clocks: Pick<Clocks, 'realNow'>;
  /** The log of dropped alarms: they are never an alarm. */
  readonly log: Pick<Logger, 'warn'>;
  readonly processId: () => string;
}

const upsert = `insert into control.alarms as a (id, alarm, scope, record, day, message, facts,
    process_id, count, first_at, last_at)
  select id, alarm, scope, record, day, message, facts, process_id, count, first_at, last_at
  from jsonb_to_recordset($1::jsonb) as t(id uuid, alarm text, scope text, record text, day date,
    message text, facts jsonb, process_id uuid, count bigint, first_at timestamptz,
    last_at timestamptz)
  on conflict (alarm, scope, record, day) do update set count = a.count + excluded.count,
    message = excluded.message, facts = excluded.facts, process_id = excluded.process_id,
    first_at = least(a.first_at, excluded.first_at), last_at = greatest(a.last_at, excluded.last_at)`;

/** Without personal data, as the request log has it, and of bounded length. */
function keptFacts(facts: Facts): unknown {
  const kept = redactedValue(facts, true);
  return JSON.stringify(kept).length > longestFacts ? { left_out: 'too long' } : kept;
}

const newId = idMaker();

export function openAlarmLog({ pool, clocks, log, processId }: Needs): AlarmLog {
  let waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<boolean> | null = null;

  function add(row: Waiting): void {
    const key = JSON.stringify([row.alarm, row.scope, row.record, row.day]);
    const before = waiting.get(key);
    if (!before && waiting.size >= maximumWaiting) {
      log.warn({ left_out: row.alarm }, 'an alarm is in the log alone');
      return;
    }
    const { id, first_at } = before ?? row;
    waiting.set(key, { ...row, id, first_at, count: row.count + (before?.count ?? 0) });
  }

  async function write(): Promise<boolean> {
    const batch = waiting;
    waiting = new Map();
    try {
      await pool.query(upsert, [JSON.stringify([...batch.values()])]);
      return true;
    } catch (error) {
      log.warn({ fault: faultFacts(error) }, 'alarms could not be written, and wait');
      const since = [...waiting.values()];
      waiting = batch;
      for (const row of since) add(row);
      return false;
    }
  }

  function begin(): Promise<boolean> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    working = write().then((isWritten) => {
      working = null;
      if (waiting.size > 0) wake(isWritten ? pauseMs : pauseAfterFailureMs);
      return isWritten;
    });
    return working;
  }

  /** The timer keeps no process alive. */
  function wake(afterMs: number): void {
    if (timer === null && working === null) timer = setTimeout(begin, afterMs).unref();
  }

  async function flush(): Promise<void> {
    while (working !== null || waiting.size > 0) {
      const isOther = working !== null;
      const isWritten = await (working ?? begin());
      if (!isWritten && !isOther) return;
    }
  }

  return {
    flush,
    record(alarm, { tenant_id, ...facts }, message) {
      try {
        const at = instantOf(clocks.realNow());
        add({
          id: newId(clocks.realNow()),
          alarm,
          day: at.slice(0, 10),
          first_at: at,
          last_at: at,
          scope: typeof tenant_id === 'string' ? tenant_id : 'platform',
          record: alarmRecord(alarm, facts) ?? '',
          message: redactedText(message),
          facts: keptFacts(facts),
          process_id: processId(),
          count: 1,
        });
        wake(pauseMs);
      } catch (error) {
        log.warn({ fault: faultFacts(error) }, 'an alarm is in the log alone');
      }
    },
    async close() {
      await flush();
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/**
 * The same log, whose lines with the field `alarm` also become rows, all of them. Of each alarm ten lines a second
 * are written, and the next one says how many were left out.
 * @param count counts each alarm by its name, with the cause that it says
 */
export function tellingAlarms(
  log: Logger,
  alarms: Pick<AlarmLog, 'record'>,
  count: (alarm: string, cause: unknown) => void = () => {},
): Logger {
  const limits = new Map<string, () => number | null>();
  function limitOf(alarm: string): number | null {
    const limit = limits.get(alarm) ?? openLineLimit();
    limits.set(alarm, limit);
    return limit();
  }
  const both =
    (level: 'error' | 'warn') =>
    (...line: readonly unknown[]): void => {
      const [facts, message] = line;
      const write = (...said: readonly unknown[]) =>
        (log[level] as (...said: readonly unknown[]) => void)(...said);
      if (typeof facts !== 'object' || facts === null || !('alarm' in facts)) {
        write(...line);
        return;
      }
      const { alarm: name, ...rest } = facts;
      const alarm = String(name);
      const left_out = limitOf(alarm);
      if (left_out !== null)
        write({ ...facts, runbook: runbookOf(alarm), ...(left_out > 0 && { left_out }) }, message);
      count(alarm, 'cause' in rest ? rest.cause : null);
      alarms.record(alarm, rest, typeof message === 'string' ? message : '');
    };
  return Object.assign(Object.create(log), { error: both('error'), warn: both('warn') });
}

const keptMs = 400 * 86_400_000;

/** Deletes what was said more than 400 days ago. @returns how many rows */
export async function removeOldAlarms(
  pool: Pick<pg.Pool, 'query'>,
  clocks: Pick<Clocks, 'realNow'>,
): Promise<number> {
  const { rowCount } = await pool.query('delete from control.alarms where first_at < $1', [
    instantOf(clocks.realNow() - keptMs),
  ]);
  return rowCount ?? 0;
}
