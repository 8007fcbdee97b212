import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { type ErrorCode, errorStatus } from '@tenant-payments/contract/core/errors.ts';
import { allCodes, errorMeanings, replyCodes } from '@tenant-payments/contract/resources/errors.ts';
import { checkReply } from '../../kit/http/contract_check.ts';
import type { Reply } from '../../kit/http/http.ts';
import { newKey } from '../../kit/ids.ts';
import { variantsOf } from '../cases/bases.ts';
import { type Draft, draftOf, rawOf } from '../cases/requests.ts';
import type { Subjects } from '../moves/subjects.ts';
import { operations, type Verdict } from '../run.ts';
import { everyFlow } from '../scenario.ts';
import type { Sender } from '../send.ts';
import { generalFaults, requiredField, type Told } from './general_faults.ts';
import type { Rows } from './refusal_requests.ts';
import { refusals } from './refusals.ts';
import {
  impossible,
  refusedInProduction,
  refusedLate,
  refusedWithoutFlows,
} from './refusals_later.ts';

/** When a refusal is provoked, in this order. */
type Turn = 'at once' | 'flows off' | 'chaos' | 'spent' | 'production' | 'late';

interface Provocation {
  /** `createLoad: no token before limit_exceeded` */
  readonly name: string;
  readonly turn: Turn;
  readonly draft: Draft;
  readonly told: Told;
}

/** A token, and how to use up the rate of its requests. */
interface Spent {
  readonly token: string;
  readonly spend: () => Promise<unknown>;
}

export interface RefusalNeeds {
  readonly subjects: Subjects;
  readonly sender: Sender;
  /** A Tenant whose rate is one request in a minute; null: 429 is not tried. */
  readonly spent: Spent | null;
  /** A production, and a Tenant there; null: what only a production refuses is not tried. */
  readonly production: (Spent & { readonly sender: Sender }) | null;
}

/** Codes that a listing names and no request provokes, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  'createToken.internal_error':
    'chaos never concerns the token endpoint, and no other cause is known',
};
const notThere = 'what is not there has no state and no owner';

/** `session_invalid` comes before the 409 of POST /v1/sessions; all else in the order of the codes. */
const rankOf = (code: ErrorCode): number =>
  code === 'session_invalid' ? allCodes.indexOf('not_found') + 0.5 : allCodes.indexOf(code);
const isSpecific = (code: ErrorCode) => errorStatus[code] >= 403 && errorStatus[code] <= 422;

/** Each two neighbours among the codes of an operation that concern its flow, records and amounts. */
const neighbours: readonly string[] = operations.flatMap(({ id, errors }) => {
  const codes = [...errors].filter(isSpecific).sort((a, b) => rankOf(a) - rankOf(b));
  return codes.slice(1).map((code, index) => `${id}: ${codes[index]} before ${code}`);
});

/** The provocations of a table. */
function rowsOf(rows: Rows, turn: Turn, { subjects }: RefusalNeeds): Provocation[] {
  return operations.flatMap((endpoint) =>
    (rows[endpoint.id as keyof Rows] ?? []).map(([codes, make, param, reason]) => ({
      name: `${endpoint.id}: ${codes}`,
      turn,
      draft: draftOf(endpoint, make(subjects), subjects.token),
      told: {
        code: codes.split(' ')[0] as ErrorCode,
        ...(param && { param }),
        ...(reason && { reason }),
      },
    })),
  );
}

type Faults = ReturnType<typeof generalFaults>;
const turnOf = ({ code }: Told): Turn => (code === 'rate_limited' ? 'spent' : 'at once');

