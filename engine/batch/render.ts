import type { Answer, Asking, Run, ShownBy } from '../command.ts';
import { entityFor, type Values } from '../entity.ts';
import { withField } from '../json_text.ts';
import type { StagedWrites } from '../write/staged.ts';
import type { IdempotencyRow } from './idempotency.ts';

export type Seal = (tenantId: string, row: string, value: unknown) => string;

type Stored = Pick<
  IdempotencyRow,
  'event_id' | 'body' | 'once_field' | 'once_sealed' | 'session_id'
>;

export interface RenderedReply {
  readonly body: string;
  readonly stored: Stored;
}

/** The part of a stored reply that says how to make it again. */
export const shownBy = ({ event_id, once_field, session_id }: Stored): ShownBy | null =>
  event_id === null ? null : { eventId: event_id, onceField: once_field, sessionId: session_id };

const nothing: Stored = {
  event_id: null,
  body: null,
  once_field: null,
  once_sealed: null,
  session_id: null,
};

/** The record as its event shows it; rendered here only when it has none. */
function renderRecord(record: object, staged: StagedWrites, since: number): RenderedReply {
  const { table, row } = entityFor(record);
  for (let index = staged.events.length - 1; index >= since; index -= 1) {
    const event = staged.events[index];
    if (event && event.objectId === row.id)
      return { body: event.object, stored: { ...nothing, event_id: event.id } };
  }
  const present = table.present as ((row: Values) => object) | null;
  const body = JSON.stringify(present ? present(row) : null);
  return { body, stored: { ...nothing, body } };
}

/** The reply to a command, as it is sent and as its key stores it. @param since its first event */
export function render(
  seal: Seal,
  run: Run,
  answer: Exclude<Answer, Asking>,
  staged: StagedWrites,
  since: number,
): RenderedReply {
  const row = run.idempotency?.keyHash ?? '';
  if ('value' in answer) {
    const body = JSON.stringify(answer.value);
    if (!answer.sealed || !run.idempotency) return { body, stored: { ...nothing, body } };
    const once_sealed = seal(run.tenantId, row, answer.value);
    return { body, stored: { ...nothing, once_sealed } };
  }
  const plain = renderRecord(answer.record, staged, since);
  if (!answer.once) return plain;
  const { field, value, token, sessionId } = answer.once;
  const body = withField(plain.body, field, value);
  const once_sealed = run.idempotency && seal(run.tenantId, row, token);
  const once = { once_field: field, once_sealed, session_id: sessionId };
  return { body, stored: { ...plain.stored, ...once } };
}
