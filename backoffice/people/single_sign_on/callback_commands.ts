import type { Service } from '@tenant-payments/service/service.ts';
import type { SignedIn } from '../caller.ts';
import { type Asked, personCommand, signingIn } from '../person_command.ts';
import { loadReplaced, rotateSession } from '../sessions/open.ts';
import { sessions } from '../sessions/table.ts';
import { type Coming, signIn } from '../sign_in/sign_in_commands.ts';
import {
  bind,
  type Claim,
  holdsRole,
  loadClaim,
  loadHeld,
  loadIdentity,
  matched,
  personOfClaim,
  useIdentity,
} from './identity.ts';
import { SignOnFailed } from './words.ts';

/** The commands of an attempt that came back from its provider (rules/single-sign-on#7). */

type Parts = Pick<Service, 'vault'>;

interface ComingBack extends Coming, Claim {}

/** @throws SignOnFailed */
export const signInByProvider = (parts: Parts) =>
  personCommand('sign_in_by_provider', {
    load: async (read, { cookie, ...claim }: ComingBack) => {
      const [replaced, loaded] = await Promise.all([
        loadReplaced(read, parts, cookie),
        loadClaim(read, claim),
      ]);
      return { replaced, loaded };
    },
    decide: (work, { replaced, loaded }, { from, ...claim }) => {
      const { personId, isNew, roles } = personOfClaim(work, parts, loaded, claim);
      const { scope } = claim;
      const more = { identity_linked: isNew, ...(roles && { roles }) };
      const way = { openedBy: 'single_sign_on', scope, from, more } as const;
      const done = signIn(work, parts, { personId, replaced }, way);
      return {
        ...done,
        result: { opened: done.result, personId, isNew },
        facts: { ...done.facts, scope },
        ...(roles && {
          notices: [{ kind: 'roles_changed', personId, scope, roles, gained: roles } as const],
        }),
      };
    },
  });

interface OfSession extends Claim {
  readonly session: SignedIn;
  readonly from: Asked;
}

/** @returns the session's new token @throws SignOnFailed */
export const stepUpByProvider = (parts: Parts) =>
  personCommand('step_up_by_provider', {
    load: async (read, { session, ...claim }: OfSession) => {
      const [row, identity] = await Promise.all([
        read.maybe(sessions, session.id),
        loadIdentity(read, claim),
      ]);
      return { row, identity };
    },
    decide: (work, { row, identity }, { session: { id, personId }, scope, from }) => {
      if (!matched(identity) || identity.person_id !== personId)
        throw new SignOnFailed('other_person');
      if (row === null || row.ended_at !== null) throw new SignOnFailed('session_ended');
      useIdentity(work, identity);
      const token = rotateSession(work, parts, row);
      const after = { purpose: 'step_up' };
      work.audit({ actor: signingIn(personId, from), record: id, scope, after });
      return { result: token, event: 'stepped_up', facts: { scope }, personId };
    },
  });

/** @throws SignOnFailed */
export const linkAccount = personCommand('link_account', {
  load: async (read, { session: { personId }, ...claim }: OfSession) => {
    const [identity, holds] = await Promise.all([
      loadIdentity(read, claim),
      loadHeld(read, personId),
    ]);
    return { identity, ...holds };
  },
  decide: (work, loaded, { session: { id, personId, email }, scope, claimed, from }) => {
    if (claimed.email !== email) throw new SignOnFailed('other_person');
    if (!holdsRole(loaded.grants, scope)) throw new SignOnFailed('not_invited');
    bind(work, loaded, { scope, claimed, personId });
    const after = { purpose: 'link' };
    work.audit({ actor: signingIn(personId, from), record: id, scope, after });
    return {
      result: null,
      event: 'identity_linked',
      facts: { scope },
      personId,
      notices: [{ kind: 'account_linked', personId, scope }],
    };
  },
});
