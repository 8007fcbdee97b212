import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { accepted, alikeAndEmpty, allowed, type Case, headOf, notServed } from '../judge.ts';
import type { Scenario } from '../scenario.ts';
import type { Base, Variant } from './bases.ts';
import { fieldCases } from './field_cases.ts';
import { requestCases } from './request_cases.ts';
import { type Draft, draftOf, idNames, rawOf, unknownIdLike, withIds } from './requests.ts';

interface Stranger {
  readonly base: Base;
  readonly token: string;
}

const idIn = (base: Base, name: string): string =>
  String(base.params?.[name] ?? base.query?.[name] ?? base.body?.[name]);

/**
 * Another Tenant's records answer as unknown ones do: each of its ids by itself, and the whole request
 * with its token.
 */
function strangerCases(draft: Draft, base: Base, stranger: Stranger): Case[] {
  const names = idNames(base);
  // Without a token there is no other Tenant.
  if (names.length === 0 || draft.endpoint.authenticated === false) return [];
  const authorization = `Bearer ${stranger.token}`;
  const raw = (put: (id: string, name: string) => string, more: Partial<Draft> = {}) =>
    rawOf({ ...withIds(draft, put), ...more });
  const only = (field: string, put: (id: string) => string) =>
    raw((id, name) => (name === field ? put(id) : id));
  return [
    ...names.map((name) => ({
      name: `another Tenant's ${name}`,
      request: only(name, () => idIn(stranger.base, name)),
      other: only(name, unknownIdLike),
      check: alikeAndEmpty,
    })),
    {
      name: "another Tenant's token",
      request: rawOf({ ...draft, authorization }),
      other: raw(unknownIdLike, { authorization }),
      check: alikeAndEmpty,
    },
  ];
}

/** HEAD answers as GET does, accepted or refused. */
function headCases(draft: Draft): Case[] {
  if (draft.endpoint.method !== 'GET') return [];
  const [first] = idNames(draft);
  const drafts: Readonly<Record<string, Draft>> = {
    'HEAD of it': draft,
    'HEAD without a token': { ...draft, authorization: null },
    'HEAD with an unknown parameter': { ...draft, query: { ...draft.query, unknown: '1' } },
    ...(first && {
      'HEAD of an unknown id': withIds(draft, (id, name) => (name === first ? 'unknown' : id)),
    }),
  };
  return Object.entries(drafts).map(([name, of]) => {
    const other = rawOf(of);
    return { name, request: { ...other, method: 'HEAD' }, other, check: headOf };
  });
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const shapeOf = ({ path }: EndpointDefinition) => path.replaceAll(/:\w+/g, ':');

/** Methods that the path does not have. */
function methodCases(draft: Draft): Case[] {
  const served = Object.values<EndpointDefinition>(endpoints)
    .filter((endpoint) => shapeOf(endpoint) === shapeOf(draft.endpoint))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return methods
    .filter((method) => !served.includes(method))
    .map((method) => ({
      name: `the method ${method}`,
      request: { ...rawOf({ ...draft, body: undefined }), method },
      check: notServed(method),
      unserved: true,
    }));
}

/** All cases of one variant of an operation: those that change nothing, and then those that may. */
export async function casesOf(
  endpoint: EndpointDefinition,
  variant: Variant,
  scenario: Scenario,
  stranger: Scenario | null,
): Promise<Readonly<Record<'refusals' | 'changes', readonly Case[]>>> {
  const base = await variant.make(scenario);
  const draft = draftOf(endpoint, base, scenario.token);
  const fields = fieldCases(draft, variant, () => variant.make(scenario) as Base);
  const foreign = stranger && { base: await variant.make(stranger), token: stranger.token };
  const itself: Case = {
    name: 'the request itself',
    request: rawOf(draft),
    check: variant.mayRefuse ? allowed : accepted,
  };
  return {
    refusals: [
      ...requestCases(draft, scenario.token),
      ...headCases(draft),
      ...methodCases(draft),
      ...(foreign ? strangerCases(draft, base, foreign) : []),
      ...fields.filter(({ mayChange }) => !mayChange),
    ],
    // Some operations accept a request only once.
    changes: [itself, ...fields.filter(({ mayChange }) => mayChange)],
  };
}
