import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Arrival, HandedOver } from '../messages/outcome.ts';
import { endMessage } from '../messages/outcome.ts';
import { customerMessages } from '../messages/table.ts';
import type { NoticeEffect, NoticeEffects } from './port.ts';
import { type NoticeRow, notices } from './table.ts';

interface Noticed {
  readonly notice: NoticeRow;
  readonly effect: NoticeEffect | undefined;
  readonly rows: unknown;
}

async function loadNotice(read: Read, notice: NoticeRow, effects: NoticeEffects): Promise<Noticed> {
  const effect = effects[notice.kind];
  return { notice, effect, rows: await effect?.load(read, notice) };
}

/** A message, with the notice that it is, if it is one. */
export async function loadMessage(read: Read, id: string, effects: NoticeEffects) {
  const [message, notice] = await Promise.all([
    read.one(customerMessages, id),
    read.maybe(notices, id),
  ]);
  return { message, noticed: notice && (await loadNotice(read, notice, effects)) };
}
export type LoadedMessage = Awaited<ReturnType<typeof loadMessage>>;

/** A notice that a person gives. @throws ApiError not_found */
export const loadGiven = async (read: Read, id: string, effects: NoticeEffects) =>
  loadNotice(read, await read.one(notices, id), effects);

/** It was given now: the clocks of its record begin. */
function give(work: Work, { notice, effect, rows }: Noticed): void {
  work.change<typeof notices>(notice, { sent_at: work.now });
  effect?.given(work, rows, notice);
}

/**
 * Notes what a provider says of a message; a notice that does not arrive becomes a task of a person (rules/messages#11).
 * @returns whether it is news
 */
export function takeWord(
  work: Work,
  { message, noticed }: LoadedMessage,
  told: HandedOver | Arrival,
): boolean {
  if (!endMessage(work, message, told)) return false;
  if (!noticed) return true;
  const { notice } = noticed;
  const isTaken = told.as === 'sent' || told.as === 'delivered';
  if (isTaken && notice.status === 'waiting') {
    work.change<typeof notices>(notice, { status: 'sent' });
    give(work, noticed);
  }
  if (!isTaken && (notice.status === 'waiting' || notice.status === 'sent'))
    work.change<typeof notices>(notice, {
      status: 'task',
      task_at: work.now,
      task_reason: told.as,
    });
  return true;
}

interface Done {
  readonly by: string;
  /** How it was given: `by post, certified`. */
  readonly note: string;
}

/** A person has given it: on paper, or by telephone. What began with a mail that bounced begins anew. */
export function giveByHand(work: Work, noticed: Noticed, { by, note }: Done): void {
  work.change<typeof notices>(noticed.notice, {
    status: 'done',
    done_at: work.now,
    done_by: by,
    done_note: note,
  });
  give(work, noticed);
}
