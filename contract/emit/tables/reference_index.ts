import { endpoints, simulateNames } from '../../catalog.ts';
import { eventTypes, lifecycles } from '../../lifecycles.ts';
import { portalEndpoints } from '../../portal/catalog.ts';
import { recipes } from '../../recipes.ts';
import { errorCodes } from '../../resources/errors.ts';
import { page, table } from './markdown.ts';

const count = (things: object) => Object.keys(things).length;

/** What is published, where each file lies and where a running service has it. */
const files: readonly (readonly [string, string, string])[] = [
  [
    'openapi.yaml',
    `the Tenant API: ${count(endpoints)} operations and the webhooks`,
    '/openapi.yaml',
  ],
  ['openapi.json', 'the same as JSON', '/openapi.json'],
  ['collection.json', 'the same as a request collection that runs', '/collection.json'],
  [
    'portal.openapi.yaml',
    `the portal's JSON: ${count(portalEndpoints)} operations`,
    '/portal/api/openapi.yaml',
  ],
  ['portal.openapi.json', 'the same as JSON', '/portal/api/openapi.json'],
];

const tables: readonly (readonly [string, string])[] = [
  ['states.md', `the states of ${count(lifecycles)} resources, with their diagrams`],
  ['events.md', `${eventTypes.length} types of events, and when a delivery is tried again`],
  ['errors.md', `${errorCodes.length} error codes, and the failure codes of records`],
  ['simulate.md', `${simulateNames.length} events that the sandbox plays`],
  ['recipes.md', `${count(recipes)} movements of money, pocket by pocket`],
];

const link = (name: string) => `[${name}](${name})`;

/** The way into docs/reference. */
export function indexPage(): string {
  return page(
    'Reference',
    'Made from the same data that the service runs, so it says what the service does. How to read it is told in the [guides](../guide/first-hour.md); what may change in it, in [versioning](../guide/versioning.md).',
    '## For programs',
    table(
      ['file', 'name', 'served at'],
      files.map(([name, what, path]) => [link(name), what, `\`${path}\``]),
    ),
    'A running service shows both documents as pages at `/docs/api` and `/docs/portal-api`.',
    '## For people',
    table(
      ['page', 'name'],
      tables.map(([name, what]) => [link(name), what]),
    ),
  );
}
