import { command } from '@tenant-payments/engine/command.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type MessageFailure, messageFailures, type SentMessage } from '../../../rails/messages.ts';
import { asRefused } from '../../../rails/refused.ts';
import { type CustomerMessageRow, customerMessages } from './table.ts';

/** How handing a message over has ended. */
export type HandedOver = { readonly as: 'sent'; readonly providerId: string | null } | Failed;

/** The message will never arrive. */
interface Failed {
  readonly as: MessageFailure;
  readonly reason: string | null;
}

/** A notice that no provider is asked for: a person gives it on paper (rules/documents#34). */
export const onPaper: Failed = { as: 'undeliverable', reason: 'on_paper' };

/** A provider's report of a message that it has taken. */
export type Arrival = { readonly as: 'delivered' } | Failed;

const emptied = { email: null, mobile_hmac: null, mobile_sealed: null, facts: null } as const;
const open: readonly CustomerMessageRow['status'][] = ['waiting', 'sent', 'delivered'];
/** A code of the provider, such as `30003` or `550 5.1.1`: no words, which could name the recipient. */
const codeForm = /^[\w.-]{1,20}(?: [\w.-]{1,20})?$/;
const codeOf = (text: unknown): string | null =>
  typeof text === 'string' && codeForm.test(text) ? text : null;

/** @returns whether it is news: a message that has ended keeps its end */
export function endMessage(
  work: Work,
  row: CustomerMessageRow,
  told: HandedOver | Arrival,
): boolean {
  if (!open.includes(row.status)) return false;
  if (told.as === 'delivered' && row.status === 'delivered') return false;
  if (told.as === 'sent' && row.status !== 'waiting') {
    // The provider was faster with its report than we with ours.
    if (row.provider_id === null && told.providerId !== null)
      work.change<typeof customerMessages>(row, { provider_id: told.providerId });
    return false;
  }
  if (row.status === 'waiting') work.cancelJob('customer_message', row.id);
  const isTaken = told.as === 'sent' || told.as === 'delivered';
  work.change<typeof customerMessages>(row, {
    ...emptied,
    status: told.as,
    sent_at: isTaken ? (row.sent_at ?? work.now) : row.sent_at,
    ...(told.as === 'sent' ? { provider_id: told.providerId } : { ended_at: work.now }),
    ...('reason' in told && { reason: codeOf(told.reason) }),
  });
  return true;
}

/** The outcome of a message that was sent. A module is not compiled with the service, and may answer nothing. */
export const sentAs = (answer: SentMessage | undefined): HandedOver => ({
  as: 'sent',
  providerId: answer?.providerId ?? null,
});

/** The failure in a refusal of the provider; null: it was no refusal, and the message was not taken. */
export function failureOf(thrown: unknown): Failed | null {
  const refused = asRefused(thrown);
  if (!refused) return null;
  const as = messageFailures.find((one) => one === refused.reason) ?? 'undeliverable';
  return { as, reason: codeOf(refused.message) };
}

interface Note {
  readonly id: string;
  readonly told: HandedOver;
}

/** Notes how a message ended that is handed over once. */
export const noteSent = command('note_sent', {
  load: (read, { id }: Note) => read.one(customerMessages, id),
  decide: (work, row, { told }) => {
    endMessage(work, row, told);
    return { value: null };
  },
});
