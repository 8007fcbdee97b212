import { endpoints } from '../../catalog.ts';
import type { EndpointDefinition } from '../../core/endpoint.ts';
import { type Shape, typeOf, type Writing } from '../../core/typescript.ts';
import { nameIn, type Role } from '../openapi/roles.ts';
import { nameOf as publishedName } from '../openapi/schemas.ts';
import { type Methods, methods } from './methods.ts';

/** One method of the SDK, with all names of its parts. */
export interface Row {
  readonly group: keyof Methods;
  readonly name: string;
  readonly endpoint: EndpointDefinition;
  /** Names of the values of its path, in order. */
  readonly ids: readonly string[];
  /** The type of its body or query: `PaymentCreateParams`; null without one. */
  readonly params: string | null;
}

const upper = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const singular = (word: string) => word.replace(/s$/, '');
const camel = (words: string) =>
  words.replace(/[-_](\w)/g, (_, next: string) => next.toUpperCase());

/** `/v1/customers/:id/owners` takes `id` in customers, and `customerId` in another group. */
function idsOf(group: string, path: string): string[] {
  const parts = path.split('/');
  return parts.flatMap((part, at) => {
    if (!part.startsWith(':')) return [];
    const holder = camel(parts[at - 1] ?? '');
    if (part !== ':id') return camel(part.slice(1));
    const isOwn = holder === group || holder.startsWith(singular(group));
    return isOwn ? 'id' : `${singular(holder)}Id`;
  });
}

export const rows: readonly Row[] = Object.entries(methods).flatMap(([group, table]) =>
  Object.entries<EndpointDefinition>(table).map(([name, endpoint]) => ({
    group: group as keyof Methods,
    name,
    endpoint,
    ids: idsOf(group, endpoint.path),
    params:
      endpoint.body || endpoint.query ? `${upper(singular(group))}${upper(name)}Params` : null,
  })),
);

/** Names of the SDK for what the published document calls otherwise, and what only it needs. */
const hidden = new Set(['Token', 'ErrorEnvelope', 'Event', 'EventData']);

/** The type of a schema, by name where it has one: a list of payments is `List<Payment>`. */
export function nameOf(schema: Shape, role: Role = 'reply'): string | null {
  const name = publishedName(schema as Parameters<typeof publishedName>[0]);
  if (name === undefined || hidden.has(name)) return null;
  return name.endsWith('List') ? `List<${name.slice(0, -'List'.length)}>` : nameIn(role, name);
}

/** Replies are open, what a method takes is closed (rules/operations#36). */
export const writings: Readonly<Record<Role, Writing>> = {
  reply: { open: true, nameOf },
  request: { open: false, nameOf: (schema) => nameOf(schema, 'request') },
};

const partsOf: Readonly<Record<Role, (endpoint: EndpointDefinition) => readonly unknown[]>> = {
  reply: ({ success }) => [success.schema],
  request: ({ body, query }) => [body, query],
};

/** The schemas that the methods return, or take, by name, in the order in which they are met. */
export function namedSchemas(role: Role): ReadonlyMap<string, Shape> {
  const found = new Map<string, Shape>();
  const visit = (schema: Shape | undefined): void => {
    if (schema === undefined) return;
    const name = nameOf(schema, role);
    if (name !== null && found.has(name)) return;
    // The SDK types an event by its type; see events.ts.
    if (name === 'WebhookEvent') {
      visit(schema.properties?.delivery);
      return;
    }
    if (name !== null && !name.startsWith('List<')) found.set(name, schema);
    for (const inner of [...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})])
      visit(inner);
    visit(schema.items);
  };
  for (const endpoint of Object.values<EndpointDefinition>(endpoints))
    for (const part of partsOf[role](endpoint)) visit(part as Shape | undefined);
  return found;
}

export const resultOf = ({ endpoint }: Row): string =>
  typeOf(endpoint.success.schema as Shape, '', writings.reply);
