import type { Adapter } from '@tenant-payments/service/rails/adapter.ts';
import type { CheckLine, Provider } from '@tenant-payments/service/rails/providers/provider.ts';
import { CountryCode } from 'plaid';
import { openAggregator } from './aggregator.ts';
import { type Client, openClient, PlaidFault } from './client.ts';
import { openMemory } from './memory.ts';
import { plaidUrls } from './settings.ts';
import { openSignature } from './signature.ts';
import { walk } from './watch.ts';
import { readMessage, takeMessage } from './webhook.ts';

const name = 'plaid';
/** All items are looked at again and again, some in each turn. */
const everySeconds = 120;

/** A bank that Plaid has everywhere: asking for it costs nothing. */
const anyBank = { institution_id: 'ins_56', country_codes: [CountryCode.Us] };

const advices: Readonly<Record<string, string>> = {
  INVALID_API_KEYS: 'set PLAID_CLIENT_ID and PLAID_SECRET of the same environment, and start again',
  UNREACHABLE: 'let the service reach PLAID_URL by https',
};

const failed = (what: string, error: unknown): CheckLine => {
  const code = error instanceof PlaidFault ? error.code : 'FAULT';
  return {
    ok: false,
    what,
    advice: `${advices[code] ?? 'look at https://status.plaid.com'} (${code})`,
  };
};

async function checkKeys({ ask }: Client, call: Parameters<Client['ask']>[1]): Promise<CheckLine> {
  const what = 'Plaid knows PLAID_CLIENT_ID and PLAID_SECRET';
  return ask((api, options) => api.institutionsGetById(anyBank, options), call).then(
    () => ({ ok: true, what, advice: null }),
    (error: unknown) => failed(what, error),
  );
}

const checkAddress = (webhook: string | null): CheckLine => ({
  ok: true,
  what: webhook
    ? `its messages come to ${webhook}`
    : 'it is asked for changes, since it cannot send to a PUBLIC_URL without https',
  advice: null,
});

export const { open }: Adapter = {
  open({ values, environment, receiveAt }) {
    const { PLAID_URL: url = plaidUrls[environment] } = values;
    const { PLAID_CLIENT_ID: clientId = '', PLAID_SECRET: secret = '' } = values;
    const { PLAID_CLIENT_NAME: clientName = '' } = values;
    const client = openClient({ url: url.replace(/\/$/, ''), clientId, secret });
    const memory = openMemory();
    const address = receiveAt(name);
    const webhook = address.startsWith('https:') ? address : null;
    const parts = { client, memory, environment, clientName, webhook };
    const prove = openSignature(client);
    const provider: Provider = {
      name,
      open: (given) => memory.open(given),
      check: async (call) => [await checkKeys(client, call), checkAddress(webhook)],
      async receive(request, call) {
        await prove(request, call);
        return takeMessage(parts, readMessage(request.rawBody), call);
      },
      poll: { everySeconds, run: (cursor, call) => walk(parts, cursor, call) },
    };
    return { aggregator: openAggregator(parts), providers: [provider] };
  },
};
