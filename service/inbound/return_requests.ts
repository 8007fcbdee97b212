import { isUuid, uuidOfDigits } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { epochMs, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, ReturnRequestFact } from '../rails/facts.ts';
import { instructions } from '../rails/instructions.ts';
import { scheduleDue } from '../resources/return_requests/jobs.ts';
import { returnRequests } from '../resources/return_requests/table.ts';
import { receivedMoney } from '../resources/suspense/received_money.ts';
import { suspense } from '../resources/suspense/table.ts';
import { readOrder } from './bank_facts.ts';
import { keptText } from './kept_words.ts';

/** A request as we hold it. */
export interface HeldRequest {
  /** The bank's own id of the request. */
  readonly id: string;
  readonly of: string;
  readonly amount: number;
  readonly reason: string;
  readonly requestText: string | null;
  readonly answerBy: Instant;
}

const printable = /^[\x21-\x7e]{1,255}$/;
const longestReason = 35;

/**
 * A request without numbers of accounts and addresses. A module need not be checked by a compiler.
 * @throws ApiError parameter_invalid
 */
export function heldRequest({ id, returnRequest }: ReturnRequestFact): HeldRequest {
  const { of, amount, reason, text, answerBy } = returnRequest;
  const refused = (field: string) => fail('parameter_invalid', { param: `returnRequest.${field}` });
  if (!printable.test(id)) throw fail('parameter_invalid', { param: 'id' });
  if (!printable.test(of)) throw refused('of');
  if (!Number.isSafeInteger(amount) || amount <= 0) throw refused('amount');
  const at = epochMs(answerBy);
  if (!Number.isFinite(at)) throw refused('answerBy');
  return {
    id,
    of,
    amount,
    reason: keptText(reason)?.slice(0, longestReason) ?? 'NARR',
    requestText: keptText(text),
    answerBy: instantOf(at),
  };
}

const uuidIn = (of: string): string | null =>
  isUuid(of.toLowerCase()) ? of.toLowerCase() : uuidOfDigits(of.toLowerCase());

/** The things that the request names: an order and its record, or money in suspense; nothing of another Tenant. */
async function namedBy(read: Read, of: string) {
  const uuid = uuidIn(of);
  const payment = await read.by(receivedMoney, 'provider', { provider_id: of });
  const order = await read.maybe(instructions, payment?.order_id ?? uuid);
  const isMoneyIn = order?.kind === 'request_for_payment';
  const [found, items] = await Promise.all([
    order && isMoneyIn ? readOrder(read, order.id) : null,
    payment ? read.set(suspense, 'source_id', payment.id) : [],
  ]);
  return {
    payment,
    order: isMoneyIn ? order : null,
    account_id: found?.leg.holder?.id ?? items[0]?.account_id ?? null,
  };
}

/** Reads what the money came by. */
export async function loadReturnRequest(read: Read, { id, of }: HeldRequest) {
  const [known, named] = await Promise.all([
    read.by(returnRequests, 'reference', { reference: id }),
    namedBy(read, of),
  ]);
  return { known, ...named };
}

/** Keeps the request for a reviewer, also one that names nothing of this Tenant: the bank waits for an answer. */
export function receiveReturnRequest(
  work: Work,
  { known, payment, order, account_id }: Awaited<ReturnType<typeof loadReturnRequest>>,
  { id: reference, amount, reason, requestText, answerBy: answer_by }: HeldRequest,
): FactResult {
  if (known) return 'known';
  const row = work.create(
    returnRequests,
    {
      id: work.newId(),
      reference,
      order_id: order?.id ?? null,
      payment_id: payment?.id ?? null,
      source_type: order?.source_type ?? null,
      source_id: order?.source_id ?? null,
      account_id,
      amount,
      reason,
      text: requestText,
      answer_by,
      accepted_amount: null,
      answer_text: null,
      told: null,
      created_at: work.now,
      answered_at: null,
    },
    'receive',
  );
  scheduleDue(work, row);
  return order || payment ? 'taken' : 'unknown';
}
