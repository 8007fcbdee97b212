import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { checkReply } from '../kit/contract_check.ts';
import { caller } from '../kit/http.ts';
import { bases, type Variant } from './bases.ts';
import { casesOf } from './cases.ts';
import type { Case, Expectation } from './expectations.ts';
import { playScenario, type Scenario } from './scenario.ts';
import type { RawReply, RawRequest, Sender } from './send.ts';

/** A deployment that is held against the contract. */
export interface Deployment {
  readonly baseUrl: string;
  readonly sender: Sender;
  readonly token: string;
  /** The Tenant's own; null: a token is only refused. */
  readonly credentials: { readonly client_id: string; readonly client_secret: string } | null;
  /** Another Tenant's token; null: what strangers see is not tried. */
  readonly strangerToken: string | null;
  /** A text that differs when any record does. */
  readonly digest: (of: Pick<Scenario, 'token' | 'payer' | 'shop'>) => Promise<string>;
}

export interface Verdict {
  readonly operation: string;
  readonly cases: number;
  /** `what: why`, one a case. */
  readonly violations: readonly string[];
}

export interface Conformance {
  /** The operations that have answered with success so far, by id. */
  readonly answered: ReadonlySet<string>;
  /** Sends all cases of one operation and judges the replies. */
  check(endpoint: EndpointDefinition): Promise<Verdict>;
}

/** Every operation that is served, in the contract's order. */
export const operations: readonly EndpointDefinition[] =
  Object.values<EndpointDefinition>(endpoints);

const errorOf = ({ body }: RawReply) => body?.error ?? {};
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((held, name) => (held as Record<string, unknown> | null)?.[name], value);

/** What every reply must be, whatever was asked. */
function generalFault({ request, expect }: Case, reply: RawReply): string | null {
  const { method, path } = request;
  try {
    checkReply(method, path, reply);
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? 'not as the contract says';
  }
  if (reply.status >= 500) return `answered ${reply.status}`;
  if (reply.headers.get('content-type') !== 'application/json; charset=utf-8')
    return `Content-Type ${reply.headers.get('content-type')}`;
  const known = reply.status !== 401 && expect.kind !== 'nowhere' && path.startsWith('/v1/');
  if (known && !reply.headers.has('ratelimit-limit')) return 'no RateLimit headers';
  return null;
}

const saying = (reply: RawReply) =>
  `${reply.status} ${JSON.stringify(reply.body?.error ?? reply.body).slice(0, 300)}`;

type Judged<K> = Extract<Expectation, { kind: K }>;

function judgeRefusal(expect: Judged<'refused'>, reply: RawReply): string | null {
  const { code, param = null, details } = errorOf(reply);
  const wanted = expect.param ?? null;
  const fits =
    expect.param === undefined ||
    param === wanted ||
    (expect.within === true && String(param).startsWith(`${wanted}.`));
  const reason = expect.reason === undefined || details?.reason === expect.reason;
  if (expect.codes.includes(code) && fits && reason) return null;
  return `${expect.codes.join(' or ')}, param ${wanted}, expected; it said ${saying(reply)}`;
}

function judgeTaken({ path, value }: Judged<'taken'>, reply: RawReply): string | null {
  // A run before this one has taken it already.
  if (String(errorOf(reply).code).startsWith('duplicate_')) return null;
  if (reply.status >= 300) return `refused, though its schema allows it: ${saying(reply)}`;
  const shown = at(reply.body, path);
  return shown === undefined || shown === value ? null : `shown as ${JSON.stringify(shown)}`;
}

function judgeLike(expect: Judged<'like'>, reply: RawReply, other: RawReply): string | null {
  const facts = (of: RawReply) => {
    const { code, param, details } = errorOf(of);
    return JSON.stringify([of.status, code, param, details, of.body?.data?.length]);
  };
  if (facts(reply) !== facts(other)) return `${saying(reply)}, not as ${saying(other)}`;
  const shows = reply.status < 300 && reply.body?.data?.length !== 0;
  return expect.shows === 'nothing' && shows ? `shows ${saying(reply)}` : null;
}

