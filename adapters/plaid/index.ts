import type { Adapter } from '@tenant-payments/service/rails/adapter.ts';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { CheckLine, Provider } from '@tenant-payments/service/rails/providers/provider.ts';
import { openAggregator } from './aggregator.ts';
import { askAnyBank, type Client, openClient, PlaidFault } from './client.ts';
import { askForNobody } from './identity/attempt.ts';
import { openIdentity } from './identity/identity.ts';
import { takeVerification, walkVerifications } from './identity/watch.ts';
import { openMemory } from './memory.ts';
import { plaidUrls } from './settings.ts';
import { openSignature } from './signature.ts';
import { walk } from './watch.ts';
import { readMessage, takeMessage } from './webhook.ts';

const name = 'plaid';
/** Plaid sends messages of verifications to an address of its own, which its dashboard has. */
const identityName = 'plaid-identity';
/** All items are looked at again and again, some in each turn. */
const everySeconds = 120;

const advices: Readonly<Record<string, string>> = {
  INVALID_API_KEYS: 'set PLAID_CLIENT_ID and PLAID_SECRET of the same environment, and start again',
  INVALID_FIELD:
    'set PLAID_IDENTITY_TEMPLATE to a template that Plaid has published for these keys',
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

async function checkKeys(client: Client, call: RailsCall): Promise<CheckLine> {
  const what = 'Plaid knows PLAID_CLIENT_ID and PLAID_SECRET';
  return askAnyBank(client, call).then(
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

interface Opening {
  readonly client: Client;
  readonly environment: 'sandbox' | 'production';
  readonly clientName: string;
  readonly template: string;
  readonly prove: ReturnType<typeof openSignature>;
  /** The address for messages to a provider of this name; null: Plaid cannot send to us. */
  receiveAt(provider: string): string | null;
}

function openLinking({ client, environment, clientName, prove, receiveAt }: Opening) {
  const memory = openMemory();
  const webhook = receiveAt(name);
  const parts = { client, memory, environment, clientName, webhook };
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
  return { aggregator: openAggregator(parts), provider };
}

async function checkTemplate(
  client: Client,
  template: string,
  call: RailsCall,
): Promise<CheckLine> {
  const what = 'Plaid knows PLAID_CLIENT_ID, PLAID_SECRET and PLAID_IDENTITY_TEMPLATE';
  return askForNobody({ client, template }, call).then(
    () => ({ ok: true, what, advice: null }),
    (error: unknown) => failed(what, error),
  );
}

function openVerifying({ client, environment, clientName, template, prove, receiveAt }: Opening) {
  const memory = openMemory();
  const parts = { client, memory, environment, clientName, template };
  const provider: Provider = {
    name: identityName,
    open: (given) => memory.open(given),
    check: async (call) => [
      await checkTemplate(client, template, call),
      checkAddress(receiveAt(identityName)),
    ],
    async receive(request, call) {
      await prove(request, call);
      return takeVerification(parts, readMessage(request.rawBody), call);
    },
    poll: { everySeconds, run: (cursor, call) => walkVerifications(parts, cursor, call) },
  };
  return { identity: openIdentity(parts), provider };
}

export const { open }: Adapter = {
  open({ ports, values, environment, receiveAt }) {
    const { PLAID_URL: url = plaidUrls[environment] } = values;
    const { PLAID_CLIENT_ID: clientId = '', PLAID_SECRET: secret = '' } = values;
    const { PLAID_CLIENT_NAME: clientName = '', PLAID_IDENTITY_TEMPLATE: template = '' } = values;
    const client = openClient({ url: url.replace(/\/$/, ''), clientId, secret });
    const opening: Opening = {
      client,
      environment,
      clientName,
      template,
      prove: openSignature(client),
      receiveAt(provider) {
        const address = receiveAt(provider);
        return address.startsWith('https:') ? address : null;
      },
    };
    const linking = ports.includes('aggregator') ? openLinking(opening) : null;
    const verifying = ports.includes('identity') ? openVerifying(opening) : null;
    return {
      ...(linking && { aggregator: linking.aggregator }),
      ...(verifying && { identity: verifying.identity }),
      providers: [linking, verifying].flatMap((one) => (one ? [one.provider] : [])),
    };
  },
};
