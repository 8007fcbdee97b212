import { adapterSettings } from '../../../adapters/settings.ts';
import { parseConfig } from '../../../service/config/config.ts';
import { uuid } from '../ids.ts';
import { application, code, person } from '../pages/applicant.ts';
import { openHostedPages } from '../pages/hosted.ts';
import { openServer, type TestServerOptions } from '../server.ts';
import { openCounterpart } from './counterpart.ts';
import type { PlaidVerification } from './state.ts';
import { allPassed } from './verifications.ts';

/** A service whose identity provider is Plaid, and Plaid's counterpart. */

const pin = '847261';

export async function openVerifying({ config, ...options }: TestServerOptions = {}) {
  const counterpart = await openCounterpart();
  const { clientId, secret, template } = counterpart.state;
  const env = {
    IDENTITY: 'plaid',
    PLAID_CLIENT_ID: clientId,
    PLAID_SECRET: secret,
    PLAID_CLIENT_NAME: 'Corner Bank',
    PLAID_IDENTITY_TEMPLATE: template,
    PLAID_URL: counterpart.url,
  };
  const { adapters } = parseConfig(env, adapterSettings);
  const server = await openServer({
    own: true,
    manual: true,
    config: { adapters, publicUrl: 'https://pay.example.com', ...config },
    ...options,
  });
  const { api, engine, tenant } = server;
  const pages = openHostedPages(server);

  /** A page whose code is proven. */
  async function proven(token: string) {
    const page = await pages.page(token);
    await page.ask('/code', {});
    await page.ask('/code/check', { code });
    return page;
  }

  /** Somebody sends an application of this page. */
  async function send(page: Awaited<ReturnType<typeof proven>>, given: object = {}) {
    const { documents } = await page.read();
    const whole = { ...application, accepts_documents: documents };
    const first = page.view.customer.has_pin ? {} : { pin };
    const body = { ...whole, ...first, person: { ...person, ...given } };
    const reply = await page.ask('/onboarding', body);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  }

  /** Somebody who has applied, before Plaid is asked. */
  async function sent(given: object = {}) {
    const { id, onboarding_session } = await api.customer('individual');
    const page = await proven(onboarding_session.token);
    await send(page, given);
    return { id: id as string, page };
  }

  /** Somebody about whom Plaid was asked. */
  async function applied(given: object = {}) {
    const customer = await sent(given);
    await server.runJobs();
    return customer;
  }

  const attemptsOf = (id: string): PlaidVerification[] =>
    [...counterpart.state.verifications.values()].filter(
      (one) => one.client_user_id === uuid('customer', id),
    );
  function attemptOf(id: string): PlaidVerification {
    const found = attemptsOf(id).at(-1);
    if (!found) throw new Error('Plaid was not asked');
    return found;
  }
  const ended = (id: string, how: Partial<PlaidVerification> = allPassed) => {
    const attempt = attemptOf(id);
    Object.assign(attempt, how);
    return attempt;
  };

  return {
    server,
    counterpart,
    pages,
    proven,
    send,
    sent,
    applied,
    attemptsOf,
    attemptOf,
    /** Plaid has an end of somebody's newest attempt, and nobody knows yet. */
    ended,
    statusOf: async (id: string) => (await api.get(`/v1/customers/${id}`)).verification.status,
    messagesOf: (id: string) =>
      engine.query<{ message_id: string; state: string; result: string }>(
        `select message_id, state, result from rail_messages
         where tenant_id = $1 and record = $2 and provider = 'plaid-identity' order by received_at, id`,
        uuid('customer', id),
      ),
    objectsOf: (id: string) =>
      server.providers.objectsOf('plaid-identity').byRecord(tenant.tenantId, uuid('customer', id)),
    tell: (
      { id }: Pick<PlaidVerification, 'id'>,
      forging?: Parameters<typeof counterpart.tell>[2],
    ) =>
      counterpart.tell(
        `${server.baseUrl}/rails/plaid-identity`,
        {
          webhook_type: 'IDENTITY_VERIFICATION',
          webhook_code: 'STATUS_UPDATED',
          identity_verification_id: id,
        },
        forging,
      ),
    /** One turn of the poll, from the first attempt on. */
    async poll() {
      await server.service.control.query(
        `update control.rail_polls set next_at = '2000-01-01', cursor = null
         where provider = 'plaid-identity' and tenant_id = '00000000-0000-0000-0000-000000000000'`,
      );
      return server.providers.polls.pollNow('plaid-identity');
    },
  };
}
