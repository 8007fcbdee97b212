import type { Account } from '../records.ts';
import { type Actions, type Context, idOf } from './context.ts';

/** Whether the payer chooses the amount: a code is `tps1.`, JSON in base64url and a signature, which the service checks. */
const isStatic = (code: string): boolean =>
  Buffer.from(code.split('.')[1] ?? '', 'base64url').includes('"t":"static"');

/** The customer's app: each screen and button of the phone is a call or a few of the SDK. */
export function phoneActions(context: Context): Actions {
  const { client, shopUrl, now } = context;
  const moneyOf = async ({ id }: Account) => ({
    balance: await client.accounts.getBalance(id),
    transactions: (await client.accounts.listTransactions(id, { limit: 12 })).data,
  });
  return {
    async wallet({ ref }) {
      const id = await idOf(context, ref);
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
      const customer_id = await idOf(context, ref);
      return client.sessions.create({ flow, customer_id, target, return_url: shopUrl });
    },
    exchange: ({ text }) => client.sessions.exchange({ result_token: text }),
    async pay({ ref, text, amount, source }) {
      const payer_customer_id = await idOf(context, ref);
      // A code with an amount is paid as it is: the page could name a lower one.
      const owed = isStatic(text) ? { amount } : {};
      return client.payments.create({ payer_customer_id, qr_payload: text, ...owed, source });
    },
    load: async ({ ref, amount }) =>
      client.loads.create({ customer_id: await idOf(context, ref), amount }),
    withdraw: async ({ ref, amount }) =>
      client.withdrawals.create({ customer_id: await idOf(context, ref), amount }),
    'link-token': async ({ ref }) =>
      client.linkTokens.create(await idOf(context, ref), {
        platform: 'web',
        redirect_uri: shopUrl,
      }),
    async link({ ref, text, account }) {
      const choice = { public_token: text, aggregator_account_id: account };
      return client.linkedAccounts.create(await idOf(context, ref), choice);
    },
    unlink: async ({ ref, id }) => client.linkedAccounts.remove(await idOf(context, ref), id),
    dispute: async ({ ref, id, text }) =>
      client.disputes.create({
        customer_id: await idOf(context, ref),
        type: 'purchase_dispute',
        payment_id: id,
        description: text,
        notice_received_at: now().toISOString(),
      }),
  };
}
