import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import { renderMessage } from '@tenant-payments/service/rails/mail/render.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { NewInvitation } from '../../contract/people/invitations.ts';
import { brandOfScope } from '../notices/brand.ts';
import { wordInvitation } from '../notices/texts.ts';
import type { MadeInvitation, ToldInvitation } from './make.ts';

/** Hands invitations to the messages rail, where that sends mail (rules/sign-in#12). */
export interface InvitationSending {
  /** An invitation as its inviter sees it: without the link where it is sent. */
  shown(made: MadeInvitation): NewInvitation;
  /** Call it after the commit. It returns at once and never fails. */
  send(told: ToldInvitation): void;
}

const newId = idMaker();

export function openInvitationSending(
  { control, clocks, config, log }: Pick<Service, 'control' | 'clocks' | 'config' | 'log'>,
  messages: Messages,
): InvitationSending {
  const isSent = () => messages.can?.mail === true;

  async function send({ scope, made }: ToldInvitation): Promise<void> {
    const { email, link, expires_at: expiresAt } = made;
    const how = {
      locale: null,
      brand: await brandOfScope(control, scope),
      audience: 'staff',
    } as const;
    const site = new URL(consoleSite(config)).host;
    const until = `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`;
    const data = { scope: how.brand.name, site, link, until };
    const rendered = renderMessage(wordInvitation(data), how);
    const of = { id: newId(clocks.realNow()), tenantId: scope, template: 'invitation' };
    await messages.send({ ...of, ...how, to: { email }, data, rendered, expiresAt });
  }
  return {
    shown: (made) => (isSent() ? { ...made, link: null } : made),
    send(told) {
      if (!isSent()) return;
      send(told).catch((error: unknown) => {
        const facts = { invitation_id: told.made.id, fault: faultFacts(error) };
        log.warn(facts, 'an invitation could not be sent');
      });
    },
  };
}
