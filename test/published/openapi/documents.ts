import { openApiDocument } from '@tenant-payments/contract/emit/openapi/openapi.ts';
import { portalDocument } from '@tenant-payments/contract/emit/openapi/portal.ts';
import type { Role } from '@tenant-payments/contract/emit/openapi/roles.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Json = Record<string, unknown>;

const where = { baseUrl: 'http://localhost:8080' };

/** Both published documents. */
export const documents: Readonly<Record<string, Json>> = {
  contract: openApiDocument(where),
  portal: portalDocument(where),
};

interface Example {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Json>>;
}
interface Described extends Example {
  readonly schema: Json;
  /** The description of a parameter or header. */
  readonly description?: string;
}
interface Message {
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: Readonly<Record<string, Described>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Json>>;
}

/** The part of a document that a reference names; what is none is the part itself. */
export function resolved<T>(document: Json, part: Json | T): T {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part as T;
  return $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((place, step) => (place as Json)[step.replaceAll('~1', '/')], document) as T;
}

/** A place of a document where a value is described: a parameter, a header, a body. */
export interface Place {
  readonly document: string;
  /** `createPayment body`, `createPayment 201`, … */
  readonly name: string;
  readonly operationId: string;
  /** A delivered event is for its receiver what a reply is for a caller. */
  readonly role: Role;
  readonly schema: Json;
  readonly examples: readonly unknown[];
}

/** Places of one operation, with what its references name. */
function placesOf(document: string, operation: Operation, sender: Role): readonly Place[] {
  const root = documents[document] ?? {};
  const { operationId, parameters = [], requestBody = {}, responses } = operation;
  const place = (name: string, role: Role, part: Json | Described): Place => {
    const { description, schema: alone, example, examples } = resolved<Described>(root, part);
    const schema = description === undefined ? alone : { description, ...alone };
    const named = Object.values(examples ?? {}).map((one) => resolved<Json>(root, one).value);
    const all = example === undefined ? named : [example, ...named];
    return { document, name: `${operationId} ${name}`, operationId, role, schema, examples: all };
  };
  const message = (name: string, role: Role, { headers = {}, content = {} }: Message) => [
    ...Object.entries(headers).map(([header, part]) => place(`${name} ${header}`, role, part)),
    ...Object.values(content).map((part) => place(name, role, part)),
  ];
  return [
    ...parameters.map((part) => place(String(resolved<Json>(root, part).name), sender, part)),
    ...message('body', sender, requestBody),
    ...Object.entries(responses).flatMap(([status, reply]) =>
      message(status, 'reply', resolved<Message>(root, reply)),
    ),
  ];
}

const operationsIn = (group: unknown): Operation[] =>
  Object.values((group ?? {}) as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  );

/** Every place of both documents. */
export const places: readonly Place[] = Object.entries(documents).flatMap(([name, document]) => [
  ...operationsIn(document.paths).flatMap((one) => placesOf(name, one, 'request')),
  ...operationsIn(document.webhooks).flatMap((one) => placesOf(name, one, 'reply')),
]);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const [name, document] of Object.entries(documents)) ajv.addSchema(document, name);

const compiled = new Map<string, ValidateFunction>();

/** The faults of a value by a schema of a document; empty: nothing. */
export function faults(document: string, schema: Json, value: unknown): string {
  const located = JSON.stringify(schema).replaceAll('"#/', `"${document}#/`);
  const validate = compiled.get(located) ?? ajv.compile(JSON.parse(located));
  compiled.set(located, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

/** Every schema under a place, with those that it refers to. */
export function schemasUnder({ document, schema }: Place): readonly Json[] {
  const seen = new Set<unknown>();
  const visit = (part: unknown): Json[] => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return [];
    seen.add(part);
    const inner = Object.values(part).flatMap(visit);
    if (Array.isArray(part)) return inner;
    const target = '$ref' in part ? resolved(documents[document] ?? {}, part as Json) : null;
    return [part as Json, ...inner, ...visit(target)];
  };
  return visit(schema);
}
