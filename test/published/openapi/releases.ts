import { documents, faults, type Json, resolved } from './documents.ts';

/** A value that no release names yet. */
export const newValue = 'value_of_tomorrow';

/** The record or field in a union that a value is. */
const memberOf = (document: string, members: readonly Json[], value: unknown): Json =>
  members.find((member) => faults(document, member, value) === '') ?? {};

/** A value as a later release sends it: a new field in each object, a new value in each open list. */
export function tomorrowOf(document: string, described: Json, value: unknown): unknown {
  const schema = resolved<Json>(documents[document] ?? {}, described);
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (Array.isArray(schema.anyOf))
    return tomorrowOf(document, memberOf(document, schema.anyOf, value), value);
  if (typeof value === 'string') return 'x-extensible-enum' in schema ? newValue : value;
  if (Array.isArray(value))
    return value.map((one) => tomorrowOf(document, (schema.items ?? {}) as Json, one));
  const base = (schema.allOf ?? []) as readonly Json[];
  const parts = [...base.map((part) => resolved<Json>(documents[document] ?? {}, part)), schema];
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  // A map of the Tenant's own names and texts has no field of ours.
  if (Object.keys(properties).length === 0) return value;
  const fields = Object.entries(value as Json).map(([name, field]) => [
    name,
    tomorrowOf(document, properties[name] ?? {}, field),
  ]);
  return { ...Object.fromEntries(fields), field_of_tomorrow: { of: ['any', 'kind', 1, null] } };
}

/** A document as it was published before: replies closed like requests. */
export function closed(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closed);
  const { 'x-extensible-enum': values, ...rest } = part as Json;
  const json: Json = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, closed(inner)]),
  );
  if (Array.isArray(values)) json.enum = Array.isArray(json.type) ? [...values, null] : values;
  const isObject = typeof json.properties === 'object' && [json.type].flat().includes('object');
  if (isObject && json.allOf === undefined) json.additionalProperties ??= false;
  return json;
}
