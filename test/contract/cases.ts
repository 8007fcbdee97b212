import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { Base, Variant } from './bases.ts';
import type { Case } from './expectations.ts';
import { fieldCases } from './field_cases.ts';
import { requestCases } from './request_cases.ts';
import { type Draft, draftOf, isId, rawOf, unknownIdLike } from './requests.ts';
import type { Scenario } from './scenario.ts';

/** Each id of a request, as a way to write the request with another one in its place. */
export function idPlaces(base: Base): { readonly name: string; put(id: string): Base }[] {
  const parts = ['params', 'query', 'body'] as const;
  return parts.flatMap((part) =>
    Object.entries(base[part] ?? {})
      .filter(([, value]) => isId(value))
      .map(([name]) => ({
        name,
        put: (id: string): Base => ({ ...base, [part]: { ...base[part], [name]: id } }),
      })),
  );
}

const valueAt = (base: Base, name: string): string =>
  String(base.params?.[name] ?? base.query?.[name] ?? base.body?.[name]);

/**
 * Other Tenants' records cannot be told from unknown ones (decisions 1.0): each id by itself, and the
 * whole request with a stranger's token.
 */
function strangerCases(draft: Draft, base: Base, stranger: { base: Base; token: string }): Case[] {
  const places = idPlaces(base);
  const { endpoint } = draft;
  // Without a token everybody is a stranger.
  if (places.length === 0 || endpoint.authenticated === false) return [];
  const request = (of: Base, token?: string) =>
    rawOf({
      ...draftOf(endpoint, of, ''),
      authorization: token === undefined ? draft.authorization : `Bearer ${token}`,
    });
  const single = places.map(({ name, put }): Case => {
    const unknown = unknownIdLike(valueAt(base, name));
    return {
      name: `a stranger's ${name}`,
      request: request(put(valueAt(stranger.base, name))),
      expect: { kind: 'like', other: request(put(unknown)), shows: 'nothing' },
    };
  });
  const blank = places.reduce(
    (of, { name }) =>
      idPlaces(of)
        .find((place) => place.name === name)
        ?.put(unknownIdLike(valueAt(of, name))) ?? of,
    base,
  );
  return [
    ...single,
    {
      name: "a stranger's token",
      request: request(base, stranger.token),
      expect: {
        kind: 'like',
        other: request(blank, stranger.token),
        shows: 'nothing',
      },
    },
  ];
}

/** HEAD is GET without its body (decisions 1.0), for successes and refusals alike. */
function headCases(draft: Draft, base: Base): Case[] {
  if (draft.endpoint.method !== 'GET') return [];
  const [place] = idPlaces(base);
  const unknown = place && draftOf(draft.endpoint, place.put('unknown'), '');
  const drafts: Readonly<Record<string, Draft>> = {
    'HEAD of it': draft,
    'HEAD without a token': { ...draft, authorization: null },
    'HEAD with an unknown parameter': { ...draft, query: { ...draft.query, unknown: '1' } },
    ...(unknown && {
      'HEAD of an unknown id': { ...unknown, authorization: draft.authorization },
    }),
  };
  return Object.entries(drafts).map(([name, of]) => {
    const other = rawOf(of);
    return { name, request: { ...other, method: 'HEAD' }, expect: { kind: 'head', other } };
  });
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const shapeOf = ({ path }: EndpointDefinition) => path.replaceAll(/:\w+/g, ':');

/** Methods that the path does not have (decisions 1.0: unknown path or method). */
function methodCases(draft: Draft): Case[] {
  const served = Object.values<EndpointDefinition>(endpoints)
    .filter((endpoint) => shapeOf(endpoint) === shapeOf(draft.endpoint))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return methods
    .filter((method) => !served.includes(method))
    .map((method) => ({
      name: `the method ${method}`,
      request: { ...rawOf({ ...draft, body: undefined }), method },
      expect: { kind: 'nowhere' },
    }));
}

/** All cases of one variant of an operation. */
export interface Sheet {
  /** Whatever the replies, the records stand as before. */
  readonly refusals: readonly Case[];
  /** The request itself, which some operations take only once; then what else the contract allows. */
  readonly accepted: Case;
  readonly allowed: readonly Case[];
}

export async function casesOf(
  endpoint: EndpointDefinition,
  variant: Variant,
  scenario: Scenario,
  stranger: Scenario | null,
): Promise<Sheet> {
  const base = await variant.make(scenario);
  const draft = draftOf(endpoint, base, scenario.token);
  const fields = fieldCases(draft, variant, () => variant.make(scenario) as Base);
  const strange = stranger && { base: await variant.make(stranger), token: stranger.token };
  const accepted: Case = {
    name: 'the request itself',
    request: rawOf(draft),
    expect: variant.mayRefuse ? { kind: 'allowed' } : { kind: 'success' },
  };
  return {
    refusals: [
      ...requestCases(draft, scenario.token),
      ...headCases(draft, base),
      ...methodCases(draft),
      ...(strange ? strangerCases(draft, base, strange) : []),
      ...fields.refusals,
    ],
    accepted,
    allowed: fields.allowed,
  };
}
