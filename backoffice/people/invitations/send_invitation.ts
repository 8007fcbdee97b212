import { faultFacts } from '@tenant-payments/engine/fault.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { NewInvitation } from '../../contract/people/invitations.ts';
import { nameOfScope } from '../scope.ts';
import type { MadeInvitation, ToldInvitation } from './make.ts';

/** Hands invitations to the messages rail, where that sends any (rules/sign-in#12). */
export interface InvitationSending {
  /** An invitation as its inviter sees it: without the link where it is sent. */
  shown(made: MadeInvitation): NewInvitation;
  /** Call it after the commit. It returns at once and never fails. */
  send(told: ToldInvitation): void;
}

export function openInvitationSending(
  { control, log }: Pick<Service, 'control' | 'log'>,
  messages: Messages,
): InvitationSending {
  async function send({ scope, made }: ToldInvitation): Promise<void> {
    const { email, link, expires_at } = made;
    const scopeName = await nameOfScope(control, scope);
    await messages.invite?.({ email }, { link, scopeName, expiresAt: expires_at });
  }
  return {
    shown: (made) => (messages.invite ? { ...made, link: null } : made),
    send(told) {
      if (!messages.invite) return;
      send(told).catch((error: unknown) => {
        const facts = { invitation_id: told.made.id, fault: faultFacts(error) };
        log.warn(facts, 'an invitation could not be sent');
      });
    },
  };
}
