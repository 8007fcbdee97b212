import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { RailsCall } from './call.ts';

/** The recipient: a mail address, or a number in E.164. */
export type MessageTo = { readonly email: string } | { readonly mobile_number: string };

/** A text in one language: a mail's subject, and the body of a mail or a text message. */
export interface MessageText {
  readonly subject: string;
  readonly body: string;
}

/**
 * The content of a message, never logged. The provider words a code and a link; what tells of a
 * change comes in both languages, and the provider sends the recipient's, or both.
 */
export type Message =
  | {
      readonly kind: 'change';
      /** The same id is the same message: a provider that was given it already sends it once. */
      readonly id: string;
      /** What it tells, such as `pin_changed`. */
      readonly about: string;
      readonly en: MessageText;
      readonly es: MessageText;
    }
  | { readonly kind: 'code'; readonly code: string }
  | {
      readonly kind: 'owner_link';
      readonly link: string;
      readonly businessName: string;
      readonly ownerName: string;
    };

/** An invitation to the portal, for one address. */
export interface PortalInvitation {
  /** A secret: it works once, for whoever opens it. */
  readonly link: string;
  /** The Tenant's name, or `Platform`. */
  readonly scopeName: string;
  readonly expiresAt: Instant;
}

/**
 * Text messages and mail. `send` is called after the commit of the change that it reports. A lost
 * code or link is requested again on the page; a message of a change is handed over again until
 * `send` resolves, so that an address that nobody has must not make it throw.
 */
export interface Messages {
  /** @param tenantId `platform` for what its staff are told of themselves */
  send(tenantId: string, to: MessageTo, message: Message, call?: RailsCall): Promise<void>;
  /**
   * Words and sends an invitation; absent: the inviter alone passes the link on. It is called once, after
   * the commit, and its failure keeps nobody from the invitation.
   */
  invite?(
    to: { readonly email: string },
    invitation: PortalInvitation,
    call?: RailsCall,
  ): Promise<void>;
}
