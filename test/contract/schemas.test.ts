import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { portalEndpoints } from '../../backoffice/contract/catalog.ts';
import { endpoints } from '../../contract/catalog.ts';
import { hostedEndpoints } from '../../contract/hosted/catalog.ts';
import { jsonColumns } from '../../start/json_columns.ts';

const ajv = new Ajv();
const served = [endpoints, portalEndpoints, hostedEndpoints].flatMap((catalog) =>
  Object.values<EndpointDefinition>(catalog),
);

test('every schema of a request, a reply and a stored value is valid JSON Schema', () => {
  const asked = served.flatMap(({ params, query, body }) => [params, query, body]);
  const shown = [...served.map(({ success }) => success), ...jsonColumns];
  for (const schema of [...asked, ...shown.map(({ schema }) => schema)])
    if (schema) ajv.validateSchema(schema, true);
  expect(() => ajv.validateSchema({ type: 'text' }, true)).toThrow('schema is invalid');
});
