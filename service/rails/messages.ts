/** Where a message goes: an address, or a number in E.164. */
export type MessageTo = { readonly email: string } | { readonly mobile_number: string };

/** What a message is to say; its words are the rail's. None of it is kept or logged here. */
export type Message =
  | { readonly kind: 'code'; readonly code: string }
  | {
      readonly kind: 'owner_link';
      readonly link: string;
      readonly businessName: string;
      readonly ownerName: string;
    };

/**
 * Text messages and mail. `send` is called after the commit of what it tells of, and a message that
 * is lost is asked for again by whoever waits for it.
 */
export interface Messages {
  /** Sandbox alone: what every code is, since nobody receives one. */
  readonly fixedCode?: string;
  send(tenantId: string, to: MessageTo, message: Message): Promise<void>;
}
