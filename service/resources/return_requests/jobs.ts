import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds, later } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { sql } from 'kysely';
import type { Bank, ReturnAnswer } from '../../rails/bank.ts';
import { callFor, type RailsCall } from '../../rails/call.ts';
import { asRefused } from '../../rails/refused.ts';
import type { AlarmContext } from '../disputes/deadline_jobs.ts';
import { nextMorning } from '../disputes/regulation_e.ts';
import { type ReturnRequestRow, returnRequests } from './table.ts';

/** Real people answer: so long before the time is over they are told. */
const warnedSeconds = 24 * 3_600;

/** The first alarm is a day before the time is over (rules/received-money#6). */
export const scheduleDue = (work: Work, { id, answer_by }: ReturnRequestRow): void =>
  work.scheduleJob(
    'return_request_due',
    id,
    later(addSeconds(answer_by, -warnedSeconds), work.now),
  );

/** The next is when it is over, and then each business day. */
const scheduleNext = (work: Work, { id, answer_by }: ReturnRequestRow): void =>
  work.scheduleJob(
    'return_request_due',
    id,
    answer_by > work.now ? answer_by : nextMorning(work.now),
  );

/** Job `return_request_due`: an alarm while nobody has answered. */
export const returnDueJob = ({ db, log, config }: AlarmContext) =>
  command('return_request_due', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => {
      const { rows } = await sql<Pick<ReturnRequestRow, 'answer_by' | 'amount'>>`
        select answer_by, amount from return_requests
        where tenant_id = ${tenantId} and id = ${ref} and status = 'open'`.execute(db);
      const [row] = rows;
      if (!row) return;
      const link = `${config.consoleUrl ?? config.publicUrl}/console/case/${tenantId}/return-requests/${publicId('return_request', ref)}`;
      log.error(
        { alarm: 'return_request', tenant_id: tenantId, answer_by: row.answer_by, link },
        'a request to give money back must be answered',
      );
    },
    load: (read, { ref }: { ref: string }) => read.one(returnRequests, ref),
    decide: (work, request, { ref }) => {
      if (request.status === 'open') scheduleNext(work, request);
      else work.cancelJob('return_request_due', ref);
      return { value: null };
    },
  });

export interface AnswerContext extends Pick<AlarmContext, 'db' | 'log'> {
  readonly bank: Bank;
}

/** An answer that the bank is not told yet; null: there is none. */
async function waitingAnswer({ db }: AnswerContext, tenantId: string, ref: string) {
  const { rows } = await sql<
    Pick<ReturnRequestRow, 'reference' | 'amount' | 'accepted_amount' | 'answer_text'>
  >`select reference, amount, accepted_amount, answer_text from return_requests
    where tenant_id = ${tenantId} and id = ${ref} and told = 'waiting'`.execute(db);
  return rows[0] ?? null;
}

/** Tells the bank, which may refuse the answer for ever: then a person tells it. */
async function tellBank(
  { bank, log }: AnswerContext,
  answer: ReturnAnswer,
  call: RailsCall,
): Promise<'told' | 'by_hand'> {
  try {
    if (!bank.answerReturnRequest) return 'by_hand';
    await bank.answerReturnRequest(answer, call);
    return 'told';
  } catch (error) {
    const refused = asRefused(error);
    if (!refused) throw error;
    const { tenantId: tenant_id, id } = answer;
    log.error(
      { alarm: 'return_request', tenant_id, id, refused_for: refused.reason },
      'the bank refuses the answer to a request to give money back: a person tells it',
    );
    return 'by_hand';
  }
}

/** Job `return_answer`: tells the bank, then records it. When the process ends in between, it is told again. */
export const returnAnswerJob = (context: AnswerContext) =>
  command('return_answer', {
    prepare: async ({ ref }: { ref: string }, { tenantId, actor }) => {
      const found = await waitingAnswer(context, tenantId, ref);
      if (!found) return null;
      const { reference: id, amount: asked, accepted_amount: amount, answer_text: text } = found;
      const answer = amount === null ? 'reject' : amount === asked ? 'accept' : 'partial';
      return tellBank(context, { tenantId, id, answer, amount, text }, callFor(actor));
    },
    load: (read, { ref }: { ref: string }) => read.one(returnRequests, ref),
    decide: (work, request, { ref }, told) => {
      if (told && request.told === 'waiting') work.change(request, { told });
      if (request.told !== 'waiting') work.cancelJob('return_answer', ref);
      return { value: null };
    },
  });
