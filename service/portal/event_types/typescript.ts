/** What a type needs of JSON Schema: the keywords that the contract's schemas use. */
interface Shape {
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

const isPlain = /^[A-Za-z_]\w*$/;
const keyOf = (name: string): string => (isPlain.test(name) ? name : `'${name}'`);
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

function objectType({ properties = {}, required = [] }: Shape, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    const note = schema.description ? `${inner}/** ${schema.description} */\n` : '';
    return `${note}${inner}${keyOf(name)}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`;
}

const arrayOf = (item: string): string => (item.includes('|') ? `(${item})[]` : `${item}[]`);

function typeOf(schema: Shape, indent: string): string {
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.properties) return objectType(schema, indent);
  if (schema.patternProperties) {
    const [value = {}] = Object.values(schema.patternProperties);
    return `Record<string, ${typeOf(value, indent)}>`;
  }
  if (schema.items) return arrayOf(typeOf(schema.items, indent));
  if (schema.type === 'integer') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}

const nameOf = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The type of an event as TypeScript, written out: it imports nothing. */
export const typescriptOf = (type: string, schema: Shape): string =>
  `/** \`EventOf<'${type}'>\` of @tenant-payments/sdk-server. */\nexport interface ${nameOf(type)} ${objectType(schema, '')}\n`;
