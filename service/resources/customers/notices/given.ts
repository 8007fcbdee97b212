import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Arrival, HandedOver } from '../messages/outcome.ts';
import { endMessage, onPaper } from '../messages/outcome.ts';
import { customerMessages } from '../messages/table.ts';
import type { NoticeEffect, NoticeEffects } from './port.ts';
import { type NoticeRow, notices, noticeView } from './table.ts';

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

/** Marks the notice as given now: the clocks of its record begin. */
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
      task_reason: told === onPaper ? 'paper' : told.as,
    });
  return true;
}

interface Given {
  /** By uuid. */
  readonly id: string;
  /** How it was given: `by post, certified`. */
  readonly finding: string | null;
}

/**
 * A reviewer has given it: on paper, or by telephone. What began with a mail that bounced begins anew.
 * @throws ApiError invalid_state
 */
export const giveNotice = (effects: NoticeEffects) =>
  command('give_notice', {
    load: async (read, { id }: Given) => loadNotice(read, await read.one(notices, id), effects),
    decide: (work, noticed, { finding }) => {
      const { notice } = noticed;
      if (notice.status !== 'task')
        throw fail('invalid_state', {
          details: { current_status: notice.status, allowed: ['task'] },
        });
      work.change<typeof notices>(notice, {
        status: 'done',
        done_at: work.now,
        done_by: actorName(work.actor),
        done_note: finding,
      });
      give(work, noticed);
      return { value: noticeView(notice) };
    },
  });
