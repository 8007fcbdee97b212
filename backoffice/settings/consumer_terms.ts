import { termWords } from '@tenant-payments/contract/core/term_words.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { effectiveFrom } from '@tenant-payments/service/resources/terms/effective.ts';
import { countConsumers } from '@tenant-payments/service/resources/terms/hold.ts';
import {
  type TermChangeRow,
  termChanges,
  termPieces,
} from '@tenant-payments/service/resources/terms/table.ts';
import { sql } from 'kysely';
import type { ConsumerTerms, TermChange } from '../contract/settings/consumer_terms.ts';

type Read = TermChangeRow & { readonly waiting: readonly string[] };

function viewOf(tenantId: string, row: Read): TermChange {
  const pieces = termPieces.read(tenantId, JSON.parse(row.pieces));
  return {
    object: 'term_change',
    id: row.id,
    status: row.ended_at === null ? 'waiting' : 'in_force',
    terms: pieces.map((piece) => ({
      field: piece.field,
      waits: row.waiting.includes(piece.field),
      words: termWords(piece),
    })),
    security_reason: row.reason,
    consumers: row.consumers,
    told_at: row.told_at,
    effective_at: row.effective_at,
    created_at: row.created_at,
  };
}

/** GET /portal/api/consumer-terms (rules/documents#31). */
export async function getConsumerTerms(context: ReadContext): Promise<ConsumerTerms> {
  const { db, tenantId } = context;
  const [consumers, now, { rows }] = await Promise.all([
    countConsumers(db, tenantId),
    context.now(),
    sql<Read>`
        select ${sql.raw(columnList(termChanges, 'c'))}, array(select field from waiting_terms w
            where w.tenant_id = ${tenantId} and w.change_id = c.id) as waiting
          from term_changes c where c.tenant_id = ${tenantId}
          order by c.created_at desc, c.id desc limit 100`.execute(db),
  ]);
  return {
    object: 'consumer_terms',
    consumers,
    effective_at: effectiveFrom(now),
    changes: rows.map((row) => viewOf(tenantId, row)),
  };
}
