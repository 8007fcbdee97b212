import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { failureCodesOf } from '@tenant-payments/contract/core/failure_codes.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { reviewRecord as contract } from '@tenant-payments/contract/portal/review.ts';
import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { ReviewField, ReviewInput, ReviewMove, ReviewTable, Takes } from './moves.ts';
import { reviews } from './table.ts';

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

/** The operator, while the sandbox's access token is the only way to authenticate (rules/review#3). */
const operator = 'access token';

/** @throws ApiError not_found, param resource, move or id */
function find(table: ReviewTable, { resource, move, id }: Input) {
  // Own properties only: `constructor` is no resource.
  const own = <T extends object>(of: T, name: string) =>
    Object.hasOwn(of, name) ? of[name as keyof T] : undefined;
  const reviewed = own(table, resource);
  if (!reviewed) throw fail('not_found', { param: 'resource' });
  const made: ReviewMove | undefined = own<Readonly<Record<string, ReviewMove>>>(
    reviewed.moves,
    move,
  );
  if (!made) throw fail('not_found', { param: 'move' });
  const found = reviewed.idOf(id);
  if (found === null) throw fail('not_found', { param: 'id' });
  return { made, id: found };
}

/** @throws ApiError parameter_invalid, parameter_missing */
function amountOf({ amount = null, move }: Input, { amount: takes }: Takes): number | null {
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
function failureOf({ failure_code = null }: Input): string | null {
  if (failure_code !== null && !linkFailures.includes(failure_code))
    throw fail('parameter_invalid', {
      param: 'failure_code',
      details: { reason: 'not_allowed', allowed: linkFailures },
    });
  return failure_code;
}

/** @throws ApiError not_found, param account_id */
function accountOf({ account_id = null }: Input): string | null {
  const id = account_id === null ? null : uuidOf('account', account_id);
  if (account_id !== null && id === null) throw fail('not_found', { param: 'account_id' });
  return id;
}

const fields: readonly ReviewField[] = [
  'amount',
  'failure_code',
  'account_id',
  'version',
  'title',
  'text',
];

const both = ['en', 'es'] as const;

/** @throws ApiError parameter_missing; parameter_invalid {reason: empty}: nothing but blanks */
function legalTextOf({ version = null, title = null, text = null }: Input, takes: Takes) {
  const given = { version, title, text };
  for (const [param, value] of Object.entries(given)) {
    if (takes[param as keyof typeof given] === 'required' && value === null)
      throw fail('parameter_missing', { param, message: `${param} is missing` });
    for (const language of both)
      if (typeof value === 'object' && value?.[language].trim() === '')
        throw fail('parameter_invalid', {
          param: `${param}.${language}`,
          details: { reason: 'empty' },
        });
  }
  return given;
}

/**
 * The move's input from the body.
 * @throws ApiError parameter_invalid for a field that the move does not take, or an invalid value
 */
function inputOf(body: Input, id: string, { takes }: ReviewMove): ReviewInput {
  for (const field of fields)
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
  };
}

/**
 * POST /portal/api/review/{resource}/{id}/{move}: runs the move's command and writes in its
 * transaction who made it, when and why (rules/review#2).
 * @throws ApiError not_found for an unknown resource, move or record; invalid_state when the move is
 *   not possible from the record's status; all that the command throws
 */
export const reviewRecord = (table: ReviewTable) =>
  command('review', {
    prepare: async (input: Input, context) => {
      const { made, id } = find(table, input);
      const given = inputOf(input, id, made);
      return { made, given, prepared: await made.command.prepare?.(given, context) };
    },
    load: (read, _input, { made, given, prepared }) => made.command.load(read, given, prepared),
    decide: (work, loaded, input, { made, given, prepared }) => {
      const answer = made.command.decide(work, loaded, given, prepared);
      work.create(reviews, {
        id: work.newId(),
        resource: input.resource,
        record_id: input.id,
        move: input.move,
        operator,
        note: input.note ?? null,
        amount: given.amount,
        failure_code: given.failure_code,
        created_at: work.now,
      });
      return answer;
    },
  });
