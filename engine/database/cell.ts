/** Adds settings of the session, as `-c name=value`, behind those that the url brings along. */
export function withOptions(url: string, options: string): string {
  const [base = url, query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  params.set('options', [params.get('options'), options].filter(Boolean).join(' '));
  return `${base}?${params}`;
}

/** The schema of a database that has one cell alone. */
export const usualSchema = 'public';

/**
 * The same database with all tables of ours in another schema: a cell of it (rules/engine#32).
 * @param schema a name without quotes
 */
export const inSchema = (url: string, schema: string): string =>
  schema === usualSchema ? url : withOptions(url, `-c search_path=${schema}`);

const schemaName = /^[a-z_][a-z0-9_]{0,62}$/;

/** Names of schemas that no cell can have: PostgreSQL's own, and the one that all cells of a database share. */
const taken = /^(pg_|information_schema$|control$)/;

/** The address of a database, and the schema that it names behind `#` (rules/cells#2). */
export function cellOf(text: string): { readonly address: string; readonly schema: string } {
  const [address = text, ...named] = text.split('#');
  return { address, schema: named.length === 0 ? usualSchema : named.join('#') };
}

/** The `DATABASE_URL` of another cell of a database, without the password. @param url of any cell */
export function addressOfCell(url: string, schema: string): string {
  const address = new URL(url);
  address.password = '';
  const options = (address.searchParams.get('options') ?? '').replaceAll(
    /-c search_path=\w+ ?/g,
    '',
  );
  if (options.trim() === '') address.searchParams.delete('options');
  else address.searchParams.set('options', options.trim());
  address.hash = schema;
  return address.href;
}

/** Why no cell can have this name; null: it can. */
export const schemaFault = (schema: string): string | null =>
  schemaName.test(schema) && !taken.test(schema)
    ? null
    : 'must name behind # a schema of small letters, digits and _, such as #cell_b; not control or pg_…';