/** Refusals of one operation: each general fault, each two of them, and what only some turns refuse. */
async function generalOf(endpoint: EndpointDefinition, faults: Faults, { subjects }: RefusalNeeds) {
  const [variant] = variantsOf(endpoint);
  const draft = draftOf(endpoint, (await variant?.make(subjects)) ?? {}, subjects.token);
  const field = requiredField(endpoint);
  const one = (code: ErrorCode, turn: Turn, more: Partial<Provocation> = {}): Provocation => ({
    name: `${endpoint.id}: ${code}`,
    turn,
    draft,
    told: { code },
    ...more,
  });
  const provocations: Provocation[] = [
    endpoint.authenticated === false
      ? one('rate_limited', 'production')
      : one('internal_error', 'chaos'),
  ];
  if (field) {
    const { [field.name]: _, ...rest } = draft[field.part] ?? {};
    const told = { code: 'parameter_missing', param: field.name } as const;
    const without = { ...draft, [field.part]: rest };
    provocations.push(one('parameter_missing', 'at once', { draft: without, told }));
  }
  const applying = faults.filter(({ applies }) => applies(draft));
  for (const [index, { name, of, make, told }] of applying.entries()) {
    const turn = turnOf(told);
    const made = { turn, told };
    provocations.push(one(told.code, turn, { draft: make(draft), told }));
    for (const later of applying.slice(index + 1))
      if (of === undefined || later.of !== of)
        provocations.push({
          name: `${endpoint.id}: ${name} before ${later.name}`,
          draft: make(later.make(draft)),
          ...made,
        });
  }
  return provocations;
}

/** A refusal that concerns records, and with it each general fault, and a flow that is off. */
function withGeneral({ name, draft, told: { code } }: Provocation, faults: Faults): Provocation[] {
  const { endpoint } = draft;
  if (name.includes(' before ') || !isSpecific(code)) return [];
  const general = faults.filter(({ told, applies }) => told.code !== 'not_found' && applies(draft));
  const withFault = general.map(({ name, make, told }) => ({
    name: `${endpoint.id}: ${name} before ${code}`,
    turn: turnOf(told),
    draft: make(draft),
    told,
  }));
  if (!endpoint.errors.includes('flow_not_enabled')) return withFault;
  const told = { code: 'flow_not_enabled' } as const;
  const withoutFlow = `${endpoint.id}: flow_not_enabled before ${code}`;
  return [...withFault, { name: withoutFlow, turn: 'flows off', draft, told }];
}

async function provocationsOf(needs: RefusalNeeds): Promise<Provocation[]> {
  const { api, shop } = needs.subjects;
  const usedKey = newKey();
  const body = { type: 'dynamic', merchant_customer_id: shop.customerId, amount: 1 };
  await api.post('/v1/payment-requests', body, usedKey);
  const faults = generalFaults(needs.spent?.token ?? null, usedKey);
  const general = await Promise.all(operations.map((one) => generalOf(one, faults, needs)));
  const atOnce = rowsOf(refusals, 'at once', needs);
  return [
    ...general.flat(),
    ...atOnce,
    ...atOnce.flatMap((one) => withGeneral(one, faults)),
    ...rowsOf(refusedWithoutFlows, 'flows off', needs),
    ...rowsOf(refusedInProduction, 'production', needs),
    ...rowsOf(refusedLate, 'late', needs),
  ];
}

/** Listed codes and neighbours that nothing provokes, and no reason why. */
function uncovered(provocations: readonly Provocation[], without429: boolean): string[] {
  const names = new Set(provocations.map(({ name }) => name));
  const codes = operations.flatMap((endpoint) =>
    replyCodes(endpoint)
      .filter((code) => {
        const cannotMiss = code === 'parameter_missing' && !requiredField(endpoint);
        const isUntried = code === 'rate_limited' && without429;
        const isExcused = exempt[`${endpoint.id}.${code}`] || isUntried;
        return !isExcused && (!cannotMiss || endpoint.errors.includes(code));
      })
      .map((code) => `${endpoint.id}: ${code}`),
  );
  const pairs = neighbours.filter(
    (name) => !impossible[name] && !name.includes(': not_found before'),
  );
  return [...codes, ...pairs].filter((name) => !names.has(name));
}

