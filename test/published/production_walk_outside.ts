import { request } from 'node:https';
import { expect } from 'vitest';
import type { makeAuthority } from '../kit/http/certificates.ts';
import { startTlsProxy } from '../kit/http/tls_proxy.ts';
import { startMailServer } from '../kit/messages/mail_server.ts';
import { account, startTwilio } from '../kit/messages/twilio/twilio.ts';
import type { NamedSite } from '../kit/pages/browser/browser.ts';
import { openCounterpart, type Post } from '../kit/plaid/counterpart.ts';
import { shareInLink } from '../kit/plaid/state.ts';

/**
 * The providers of production-walk.md, each over TLS: a real server of mail, and the counterparts of Twilio and Plaid that
 * hold to their published schemas. What they send to the service goes through its proxy, as from the internet.
 */

/** An address of this machine that is not taken for it: mail to `localhost` goes in clear. */
const mailHost = '127.0.0.2';
const user = { name: 'mailer', password: 'MAIL_PASSWORD' };

/** Posts to a site that has its name in no directory. */
const postTo =
  ({ host, port }: NamedSite, ca: string): Post =>
  (address, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(address);
      const way = { host: '127.0.0.1', port, servername: host, ca, path: `${pathname}${search}` };
      const asked = request({ ...way, method, headers: { ...headers, host } }, (reply) => {
        reply.resume();
        reply.once('end', () => resolve({ status: reply.statusCode ?? 0 }));
      });
      asked.once('error', reject);
      asked.end(body);
    });

export async function openOutside(authority: ReturnType<typeof makeAuthority>, site: NamedSite) {
  const post = postTo(site, authority.cert);
  const local = authority.issue({ names: ['localhost'] });
  const certificate = authority.issue({ names: [mailHost] });
  const [mail, twilio, plaid] = await Promise.all([
    startMailServer({ host: mailHost, certificate, user }),
    startTwilio(),
    openCounterpart(post),
  ]);
  const portOf = (url: string) => Number(new URL(url).port);
  const [twilioProxy, plaidProxy] = await Promise.all([
    startTlsProxy(local, portOf(twilio.origin)),
    startTlsProxy(local, portOf(plaid.url)),
  ]);
  const { clientId, secret } = plaid.state;
  return {
    /** The values of the guide, and those of this test. */
    own: {
      'smtp.example.com:587': `${mailHost}:${mail.port}`,
      'your-account-sid': account.sid,
      'your-auth-token': account.token,
      'your-service-sid': account.service,
      'https://api.twilio.com': `https://localhost:${twilioProxy.port}`,
      'your-client-id': clientId,
      'your-secret': secret,
      'https://production.plaid.com': `https://localhost:${plaidProxy.port}`,
    },
    mails: mail.mails,
    /** All that no log may say. */
    secrets: (): readonly string[] => [
      user.password,
      account.token,
      secret,
      ...plaid.state.linkTokens.keys(),
      ...[...plaid.state.items.values()].flatMap(({ access_token, accounts }) => [
        access_token,
        ...accounts.map(({ numbers }) => numbers?.account ?? ''),
      ]),
      ...twilio.messages.flatMap(({ to, body }) => [to, body]),
      ...mail.mails.map(({ text = '' }) => text),
    ],
    /** The code that a phone got last, which Twilio reports as delivered. */
    async code(): Promise<string> {
      const sms = twilio.messages.at(-1);
      if (!sms) throw new Error('no text message was sent');
      const { url, headers, body } = twilio.report(sms, 'delivered');
      expect(await post(url, { method: 'POST', headers, body })).toEqual({ status: 200 });
      return /\d{6}/.exec(sms.body)?.[0] ?? '';
    },
    /** A customer goes through Link with this token. */
    share: (linkToken: string) => shareInLink(plaid.state, linkToken).publicToken,
    /** Plaid tells that an account is well, as it does now and then. */
    async tellOfItem(): Promise<void> {
      const [item_id] = plaid.state.items.keys();
      const about = { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED', item_id };
      const told = plaid.tell(`https://${site.host}/rails/plaid`, {
        ...about,
        environment: 'production',
      });
      expect(await told).toBe(200);
    },
    /** @throws when a call was not by the schema of its provider, or a mail came in clear */
    prove(): void {
      expect([...twilio.faults, ...plaid.faults]).toEqual([]);
      expect(new Set(mail.tried)).toEqual(new Set(['PLAIN over TLS']));
    },
    async stop(): Promise<void> {
      await Promise.all([twilioProxy.stop(), plaidProxy.stop()]);
      await Promise.all([mail.stop(), twilio.stop(), plaid.close()]);
    },
  };
}
export type Outside = Awaited<ReturnType<typeof openOutside>>;
