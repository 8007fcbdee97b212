import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type {
  exchangeSession as contract,
  SessionOutcome,
} from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { hash128 } from '@tenant-payments/engine/hash128.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { type SessionRow, sessions, targetOf } from './table.ts';

/** How long a result token is valid, from the end of its session (rules/sessions#25). */
const resultTokenSeconds = lifetimes.resultToken;
/** Prefix of the sandbox's result tokens; production refuses it (rules/sessions#27). */
const testPrefix = 'rt_test_';

const invalid = (reason: 'used' | 'expired' | 'unknown') =>
  fail('result_token_invalid', { param: 'result_token', details: { reason } });

/** How the customer left and the status of the record at that time (rules/sessions#26). */
function outcomeOf(session: SessionRow): SessionOutcome {
  const { flow, ended_status } = session;
  return {
    object: 'session_outcome',
    session_id: publicId('session', session.id),
    flow,
    status: session.status as SessionOutcome['status'],
    customer_id: publicId('customer', session.customer_id),
    verification_status:
      flow === 'onboarding' ? (ended_status as SessionOutcome['verification_status']) : null,
    target: targetOf(session),
    target_status: flow === 'payment_confirm' ? ended_status : null,
    terms_decision: session.terms_decision,
  };
}

const isTest = (token: string): boolean => token.startsWith(testPrefix);

/** The session of a token of `takeResult`, or of a sandbox token, which names the session. */
const loadSessionOf = (read: Read, token: string): Promise<SessionRow | null> =>
  isTest(token)
    ? read.maybe(sessions, uuidOf('session', token.slice(testPrefix.length)))
    : read.by(sessions, 'result_token', { result_token_hash: hash128(token) });

/** POST /v1/sessions/exchange: once for each session that gave a result token. */
export const exchangeSession = command('exchange_session', {
  load: (read, { result_token }: BodyOf<typeof contract>) => loadSessionOf(read, result_token),
  decide: (work, session, { result_token }) => {
    if (!session?.gave_result) throw invalid('unknown');
    work.obey('test_result_token', (environment) =>
      environment === 'production' && isTest(result_token) ? invalid('unknown') : null,
    );
    if (session.exchanged_at !== null) throw invalid('used');
    if (addSeconds(session.updated_at, resultTokenSeconds) <= work.now) throw invalid('expired');
    work.change(session, { exchanged_at: work.now });
    return { value: outcomeOf(session) };
  },
});
