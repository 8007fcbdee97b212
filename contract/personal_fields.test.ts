import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { expect, test } from 'vitest';
import {
  endpoints,
  markedSecrets,
  personalFields,
  secretFields,
  secretFieldsOfPages,
} from './catalog.ts';
import type { EndpointDefinition } from './core/endpoint.ts';
import { hostedEndpoints } from './hosted/catalog.ts';

/** The names of the fields under a schema with free text: no fixed values, dates or constants. */
function freeTexts(schema: unknown, field = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isText = 'type' in schema && schema.type === 'string';
  const isBound = 'enum' in schema || 'const' in schema || 'x-secret' in schema;
  const isDate = 'format' in schema && /^date/.test(String(schema.format));
  if (isText) return isBound || isDate ? [] : [field];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(value as object).flatMap(([name, inner]) => freeTexts(inner, name))
      : freeTexts(value, field),
  );
}

const texts = new Set(
  Object.values<EndpointDefinition>(endpoints).flatMap(({ params, query, body, success }) =>
    [params, query, body, success.schema].flatMap((part) => freeTexts(part)),
  ),
);

/** Texts without personal data. Ids have none: they mean nothing outside the service. */
const ofNobody = [
  'cursor',
  'event',
  'external_ref', // the Tenant's own; what looks like an address in it is redacted by its shape
  'failure_code',
  'industry',
  'invoice_reference',
  'next_cursor',
  'collection_point_reference',
  'order_reference',
  'qr_payload',
  'android_package',
  'redirect_uri',
  'reference',
  'return_url',
  'source_id',
  'target_status',
  'version',
];

test('every text field of the contract is a secret, personal, an id, or listed as without personal data', () => {
  const decided = new Set([...secretFields, ...personalFields, ...ofNobody]);
  const open = [...texts].filter((name) => !decided.has(name) && !/(^|_)id$/.test(name));
  expect(open, 'decide: personalFields, or the list in this test').toEqual([]);
  expect(ofNobody.filter((name) => !texts.has(name))).toEqual([]);
});

/** Plain in other replies; the secret has a shape that is redacted wherever it stands. */
const byShape = ['key', 'link', 'url'];
/** The name of an error's code as well; a code of six digits ends after ten minutes. */
const shared = ['code'];

test('every secret of the hosted pages and of the portal is redacted by its name or its shape', () => {
  const all = { ...hostedEndpoints, ...portalEndpoints };
  const marked = Object.values<EndpointDefinition>(all).flatMap(
    ({ params, query, body, success }) =>
      [params, query, body, success.schema].flatMap((part) => markedSecrets(part)),
  );
  const known = new Set([...secretFields, ...personalFields, ...byShape, ...shared]);
  const open = [...new Set(marked)].filter((name) => !known.has(name));
  expect(open.sort()).toEqual(secretFieldsOfPages);
});

test('a field is a secret or personal, never both', () => {
  expect(personalFields.filter((name) => secretFields.includes(name))).toEqual([]);
  expect([...personalFields].sort()).toEqual(personalFields);
});
