import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Static } from 'typebox';
import { preview } from '../approvals/preview.ts';
import type { previewMove as contract, MovePreview } from '../contract/operate/desk.ts';
import { foreseenLetter } from '../letters/foreseen.ts';
import type { MoveTable } from '../review/move.ts';
import { prepareMove } from '../review/reviewed_move.ts';
import { otherHolder } from './case_holder.ts';
import { readCase } from './file.ts';
import { caseIn, type DeskSource } from './sources.ts';

type Parts = Pick<Service, 'db' | 'engine' | 'clocks' | 'config' | 'pool'>;
type Answer = Static<typeof MovePreview>;
type Asked = ParamsOf<typeof contract> & BodyOf<typeof contract>;

function obstacleOf({ code, details }: ApiError): Answer['obstacle'] {
  const { reason = null } = details ?? {};
  return { code, reason: reason === null ? null : String(reason) };
}

const waitsNow = ({ clocks }: Parts, source: DeskSource, row: Parameters<DeskSource['waits']>[0]) =>
  source.waits(row, instantOf(clocks.realNow()));

/** Whether somebody else has the case. The reserve is no case, so nobody takes it. */
async function isTakenByOther(service: Parts, context: ReadContext, asked: Asked) {
  if (asked.resource === 'reserve') return false;
  const { resource, source, id } = caseIn(asked);
  const row = await readCase(context, resource, id);
  return otherHolder(context.actor, row) !== null && waitsNow(service, source, row);
}

/**
 * POST /portal/api/cases/{resource}/{id}/preview: the move up to its commit (rules/review#35).
 * @throws ApiError not_found for an unknown resource, move or record; parameter_missing,
 *   parameter_invalid
 */
export const previewMove =
  (service: Parts, table: MoveTable) =>
  async (context: ReadContext, asked: Asked): Promise<Answer> => {
    const isTaken = await isTakenByOther(service, context, asked);
    const ready = await prepareMove(table, asked, context);
    const found = await preview(service, asked, ready, context);
    if (found instanceof ApiError && found.code === 'not_found') throw found;
    // If a move is refused, nobody knows what it would do.
    const needs_approval =
      service.config.approvals && !(found instanceof ApiError) && found.verdict.isNeeded;
    const answer = { object: 'move_preview', needs_approval, letter: null } as const;
    if (isTaken)
      return { ...answer, effect: null, obstacle: { code: 'invalid_state', reason: 'taken' } };
    if (found instanceof ApiError) return { ...answer, effect: null, obstacle: obstacleOf(found) };
    const letter =
      asked.resource === 'disputes'
        ? await foreseenLetter(service, context.tenantId, ready.given.id, found)
        : null;
    return { ...answer, effect: found.seen.effect, obstacle: null, letter };
  };
