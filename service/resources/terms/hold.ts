import {
  changedTerms,
  heldPiece,
  type TermPiece,
  termsOf,
  withTerms,
} from '@tenant-payments/contract/core/consumer_terms.ts';
import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';
import { LoadAgain } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import { effectiveFrom } from './effective.ts';
import {
  type TermChangeRow,
  termChanges,
  termPieces,
  type WaitingTermRow,
  waitingTerms,
} from './table.ts';

const fields = [...termsOf(defaultSettings('')).keys()];
const keys = [...new Set(fields.map((field) => field.split('.', 1)[0] ?? ''))];

/** Consumers with an account that is not closed: who must be told. */
export async function countConsumers(db: Kysely<Database>, tenantId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from accounts
    where tenant_id = ${tenantId} and type = 'consumer' and status <> 'closed'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Reads the waiting terms that a change of settings may touch. */
export async function loadWaiting(
  read: Read,
  changes: Partial<Settings>,
): Promise<readonly WaitingTermRow[]> {
  return keys.some((key) => key in changes) ? read.all(waitingTerms) : [];
}

const changeIds = (waiting: readonly WaitingTermRow[]): readonly string[] => [
  ...new Set(waiting.flatMap(({ change_id }) => change_id ?? [])),
];

/** Reads the changes that wait: who becomes a consumer is told of them. */
export async function loadComing(read: Read) {
  const waiting = await read.all(waitingTerms);
  const ids = changeIds(waiting);
  return { waiting, changes: await Promise.all(ids.map((id) => read.one(termChanges, id))) };
}
export type Coming = Awaited<ReturnType<typeof loadComing>>;

/** The changes that wait now. @throws LoadAgain where another was announced in this batch (rules/engine#15) */
export const comingNow = ({ waiting, changes }: Coming): readonly TermChangeRow[] =>
  changeIds(waiting).map((id) => {
    const change = changes.find((one) => one.id === id);
    if (!change) throw new LoadAgain('terms were announced meanwhile');
    return change;
  });

export interface TermsChange {
  readonly was: Settings;
  readonly is: Settings;
  /** A reason of security lets worse terms hold at once. */
  readonly reason: string | null;
  readonly consumers: number;
}

/**
 * The part of a change that holds now. Terms that get worse for consumers wait until 21 days after their notice, unless
 * the reason is security (rules/documents#28).
 * @param waiting as `loadWaiting` found it
 */
export function holdTerms(
  work: Work,
  { was, is, reason, consumers }: TermsChange,
  waiting: readonly WaitingTermRow[],
): Settings {
  const { worse, better } = changedTerms(was, is);
  forget(work, waiting, [...worse, ...better]);
  if (consumers === 0 || worse.length === 0) return is;
  const { id, effective_at } = work.create(termChanges, {
    id: work.newId(),
    pieces: termPieces.text(worse),
    reason,
    consumers,
    effective_at: reason === null ? effectiveFrom(work.now) : work.now,
    told_to: null,
    told_at: null,
    ended_at: reason === null ? null : work.now,
    created_at: work.now,
  });
  work.scheduleJob('term_notice', id, work.now);
  if (reason !== null) return is;
  work.scheduleJob('term_change', id, effective_at);
  letWait(work, waiting, worse, id);
  return withTerms(is, worse.map(heldPiece));
}

/** A term that is set anew waits for nothing any more. */
function forget(
  work: Work,
  waiting: readonly WaitingTermRow[],
  pieces: readonly TermPiece[],
): void {
  const set = new Set(pieces.map(({ field }) => field));
  for (const row of waiting)
    if (set.has(row.field) && row.change_id !== null) work.change(row, { change_id: null });
}

function letWait(
  work: Work,
  waiting: readonly WaitingTermRow[],
  pieces: readonly TermPiece[],
  change_id: string,
): void {
  for (const { field } of pieces) {
    const row = waiting.find((one) => one.field === field);
    if (row) work.change(row, { change_id });
    else work.create(waitingTerms, { field, change_id });
  }
}
