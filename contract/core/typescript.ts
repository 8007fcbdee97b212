/** The part of JSON Schema that types are made of: the keywords that the contract's schemas use. */
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

/** How types are written. */
export interface Writing {
  /** The name of a schema that is declared elsewhere; null: it is written out. */
  readonly nameOf: (schema: Shape) => string | null;
  /** Whether the type is of a reply: its lists of values take others too, and editors still propose those of today. */
  readonly open: boolean;
}

const alone: Writing = { nameOf: () => null, open: true };

const isPlain = /^[A-Za-z_]\w*$/;
const keyOf = (name: string): string => (isPlain.test(name) ? name : `'${name}'`);
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

const arrayOf = (item: string): string => (item.includes('|') ? `(${item})[]` : `${item}[]`);

/** The body of an interface, or an object type: its fields with their descriptions. */
export function objectType(schema: Shape, indent = '', writing = alone): string {
  const { properties = {}, required = [] } = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    const text = field.description ?? field.anyOf?.[0]?.description;
    const note = text ? `${inner}/** ${text} */\n` : '';
    return `${note}${inner}${keyOf(name)}${mark}: ${typeOf(field, inner, writing)};\n`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`;
}

const unionOf = (values: readonly unknown[], { open }: Writing): string =>
  [...values.map(literal), ...(open ? ['(string & {})'] : [])].join(' | ');

/** A schema as a type of TypeScript. */
export function typeOf(schema: Shape, indent = '', writing = alone): string {
  const name = writing.nameOf(schema);
  if (name !== null) return name;
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent, writing)).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return unionOf(schema.enum, writing);
  if (schema.properties) return objectType(schema, indent, writing);
  if (schema.patternProperties) {
    const [value = {}] = Object.values(schema.patternProperties);
    return `Record<string, ${typeOf(value, indent, writing)}>`;
  }
  if (schema.items) return arrayOf(typeOf(schema.items, indent, writing));
  if (schema.type === 'integer') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}
