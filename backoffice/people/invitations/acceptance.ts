import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  beginAcceptance,
  finishAcceptance,
  openInvitation,
} from '../../contract/people/invitations.ts';
import { nameOfScope } from '../scope.ts';
import type { PersonServing } from '../serve.ts';
import { type Attempts, countedFor } from '../sign_in/attempts.ts';
import { answerOptions, makingOptions } from '../sign_in/passkeys.ts';
import { mayBeOurs } from '../sign_in/secrets.ts';
import { telling } from '../sign_in/sign_in.ts';
import { sessionView } from '../view.ts';
import { acceptInvitation } from './accept.ts';
import {
  answersBy,
  assertKnownHereAlone,
  handleOf,
  invitationOf,
  inviteeOf,
} from './invitation_row.ts';

/** An invitation's link, as whoever holds it meets it (rules/sign-in#12). */

export function serveAcceptance(
  { serve }: PersonServing,
  service: Service,
  attempts: Attempts,
): void {
  const { control } = service;
  /** @throws ApiError not_found, without a query where the token is made up */
  async function proven<T>(ip: string, token: string, attempt: () => Promise<T>): Promise<T> {
    if (!mayBeOurs(service, 'tpi', token)) throw fail('not_found');
    return attempts.proven([countedFor.address(ip)], attempt);
  }
  const find = (ip: string, token: string) =>
    proven(ip, token, () => invitationOf(control, service, token));

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
  const accepting = acceptInvitation(service);
  serve(finishAcceptance, (call, given) =>
    telling(call, async () => {
      const { cookie, from } = call;
      const { opened, codes } = await proven(from.address, given.token, () =>
        call.run(accepting, { ...given, ...from, cookie }),
      );
      call.keep(opened.token);
      return { session: await sessionView(control, service, opened.id), recovery_codes: codes };
    }),
  );
}
