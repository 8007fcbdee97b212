import type { AdapterGiven, AdapterParts } from '@tenant-payments/service/rails/adapter.ts';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { Message, Messages } from '@tenant-payments/service/rails/messages.ts';
import type { CheckLine } from '@tenant-payments/service/rails/providers/provider.ts';
import { LRUCache } from 'lru-cache';
import { type More, openTransport } from './transport.ts';

const mostRemembered = 10_000;

/** The same in each process, so that who gets a mail twice can drop one. */
const messageIdOf = ({ id }: Message, from: string): string => `<${id}@${from.split('@')[1]}>`;

/** A mail of the message. No List-Unsubscribe: what the law or safety makes us tell cannot be left off. */
export function mailOf(message: Message, from: string) {
  const { to, brand, rendered, locale } = message;
  const messageId = messageIdOf(message, from);
  return {
    from: { name: brand.name, address: from },
    // No text, which would be read as a list.
    to: { name: '', address: 'email' in to ? to.email : '' },
    messageId,
    subject: rendered.subject,
    text: rendered.text,
    html: rendered.html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': locale ?? 'en, es',
    },
    dsn: { id: message.id, return: 'headers', notify: 'failure', recipient: from },
  } as const;
}

/** Mail by this server. @param address `smtp://user:password@host:port` */
export function openMail(address: string, from: string, more: More = {}) {
  const { at, deliver, check: signIn, close } = openTransport(address, more);
  /** Mails that went: a server that was slow, or an answer that was lost, does not make one go again. */
  const gone = new LRUCache<string, true>({ max: mostRemembered });
  /** Mails that are on their way, also where nobody waits any more: who asks again waits for the same one. */
  const underWay = new Map<string, Promise<void>>();

  async function go(mail: ReturnType<typeof mailOf>): Promise<void> {
    const { messageId } = mail;
    try {
      await deliver(mail);
      gone.set(messageId, true);
    } finally {
      underWay.delete(messageId);
    }
  }

  const mail: Messages = {
    can: { mail: true, text: false },
    async send(message, call) {
      call?.signal.throwIfAborted();
      const mail = mailOf(message, from);
      const { messageId: providerId } = mail;
      if (gone.has(providerId)) return { providerId };
      const going = underWay.get(providerId) ?? go(mail);
      underWay.set(providerId, going);
      await going;
      return { providerId };
    },
  };

  async function check(_call: RailsCall): Promise<readonly CheckLine[]> {
    try {
      await signIn();
      return [{ ok: true, what: `reaches ${at} and is signed in`, advice: null }];
    } catch (error) {
      const { message } = error as Error;
      return [{ ok: false, what: `does not reach ${at}`, advice: `${message}; see MAIL` }];
    }
  }

  return { mail, check, close };
}

export function open({ values }: AdapterGiven): AdapterParts {
  const { MAIL = '', MAIL_FROM = '' } = values;
  const { mail, check, close } = openMail(MAIL, MAIL_FROM);
  return { mail, providers: [{ name: 'smtp', check }], close: async () => close() };
}
