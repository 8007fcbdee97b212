import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId, platformScope } from '@tenant-payments/engine/platform.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { peerOf } from '@tenant-payments/service/cells/peer_of.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { sql } from 'kysely';
import {
  noteBankDifference as contract,
  type DifferenceNote,
  type StatementComparison,
} from '../../../contract/money/bank_statements.ts';
import { nameOf } from '../../../desk/notes.ts';
import type { Found } from './match.ts';
import { bankStatementNotes } from './table.ts';

/** Names a difference for as long as its line and its posting are what they are. */
export function keyOf({ line, source_id, step, posted_at, ledger_amount }: Found): string {
  const posting = source_id ? ['posting', source_id, step, posted_at, ledger_amount] : [];
  return [...(line === null ? [] : ['line', line]), ...posting].join(' ');
}

interface Row extends Omit<DifferenceNote, 'by'> {
  readonly difference: string;
  readonly author: string;
  readonly name: string | null;
}

/** The notes of a statement by their difference, oldest first. */
export async function notesOf(
  { db }: Pick<ReadContext, 'db'>,
  statementId: string,
): Promise<ReadonlyMap<string, readonly DifferenceNote[]>> {
  const { rows } = await sql<Row>`
    select n.difference, n.note, n.cleared, n.author, p.name, n.created_at
    from control.bank_statement_notes n left join control.people p on n.author = 'person ' || p.id
    where n.statement_id = ${statementId} order by n.created_at, n.id`.execute(db);
  const notes = new Map<string, DifferenceNote[]>();
  for (const { difference, author, name, ...note } of rows)
    notes.set(difference, [
      ...(notes.get(difference) ?? []),
      { ...note, by: nameOf(author, name) },
    ]);
  return notes;
}

interface Noted extends Pick<BodyOf<typeof contract>, 'difference' | 'note' | 'cleared'> {
  readonly id: string;
}

/** The command of the Tenant whose bank account it is, or of the platform for the pooled one, as the statement is. */
const noteDifference = ({ clocks }: Pick<Service, 'clocks'>) =>
  command('note_bank_difference', {
    load: async () => null,
    decide: (work, _before, { id, difference, note, cleared }: Noted) => {
      work.create(bankStatementNotes, {
        id: work.newId(),
        statement_id: id,
        difference,
        note,
        cleared,
        author: actorName(work.actor),
        created_at: instantOf(clocks.realNow()),
      });
      return { value: { id } };
    },
  });

/** The comparison of a statement with the ledger. @throws ApiError not_found */
export type Compare = (context: ReadContext, path: { id: string }) => Promise<StatementComparison>;

/**
 * POST /portal/api/bank-statements/{id}/notes (rules/money-desk#14).
 * @throws ApiError not_found: no such statement, or no such difference of it any more
 */
export const addDifferenceNote =
  (service: Service, compare: Compare) =>
  async (
    context: ReadContext,
    { id, ...body }: { id: string } & BodyOf<typeof contract>,
  ): Promise<StatementComparison> => {
    const { statement, differences } = await compare(context, { id });
    if (!differences.some(({ key }) => key === body.difference))
      throw fail('not_found', { param: 'difference' });
    const tenantId = statement.tenant_id;
    const engine =
      tenantId === null ? service.platformEngine : (await peerOf(service, tenantId)).engine;
    await engine.submit(noteDifference(service), {
      tenantId: tenantId ?? platformId,
      actor: context.actor,
      act: { act: contract.id, record: id, scope: platformScope },
      input: { id, ...body },
    });
    return compare(context, { id });
  };
