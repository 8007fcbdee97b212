import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { FastifyRequest } from 'fastify';

const within = /^(\w+)\[(.+)\]$/s;

/** `metadata[order]=7` as the object that the query of an operation names (OpenAPI's deepObject). */
function nested(query: object, names: ReadonlySet<string>): object {
  const found: [string, unknown][] = [];
  const objects = new Map<string, [string, unknown][]>();
  for (const [key, value] of Object.entries(query)) {
    const [, name = '', inner = ''] = within.exec(key) ?? [];
    if (names.has(name)) objects.set(name, [...(objects.get(name) ?? []), [inner, value]]);
    else found.push([key, value]);
  }
  const made = [...objects].map(([name, pairs]) => [name, Object.fromEntries(pairs)] as const);
  // A name that is also given as text stays text, which its schema refuses. `__proto__` is a name like any other.
  return Object.fromEntries([...made, ...found]);
}

/** The hooks before the validation of an operation whose query has objects; none for others. */
export function nestQuery({ query }: EndpointDefinition) {
  const fields = Object.entries<object>(query?.properties ?? {});
  const isObject = (field: object) => 'type' in field && field.type === 'object';
  const names = new Set(fields.flatMap(([name, field]) => (isObject(field) ? name : [])));
  if (names.size === 0) return [];
  return [
    async (request: FastifyRequest) => {
      request.query = nested(request.query as object, names);
    },
  ];
}
