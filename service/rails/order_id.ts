import { hash128 } from '@tenant-payments/engine/hash128.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { type AnyTable, column, orNull, type ValuesOf } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { InstructionKind } from './bank.ts';

/**
 * The ids by which the bank knows an order again. They are derived, so that what is ordered again after a
 * restore is the same order to the bank, also where no row of it survived (rules/restore#1).
 */

/** 122 bits of SHA-256 as a UUIDv8 (RFC 9562), the version for such ids. */
function derived(...parts: readonly (string | number)[]): string {
  const id = hash128(parts.join(' '));
  const variant = ((Number.parseInt(id.charAt(19), 16) & 0x3) | 0x8).toString(16);
  return `${id.slice(0, 14)}8${id.slice(15, 19)}${variant}${id.slice(20)}`;
}

/** The column that each table whose records lead to an order has; null: the order is derived from the record. */
export const orderColumn = orNull(column.uuid);
export const orderUnique = { bank_order: ['bank_order_id'] } as const;

/**
 * The first id of a row of ids that no record has. Records stay, so a beginner that comes back later gets the
 * next one, and one whose record a restore has lost gets the same one again (rules/restore#3).
 */
async function firstFree<T extends AnyTable>(
  read: Read,
  table: T,
  idOf: (use: number) => string,
): Promise<string> {
  for (let use = 0; ; use += 1) {
    const id = idOf(use);
    const key = { bank_order_id: id } as unknown as Partial<ValuesOf<T>>;
    if ((await read.by(table, 'bank_order' as never, key)) === null) return id;
  }
}

/**
 * The order that a call leads to: of its Tenant, its Idempotency-Key and which use of the key it is; null: it
 * has no key, and the order is its record's.
 */
export async function orderIdOfCall<T extends AnyTable>(
  read: Read,
  table: T,
): Promise<string | null> {
  const { tenantId, call } = read;
  if (call === null) return null;
  return firstFree(read, table, (use) => derived(tenantId, 'call', table.name, call, use));
}

/** The order of the next payout of an account. */
export const orderIdOfPayout = <T extends AnyTable>(
  read: Read,
  table: T,
  accountId: string,
): Promise<string> =>
  firstFree(read, table, (use) => derived(read.tenantId, 'payout', accountId, use));

/** The order of a record that no call began. */
export const orderIdOfRecord = (
  { tenantId }: Pick<Work, 'tenantId'>,
  kind: InstructionKind,
  sourceType: string,
  sourceId: string,
): string => derived(tenantId, 'record', kind, sourceType, sourceId);

/** The order that takes money back: each sum of an order came once, so that it goes back once (rules/review#19). */
export const orderIdOfReturn = (
  { tenantId }: Pick<Work, 'tenantId'>,
  cameBy: string,
  amount: number,
): string => derived(tenantId, 'return', cameBy, amount);
