/** What a type needs of JSON Schema: the keywords that the contract's schemas use. */
export interface Shape {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly description?: string;
}

/** The name of a schema that is declared elsewhere; null: it is written out. */
export type NameOf = (schema: Shape) => string | null;

const isPlain = /^[A-Za-z_]\w*$/;
const keyOf = (name: string): string => (isPlain.test(name) ? name : `'${name}'`);
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

const arrayOf = (item: string): string => (item.includes('|') ? `(${item})[]` : `${item}[]`);

/** The body of an interface, or an object type: its fields with their descriptions. */
export function objectType(schema: Shape, indent = '', nameOf: NameOf = () => null): string {
  const { properties = {}, required = [] } = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    const text = field.description ?? field.anyOf?.[0]?.description;
    const note = text ? `${inner}/** ${text} */\n` : '';
    return `${note}${inner}${keyOf(name)}${mark}: ${typeOf(field, inner, nameOf)};\n`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`;
}

/** A schema as a type of TypeScript. */
export function typeOf(schema: Shape, indent = '', nameOf: NameOf = () => null): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent, nameOf)).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.properties) return objectType(schema, indent, nameOf);
  if (schema.patternProperties) {
    const [value = {}] = Object.values(schema.patternProperties);
    return `Record<string, ${typeOf(value, indent, nameOf)}>`;
  }
  if (schema.items) return arrayOf(typeOf(schema.items, indent, nameOf));
  if (schema.type === 'integer') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}
