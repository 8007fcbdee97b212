import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { errorMeanings, replyCodes } from '@tenant-payments/contract/resources/errors.ts';
import { checkReply } from '../kit/contract_check.ts';
import { type Base, bases } from './bases.ts';
import { idPlaces } from './cases.ts';
import type { Cast } from './cast.ts';
import { type CodeCase, codeCases } from './code_cases.ts';
import { fieldsOf } from './fields.ts';
import { type Draft, draftOf, rawOf } from './requests.ts';
import { operations } from './run.ts';
import type { Scenario } from './scenario.ts';
import type { RawReply, Sender } from './send.ts';

/** Each code that the contract lists for an operation, provoked at least once. */

/** How a code is provoked of any operation, or why it cannot be. */
interface General {
  readonly make: (draft: Draft) => Draft;
  readonly told: Pick<CodeCase, 'param' | 'reason'>;
  readonly when?: 'spent' | 'chaos' | 'production';
}

/** What is tried under one code of one operation. */
export interface Provocation {
  readonly endpoint: EndpointDefinition;
  readonly code: ErrorCode;
  readonly how: General | CodeCase;
}
export const isCase = (how: General | CodeCase): how is CodeCase => !('told' in how);

const requiredOf = ({ body, query }: EndpointDefinition) =>
  [
    { part: 'body', schema: body },
    { part: 'query', schema: query },
  ].flatMap(({ part, schema }) =>
    fieldsOf(schema)
      .filter(({ required, path }) => required && path.length === 1)
      .map(({ path: [name = ''] }) => ({ part: part as 'body' | 'query', name })),
  );

const without = <T extends object>(held: T | undefined, name: string) =>
  Object.fromEntries(Object.entries(held ?? {}).filter(([key]) => key !== name));

function missing(endpoint: EndpointDefinition): General | null {
  const [field] = requiredOf(endpoint);
  if (!field) return null;
  return {
    make: (draft) => ({ ...draft, [field.part]: without(draft[field.part], field.name) }),
    told: { param: field.name },
  };
}

function unknownId(endpoint: EndpointDefinition): General | null {
  if (endpoint.params === undefined || endpoint.id === 'simulateEvent') return null;
  const make = (draft: Draft): Draft => {
    const [place] = idPlaces({ params: draft.params });
    return { ...draft, params: place?.put('unknown').params ?? draft.params };
  };
  return { make, told: {} };
}

const generals: {
  readonly [C in ErrorCode]?: (endpoint: EndpointDefinition) => General | null;
} = {
  authentication_required: () => ({
    make: (draft) => ({ ...draft, authorization: null }),
    told: {},
  }),
  idempotency_key_missing: () => ({ make: (draft) => ({ ...draft, key: null }), told: {} }),
  parameter_missing: missing,
  parameter_invalid: () => ({
    make: (draft) => ({ ...draft, query: { ...draft.query, unknown: '1' } }),
    told: { param: 'unknown', reason: 'unknown_field' },
  }),
  not_found: unknownId,
  rate_limited: ({ authenticated }) => ({
    make: (draft) => draft,
    told: {},
    // Of tokens a production gives few enough to use them up.
    when: authenticated === false ? 'production' : 'spent',
  }),
  internal_error: ({ authenticated }) =>
    authenticated === false ? null : { make: (draft) => draft, told: {}, when: 'chaos' },
};

/** Codes that a listing names and nothing outside can provoke, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  'createToken.internal_error':
    'chaos never strikes the token endpoint, and nothing else is known to',
};

/** Nothing is required of it, so nothing can be missing; nobody lists it either. */
const cannotMiss = (endpoint: EndpointDefinition, code: ErrorCode) =>
  code === 'parameter_missing' &&
  requiredOf(endpoint).length === 0 &&
  !endpoint.errors.includes(code);

export interface CodeTable {
  readonly provocations: readonly Provocation[];
  readonly exempt: readonly string[];
  /** Listed, and there is no case of it. */
  readonly uncovered: readonly string[];
}

/** The table operation by code, made from the contract's lists. */
export function codeTable(): CodeTable {
  const provocations: Provocation[] = [];
  const [excused, uncovered]: [string[], string[]] = [[], []];
  for (const endpoint of operations)
    for (const code of replyCodes(endpoint)) {
      const name = `${endpoint.id}.${code}`;
      const cases = codeCases[endpoint.id as keyof typeof codeCases]?.[code] ?? [];
      const general = generals[code]?.(endpoint) ?? null;
      if (exempt[name]) excused.push(`${name}: ${exempt[name]}`);
      else if (cases.length > 0 || general) {
        if (general) provocations.push({ endpoint, code, how: general });
        provocations.push(...cases.map((how) => ({ endpoint, code, how })));
      } else if (!cannotMiss(endpoint, code)) uncovered.push(name);
    }
  return { provocations, exempt: excused, uncovered };
}

/** Codes whose details may say more than the meaning names: the bound that was passed. */
const open: readonly ErrorCode[] = ['parameter_invalid', 'parameter_missing'];

/** Why `details` are not what decisions 1.10 say of the code; null: they are. */
export function detailsFault(code: ErrorCode, details: object | null): string | null {
  const named = errorMeanings[code].details.split(', ').filter((name) => name !== '');
  const needed = named.filter((name) => !name.endsWith('?'));
  const allowed = named.map((name) => name.replace('?', ''));
  const given = Object.keys(details ?? {});
  const lacking = needed.filter((name) => !given.includes(name));
  const strange = open.includes(code) ? [] : given.filter((name) => !allowed.includes(name));
  if (lacking.length > 0) return `details without ${lacking.join(', ')}`;
  return strange.length > 0 ? `details with ${strange.join(', ')}` : null;
}

