import { type EndpointId, endpoints, records } from '../../catalog.ts';
import { OneOf } from '../../core/schema.ts';
import { eventTypes, type Resource } from '../../lifecycles.ts';
import { EventData } from '../../resources/webhook_events.ts';
import { eventExampleOf, operationExamples } from '../examples/operations.ts';
import { contractText } from './describe.ts';
import { generalNumbers, operationNumbers } from './numbers.ts';
import { components, paths } from './operations.ts';
import { type Json, schemaJson, schemaRef } from './schemas.ts';
import { general, tagDescriptions, tagOf } from './texts.ts';

/**
 * The interface as OpenAPI 3.1, made from the same endpoints that the service runs.
 * @param baseUrl the public address of this deployment
 */
export function openApiDocument({ baseUrl }: { readonly baseUrl: string }): Json {
  const published = {
    endpoints,
    tagOf,
    textOf: contractText,
    beside: numbersOf,
    examples: operationExamples,
  };
  const operations = { paths: paths(published), webhooks: webhooks() };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenant API',
      version: '1.1',
      description: general,
      'x-numbers': generalNumbers,
      contact: contact(baseUrl),
      license,
    },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: ['tenant'] }],
    tags: tags(tagDescriptions),
    ...operations,
    components: {
      securitySchemes: { oauth2: clientCredentials(baseUrl) },
      ...components(operations, { schemas: eventSchemas() }),
    },
  };
}

const numbersOf = ({ id }: (typeof endpoints)[EndpointId]): Json => {
  const numbers = operationNumbers[id];
  return numbers === undefined ? {} : { 'x-numbers': numbers };
};

/** The page that says where to ask and to report, of this deployment. */
export const contact = (baseUrl: string): Json => ({
  name: 'Tenant Payments',
  url: `${baseUrl}/docs/reporting`,
});

export const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

export const tags = (descriptions: Readonly<Record<string, string>>): Json[] =>
  Object.entries(descriptions).map(([name, description]) => ({ name, description }));

/** The Tenant's access token (rules/security#9). */
export const clientCredentials = (baseUrl: string): Json => ({
  type: 'oauth2',
  description:
    'Client credentials, in the form (`client_secret_post`) or by HTTP Basic (`client_secret_basic`); cache the token and renew it shortly before it expires.',
  flows: {
    clientCredentials: {
      tokenUrl: `${baseUrl}/oauth/token`,
      scopes: { tenant: 'Everything that belongs to the Tenant' },
    },
  },
});

const pascal = (words: string) =>
  words
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const resources = Object.keys(records) as Resource[];
const eventsOf = (resource: Resource) =>
  eventTypes.filter((type) => type.startsWith(`${resource}.`));

/** One schema for each resource: its event types, and its record in `data.object`. */
function eventSchemas(): Json {
  return Object.fromEntries(
    resources.map((resource) => [
      `${pascal(resource)}Event`,
      {
        allOf: [schemaRef('Event')],
        type: 'object',
        properties: {
          type: schemaJson(OneOf(eventsOf(resource)), 'reply'),
          data: {
            type: 'object',
            properties: {
              object: schemaJson(records[resource], 'reply'),
              previous_attributes: schemaJson(EventData.properties.previous_attributes, 'reply'),
            },
          },
        },
      },
    ]),
  );
}

function eventContent(resource: Resource): Json {
  const example = eventExampleOf(resource);
  return { schema: schemaRef(`${pascal(resource)}Event`), example };
}

const forward = 'The record only moves forward';

/** How a receiver finds an event that another has overtaken (rules/webhooks#29). */
const orders: Partial<Record<Resource, string>> = {
  document_acceptance: `. Never skip one by its \`version\`: that is the document's own (\`2026-01\`), the same in all events of the record. ${forward}, from \`pending_acceptance\` to \`accepted\` to \`superseded\``,
  session: `. ${forward}: its first event is its last`,
  transaction: `. ${forward}, from \`pending\` to \`posted\` or \`reversed\``,
  owner: ', and an earlier `updated_at` than the one you hold',
  statement: '',
  reconciliation_report: '',
};
const orderOf = (resource: Resource): string =>
  orders[resource] ?? ', and a `data.object.version` that is not higher than the one you hold';

function webhooks(): Json {
  return Object.fromEntries(
    resources.map((resource) => [
      resource,
      {
        post: {
          operationId: `receive${pascal(resource)}Event`,
          tags: ['Webhooks'],
          summary: eventsOf(resource).join(', '),
          description: `Verify the signature over the raw body, answer 2xx within 10 seconds and act afterwards. The same event may come twice and events may overtake each other: skip an \`id\` that was handled${orderOf(resource)}.`,
          security: [],
          parameters: [{ $ref: '#/components/parameters/ServiceSignature' }],
          requestBody: {
            required: true,
            content: { 'application/json': eventContent(resource) },
          },
          responses: { '2XX': { description: 'Received; answer within 10 seconds.' } },
        },
      },
    ]),
  );
}
