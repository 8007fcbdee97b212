import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { isCostlyMarkdown, markdownLimits } from '@tenant-payments/contract/core/markdown_cost.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { PrepareContext } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { reviewRecord as contract } from '../contract/operate/review.ts';
import type { MoveTable, ReviewField, ReviewInput, ReviewMove, Takes } from './move.ts';
import { reviews } from './table.ts';

/** A move as it is asked for: path and body in one. Only an approval is asked for settings. */
export type AskedMove = ParamsOf<typeof contract> &
  BodyOf<typeof contract> & { readonly settings?: Partial<Settings> | null };

/** @throws ApiError not_found, param resource, move or id */
function find(table: MoveTable, { resource, move, id }: AskedMove) {
  const reviewed = ownValue(table, resource);
  if (!reviewed) throw fail('not_found', { param: 'resource' });
  const made = ownValue(reviewed.moves, move);
  if (!made) throw fail('not_found', { param: 'move' });
  const found = reviewed.idOf(id);
  if (found === null) throw fail('not_found', { param: 'id' });
  return { made, id: found };
}

/** @throws ApiError parameter_invalid, parameter_missing */
function amountOf({ amount = null, move }: AskedMove, { amount: takes }: Takes): number | null {
  if (amount === null && takes === 'required')
    throw fail('parameter_missing', { param: 'amount', message: 'amount is missing' });
  if (amount === null) return null;
  // Only an adjustment may be negative.
  if (amount === 0 || (amount < 0 && move !== 'adjust'))
    throw fail('parameter_invalid', {
      param: 'amount',
      details: { reason: 'below_minimum', minimum: 1 },
    });
  return amount;
}

const linkFailures: readonly string[] = failureCodesOf('linked_account');

/** @throws ApiError parameter_invalid */
function failureOf({ failure_code = null }: AskedMove): string | null {
  if (failure_code !== null && !linkFailures.includes(failure_code))
    throw fail('parameter_invalid', {
      param: 'failure_code',
      details: { reason: 'not_allowed', allowed: linkFailures },
    });
  return failure_code;
}

/** @throws ApiError not_found, param account_id */
function accountOf({ account_id = null }: AskedMove): string | null {
  const id = account_id === null ? null : uuidOf('account', account_id);
  if (account_id !== null && id === null) throw fail('not_found', { param: 'account_id' });
  return id;
}

export const reviewFields: readonly ReviewField[] = [
  'amount',
  'failure_code',
  'finding',
  'asks',
  'handled_as',
  'customer_bears',
  'learned_on',
  'shown_on',
  'account_id',
  'version',
  'title',
  'text',
  'security_reason',
  'settings',
];

const both = ['en', 'es'] as const;

const costly = (language: string) =>
  fail('parameter_invalid', {
    param: `text.${language}`,
    details: { reason: 'too_intricate', ...markdownLimits },
    message: `text.${language} has a paragraph with more than ${markdownLimits.signsInParagraph} signs of Markdown, or more than ${markdownLimits.levels} levels of quotes or lists: no page shows it at once`,
  });

/** @throws ApiError parameter_missing; parameter_invalid {reason: too_intricate} */
function legalTextOf({ version = null, title = null, text = null }: AskedMove, takes: Takes) {
  const given = { version, title, text };
  for (const [param, value] of Object.entries(given)) {
    if (takes[param as keyof typeof given] === 'required' && value === null)
      throw fail('parameter_missing', { param, message: `${param} is missing` });
  }
  for (const language of both) if (text && isCostlyMarkdown(text[language])) throw costly(language);
  return given;
}

/** Fields that are taken as they are. @throws ApiError parameter_missing */
function plainOf(asked: AskedMove, takes: Takes) {
  const { finding = null, asks = null, handled_as = null, settings = null } = asked;
  const { customer_bears = null, learned_on = null, shown_on = null } = asked;
  const { security_reason = null } = asked;
  const liability = { customer_bears, learned_on, shown_on };
  const given = { finding, asks, handled_as, ...liability, security_reason, settings };
  for (const [param, value] of Object.entries(given)) {
    if (takes[param as keyof typeof given] === 'required' && value === null)
      throw fail('parameter_missing', { param, message: `${param} is missing` });
  }
  return given;
}

/** A move that needs a reason. A preview needs none yet. @throws ApiError parameter_missing */
export function assertNoted({ note = null }: AskedMove, { takes }: ReviewMove): void {
  if (note === null && takes.note === 'required')
    throw fail('parameter_missing', { param: 'note', message: 'note is missing' });
}

/**
 * The move's input from the body.
 * @throws ApiError parameter_invalid for a field that the move does not take, or an invalid value
 */
function inputOf(body: AskedMove, id: string, { takes }: ReviewMove): ReviewInput {
  for (const field of reviewFields)
    if (takes[field] === undefined && (body[field] ?? null) !== null)
      throw fail('parameter_invalid', {
        param: field,
        details: { reason: 'not_of_this_move', allowed: Object.keys(takes) },
      });
  return {
    id,
    amount: amountOf(body, takes),
    failure_code: failureOf(body),
    account_id: accountOf(body),
    ...legalTextOf(body, takes),
    ...plainOf(body, takes),
  };
}

/** A move that is ready to be loaded and decided. */
export interface ReadyMove {
  readonly made: ReviewMove;
  readonly given: ReviewInput;
  readonly prepared: unknown;
}

/**
 * Finds the move and checks its fields.
 * @throws ApiError not_found for an unknown resource, move or id; parameter_missing, parameter_invalid
 */
export async function prepareMove(
  table: MoveTable,
  asked: AskedMove,
  context: PrepareContext,
): Promise<ReadyMove> {
  const { made, id } = find(table, asked);
  const given = inputOf(asked, id, made);
  return { made, given, prepared: await made.command.prepare?.(given, context) };
}

/** The maker of a move, and who approved it where one person was not enough. */
interface Makers {
  readonly operator: string;
  readonly approvalId: string | null;
}

/** Writes who made the move, when and why, in its transaction (rules/review#2). */
export function writeReview(
  work: Work,
  { resource, id, move, note = null }: AskedMove,
  { amount, failure_code }: ReviewInput,
  { operator, approvalId }: Makers,
): void {
  work.create(reviews, {
    id: work.newId(),
    resource,
    record_id: id,
    move,
    operator,
    note,
    amount,
    failure_code,
    approval_id: approvalId,
    created_at: work.now,
  });
}

/** The fields of a move that the audit keeps: nothing that says who a person is. */
export const auditedFields = (
  { account_id = null }: Pick<AskedMove, 'account_id'>,
  { amount, failure_code, version, handled_as, customer_bears }: ReviewInput,
) => ({ amount, failure_code, account_id, version, handled_as, customer_bears });