interface Told extends Pick<CodeCase, 'param' | 'reason'> {
  readonly code: ErrorCode;
}

/** Why a reply is not this refusal; null: it is. */
export function toldFault(told: Told, reply: RawReply): string | null {
  const { code, param = null, details = null } = reply.body?.error ?? {};
  const said = `it said ${reply.status} ${JSON.stringify(reply.body?.error ?? reply.body)}`;
  if (code !== told.code) return `${told.code} expected; ${said}`;
  if (param !== (told.param ?? null)) return `param ${told.param ?? null} expected; ${said}`;
  if (told.reason !== undefined && details?.reason !== told.reason)
    return `reason ${told.reason} expected; ${said}`;
  const fault = detailsFault(told.code, details);
  return fault === null ? null : `${fault}; ${said}`;
}

export interface CodeNeeds {
  readonly cast: Cast;
  readonly scenario: Scenario;
  readonly sender: Sender;
  /** A Tenant whose rate is one request in a minute, and how to use that up; null: 429 is not tried. */
  readonly spent: { readonly token: string; readonly spend: () => Promise<unknown> } | null;
  /**
   * A production, a Tenant's token there, and how to use up its rate of tokens; null: what only it
   * refuses is not tried.
   */
  readonly production: {
    readonly sender: Sender;
    readonly token: string;
    readonly spend: () => Promise<unknown>;
  } | null;
}

type Turn = 'at once' | 'flows off' | 'spent' | 'chaos' | 'late' | 'production';

export function turnOf({ how }: Provocation): Turn {
  if (!isCase(how)) return how.when ?? 'at once';
  if (how.flowsOff) return 'flows off';
  if (how.late) return 'late';
  return how.production ? 'production' : 'at once';
}

const nameOf = ({ endpoint, code, how }: Provocation) =>
  `${endpoint.id}.${code}${isCase(how) && how.reason ? ` (${how.reason})` : ''}`;

/** The request that provokes it, as a draft in which more can be made wrong. */
export async function provoke(
  { endpoint, how }: Provocation,
  { cast, scenario }: Pick<CodeNeeds, 'cast' | 'scenario'>,
): Promise<Draft> {
  const token = scenario.token;
  if (isCase(how)) return draftOf(endpoint, await how.make(cast), token);
  const [variant] = bases[`${endpoint.method} ${endpoint.path}`] ?? [];
  const base: Base = variant ? await variant.make(scenario) : {};
  return how.make(draftOf(endpoint, base, token));
}

interface Prepared {
  readonly one: Provocation;
  readonly draft: Draft;
}

async function faultOf({ one, draft }: Prepared, sender: Sender, token?: string) {
  const isOurs = token === undefined || draft.authorization === null;
  const authorization = isOurs ? draft.authorization : `Bearer ${token}`;
  const request = rawOf({ ...draft, authorization });
  const reply = await sender.send(request);
  checkReply(request.method, request.path, reply);
  const { param, reason } = isCase(one.how) ? one.how : one.how.told;
  return toldFault({ code: one.code, ...(param && { param }), ...(reason && { reason }) }, reply);
}

interface Playing {
  readonly begin?: () => Promise<unknown>;
  readonly sender?: Sender;
  readonly token?: string;
}

export interface CodeFigures {
  /** Codes of operations that were provoked, and how often. */
  readonly codes: number;
  readonly cases: number;
  readonly untried: readonly string[];
  readonly violations: readonly string[];
}

const daySeconds = 86_400;
const flows = [
  'customers_individual',
  'customers_business',
  'loads',
  'payment_requests',
  'payments_balance',
  'payments_bank',
  'merchant_to_merchant',
];
export const flowsAre = (on: boolean) => ({
  flows: Object.fromEntries(flows.map((name) => [name, on])),
});

/** Provokes every code. It ends with an advance of the clock by a day, beyond the window of refunds. */
export async function checkCodes(needs: CodeNeeds): Promise<CodeFigures> {
  const { provocations, uncovered } = codeTable();
  const { w } = needs.cast;
  const violations = uncovered.map((name) => `${name}: listed, and no case provokes it`);
  const tried = new Set<string>();
  const untried: string[] = [];
  let cases = 0;
  const turn = (name: Turn) => provocations.filter((one) => turnOf(one) === name);
  /** Makes the requests of a turn, then what it is about, then sends them. */
  async function play(
    name: Turn,
    { begin = async () => {}, sender = needs.sender, token }: Playing = {},
  ): Promise<void> {
    const prepared: Prepared[] = [];
    await sender.all(turn(name), async (one) => {
      prepared.push({ one, draft: await provoke(one, needs) });
    });
    await begin();
    await sender.all(prepared, async (made) => {
      const { one } = made;
      cases += 1;
      tried.add(`${one.endpoint.id}.${one.code}`);
      const fault = await faultOf(made, sender, token).catch((error: Error) => error.message);
      if (fault !== null) violations.push(`${nameOf(one)}: ${fault}`);
    });
  }
  const skip = (name: Turn) => void untried.push(...turn(name).map(nameOf));
  const chaos = async (api_503: number) =>
    void (await w.call('PUT', '/portal/api/chaos', { api_503 }));
  await play('at once');
  await play('flows off', { begin: () => w.settings(flowsAre(false)) });
  await w.settings(flowsAre(true));
  await play('chaos', { begin: () => chaos(1) });
  await chaos(0);
  const { spent, production } = needs;
  if (spent === null) skip('spent');
  else await play('spent', { begin: spent.spend, token: spent.token });
  if (production === null) skip('production');
  else await play('production', { ...production, begin: production.spend });
  await w.settings({ refund_window_days: 1 });
  await play('late', { begin: () => w.advance(daySeconds + 60) });
  return { codes: tried.size, cases, untried, violations };
}
