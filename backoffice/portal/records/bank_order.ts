import type { IdKind } from '@tenant-payments/contract/core/ids.ts';
import { moneySources } from '@tenant-payments/contract/resources/bank_messages.ts';
import { expiryOf, type InstructionRow } from '@tenant-payments/service/rails/instructions.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { BankOrder } from '../../contract/records/records.ts';

/** The order at the bank that a record led to; null: it led to none. */
export async function bankOrderOf(
  { db, tenantId }: ReadContext,
  kind: IdKind,
  uuid: string,
): Promise<BankOrder | null> {
  if (!(moneySources as readonly string[]).includes(kind)) return null;
  const { rows } = await sql<InstructionRow>`
    select id, kind, source_type, amount, status, sent_at, request_expires_at, created_at, said_by, said_text,
      provider_id, word, cancel, asked_at
    from instructions where tenant_id = ${tenantId} and source_type = ${kind} and source_id = ${uuid}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return null;
  const { id, kind: ordered, amount, status, sent_at, said_by, said_text } = row;
  const { provider_id, word, cancel, asked_at } = row;
  return {
    id,
    kind: ordered,
    amount,
    status,
    provider_id,
    word,
    cancel,
    asked_at,
    sent_at,
    expires_at: expiryOf(row),
    said_by,
    said_text,
  };
}
