import type { EndpointId } from '../../catalog.ts';
import { records, simulateNames } from '../../catalog.ts';
import { limitTexts } from '../../core/setting_facts.ts';
import { objectType, type Shape } from '../../core/typescript.ts';
import { eventTypes } from '../../lifecycles.ts';
import { allCodes } from '../../resources/errors.ts';
import { operationTexts, schemaTexts } from '../openapi/operation_texts.ts';
import type { Role } from '../openapi/roles.ts';
import { namedSchemas, nameOf, type Row, resultOf, rows, writings } from './names.ts';

const mark = '// Made from contract/ by `npm run emit`. Do not edit.\n';
const file = (...parts: readonly string[]): string => `${[mark, ...parts].join('\n')}`;

const wrapAt = 96;

/** A docstring, its lines no longer than a screen; `last` stands in a line of its own. */
function docs(text: string, indent = '', last: readonly string[] = []): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length + indent.length <= wrapAt)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const [only = ''] = lines.concat(last);
  if (lines.length + last.length === 1) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${[...lines, ...last].map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

const declared = (role: Role, name: string, schema: Shape, text?: string): string =>
  `${text ? docs(text) : ''}export interface ${name} ${objectType(schema, '', writings[role])}\n`;

/** The named schemas of a role; the text of a request's is that of the reply's. */
const declaredOf = (role: Role): string[] =>
  [...namedSchemas(role)].map(([name, schema]) =>
    declared(role, name, schema, schemaTexts[nameOf(schema) ?? name]),
  );

const unionOf = (name: string, text: string, values: readonly string[]): string =>
  `${docs(text)}export type ${name} =\n${values.map((value) => `  | '${value}'`).join('\n')};\n`;

const list = `/** A page of a list. Read all pages with \`for await (const item of client.….list(…))\`. */
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  /** For \`cursor\` of the next call; null on the last page. */
  next_cursor: string | null;
}
`;

/** The records that the methods return. */
const recordsFile = (): string => file(list, ...declaredOf('reply'));

/** The records that a text of types names outside of its docstrings, sorted. */
function recordsIn(text: string): string[] {
  const isCode = (line: string) => !/^(\/\*|\*)/.test(line.trimStart());
  const words = new Set(text.split('\n').filter(isCode).join('\n').match(/\w+/g));
  return [...namedSchemas('reply').keys()].filter((name) => words.has(name)).sort();
}

/** The file of types that the methods take as body or query. */
const paramsFile = (): string => {
  const types = rows.flatMap((row) => {
    const schema = (row.endpoint.body ?? row.endpoint.query) as Shape | undefined;
    if (row.params === null || schema === undefined) return [];
    const where = row.endpoint.body ? 'The body' : 'The query';
    return [declared('request', row.params, schema, `${where} of \`${row.group}.${row.name}\`.`)];
  });
  return file([...types, ...declaredOf('request')].join('\n'));
};

const recordNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(records).map(([resource, schema]) => [resource, nameOf(schema as Shape) ?? '']),
);

/** The names of events, errors and simulated events. */
const namesFile = (): string => {
  const ofEvents = eventTypes.map(
    (type) => `  '${type}': ${recordNames[type.split('.', 1)[0] ?? '']};\n`,
  );
  const imported = [...new Set(Object.values(recordNames))].sort();
  return file(
    `import type {\n${imported.map((name) => `  ${name},\n`).join('')}} from './records.ts';\n`,
    `/** The record that each type of event carries as \`data.object\`. */\nexport interface EventRecords {\n${ofEvents.join('')}}\n`,
    '/** Every type of event. */\nexport type EventType = keyof EventRecords;\n',
    unionOf('ErrorCode', 'Every code of an error of the service.', allCodes),
    unionOf('SimulateName', 'Every event that `sandbox.simulate` takes.', simulateNames),
    unionOf('LimitKey', 'Every limit that `limit_exceeded` names.', Object.keys(limitTexts)),
  );
};

function argumentsOf({ ids, params, endpoint }: Row): string {
  const query = endpoint.query as Shape | undefined;
  const isOptional = query !== undefined && (query.required ?? []).length === 0;
  const payload =
    params === null
      ? []
      : [`${endpoint.body ? 'body' : 'query'}${isOptional ? '?' : ''}: ${params}`];
  const options = endpoint.idempotent === 'none' ? 'RequestOptions' : 'WriteOptions';
  return [
    ...ids.map((name) => `${name}: ${name === 'event' ? 'SimulateName' : 'string'}`),
    ...payload,
    `options?: ${options}`,
  ].join(', ');
}

function methodText(row: Row): string {
  const { endpoint, name } = row;
  const { id, method, path, summary } = endpoint;
  const text = `${summary}. ${operationTexts[id as EndpointId]}`;
  const result = resultOf(row);
  const item = /^List<(.+)>$/.exec(result)?.[1];
  const call = item === undefined ? `Call<${result}>` : `ListCall<${item}>`;
  return `${docs(text, '    ', ['', `\`${method} ${path}\``])}    ${name}(${argumentsOf(row)}): ${call};\n`;
}

/** The methods of the client, by group. */
const resourcesFile = (): string => {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const body = groups.map(
    (group) =>
      `  readonly ${group}: {\n${rows
        .filter((row) => row.group === group)
        .map(methodText)
        .join('')}  };\n`,
  );
  const text = body.join('');
  const imports = (names: readonly string[], from: string) =>
    `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
  return file(
    [
      imports(['Call', 'ListCall'], '../pages.ts'),
      "import type { WebhookEvent } from '../events.ts';\n",
      "import type { RequestOptions, WriteOptions } from '../request.ts';\n",
      "import type { SimulateName } from './names.ts';\n",
      imports(rows.flatMap(({ params }) => params ?? []).sort(), './params.ts'),
      imports(recordsIn(text), './records.ts'),
    ].join(''),
    `/** The methods of a client, each an operation of the Tenant API. */\nexport interface Resources {\n${text}}\n`,
  );
};

/** The file of facts that the client needs of each operation when it runs. */
const operationsFile = (): string => {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const line = ({ name, endpoint }: Row): string => {
    const { id, method, path, idempotent, body, query, success } = endpoint;
    const facts = {
      id,
      method,
      path,
      keyed: idempotent !== 'none',
      payload: body ? 'body' : query ? 'query' : null,
      list: nameOf(success.schema as Shape)?.startsWith('List<') ?? false,
    };
    return `    ${name}: ${JSON.stringify(facts)},\n`;
  };
  const body = groups.map(
    (group) =>
      `  ${group}: {\n${rows
        .filter((row) => row.group === group)
        .map(line)
        .join('')}  },\n`,
  );
  return file(
    "import type { Operation } from '../request.ts';\n",
    `/** Every method of the client with its operation. */\nexport const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {\n${body.join('')}};\n`,
  );
};

/** The files of sdk/server/generated. */
export const sdkFiles = (): Readonly<Record<string, string>> => ({
  'records.ts': recordsFile(),
  'params.ts': paramsFile(),
  'names.ts': namesFile(),
  'resources.ts': resourcesFile(),
  'operations.ts': operationsFile(),
});
