import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Sealer } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import {
  type RailMessageRow,
  type RailMessageState,
  railMessageSeal,
  railMessages,
} from '../../rails/providers/table.ts';
import type { MessageContents, MessageEnd } from './receipt.ts';

/** A message is acted on by the process that has kept it; by a job where that died, or the database was away. */
const jobAfterSeconds = 15;

/** A message to keep. */
export interface NewMessage
  extends Pick<
    RailMessageRow,
    'provider' | 'message_id' | 'port' | 'record' | 'digest' | 'received_at'
  > {
  /** Sealed for the id that is made for it. */
  readonly seal: (id: string) => string;
  /** How it ended already; null: it is to be acted on. */
  readonly ended: MessageEnd | null;
}

/** A message that is kept, now or since earlier. */
export interface KeptMessage {
  readonly id: string;
  readonly state: RailMessageState;
  /** Whether this command has kept it. */
  readonly isNew: boolean;
  /** Whether it says what was kept first under its id. */
  readonly isSame: boolean;
}

const notYet = { state: 'received', result: null, acted_at: null } as const;
const open = { replays: 0, closed_at: null, closed_by: null, close_reason: null } as const;

function create(work: Work, { seal, ended, ...message }: NewMessage): RailMessageRow {
  const id = work.newId();
  const end = ended ? { ...ended, acted_at: message.received_at } : notYet;
  return work.create(railMessages, { ...message, ...open, ...end, id, said_sealed: seal(id) });
}

/** Keeps a new message in the command that acts on it. */
export const keepEndedMessage = (
  work: Work,
  message: NewMessage & { readonly ended: MessageEnd },
): void => void create(work, message);

/** Keeps a message once, however often and by however many processes it is received. */
export const keepRailMessage = command('keep_rail_message', {
  load: (read, { provider, message_id }: NewMessage) =>
    read.by(railMessages, 'message', { provider, message_id }),
  decide: (work, before, { seal, ended, ...message }) => {
    if (before) {
      const { id, state } = before;
      const isSame = before.digest === message.digest;
      return { value: { id, state, isNew: false, isSame } satisfies KeptMessage };
    }
    const { id, state: reached } = create(work, { ...message, seal, ended });
    if (!ended) work.scheduleJobInRealTime('rail_message', id, jobAfterSeconds);
    return { value: { id, state: reached, isNew: true, isSame: true } satisfies KeptMessage };
  },
});

interface Note extends MessageEnd {
  readonly id: string;
  /** In real time. */
  readonly at: string;
}

/** Notes what came of a message, and that no job need act on it. */
export const noteRailMessage = command('note_rail_message', {
  load: (read, { id }: Note) => read.one(railMessages, id),
  decide: (work, row, { id, at, state, result }) => {
    if (row.state === 'received')
      work.change<typeof railMessages>(row, { state, result, acted_at: at });
    work.cancelJob('rail_message', id);
    return { value: null };
  },
});

interface Reading {
  readonly db: Kysely<Database>;
  readonly vault: Pick<Sealer, 'open'>;
}

/** Reads the contents of a message. @throws ApiError not_found; invalid_state, reason `erased` */
export async function readSaid(
  { db, vault }: Reading,
  tenantId: string,
  id: string,
): Promise<{ readonly row: Pick<RailMessageRow, ReadColumn>; readonly said: MessageContents }> {
  const { rows } = await sql<Pick<RailMessageRow, ReadColumn | 'said_sealed'>>`
    select state, result, replays, closed_at, said_sealed from rail_messages
    where tenant_id = ${tenantId} and id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw fail('not_found', { param: 'id' });
  if (row.said_sealed === null)
    throw fail('invalid_state', {
      details: { reason: 'erased' },
      message: 'what the message said was erased',
    });
  return {
    row,
    said: vault.open(tenantId, railMessageSeal(id), row.said_sealed) as MessageContents,
  };
}
type ReadColumn = 'state' | 'result' | 'replays' | 'closed_at';