function judgeHead(reply: RawReply, other: RawReply): string | null {
  if (reply.body !== null) return 'it has a body';
  const facts = ({ status, headers }: RawReply) =>
    JSON.stringify([
      status,
      headers.get('content-type'),
      status < 300 ? null : headers.get('content-length'),
      headers.has('service-request-id'),
      headers.has('ratelimit-limit'),
    ]);
  return facts(reply) === facts(other) ? null : `${facts(reply)}, not as GET: ${facts(other)}`;
}

function judgeNowhere({ method }: RawRequest, reply: RawReply): string | null {
  const told = method === 'HEAD' ? reply.body === null : errorOf(reply).code === 'not_found';
  return reply.status === 404 && told ? null : `not_found expected; it said ${saying(reply)}`;
}

async function faultOf(sender: Sender, one: Case, onSuccess: () => void): Promise<string | null> {
  const { request, expect } = one;
  const reply = await sender.send(request);
  if (reply.status < 300) onSuccess();
  const fault = generalFault(one, reply);
  if (fault !== null) return fault;
  if (expect.kind === 'nowhere') return judgeNowhere(request, reply);
  if (expect.kind === 'refused') return judgeRefusal(expect, reply);
  if (expect.kind === 'allowed') return null;
  if (expect.kind === 'taken') return judgeTaken(expect, reply);
  if (expect.kind === 'success') return reply.status < 300 ? null : `refused with ${saying(reply)}`;
  const other = await sender.send(expect.other);
  return expect.kind === 'like' ? judgeLike(expect, reply, other) : judgeHead(reply, other);
}

/** The lines of one digest that the other has not. */
export function differences(before: string, after: string): string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line));
}

const days = 3 * 86_400;

async function passDays(baseUrl: string, token: string): Promise<void> {
  const call = caller(baseUrl, token);
  const { status, body } = await call('POST', '/portal/api/clock/advance', {
    body: { seconds: days },
  });
  if (status !== 200) throw new Error(`the clock was not moved: ${JSON.stringify(body)}`);
}

const keyOf = ({ method, path }: EndpointDefinition) => `${method} ${path}`;

/** Plays a scenario for the Tenant, and one for the stranger, and stands ready to check. */
export async function openConformance(deployment: Deployment): Promise<Conformance> {
  const { baseUrl, sender, token, strangerToken, digest } = deployment;
  const answered = new Set<string>();
  // A report is there once its day is over.
  await passDays(baseUrl, token);
  const [scenario, stranger] = await Promise.all([
    playScenario(baseUrl, token, deployment.credentials),
    strangerToken === null ? null : playScenario(baseUrl, strangerToken),
  ]);

  async function judge(endpoint: EndpointDefinition, cases: readonly Case[]): Promise<string[]> {
    const violations: string[] = [];
    await sender.all(cases, async (one) => {
      const fault = await faultOf(sender, one, () => answered.add(endpoint.id));
      if (fault !== null) violations.push(`${one.name}: ${fault}`);
    });
    return violations;
  }

  async function checkVariant(endpoint: EndpointDefinition, variant: Variant): Promise<Verdict> {
    const { refusals, accepted, allowed } = await casesOf(endpoint, variant, scenario, stranger);
    const before = await digest(scenario);
    const refused = await judge(endpoint, refusals);
    const after = await digest(scenario);
    const changed = differences(before, after).map((line) => `the refusals: they changed ${line}`);
    const taken = [...(await judge(endpoint, [accepted])), ...(await judge(endpoint, allowed))];
    return {
      operation: variant.name,
      cases: refusals.length + 1 + allowed.length,
      violations: [...refused, ...changed, ...taken].map(
        (violation) => `${variant.name}, ${violation}`,
      ),
    };
  }

  return {
    answered,
    async check(endpoint) {
      const variants = bases[keyOf(endpoint)];
      if (!variants) throw new Error(`test/contract/bases.ts has no row for ${keyOf(endpoint)}`);
      const verdicts: Verdict[] = [];
      for (const variant of variants) verdicts.push(await checkVariant(endpoint, variant));
      return {
        operation: endpoint.id,
        cases: verdicts.reduce((sum, { cases }) => sum + cases, 0),
        violations: verdicts.flatMap(({ violations }) => violations),
      };
    },
  };
}
