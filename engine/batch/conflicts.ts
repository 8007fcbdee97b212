import { type ApiError, fail } from '../fail.ts';

interface DatabaseFailure {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
}

const asFailure = (error: unknown): DatabaseFailure =>
  typeof error === 'object' && error !== null ? (error as DatabaseFailure) : {};

/** The last name that PostgreSQL quotes in its message, in any language. */
const lastQuoted = /"(\w+)"[^"]*$/;

/**
 * The constraint that a commit has violated; undefined: none. The failure of a foreign table, which a remote cell has
 * of control, names it in its message alone; Citus names that of a part of a table by the part:
 * `customers_mobile_number_102008`.
 */
export function constraintOf(error: unknown): string | undefined {
  const { code, constraint, message = '' } = asFailure(error);
  const isViolated = code === '23505' || code === '23514';
  const name = constraint ?? (isViolated ? lastQuoted.exec(message)?.[1] : undefined);
  return name?.replace(/_\d{6,}$/, '');
}

/** Errors that a commit of another process can cause; the batch is decided again on fresh rows. */
const rerunCodes = new Set([
  '40001', // a row was not as read: `expect` raised
  '40P01', // deadlock
  'XX000', // Citus: the node that refused says why, the others only that it did
  '25P02', // Citus: what follows on the node where a statement has failed
]);
const rerunConstraints = new Set(['pocket_not_negative', 'disputes_movement']);
/** Another commit made the row first: on fresh rows the command finds it. */
const primaryKey = /_(pkey|key)$/;

/** Refusals by the constraint that a caller's data can violate (rules/errors#21). */
const refusals: Readonly<Record<string, () => ApiError>> = {
  customers_external_ref: () => fail('duplicate_external_ref', { param: 'external_ref' }),
  customers_mobile_number: () => fail('duplicate_mobile_number', { param: 'mobile_number' }),
  linked_accounts_active: () => fail('linked_account_exists'),
};

/** A conflict: the whole batch is decided again on fresh rows. */
export function mustRerun(error: unknown): boolean {
  const { code } = asFailure(error);
  if (code !== undefined && rerunCodes.has(code)) return true;
  const constraint = constraintOf(error);
  if (constraint === undefined) return false;
  return primaryKey.test(constraint) || rerunConstraints.has(constraint) || constraint in refusals;
}

/** The refusal behind a constraint, once a command has failed alone with it. */
export function constraintFailure(error: unknown): ApiError | null {
  return refusals[constraintOf(error) ?? '']?.() ?? null;
}
