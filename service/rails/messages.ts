/** The recipient: a mail address, or a number in E.164. */
export type MessageTo = { readonly email: string } | { readonly mobile_number: string };

/** The content of a message; the provider words it. None of it is stored or logged. */
export type Message =
  | { readonly kind: 'code'; readonly code: string }
  | {
      readonly kind: 'owner_link';
      readonly link: string;
      readonly businessName: string;
      readonly ownerName: string;
    };

/**
 * Text messages and mail. `send` is called after the commit of the change that it reports; when a
 * message is lost, its recipient requests another on the page.
 */
export interface Messages {
  send(tenantId: string, to: MessageTo, message: Message): Promise<void>;
}
