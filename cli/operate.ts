import { type AnyErrorCode, TenantPaymentsError } from '@tenant-payments/sdk-server';
import type { groups } from '../scripts/operate/groups.ts';
import { runScript } from './script.ts';
import { FaultLines, type Terminal, UsageError } from './terminal.ts';

type Groups = typeof groups;
type Operations<G extends keyof Groups> = Awaited<ReturnType<Groups[G]>>['operations'];
type Run<Operation> = Operation extends (deployment: never, given: infer Given) => infer Answer
  ? { readonly given: unknown extends Given ? object : Given; readonly answer: Awaited<Answer> }
  : never;

/** The answer of an operation on the database. */
export type AnswerOf<G extends keyof Groups, Name extends keyof Operations<G>> = Run<
  Operations<G>[Name]
>['answer'];

interface Refusal {
  readonly code: AnyErrorCode;
  readonly message: string;
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

const endedEarly = [
  'error: the command was ended before it had an answer',
  'hint: Look at what it has done before you try again.',
];

/**
 * Runs an operation of `scripts/operate/` on the deployment that the settings name. What it logs goes to
 * standard error.
 * @throws TenantPaymentsError when it is refused, FaultLines when it could not be done
 */
export function operate<G extends keyof Groups, Name extends keyof Operations<G> & string>(
  terminal: Terminal,
  group: G,
  name: Name,
  given: Run<Operations<G>[Name]>['given'],
): AnswerOf<G, Name> {
  const { status, stdout, lines } = runScript(
    terminal,
    'operate',
    [group, name],
    JSON.stringify(given),
  );
  if (status !== 0 && stdout === '') throw new FaultLines(lines.length > 0 ? lines : endedEarly);
  for (const line of lines) terminal.err(line);
  if (status === 0) return JSON.parse(stdout);
  throw new TenantPaymentsError({ ...(JSON.parse(stdout) as Refusal), retryable: false });
}

export interface WayOptions {
  readonly tenant?: string;
  readonly baseUrl?: string;
}

/**
 * Whether a command that could call a running service works on the database instead
 * (rules/operations#46): with --tenant, and in production unless an address is given.
 */
export function isDirect({ env }: Terminal, { tenant, baseUrl }: WayOptions): boolean {
  if (tenant !== undefined && baseUrl !== undefined)
    throw new UsageError(
      '--tenant works on the database and --base-url over HTTP',
      'Give one of them.',
    );
  return tenant !== undefined || (baseUrl === undefined && env.ENVIRONMENT === 'production');
}

/** @throws UsageError without --tenant, which production cannot guess */
export function tenantOf({ tenant }: WayOptions): { readonly tenant: string } {
  if (tenant !== undefined) return { tenant };
  throw new UsageError('--tenant is missing', 'List the tenants with: npm run cli -- tenants list');
}
