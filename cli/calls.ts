import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
  SuccessOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import type { Client, Reply, RequestOptions, WriteOptions } from '@tenant-payments/sdk-server';

type OptionsOf<E extends EndpointDefinition> = E['idempotent'] extends 'none'
  ? RequestOptions
  : WriteOptions;

/** The values of the path, in order: `/v1/customers/:id/owners` takes one. */
type PathValues<Path extends string, Params> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? [ValueOf<Params, Name>, ...PathValues<`/${Tail}`, Params>]
    : [ValueOf<Params, Rest>]
  : [];

type ValueOf<Params, Name extends string> = Name extends keyof Params ? Params[Name] : string;

/** An endpoint has a body or a query, never both; a query is optional when none of it is required. */
type Payload<E extends EndpointDefinition> = 'body' extends keyof E
  ? [body: BodyOf<E>]
  : 'query' extends keyof E
    ? Record<never, never> extends QueryOf<E>
      ? [query?: QueryOf<E>]
      : [query: QueryOf<E>]
    : [];

/** The arguments of an operation: path values, then body or query, then options. */
type Arguments<E extends EndpointDefinition> = [
  ...PathValues<E['path'], ParamsOf<E>>,
  ...Payload<E>,
  options?: OptionsOf<E>,
];

/** Calls any operation of the contract, the portal's too, by its definition. */
export interface Calls {
  request<E extends EndpointDefinition>(
    endpoint: E,
    ...args: Arguments<E>
  ): Promise<Reply<SuccessOf<E>>>;
}

/** @throws TypeError for a value that would reach another operation */
function segment({ id }: EndpointDefinition, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..')
    return encodeURIComponent(value);
  throw new TypeError(`${id}: ${name} must be a non-empty string; pass the id of the record`);
}

async function request(client: Client, endpoint: EndpointDefinition, args: readonly unknown[]) {
  const names = [...endpoint.path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name);
  const path = names.reduce(
    (whole, name, i) => whole.replace(`:${name}`, segment(endpoint, name, args[i])),
    endpoint.path,
  );
  const { method, bodyType = 'json', idempotent, authenticated } = endpoint;
  const hasPayload = endpoint.body !== undefined || endpoint.query !== undefined;
  const payload = (hasPayload ? (args[names.length] ?? {}) : {}) as object;
  const called = {
    method,
    path,
    ...(endpoint.body ? { body: payload, bodyType } : {}),
    ...(endpoint.query ? { query: payload } : {}),
    ...(authenticated === false ? { authenticated } : {}),
    idempotent: idempotent !== 'none',
  };
  const options = args[names.length + (hasPayload ? 1 : 0)] as WriteOptions | undefined;
  return client.request(called, options).withResponse();
}

/** The operations of the contract over a client. */
export const callsOf = (client: Client): Calls => ({
  request: (endpoint, ...args) => request(client, endpoint, args) as Promise<Reply<never>>,
});
