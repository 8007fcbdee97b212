import type { AdapterGiven, AdapterParts } from '@tenant-payments/service/rails/adapter.ts';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { Message, Messages } from '@tenant-payments/service/rails/messages.ts';
import type { CheckLine } from '@tenant-payments/service/rails/providers/provider.ts';
import { LRUCache } from 'lru-cache';
import { createTransport } from 'nodemailer';
import { faultOf } from './faults.ts';

/** Less than a call of the rails may take, so that it is the server that is said to be slow. */
const usualTimeoutMs = 8_000;
const mostRemembered = 10_000;

/** A relay on this machine needs no TLS. */
const local = ['localhost', '127.0.0.1', '[::1]'];

/** The options that tests change. */
interface More {
  /** In place of the certificates of the system. */
  readonly ca?: string;
  /** TLS also on this machine. */
  readonly isStrict?: boolean;
  readonly timeoutMs?: number;
}

function transportOf(address: string, { ca, isStrict = false, timeoutMs = usualTimeoutMs }: More) {
  const { protocol, hostname, port, username, password } = new URL(address);
  const isLocal = local.includes(hostname) && !isStrict;
  const isTls = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = Number(port) || (isTls ? 465 : 587);
  const transport = createTransport({
    pool: true,
    host,
    port: at,
    secure: isTls,
    // Never in clear, also where somebody on the way hides that the server can do better.
    requireTLS: !isTls && !isLocal,
    ignoreTLS: isLocal,
    ...(ca !== undefined && { tls: { ca } }),
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    maxConnections: 5,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { transport, at: `${host}:${at}` };
}

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
  const { transport, at } = transportOf(address, more);
  /** Mails that went: a server that was slow, or an answer that was lost, does not make one go again. */
  const gone = new LRUCache<string, true>({ max: mostRemembered });

  const mail: Messages = {
    can: { mail: true, text: false },
    async send(message, call) {
      call?.signal.throwIfAborted();
      const mail = mailOf(message, from);
      const { messageId: providerId } = mail;
      if (gone.has(providerId)) return { providerId };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw faultOf(error);
      });
      gone.set(providerId, true);
      return { providerId };
    },
  };

  async function check(_call: RailsCall): Promise<readonly CheckLine[]> {
    try {
      await transport.verify();
      return [{ ok: true, what: `reaches ${at} and is signed in`, advice: null }];
    } catch (error) {
      const { message } = faultOf(error);
      return [{ ok: false, what: `does not reach ${at}`, advice: `${message}; see MAIL` }];
    }
  }

  return { mail, check, close: () => transport.close() };
}

export function open({ values }: AdapterGiven): AdapterParts {
  const { MAIL = '', MAIL_FROM = '' } = values;
  const { mail, check, close } = openMail(MAIL, MAIL_FROM);
  return { mail, providers: [{ name: 'smtp', check }], close: async () => close() };
}
