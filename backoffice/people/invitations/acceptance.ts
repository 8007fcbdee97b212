import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  type AcceptedInvitation,
  beginAcceptance,
  finishAcceptance,
  openInvitation,
} from '../../contract/people/invitations.ts';
import type { Notice, Notices } from '../notices/notices.ts';
import { nameOfScope } from '../scope.ts';
import type { Call, PersonServing } from '../serve.ts';
import { type Attempts, countedFor } from '../sign_in/attempts.ts';
import { answerOptions, makingOptions } from '../sign_in/passkeys.ts';
import { telling } from '../sign_in/sign_in.ts';
import { sessionView } from '../view.ts';
import { type Accepted, type Accepting, acceptInvitation } from './accept.ts';
import {
  answersBy,
  assertKnownHereAlone,
  handleOf,
  invitationOf,
  inviteeOf,
} from './invitation_row.ts';

/** An invitation's link, as whoever holds it meets it (rules/sign-in#12). */

const noticeOf = ({ invitation: { kind, scope, roles }, personId }: Accepted): Notice =>
  kind === 'reset'
    ? { kind: 'passkey_added', personId, scope }
    : { kind: 'roles_changed', personId, scope, roles, gained: roles };

/** Accepts an invitation, and signs in. @throws ApiError not_found, invalid_state, parameter_invalid */
function openAccepting(service: Service, notices: Notices) {
  const { control, platformEngine } = service;
  const accepting = acceptInvitation(service);
  return async (
    { request, cookie, from, ...call }: Call,
    given: Pick<Accepting, 'token' | 'name' | 'credential'>,
  ): Promise<AcceptedInvitation> => {
    const input = { ...given, ...from, cookie, requestId: request.id };
    const { act } = request;
    const done = await platformEngine.submit(accepting, { tenantId: platformId, act, input });
    const accepted = done.told as Accepted;
    const { invitation, personId, opened, codes } = accepted;
    const { id, scope, roles } = invitation;
    notices.tell(noticeOf(accepted));
    const facts = { person_id: personId, invitation_id: id, scope, roles };
    call.tell('invitation_accepted', facts);
    call.keep(opened.token);
    return { session: await sessionView(control, service, opened.id), recovery_codes: codes };
  };
}

export function serveAcceptance(
  { serve }: PersonServing,
  service: Service,
  attempts: Attempts,
  notices: Notices,
): void {
  const { control } = service;
  const find = (ip: string, token: string) =>
    attempts.proven([countedFor.address(ip)], () => invitationOf(control, service, token));

  serve(openInvitation, (call, { token }) =>
    telling(call, async () => {
      const row = await find(call.from.address, token);
      const invitee = await inviteeOf(control, row.email);
      return {
        kind: row.kind,
        email: row.email,
        scope_name: await nameOfScope(control, row.scope),
        roles: row.roles,
        expires_at: row.expires_at,
        has_passkey: answersBy(row, invitee),
      };
    }),
  );
  serve(beginAcceptance, (call, { token, name }) =>
    telling(call, async () => {
      const row = await find(call.from.address, token);
      const invitee = await inviteeOf(control, row.email);
      const purpose = `accept ${row.id}` as const;
      if (invitee && answersBy(row, invitee)) {
        const { options } = await answerOptions(service, purpose, invitee.id);
        return { options };
      }
      await assertKnownHereAlone(control, row, invitee);
      const shownName = invitee?.name ?? name;
      if (!shownName) throw fail('parameter_missing', { param: 'name' });
      const handle = invitee?.handle ?? handleOf(service, row);
      const person = { email: row.email, name: shownName, handle };
      return { options: await makingOptions(service, purpose, person) };
    }),
  );
  const finish = openAccepting(service, notices);
  serve(finishAcceptance, (call, input) =>
    telling(call, () =>
      attempts.proven([countedFor.address(call.from.address)], () => finish(call, input)),
    ),
  );
}