/** Codes whose details may say more than the meaning names: the bound that was passed. */
const openDetails: readonly ErrorCode[] = ['parameter_invalid', 'parameter_missing'];

/** Why `details` are not what the contract says of the code; null: they are. */
function detailsFault(code: ErrorCode, details: object | null): string | null {
  const named = errorMeanings[code].details.split(', ').filter((name) => name !== '');
  const given = Object.keys(details ?? {});
  const lacking = named.filter((name) => !name.endsWith('?') && !given.includes(name));
  const allowed = named.map((name) => name.replace('?', ''));
  const unknown = openDetails.includes(code) ? [] : given.filter((name) => !allowed.includes(name));
  if (lacking.length > 0) return `details without ${lacking.join(', ')}`;
  return unknown.length > 0 ? `details with ${unknown.join(', ')}` : null;
}

/** Why a reply is not this refusal; null: it is. */
function toldFault(told: Told, { status, body }: Reply): string | null {
  const { code, param = null, details = null } = body?.error ?? {};
  const isTold =
    code === told.code &&
    param === (told.param ?? null) &&
    (told.reason === undefined || details?.reason === told.reason);
  const fault = isTold ? detailsFault(told.code, details) : `${JSON.stringify(told)} expected`;
  return fault && `${fault}; it answered ${status} ${JSON.stringify(body?.error ?? body)}`;
}

const daySeconds = 86_400;

/**
 * Provokes each code that the contract lists for an operation, with what the refusal says, and two at
 * once: the one that is checked first is told. The Tenant's clock is a day ahead afterwards.
 */
export async function checkRefusals(needs: RefusalNeeds): Promise<
  Omit<Verdict, 'operation'> & {
    readonly untried: readonly string[];
  }
> {
  const { subjects, sender, spent, production } = needs;
  const { api } = subjects;
  const provocations = await provocationsOf(needs);
  const missing = uncovered(provocations, spent === null);
  const violations = missing.map((name) => `${name}: no request provokes it`);
  const untried: string[] = production
    ? []
    : provocations.filter(({ turn }) => turn === 'production').map(({ name }) => name);
  if (!spent) untried.push('rate_limited, of all operations');

  async function send({ name, draft, told }: Provocation, by: Sender): Promise<void> {
    const request = rawOf(draft);
    const reply = await by.send(request);
    checkReply(request.method, request.path, reply);
    const fault = toldFault(told, reply);
    if (fault !== null) violations.push(`${name}: ${fault}`);
  }
  async function play(turn: Turn, by = sender, token = subjects.token): Promise<void> {
    const some = provocations.filter((one) => one.turn === turn);
    await by.all(some, (one) => {
      const own = one.draft.authorization === `Bearer ${subjects.token}`;
      const draft = own ? { ...one.draft, authorization: `Bearer ${token}` } : one.draft;
      return send({ ...one, draft }, by).catch(({ message }: Error) =>
        violations.push(`${one.name}: ${message}`),
      );
    });
  }
  const chaos = (api_503: number) => api.put('/portal/api/chaos', { api_503 });
  await play('at once');
  await api.settings({ ...everyFlow(false), security_reason: 'A test.' } as object);
  await play('flows off');
  await api.settings(everyFlow(true));
  await chaos(1);
  await play('chaos');
  await chaos(0);
  await spent?.spend();
  await play('spent');
  await production?.spend();
  if (production) await play('production', production.sender, production.token);
  await api.settings({ refund_window_days: 1 });
  await api.advance(daySeconds + 60);
  await play('late');
  return { cases: provocations.length, violations, untried };
}

export const exemptRefusals: readonly string[] = [
  ...Object.entries({ ...exempt, ...impossible }).map(([name, reason]) => `${name}: ${reason}`),
  ...neighbours
    .filter((name) => name.includes(': not_found before'))
    .map((name) => `${name}: ${notThere}`),
];
