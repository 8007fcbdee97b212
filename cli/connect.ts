import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxFacts } from '@tenant-payments/contract/portal/tenants.ts';
import { type Client, createClient } from '@tenant-payments/sdk-server';
import { type Terminal, UsageError } from './terminal.ts';

export interface ConnectOptions {
  readonly baseUrl?: string;
}

/** An advance of the clock takes up to 60 s, the verification of a large ledger longer. */
const timeoutMs = 600_000;

const startHint =
  'Start the sandbox with `npm start`, or set DATA_DIR to its folder; ' +
  'for another service give --base-url with CLIENT_ID and CLIENT_SECRET in the environment.';

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
function open(options: Parameters<typeof createClient>[0]): Client {
  try {
    return createClient({ timeoutMs, ...options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message, startHint);
  }
}

/**
 * A client with a tenant's credentials: CLIENT_ID and CLIENT_SECRET at --base-url, else those of the
 * sandbox in DATA_DIR. The sandbox's secrets are never sent to the address in --base-url.
 */
export function connect(terminal: Terminal, { baseUrl }: ConnectOptions): Client {
  const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '' } = terminal.env;
  if (baseUrl !== undefined) {
    if (clientId !== '' && clientSecret !== '') return open({ baseUrl, clientId, clientSecret });
    throw new UsageError('--base-url needs CLIENT_ID and CLIENT_SECRET', startHint);
  }
  const facts = sandboxFacts(terminal);
  return open({
    baseUrl: facts.base_url,
    clientId: facts.client_id,
    clientSecret: facts.client_secret,
  });
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A client with the operator key that the sandbox wrote to DATA_DIR. The key is sent to this machine
 * only.
 */
export function connectOperator(terminal: Terminal, options: ConnectOptions): Client {
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
  return open({ baseUrl, clientId, clientSecret: 'unused', fetch: fetchAsOperator });
}
