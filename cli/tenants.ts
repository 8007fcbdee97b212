import { createTenant, type SandboxFacts } from '@tenant-payments/contract/portal/tenants.ts';
import { type ConnectOptions, connectOperator } from './connect.ts';
import { type ExitCode, exitCodes, type Terminal, UsageError } from './terminal.ts';

export interface CreateOptions extends ConnectOptions {
  readonly name: string;
  readonly rateLimit?: string;
  readonly json?: true;
}

function rateLimitOf(text: string | undefined): { rate_limit?: number } {
  if (text === undefined) return {};
  if (/^[1-9]\d{0,7}$/.test(text)) return { rate_limit: Number(text) };
  const hint = 'It is the number of requests in 60 seconds, such as 6000.';
  throw new UsageError(`--rate-limit ${text} is not a whole number above 0`, hint);
}

const columns = [
  ['base URL', 'base_url'],
  ['client id', 'client_id'],
  ['client secret', 'client_secret'],
  ['webhook secret', 'webhook_secret'],
  ['portal', 'portal_url'],
  ['shop', 'shop_url'],
  ['docs', 'docs_url'],
] as const satisfies readonly (readonly [string, keyof SandboxFacts])[];

/** `tenants create`: creates another tenant of the sandbox, with its own credentials. */
export async function makeTenant(terminal: Terminal, options: CreateOptions): Promise<ExitCode> {
  const body = { name: options.name, ...rateLimitOf(options.rateLimit) };
  const { data } = await connectOperator(terminal, options).request(createTenant, body);
  if (options.json) {
    terminal.out(JSON.stringify(data));
    return exitCodes.done;
  }
  terminal.out(`Created the tenant "${options.name}":`);
  for (const [label, field] of columns)
    if (data[field] !== null) terminal.out(`  ${label.padEnd(16)}${data[field]}`);
  terminal.out('Save both secrets now: they are shown only once.');
  terminal.out('Next, set CLIENT_ID and CLIENT_SECRET to the values above and run:');
  terminal.out(`  npm run cli -- clock --base-url ${data.base_url}`);
  return exitCodes.done;
}
