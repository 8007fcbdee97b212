import { endpoints } from '../../catalog.ts';
import type { EndpointDefinition } from '../../core/endpoint.ts';
import { errorStatus } from '../../core/errors.ts';
import { operationTexts } from '../openapi/operation_texts.ts';
import type { Json } from '../openapi/schemas.ts';
import { moneyFolders } from './money.ts';
import { setupFolders } from './setup.ts';
import type { Folder, Preparation, Step } from './step.ts';

/**
 * The API as a request collection in Postman's format 2.1 (rules/operations#35). From top to bottom
 * it runs one story against a sandbox; set `base_url`, `client_id` and `client_secret`.
 */
export function requestCollection({ baseUrl }: { readonly baseUrl: string }): Json {
  const variables = { base_url: baseUrl, client_id: '', client_secret: '' };
  return {
    info: {
      name: 'Tenant API',
      description:
        'Set `client_id` and `client_secret`, then run it from top to bottom against a sandbox in manual mode. It creates its own customers each time.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{access_token}}', type: 'string' }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
    item: [...setupFolders, ...moneyFolders].map(folder),
  };
}

const folder = ({ name, description, steps }: Folder): Json => ({
  name,
  description,
  item: steps.map(item),
});

function item(step: Step): Json {
  const endpoint: EndpointDefinition = endpoints[step.operation];
  const { summary, method, authenticated } = endpoint;
  return {
    name: step.name ?? summary,
    event: [
      ...(step.before ? [script('prerequest', preparations[step.before])] : []),
      script('test', checks(step, endpoint)),
    ],
    request: {
      method,
      description: `${step.operation}: ${operationTexts[step.operation]}`,
      ...(authenticated === false ? { auth: { type: 'noauth' } } : {}),
      header: headers(endpoint),
      ...(step.body ? { body: bodyOf(step.body, endpoint) } : {}),
      url: url(step, endpoint),
    },
    response: [],
  };
}

const headers = ({ idempotent, bodyType, body }: EndpointDefinition) => [
  ...(idempotent === 'none' ? [] : [{ key: 'Idempotency-Key', value: '{{$guid}}' }]),
  ...(body && bodyType !== 'form' ? [{ key: 'Content-Type', value: 'application/json' }] : []),
];

function bodyOf(body: Json, { bodyType }: EndpointDefinition): Json {
  if (bodyType !== 'form')
    return {
      mode: 'raw',
      raw: JSON.stringify(body, null, 2),
      options: { raw: { language: 'json' } },
    };
  const fields = Object.entries(body).map(([key, value]) => ({ key, value, type: 'text' }));
  return { mode: 'urlencoded', urlencoded: fields };
}

function url({ path = {}, query = {} }: Step, endpoint: EndpointDefinition): Json {
  const filled = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => path[name] ?? '');
  const pairs = Object.entries(query);
  const search = pairs.map(([key, value]) => `${key}=${value}`).join('&');
  return {
    raw: `{{base_url}}${filled}${search === '' ? '' : `?${search}`}`,
    host: ['{{base_url}}'],
    path: filled.split('/').slice(1),
    ...(pairs.length > 0 ? { query: pairs.map(([key, value]) => ({ key, value })) } : {}),
  };
}

const script = (listen: 'prerequest' | 'test', exec: readonly string[]): Json => ({
  listen,
  script: { type: 'text/javascript', exec },
});

/** A random US number, so that two runs hardly ever use the same. */
const preparations: Readonly<Record<Preparation, readonly string[]>> = {
  new_customer: [
    'const digits = String(2000000 + Math.floor(Math.random() * 8000000));',
    "pm.collectionVariables.set('mobile_number', '+1202' + digits);",
    "pm.collectionVariables.set('external_ref', ['collection', Date.now(), digits].join('-'));",
  ],
  now: [
    "pm.collectionVariables.set('now', new Date(Date.now() - 60000).toISOString().slice(0, 19) + 'Z');",
  ],
  // Two days ago in UTC is over in New York too, and its report exists.
  past_day: [
    "pm.collectionVariables.set('past_day', new Date(Date.now() - 172800000).toISOString().slice(0, 10));",
  ],
};

/** A place in the reply: `data.0.id`. */
const place = (path: string): string =>
  path
    .split('.')
    .map((key) => `['${key}']`)
    .join('');

function checks({ keep = {}, expect = {}, orRefused }: Step, endpoint: EndpointDefinition) {
  const { status } = endpoint.success;
  const refusal = Object.entries(errorStatus).find(([code]) => code === orRefused);
  const statuses = refusal ? [status, refusal[1]] : [status];
  const kept = Object.entries(keep).map(
    ([name, path]) => `pm.collectionVariables.set('${name}', reply${place(path)});`,
  );
  const expected = Object.entries(expect).map(
    ([path, value]) =>
      `pm.test('${path} is right', () => pm.expect(reply${place(path)}).to.eql(${literal(value)}));`,
  );
  const reads = kept.length + expected.length > 0;
  return [
    `pm.test('status is ${statuses.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(', ')}]));`,
    "pm.test('has a request id', () => pm.response.to.have.header('Service-Request-Id'));",
    ...(reads ? ['const reply = pm.response.json();', ...kept, ...expected] : []),
  ];
}

/** A value as the script writes it; `{{variable}}` was kept by an earlier step. */
function literal(value: string | number): string {
  const name = typeof value === 'string' ? /^\{\{(\w+)\}\}$/.exec(value)?.[1] : undefined;
  return name === undefined ? JSON.stringify(value) : `pm.collectionVariables.get('${name}')`;
}
