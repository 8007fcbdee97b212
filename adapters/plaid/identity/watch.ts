import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { PollResult, Receipt } from '@tenant-payments/service/rails/providers/provider.ts';
import { isFault } from '../client.ts';
import type { Kept, Verification } from '../memory.ts';
import { lookAtEach } from '../turn.ts';
import { againMs } from '../watch.ts';
import type { Message } from '../webhook.ts';
import { askAttempt, askForNobody, type Parts } from './attempt.ts';
import { type Answer, factOf, mayChange, stateOf } from './result.ts';

/** The states of attempts, as Plaid answers when it is asked: a message is only the occasion. */

const receiptsOf = (tenantId: string, { said }: Verification): readonly Receipt[] =>
  said.map(({ fact }) => ({ id: fact.id, tenantId, port: 'identity', fact }));

/** Notes how an attempt stands. @returns what was said of it lately, with that; nothing of one that a later one followed */
export async function noteAttempt(
  { memory }: Parts,
  answer: Answer,
  nowMs = Date.now(),
): Promise<readonly Receipt[]> {
  const kept = await memory.get('verification', answer.id);
  if (!kept) return [];
  const { subjectId } = kept.value;
  const applied = await memory.get('applied', subjectId);
  if (applied?.value.attempt?.id !== answer.id) return [];
  const after = await memory.change('verification', answer.id, (now) => {
    if (!now) return null;
    const { value } = now;
    const state = stateOf(answer, value.startedAtMs, nowMs);
    if (state === null || state === value.state) return null;
    const changes = value.changes + 1;
    const fact = factOf(`${answer.id}-${changes}-${state}`, subjectId, state, answer);
    const lately = value.said.filter(({ atMs }) => atMs > nowMs - againMs);
    const said = [...lately, { fact, atMs: nowMs }];
    return { ...now, value: { ...value, state, changes, said } };
  });
  return after ? receiptsOf(after.tenantId, after.value) : [];
}

/**
 * Takes a verified message. What Plaid tells of anything else, or of attempts of other deployments, is left out.
 * @throws PlaidFault where Plaid does not say how the attempt stands: the message comes again
 */
export async function takeVerification(
  parts: Parts & { readonly environment: 'sandbox' | 'production' },
  { webhook_type, environment, identity_verification_id: id }: Message,
  call: RailsCall,
): Promise<readonly Receipt[]> {
  const isOurs = webhook_type === 'IDENTITY_VERIFICATION' && environment === parts.environment;
  if (!isOurs || typeof id !== 'string') return [];
  if (!(await parts.memory.get('verification', id))) return [];
  return noteAttempt(parts, await askAttempt(parts, id, call));
}

/** The attempts read in a turn. Plaid is asked only about those that have not ended. */
const readInATurn = 200;

async function look(
  parts: Parts,
  { key, tenantId, value }: Kept<'verification'>,
  call: RailsCall,
): Promise<readonly Receipt[]> {
  if (!mayChange(value.state)) {
    const said = value.said.filter(({ atMs }) => atMs > Date.now() - againMs);
    return receiptsOf(tenantId, { ...value, said });
  }
  const answer = await askAttempt(parts, key, call).catch((error: unknown) => {
    // Plaid's people have removed it.
    if (isFault(error, 'NOT_FOUND', 'INVALID_FIELD')) return null;
    throw error;
  });
  return answer ? noteAttempt(parts, answer) : [];
}

/** Walks all attempts, some at each turn, which finds what no message has told. @throws PlaidFault */
export async function walkVerifications(
  parts: Parts,
  cursor: string | null,
  call: RailsCall,
): Promise<PollResult> {
  const found = await parts.memory.list('verification', cursor, readInATurn);
  const looking = {
    cursor,
    pageSize: readInATurn,
    isAsked: ({ value }: Kept<'verification'>) => mayChange(value.state),
    look: (one: Kept<'verification'>, given: RailsCall) => look(parts, one, given),
    probe: (given: RailsCall) => askForNobody(parts, given),
  };
  return lookAtEach(found, looking, call);
}
