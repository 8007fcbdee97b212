import type { Account } from '@tenant-payments/contract/resources/accounts.ts';
import { type Around, idOf, type Verbs } from './around.ts';

/** The customer's app: what a wallet of the tenant's own asks its server. */
export function phoneVerbs(around: Around): Verbs {
  const { client, shopUrl, now } = around;
  const moneyOf = async ({ id }: Account) => ({
    balance: await client.accounts.balance(id),
    transactions: (await client.accounts.transactions(id, { limit: 12 })).data,
  });
  return {
    async wallet({ ref }) {
      const id = await idOf(around, ref);
      const [customer, { data: links }, { data: documents }, { data: accounts }] =
        await Promise.all([
          client.customers.get(id),
          client.linkedAccounts.list(id),
          client.customers.listDocuments(id),
          client.accounts.list({ customer_id: id }),
        ]);
      const [account = null] = accounts;
      const bank = links.find(({ status }) => !['failed', 'removed'].includes(status)) ?? null;
      const money = account && (await moneyOf(account));
      return { customer, account, ...money, bank, last_link: links[0] ?? null, documents };
    },
    async flow({ ref, flow, target }) {
      const customer_id = await idOf(around, ref);
      return client.sessions.create({ flow, customer_id, target, return_url: shopUrl });
    },
    exchange: ({ text }) => client.sessions.exchange({ result_token: text }),
    async pay({ ref, text, amount, source }) {
      const payer_customer_id = await idOf(around, ref);
      const owed = amount ? { amount } : {};
      return client.payments.create({ payer_customer_id, qr_payload: text, ...owed, source });
    },
    load: async ({ ref, amount }) =>
      client.loads.create({ customer_id: await idOf(around, ref), amount }),
    withdraw: async ({ ref, amount }) =>
      client.withdrawals.create({ customer_id: await idOf(around, ref), amount }),
    'link-token': async ({ ref }) =>
      client.linkTokens.create(await idOf(around, ref), { platform: 'web', redirect_uri: shopUrl }),
    async link({ ref, text, account }) {
      const choice = { public_token: text, aggregator_account_id: account };
      return client.linkedAccounts.create(await idOf(around, ref), choice);
    },
    unlink: async ({ ref, id }) => client.linkedAccounts.remove(await idOf(around, ref), id),
    dispute: async ({ ref, id, text }) =>
      client.disputes.create({
        customer_id: await idOf(around, ref),
        type: 'purchase_dispute',
        payment_id: id,
        description: text,
        notice_received_at: now().toISOString(),
      }),
  };
}
