import type { Span } from '../customer/activity.ts';
import type { CaseRecord } from '../desk/what.ts';

const dayMs = 86_400_000;
/** A customer has 60 days from the statement, and the bank's own days besides. */
const daysBefore = 90;
const daysAfter = 2;

const shifted = (at: string, days: number): string =>
  new Date(Date.parse(at) + days * dayMs).toISOString();

/** The instant that a case is about; null: the present. */
function instantOf(record: CaseRecord): string | null {
  switch (record.object) {
    case 'dispute':
      return record.notice_received_at;
    case 'suspense':
    case 'bank_message':
    case 'return_request':
      return record.created_at;
    default:
      return null;
  }
}

/** The time around what a case is about. */
export function spanOf(record: CaseRecord): Span {
  const at = instantOf(record);
  return at === null ? {} : { from: shifted(at, -daysBefore), to: shifted(at, daysAfter) };
}

/** The same in words. */
export const textOf = (record: CaseRecord): string =>
  instantOf(record) === null
    ? "The newest movements of the customer's money."
    : "The customer's money in the 90 days before, the newest first.";
