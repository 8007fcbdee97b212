// The lines that the guides have for a server, as a new project compiles them (guide/webhooks).
import { createServer } from 'node:http';
import { createClient, createReceiver, isCode, type Payment } from '@tenant-payments/sdk-server';
import express, { type Request, type Response } from 'express';

const client = createClient({ baseUrl: 'https://pay.example', clientId: 'a', clientSecret: 'b' });
export async function pay(payer_customer_id: string): Promise<Payment | number> {
  for await (const row of client.accounts.listTransactions('acct_1')) row.net_amount.toFixed(2);
  try {
    return await client.payments.create({ payer_customer_id, source: 'balance' });
  } catch (error) {
    if (isCode(error, 'limit_exceeded')) return error.details.maximum;
    throw error;
  }
}

export const receiver = createReceiver({
  secrets: ['whsec_old', 'whsec_new'],
  onRecord: { payment: (payment) => payment.net_amount.toFixed(2) },
  on: { 'payment.completed': ({ current, outdated }) => [current.status, outdated] },
  onEvent: (event) => event.type,
});
createServer(receiver.nodeHandler()).listen(3000);

const app = express();
app.post('/hook', receiver.nodeHandler());
app.post(
  '/raw',
  express.raw({ type: 'application/json' }),
  async (ask: Request, reply: Response) => {
    const { status, body } = await receiver.receive(ask.body, ask.headers);
    reply.status(status).type('json').send(body);
  },
);
