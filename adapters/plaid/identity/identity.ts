import { timingSafeEqual } from 'node:crypto';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type {
  Applicant,
  Identity,
  IdentityAnswers,
  IdentityCheck,
  IdentitySession,
} from '@tenant-payments/service/rails/identity.ts';
import { CountryCode, type LinkTokenCreateRequest, Products } from 'plaid';
import { PlaidFault } from '../client.ts';
import type { Kept } from '../memory.ts';
import { attemptOf, type Parts } from './attempt.ts';
import { noteAttempt } from './watch.ts';

export interface IdentityParts extends Parts {
  readonly clientName: string;
}

/** Plaid verifies individuals: a business, and whoever stands behind it, is the reviewer's. */
const isVerified = ({ subject, data }: Applicant): boolean =>
  subject === 'customer' && !('ein' in data);

const answersOf = ({ data }: Applicant): IdentityAnswers['answers'] =>
  'ein' in data ? { ein: data.ein } : { birthDate: data.birthDate, ssnLast4: data.ssn.slice(-4) };

/** Keeps what Plaid is to be told with the check, and what proves them again. */
async function collect({ memory }: Parts, applicant: Applicant): Promise<string> {
  const { tenantId, subjectId, data, contact, consentAt } = applicant;
  const told = isVerified(applicant) ? { data, ...(contact && { contact }) } : null;
  const given = { told, hasConsented: consentAt !== undefined, answers: answersOf(applicant) };
  await memory.change('applied', subjectId, (now) => ({
    tenantId,
    record: subjectId,
    value: { ...given, attempt: now?.value.attempt ?? null },
  }));
  return `plaid ${subjectId}`;
}

/** Somebody whom Plaid is asked about; null: one who gave nothing here, or whom it does not verify. */
async function applicantOf({ memory }: Parts, subjectId: string): Promise<Kept<'applied'> | null> {
  const kept = await memory.get('applied', subjectId);
  const isAsked = kept !== null && (kept.value.told !== null || kept.value.attempt !== null);
  return isAsked ? kept : null;
}

/** Asks once for each application, and reports the same answer however often it is asked. */
async function check(parts: Parts, question: IdentityCheck, call?: RailsCall): Promise<void> {
  const { tenantId, subject, subjectId, since } = question;
  const kept = await applicantOf(parts, subjectId);
  if (kept) {
    const answer = await attemptOf(parts, kept, question, call);
    await parts.memory.report(await noteAttempt(parts, answer));
    return;
  }
  const id = `${subjectId} ${since}`;
  const fact = { id, subject, subjectId, decision: 'unclear', reasons: ['not_asked'] } as const;
  await parts.memory.report([{ id, tenantId, port: 'identity', fact }]);
}

/** The token of Link for what the applicant must do themself; null: nothing. */
async function session(
  parts: IdentityParts,
  request: IdentitySession,
  call?: RailsCall,
): Promise<string | null> {
  const kept = await applicantOf(parts, request.subjectId);
  if (!kept) return null;
  const { attempt } = kept.value;
  // The check begins it, so that there are no two.
  if (attempt !== null && attempt.since !== request.since) throw new PlaidFault('NOT_BEGUN');
  const { status } = await attemptOf(parts, kept, request, call);
  if (status !== 'active') return null;
  const asked: LinkTokenCreateRequest = {
    client_name: parts.clientName,
    language: request.locale ?? 'en',
    country_codes: [CountryCode.Us],
    products: [Products.IdentityVerification],
    identity_verification: { template_id: parts.template, gave_consent: kept.value.hasConsented },
    user: { client_user_id: request.subjectId },
  };
  const { link_token } = await parts.client.ask(
    (api, options) => api.linkTokenCreate(asked, options),
    call,
  );
  return link_token;
}

/** In constant time, whatever the texts are. */
function isSame(given: string, kept: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(kept)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function matches({ memory }: Parts, { subjectId, answers: given }: IdentityAnswers) {
  const kept = (await memory.get('applied', subjectId))?.value.answers;
  if (!kept) return false;
  if ('ein' in given) return 'ein' in kept && isSame(given.ein, kept.ein);
  if ('ein' in kept) return false;
  const isNumber = isSame(given.ssnLast4, kept.ssnLast4);
  return isSame(given.birthDate, kept.birthDate) && isNumber;
}

/** Plaid Identity Verification, for individuals. */
export const openIdentity = (parts: IdentityParts): Identity => ({
  collect: (applicant) => collect(parts, applicant),
  check: (question, call) => check(parts, question, call),
  session: (request, call) => session(parts, request, call),
  matches: (question) => matches(parts, question),
});
