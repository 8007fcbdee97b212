import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** openapi.yaml, by which the server makes its routes and checks what it is asked. */

type Tag = 'bank' | 'play';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: object;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: object;
}
interface Reference {
  readonly $ref: string;
}
type PathItem = Readonly<Record<string, Operation>> & Pick<Operation, 'parameters'>;
interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

const name = 'bank';

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${name}#/`));

/** An operation as the server needs it. */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'PUT' | 'POST';
  /** The path as openapi.yaml has it. */
  readonly template: string;
  /** The path as the server has it. */
  readonly path: string;
  readonly checks: {
    readonly params: ValidateFunction;
    readonly query: ValidateFunction;
    /** Null: it takes none. */
    readonly body: ValidateFunction | null;
  };
}

/** Reads openapi.yaml, ready to use. @param file where it lies */
export function openDescription(file: URL) {
  const document: Document = parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv2020({ strict: false });
  /** A validator for values in an address, which are text. */
  const ofText = new Ajv2020({ strict: false, coerceTypes: true, useDefaults: true });
  for (const one of [ajv, ofText]) {
    addFormats.default(one);
    one.addSchema(document, name);
  }

  /** A check of the schema at this place of the document. */
  function checkOf(...place: readonly string[]): ValidateFunction {
    const steps = place.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
    return ajv.compile({ $ref: `${name}#/${steps.map(encodeURIComponent).join('/')}` });
  }

  const resolved = (given: Parameter | Reference): Parameter =>
    '$ref' in given
      ? (document.components.parameters[given.$ref.split('/').at(-1) ?? ''] as Parameter)
      : given;

  function checkOfParameters(where: Parameter['in'], parameters: readonly Parameter[]) {
    const own = parameters.filter((one) => one.in === where);
    return ofText.compile({
      type: 'object',
      additionalProperties: false,
      required: own.filter(({ required }) => required).map((one) => one.name),
      properties: Object.fromEntries(own.map((one) => [one.name, absolute(one.schema)])),
    });
  }

  function routeOf(template: string, method: string, shared: PathItem['parameters']): Route {
    const operation = document.paths[template]?.[method] as Operation;
    const parameters = [...(shared ?? []), ...(operation.parameters ?? [])].map(resolved);
    const body = ['requestBody', 'content', 'application/json', 'schema'];
    return {
      id: operation.operationId,
      method: method.toUpperCase() as Route['method'],
      template,
      path: template.replaceAll(/\{(\w+)\}/g, ':$1'),
      checks: {
        params: checkOfParameters('path', parameters),
        query: checkOfParameters('query', parameters),
        body: operation.requestBody ? checkOf('paths', template, method, ...body) : null,
      },
    };
  }

  return {
    checkOf,
    /** The operations behind one of the two doors. */
    routesOf: (tag: Tag): readonly Route[] =>
      Object.entries(document.paths).flatMap(([template, item]) =>
        Object.keys(item)
          .filter((method) => method !== 'parameters')
          .filter((method) => item[method]?.tags.includes(tag))
          .map((method) => routeOf(template, method, item.parameters)),
      ),
  };
}
