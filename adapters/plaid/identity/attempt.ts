import { isDeepStrictEqual } from 'node:util';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { IdentityCheck } from '@tenant-payments/service/rails/identity.ts';
import { IDNumberType, type IdentityVerificationCreateRequestUser, Strategy } from 'plaid';
import type { Client } from '../client.ts';
import type { Applied, Kept, Memory } from '../memory.ts';
import type { Answer } from './result.ts';

export interface Parts {
  readonly client: Client;
  readonly memory: Memory;
  readonly template: string;
}

/** An applicant's data for Plaid; null: it has them, or asks the applicant itself. */
function userOf({ told }: Applied): IdentityVerificationCreateRequestUser | null {
  if (told === null || 'ein' in told.data) return null;
  const { data, contact = {} } = told;
  const { line1, line2, city, state, postalCode } = data.address;
  return {
    name: { given_name: data.firstName, family_name: data.lastName },
    date_of_birth: data.birthDate,
    address: {
      street: line1,
      ...(line2 !== null && { street2: line2 }),
      city,
      region: state,
      postal_code: postalCode,
      country: 'US',
    },
    id_number: { value: data.ssn, type: IDNumberType.UsSsn },
    ...(contact.email && { email_address: contact.email }),
    ...(contact.mobileNumber && { phone_number: contact.mobileNumber }),
  };
}

/** The first attempt. However often it is asked for, Plaid makes one. */
async function begin(
  { client, template }: Parts,
  { key: subjectId, value }: Kept<'applied'>,
  call?: RailsCall,
): Promise<Answer> {
  const asked = {
    client_user_id: subjectId,
    template_id: template,
    is_shareable: false,
    is_idempotent: true,
    gave_consent: value.hasConsented,
    user: userOf(value),
  };
  return client.ask((api, options) => api.identityVerificationCreate(asked, options), call);
}

const newestFirst = (one: Answer, other: Answer) => other.created_at.localeCompare(one.created_at);

/** A later attempt, of who applies again. One whose answer was lost is found, since Plaid would make a second. */
async function beginAgain(
  { client, template }: Parts,
  { key: subjectId, value }: Kept<'applied'>,
  before: string,
  call?: RailsCall,
): Promise<Answer> {
  const named = { client_user_id: subjectId, template_id: template };
  const { identity_verifications: attempts } = await client.ask(
    (api, options) => api.identityVerificationList(named, options),
    call,
  );
  const [newest] = [...attempts].sort(newestFirst);
  if (newest && newest.id !== before) return newest;
  const user = userOf(value);
  const asked = { ...named, strategy: Strategy.Reset, ...(user && { user }) };
  return client.ask((api, options) => api.identityVerificationRetry(asked, options), call);
}

export const askAttempt = ({ client }: Parts, id: string, call?: RailsCall): Promise<Answer> =>
  client.ask(
    (api, options) => api.identityVerificationGet({ identity_verification_id: id }, options),
    call,
  );

/** Asking for the attempts of nobody costs nothing. @throws PlaidFault */
export function askForNobody({ client, template }: Omit<Parts, 'memory'>, call: RailsCall) {
  const nobody = { template_id: template, client_user_id: 'rails-check' };
  return client.ask((api, options) => api.identityVerificationList(nobody, options), call);
}

/** The attempt that a check is for, as it stands at Plaid; it is begun where there is none. @throws PlaidFault */
export async function attemptOf(
  parts: Parts,
  kept: Kept<'applied'>,
  { since }: Pick<IdentityCheck, 'since'>,
  call?: RailsCall,
): Promise<Answer> {
  const { attempt } = kept.value;
  if (attempt?.since === since) return askAttempt(parts, attempt.id, call);
  const answer = attempt
    ? await beginAgain(parts, kept, attempt.id, call)
    : await begin(parts, kept, call);
  const { tenantId, record, key: subjectId, value } = kept;
  const begun = { subjectId, startedAtMs: Date.now(), state: null, changes: 0, said: [] };
  await parts.memory.change('verification', answer.id, (now) =>
    now ? null : { tenantId, record, value: begun },
  );
  await parts.memory.change('applied', subjectId, (now) => {
    if (!now) return null;
    // Plaid has it now; what was given meanwhile waits for the next attempt.
    const told = isDeepStrictEqual(now.value.told, value.told) ? null : now.value.told;
    return { ...now, value: { ...now.value, told, attempt: { id: answer.id, since } } };
  });
  return answer;
}
