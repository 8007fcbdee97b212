import { faultFacts } from '@tenant-payments/engine/fault.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { NewInvitation } from '../../contract/people/invitations.ts';
import { nameOfScope } from '../scope.ts';
import type { MadeInvitation } from './invitations.ts';

/** @returns the invitation as its inviter sees it: without the link where it is sent */
export type SendInvitation = (scope: string, made: MadeInvitation) => NewInvitation;

/**
 * Hands an invitation to the messages rail, where that sends any (rules/sign-in#12). Call it after the
 * commit. It returns at once and never fails.
 */
export function openInvitationSending(
  { control, log }: Pick<Service, 'control' | 'log'>,
  messages: Messages,
): SendInvitation {
  async function send(scope: string, { email, link, expires_at }: MadeInvitation): Promise<void> {
    const scopeName = await nameOfScope(control, scope);
    await messages.invite?.({ email }, { link, scopeName, expiresAt: expires_at });
  }
  return (scope, made) => {
    if (!messages.invite) return made;
    send(scope, made).catch((error: unknown) => {
      const facts = { invitation_id: made.id, fault: faultFacts(error) };
      log.warn(facts, 'an invitation could not be sent');
    });
    return { ...made, link: null };
  };
}
