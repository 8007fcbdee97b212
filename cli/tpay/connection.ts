import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { Client } from '@tenant-payments/sdk-server';
import { callsOf } from '../calls.ts';
import { connectByKey, openClient, type Portal } from '../connect.ts';
import { addressOf } from '../saved_keys.ts';
import { type Terminal, UsageError } from '../terminal.ts';
import type { Options } from './options.ts';
import { isOver, type Profile, profileNameOf, readProfiles } from './profiles.ts';
import { findSandbox } from './sandbox.ts';

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The service that a command calls, and its credentials. */
export interface Account {
  readonly profile: string;
  readonly baseUrl: string;
  /** The source of the credentials; for `status`. */
  readonly from: 'environment' | 'profile' | 'sandbox' | 'nobody';
  readonly client: ClientCredentials | null;
  readonly key: string | null;
  /** When the client's secret ends by itself; null: it lasts, or there is none. */
  readonly clientUntil: string | null;
  /** With which the service, or `listen`, signs; null: not known here. */
  readonly webhookSecret: string | null;
}

export interface Connection extends Account {
  /** The Tenant API, for whoever has a client. */
  readonly api: Client | null;
  readonly portal: Portal;
}

const whereToBegin =
  'Start a sandbox with `npm start` in its folder, or sign in: tpay login --base-url https://pay.example.com';
const howToSignIn = 'Sign in with tpay login, or set PAY_CLIENT_ID and PAY_CLIENT_SECRET.';

/** No address is known; a sandbox that starts may yet write its own. */
export class UnknownService extends UsageError {}

/** @throws UsageError where one of the two is missing */
function fromEnvironment({ env }: Terminal): ClientCredentials | null {
  const { PAY_CLIENT_ID: id = '', PAY_CLIENT_SECRET: secret = '' } = env;
  // As a file or a secrets manager ends them.
  const [clientId, clientSecret] = [id.trim(), secret.trim()];
  if (clientId === '' && clientSecret === '') return null;
  if (clientId !== '' && clientSecret !== '') return { clientId, clientSecret };
  const missing = clientId === '' ? 'PAY_CLIENT_ID' : 'PAY_CLIENT_SECRET';
  throw new UsageError(`${missing} is not set`, 'Set both, or neither.');
}

const clientOf = ({ client_id, client_secret }: Partial<Profile>): ClientCredentials | null =>
  client_id && client_secret ? { clientId: client_id, clientSecret: client_secret } : null;

/** The lasting client of a profile, else the one that was made for its key. */
function savedClientOf(saved: Profile): Pick<Account, 'client' | 'clientUntil'> {
  const lasting = clientOf(saved);
  const { temporary } = saved;
  if (lasting || !temporary || isOver(temporary)) return { client: lasting, clientUntil: null };
  return { client: clientOf(temporary), clientUntil: temporary.expires_at };
}

/**
 * The account of a command (rules/tpay#2). No secret goes to another address than its own.
 * @throws UnknownService where no address is known
 */
export function accountOf(terminal: Terminal, options: Options): Account {
  const profile = profileNameOf(terminal, options.profile);
  const saved = readProfiles(terminal).profiles[profile];
  const isNamed = options.profile !== undefined || Boolean(terminal.env.PAY_PROFILE);
  const given = options.baseUrl ?? (isNamed && saved ? saved.base_url : terminal.env.PAY_BASE_URL);
  // A profile that is named does not fall back to the sandbox.
  if (isNamed && !saved && given === undefined)
    throw new UsageError(`there is no profile ${profile}`, 'See them with: tpay profiles');
  const sandbox = saved && given === undefined ? null : findSandbox(terminal);
  const address = given ?? saved?.base_url ?? sandbox?.base_url;
  if (!address) throw new UnknownService('no service is known here', whereToBegin);
  const baseUrl = addressOf(address);
  const webhookSecret = terminal.env.PAY_WEBHOOK_SECRET || null;
  const found = { profile, baseUrl, key: null, clientUntil: null, webhookSecret };
  const client = fromEnvironment(terminal);
  if (client) return { ...found, from: 'environment', client };
  if (saved?.base_url === baseUrl && (saved.key || clientOf(saved))) {
    const key = saved.key?.key ?? null;
    const secret = webhookSecret ?? saved.temporary?.webhook_secret ?? null;
    return { ...found, from: 'profile', ...savedClientOf(saved), key, webhookSecret: secret };
  }
  if (sandbox?.base_url !== baseUrl) return { ...found, from: 'nobody', client: null };
  const secret = webhookSecret ?? sandbox.webhook_secret;
  return { ...found, from: 'sandbox', client: clientOf(sandbox), webhookSecret: secret };
}

/** A person waits: few retries. The longest advance of a clock takes a minute. */
const patience = { maxRetries: 2, retryBaseMs: 200, timeoutMs: 90_000 };

/** @throws UsageError where nobody has signed in */
export function connect(terminal: Terminal, options: Options): Connection {
  const account = accountOf(terminal, options);
  const { baseUrl, client, key } = account;
  const api = client ? openClient({ baseUrl, ...client, ...patience }) : null;
  const portal = key === null ? api && callsOf(api) : connectByKey(baseUrl, key);
  if (!portal) throw new UsageError(`nobody has signed in to ${baseUrl}`, howToSignIn);
  return { ...account, api, portal };
}

/** A fresh access token of a client; a connection that has died is not waited for. */
export async function fetchToken(baseUrl: string, client: ClientCredentials, signal?: AbortSignal) {
  const { clientId: client_id, clientSecret: client_secret } = client;
  const asked = { grant_type: 'client_credentials', client_id, client_secret } as const;
  const options = { timeoutMs: 10_000, ...(signal ? { signal } : {}) };
  const calls = callsOf(openClient({ baseUrl, ...client }));
  return (await calls.request(endpoints.createToken, asked, options)).data;
}

/** The token that opens the portal's feed, which no method of the client reads. */
export const bearerOf = async (
  { key, client, baseUrl }: Connection,
  signal: AbortSignal,
): Promise<string> =>
  key ?? (client ? (await fetchToken(baseUrl, client, signal)).access_token : '');

/** The Tenant API. @throws UsageError for whoever has signed in to the portal alone */
export function apiOf({ api, baseUrl }: Connection): Client {
  if (api) return api;
  throw new UsageError(
    `the key of tpay login does not open the Tenant API (/v1) of ${baseUrl}`,
    'Set PAY_CLIENT_ID and PAY_CLIENT_SECRET, or save them: tpay profiles add NAME --client-id ID',
  );
}
