import Type, { type Static, type TSchema } from 'typebox';
import { StoredJsonError } from './fail.ts';
import { schemaCompiler } from './json_schema.ts';

/** A column that holds JSON: how its values are written and read (rules/engine#34). */
export interface JsonColumn<S extends TSchema> {
  /** `table.column`. */
  readonly name: string;
  /** PostgreSQL's name of the column's type. */
  readonly type: 'jsonb' | 'text';
  readonly schema: S;
  /** The text that is stored of a value. */
  text(value: Static<S>): string;
  /**
   * A stored value over the defaults, not yet held against the schema: what the schema does not name is left
   * out, and what is not stored is as in the defaults.
   */
  over(stored: unknown, defaults: unknown): unknown;
  /**
   * A stored value as this release reads it.
   * @param tenantId null: the value is of no Tenant
   * @param defaults of what is not stored; absent: nothing has one
   * @throws StoredJsonError
   */
  read(tenantId: string | null, stored: unknown, defaults?: unknown): Static<S>;
}

/** One to read by, whatever it holds. */
export type AnyJsonColumn = Omit<JsonColumn<TSchema>, 'text'>;

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects are overlaid key by key. A list is one value, whose items leave out what the schema does not name. */
function overlaid(schema: TSchema, stored: unknown, defaults: unknown): unknown {
  if (stored === undefined) return defaults;
  if (Type.IsArray(schema) && Array.isArray(stored))
    return stored.map((item) => overlaid(schema.items, item, undefined));
  if (!Type.IsObject(schema) || !isObject(stored)) return stored;
  const usual = isObject(defaults) ? defaults : {};
  const found: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(schema.properties)) {
    const value = overlaid(inner, stored[key], usual[key]);
    if (value !== undefined) found[key] = value;
  }
  return found;
}

/** `/limits/load_daily` and a field in it give `limits.load_daily.individual`. */
const placeOf = (instancePath: string, field: unknown): string =>
  [...instancePath.split('/').slice(1), ...(typeof field === 'string' ? [field] : [])].join('.');

const ajv = schemaCompiler();

/** @param name `table.column` */
export function jsonColumn<S extends TSchema>(
  name: string,
  type: JsonColumn<S>['type'],
  schema: S,
): JsonColumn<S> {
  function proven(tenantId: string | null, value: unknown): Static<S> {
    // Compiled when a value is first read, and once: Ajv keeps it by the schema.
    const validate = ajv.compile<Static<S>>(schema);
    if (validate(value)) return value;
    const { instancePath = '', params = {}, keyword = '' } = validate.errors?.[0] ?? {};
    const at = placeOf(instancePath, params.missingProperty ?? params.additionalProperty);
    throw new StoredJsonError({ column: name, tenant_id: tenantId, at, reason: keyword });
  }
  const over = (stored: unknown, defaults: unknown) => overlaid(schema, stored, defaults);
  return {
    name,
    type,
    schema,
    text: JSON.stringify,
    over,
    read: (tenantId, stored, defaults) => proven(tenantId, over(stored, defaults)),
  };
}
