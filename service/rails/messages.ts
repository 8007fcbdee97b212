import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { RailsCall } from './call.ts';

/** The recipient: a mail address, or a number in E.164. */
export type MessageTo = { readonly email: string } | { readonly mobile_number: string };

export const messageLocales = ['en', 'es'] as const;
export type MessageLocale = (typeof messageLocales)[number];

/** The sender of a message, as the recipient sees it. */
export interface MessageBrand {
  readonly name: string;
  /** The address of a PNG; null: the name stands alone. */
  readonly logoUrl: string | null;
  /** `#1f5eff`. */
  readonly color: string;
}

/** A message as it is worded here: a mail takes the first three, a text message the last one. */
export interface RenderedMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly short: string;
}

/** One message to one recipient. Its data and its words may hold a code or a link, and are never logged. */
export interface Message {
  /** A uuid. The same id is the same message: a provider that has taken it sends it once. */
  readonly id: string;
  /** `platform` for what its staff are told of themselves. */
  readonly tenantId: string;
  /** `code`, `pin_changed`: which text it is, for a provider with texts of its own. */
  readonly template: string;
  /** The recipient's language; null: it is not known, and the words are in both. */
  readonly locale: MessageLocale | null;
  readonly brand: MessageBrand;
  readonly to: MessageTo;
  /** The values that the text names. */
  readonly data: Readonly<Record<string, string>>;
  readonly rendered: RenderedMessage;
  /** From then on it tells nobody anything; null: it stays true. */
  readonly expiresAt: Instant | null;
}

export interface SentMessage {
  /** The provider's own id of it; null: it has none. */
  readonly providerId: string | null;
}

/** Why a message will never arrive, as the reason of a refusal and of a fact. */
export const messageFailures = ['bounced', 'undeliverable', 'opted_out'] as const;
export type MessageFailure = (typeof messageFailures)[number];

/**
 * Text messages and mail. `send` is called after the commit of the change that it reports. It throws `Refused`
 * with a MessageFailure where the message will never arrive; anything else that it throws says that it was not taken. A
 * code or a link is handed over once; any other message again until it was taken (rules/messages#4).
 */
export interface Messages {
  /** By which ways it reaches people; absent: by none, so that whoever invites passes the link on. */
  readonly can?: { readonly mail: boolean; readonly text: boolean };
  send(message: Message, call?: RailsCall): Promise<SentMessage>;
}
