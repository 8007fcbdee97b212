import { createTransport, type SendMailOptions } from 'nodemailer';
import { faultOf } from './faults.ts';

/** For a connection, for a greeting and for each answer of a check: less than a call of the rails may take. */
const usualTimeoutMs = 8_000;
/** RFC 5321, 4.5.3.2.6: so long a server may take to answer a text. Who hangs up before has it delivered, and sends it again. */
const textTimeoutMs = 10 * 60_000;

/** A relay on this machine needs no TLS. */
const local = ['localhost', '127.0.0.1', '[::1]'];

/** The options that tests change. */
export interface More {
  /** In place of the certificates of the system. */
  readonly ca?: string;
  /** TLS also on this machine. */
  readonly isStrict?: boolean;
  readonly timeoutMs?: number;
  /** For all that comes before the text: the wait for a connection, and each command. */
  readonly beforeTextMs?: number;
}

function settingsOf(address: string, { ca, isStrict = false, timeoutMs = usualTimeoutMs }: More) {
  const { protocol, hostname, port, username, password } = new URL(address);
  const isLocal = local.includes(hostname) && !isStrict;
  const isTls = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isTls ? 465 : 587),
    secure: isTls,
    // Never in clear, also where somebody on the way hides that the server can do better.
    requireTLS: !isTls && !isLocal,
    ignoreTLS: isLocal,
    ...(ca !== undefined && { tls: { ca } }),
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Connections to one server, of which no mail holds another up before its text is asked for. */
export function openTransport(address: string, more: More) {
  const { timeoutMs = usualTimeoutMs, beforeTextMs = 4 * timeoutMs } = more;
  const settings = settingsOf(address, more);
  const checking = createTransport({ ...settings, socketTimeout: timeoutMs });
  const pool = createTransport({
    ...settings,
    pool: true,
    maxConnections: 5,
    idleTimeout: timeoutMs,
    socketTimeout: textTimeoutMs,
  });
  /** Timers of mails whose text no server has asked for, by Message-ID. */
  const waiting = new Map<string | undefined, NodeJS.Timeout>();
  pool.use('stream', ({ message, data }, done) => {
    // It is read from when the server asks for it: from then on nobody can take it back.
    message.processFunc((text) =>
      text.once('resume', () => clearTimeout(waiting.get(data.messageId))),
    );
    done();
  });

  return {
    at: `${settings.host}:${settings.port}`,
    /** @throws Refused, or an error by which it is tried again */
    async deliver(mail: SendMailOptions): Promise<void> {
      const { messageId } = mail;
      const late = new AbortController();
      waiting.set(
        messageId,
        setTimeout(() => late.abort(), beforeTextMs),
      );
      try {
        await pool.sendMail({ ...mail, signal: late.signal });
      } catch (error) {
        throw faultOf(late.signal.aborted ? { code: 'ETIMEDOUT' } : error);
      } finally {
        clearTimeout(waiting.get(messageId));
        waiting.delete(messageId);
      }
    },
    /** @throws an error that says why nobody can sign in */
    async check(): Promise<void> {
      await checking.verify().catch((error: unknown) => {
        throw faultOf(error);
      });
    },
    /** At once: an answer that a server still owes reaches nobody any more. */
    close: () => pool.close({ force: true }),
  };
}
