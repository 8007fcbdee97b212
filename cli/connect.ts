import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxFacts } from '@tenant-payments/backoffice/contract/operate/tenants.ts';
import { type Client, createClient, proxiedFetch } from '@tenant-payments/sdk-server';
import { type Calls, callsOf } from './calls.ts';
import { addressOf, savedKeyOf } from './saved_keys.ts';
import { type Terminal, UsageError } from './terminal.ts';

export interface ConnectOptions {
  readonly baseUrl?: string;
}

/** An advance of the clock takes up to 60 s, the verification of a large ledger longer. */
const timeoutMs = 600_000;

const startHint =
  'Start the sandbox with `npm start`, or set DATA_DIR to its folder; ' +
  'for another service give --base-url, and sign in with `login` or set CLIENT_ID and CLIENT_SECRET.';

const loginHint =
  'Sign in with: npm run cli -- login --base-url URL; the Tenant API (/v1) takes CLIENT_ID and CLIENT_SECRET alone.';

const dataDirOf = ({ env }: Terminal): string => env.DATA_DIR || '.data';

function readSecretFile(terminal: Terminal, name: string): string {
  const path = join(dataDirOf(terminal), name);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read (${code})`, startHint);
  }
}

function sandboxFacts(terminal: Terminal): SandboxFacts {
  const text = readSecretFile(terminal, 'sandbox.json');
  try {
    return JSON.parse(text) as SandboxFacts;
  } catch {
    const path = join(dataDirOf(terminal), 'sandbox.json');
    throw new UsageError(
      `${path} is not JSON`,
      'Start the sandbox again with `npm start`; it writes the file anew.',
    );
  }
}

/** @throws UsageError for a base address that cannot be called, before anything is sent */
export function openClient(options: Parameters<typeof createClient>[0]): Client {
  try {
    return createClient({ timeoutMs, ...options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message, startHint);
  }
}

/** The calls of the portal's JSON. */
export type Portal = Calls;

/** A client of nobody: for operations that take no token. */
export const connectStranger = (baseUrl: string): Portal =>
  callsOf(openClient({ baseUrl, clientId: 'nobody', clientSecret: 'unused' }));

/** A client with an API key, which opens the portal's JSON alone (rules/api-keys#1). */
export function connectByKey(baseUrl: string, key: string): Portal {
  const fetchWithKey: typeof fetch = (url, init) =>
    proxiedFetch(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${key}` } });
  const calls = callsOf(
    openClient({
      baseUrl,
      clientId: 'key',
      clientSecret: 'unused',
      fetch: fetchWithKey,
    }),
  );
  return {
    // The key is there already: no access token is to be asked for.
    request(endpoint, ...args) {
      const bare: typeof endpoint = { ...endpoint, authenticated: false };
      return calls.request(bare, ...args);
    },
  };
}

/** The address of a command: --base-url, else that of the sandbox in DATA_DIR. */
export const baseUrlOf = (terminal: Terminal, { baseUrl }: ConnectOptions): string =>
  addressOf(baseUrl ?? sandboxFacts(terminal).base_url);

/**
 * A client with a tenant's credentials: at --base-url CLIENT_ID and CLIENT_SECRET, or the key that `login`
 * saved for that address; else those of the sandbox in DATA_DIR. No secret is sent to another address than
 * its own.
 */
export function connect(terminal: Terminal, { baseUrl }: ConnectOptions): Portal {
  const { CLIENT_ID: id = '', CLIENT_SECRET: secret = '' } = terminal.env;
  const [clientId, clientSecret] = [id.trim(), secret.trim()];
  if (baseUrl !== undefined) {
    if (clientId !== '' && clientSecret !== '')
      return callsOf(openClient({ baseUrl, clientId, clientSecret }));
    const saved = savedKeyOf(terminal, baseUrl);
    if (saved) return connectByKey(baseUrl, saved.key);
    throw new UsageError('--base-url needs CLIENT_ID and CLIENT_SECRET, or a login', loginHint);
  }
  const facts = sandboxFacts(terminal);
  return callsOf(
    openClient({
      baseUrl: facts.base_url,
      clientId: facts.client_id,
      clientSecret: facts.client_secret,
    }),
  );
}

export const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A client with the operator key that the sandbox wrote to DATA_DIR. The key is sent to this machine
 * only.
 */
export function connectOperator(terminal: Terminal, options: ConnectOptions): Portal {
  const baseUrl = options.baseUrl ?? sandboxFacts(terminal).base_url;
  const key = readSecretFile(terminal, 'operator.key').trim();
  if (!URL.canParse(baseUrl) || !loopback.test(new URL(baseUrl).hostname)) {
    const hint =
      'Give the address of the sandbox on this machine: --base-url http://127.0.0.1:8080';
    throw new UsageError(`${baseUrl} is not on this machine`, hint);
  }
  const fetchAsOperator: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${key}` } });
  const clientId = 'operator';
  return callsOf(openClient({ baseUrl, clientId, clientSecret: 'unused', fetch: fetchAsOperator }));
}
