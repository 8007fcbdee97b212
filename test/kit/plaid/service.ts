import { randomUUID } from 'node:crypto';
import { adapterSettings } from '../../../adapters/settings.ts';
import { type Config, parseConfig } from '../../../service/config/config.ts';
import { uuid } from '../ids.ts';
import { openServer, type TestServerOptions } from '../server.ts';
import { openCounterpart } from './counterpart.ts';
import { accountAt, type PlaidAccount, shareInLink } from './state.ts';

/** A service whose aggregator is Plaid, and Plaid's counterpart. */

const redirect = 'https://shop.example.com/linked';

/** @param more settings of other adapters */
export async function openPlaid(
  { config, ...options }: TestServerOptions & { readonly config?: Partial<Config> } = {},
  more: Readonly<Record<string, string>> = {},
) {
  const counterpart = await openCounterpart();
  const { clientId, secret } = counterpart.state;
  const env = {
    AGGREGATOR: 'plaid',
    PLAID_CLIENT_ID: clientId,
    PLAID_SECRET: secret,
    PLAID_CLIENT_NAME: 'Corner Bank',
    PLAID_URL: counterpart.url,
    ...more,
  };
  const { adapters } = parseConfig(env, adapterSettings);
  const server = await openServer({
    own: true,
    manual: true,
    config: { adapters, publicUrl: 'https://pay.example.com', ...config },
    tenant: { settings: { link_redirect_uris: [redirect] } },
    ...options,
  });
  const { api, tenant } = server;
  const { aggregator } = server.rails;

  /** A customer for whom Link is open. */
  async function opened() {
    const { customerId } = await api.approved('individual');
    const asked = { platform: 'web', redirect_uri: redirect };
    const { link_token: linkToken } = await api.post(
      `/v1/customers/${customerId}/link-tokens`,
      asked,
    );
    return { customerId, linkToken };
  }
  type Opened = Pick<Awaited<ReturnType<typeof opened>>, 'customerId' | 'linkToken'>;
  const share = ({ linkToken }: Opened, accounts?: readonly PlaidAccount[]) =>
    shareInLink(counterpart.state, linkToken, accounts);
  const tryLink = (
    { customerId }: Pick<Opened, 'customerId'>,
    publicToken: string,
    chosen?: string,
  ) =>
    server.call('POST', `/v1/customers/${customerId}/linked-accounts`, {
      key: randomUUID(),
      body: {
        public_token: publicToken,
        ...(chosen !== undefined && { aggregator_account_id: chosen }),
      },
    });
  const linkOf = (id: string) => api.get(`/v1/linked-accounts/${id}`);

  /** A customer with a link, as its checks have left it. */
  async function linked({
    accounts = [accountAt()],
    chosen,
  }: {
    accounts?: readonly PlaidAccount[];
    chosen?: string;
  } = {}) {
    const customer = await opened();
    const { publicToken, item } = share(customer, accounts);
    const { body } = await tryLink(customer, publicToken, chosen);
    await server.runJobs();
    return { ...customer, item, link: await linkOf(body.id) };
  }

  /** The adapter's memory of a link's account. */
  async function accountOf({ link }: { readonly link: { readonly id: string } }) {
    const objects = server.providers.objectsOf('plaid');
    const [found] = await objects.byRecord(tenant.tenantId, uuid('linked_account', link.id));
    if (!found) throw new Error('the adapter remembers no such account');
    return { reference: found.key, value: found.value };
  }
  return {
    server,
    counterpart,
    aggregator,
    redirect,
    opened,
    share,
    tryLink,
    linked,
    linkOf,
    accountOf,
    tell: (message: Record<string, unknown>, forging?: Parameters<typeof counterpart.tell>[2]) =>
      counterpart.tell(`${server.baseUrl}/rails/plaid`, message, forging),
    poll: () => server.providers.polls.pollNow('plaid'),
  };
}
