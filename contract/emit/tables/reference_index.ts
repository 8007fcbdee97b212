import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints, simulateNames } from '../../catalog.ts';
import { eventTypes, lifecycles } from '../../lifecycles.ts';
import { recipes } from '../../recipes.ts';
import { errorCodes } from '../../resources/errors.ts';
import { page, table } from './markdown.ts';

const count = (things: object) => Object.keys(things).length;

/** The published files, what they hold and where a running service serves them. */
const files: readonly (readonly [string, string, string])[] = [
  [
    'openapi.yaml',
    `the Tenant API: ${count(endpoints)} operations and the webhooks`,
    '/openapi.yaml',
  ],
  ['openapi.json', 'the same as JSON', '/openapi.json'],
  ['collection.json', 'the same as a request collection', '/collection.json'],
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
  [
    'errors.md',
    `${errorCodes.length} error codes with a page each, and the failure codes of records`,
  ],
  ['simulate.md', `${simulateNames.length} events that the sandbox simulates`],
  ['production-rules.md', 'each call that a sandbox takes and production refuses'],
  ['numbers.md', 'limits, rates, sizes, lifetimes, columns of files'],
  ['settings.md', 'who sets each setting of a Tenant'],
  ['recipes.md', `${count(recipes)} money movements, pocket by pocket`],
  ['page-texts.md', 'what the hosted pages say, in English and Spanish'],
  ['alarms.md', 'each alarm, what it means and what to do'],
  ['metrics.md', 'each metric, and when to worry'],
  ['security-events.md', 'each security event of the log'],
  ['test-values.md', 'amounts, names, banks and people of the sandbox'],
  ['sdk-server.md', 'every name of the server SDK, with its type'],
  ['sdk-browser.md', 'every name of the browser SDK and its hook for React'],
];

const link = (name: string) => `[${name}](${name})`;

/** The index of docs/reference. */
export function indexPage(): string {
  return page(
    'Reference',
    'Generated from the data that the service runs. The [guides](../guide/quickstart.md) say how to use it, [versioning](../guide/versioning.md) what may change.',
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
