import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../contract/emit/openapi/openapi.ts';
import { portalDocument } from '../../contract/emit/openapi/portal.ts';
import { undividedText } from '../../service/db/statements.ts';
import { askedBy, patternsOfFormats, sourceFiles, writtenIn } from './patterns/collect.ts';
import { bad, good } from './patterns/examples.ts';
import { differenceOf, slowPumpOf } from './patterns/judge.ts';

const folders = [
  'contract',
  'engine',
  'service',
  'backoffice',
  'fleet',
  'sdk',
  'cli',
  'web',
  'start',
  'bank',
  'examples',
];
const written = sourceFiles(folders).map(writtenIn);
const where = { baseUrl: 'http://localhost' };
const published = [openApiDocument(where), portalDocument(where)];
const schemas = [...published, endpoints, portalEndpoints, hostedEndpoints];

/** Slow ones that no caller's text reaches, by the file where they stand. */
const unreached: Readonly<Record<string, string>> = {
  'sdk/server/client.ts /\\/+$/': "a setting of the Tenant's server",
  'sdk/browser/base.ts /\\/+$/': "an address that the Tenant's page gives",
  'engine/database/hosts.ts /^(postgres(?:ql)?:\\/\\/(?:[^@/?#]*@)?)([^/?#@]*,[^/?#@]*)([/?#].*)?$/':
    'a setting of the operator',
  'engine/database/column_types.ts /\\.?0+$/': 'a sum of amounts, which PostgreSQL wrote',
  [`service/db/statements.ts ${undividedText}`]: 'the migrations of this release',
  'service/resources/statements/words.ts /\\B(?=(\\d{3})+$)/g': 'the digits of a whole Number',
};

/** `RegExp` of what is no literal. */
const built: Readonly<Record<string, string>> = {
  'engine/packed_text/dictionary.ts':
    'one of several words, of which each is a literal of the service',
  'service/http/log/redact.ts': 'one of several, of which each is a literal of the file',
  'service/invariants/scope.ts': "the name of a table, in SQL of the service's",
  'cli/tpay/listen/routes.ts': "types of events, on the user's own command line",
  'web/console/pages/tenant/documents/use_publish.ts': 'a literal of the contract',
  'contract/emit/tables/sandbox_only.ts': 'the paths of the contract',
  'contract/emit/tables/shell.ts': 'the paths of the contract',
  'service/db/migration_rules.ts': 'the migrations of this release',
  'service/sandbox/rails/aggregator.ts': 'a prefix and 32 digits: no repetition without an end',
};

/** With the flags by which Ajv compiles them. */
const asked = [...new Set(schemas.flatMap((part) => askedBy(part, 'pattern')))].map(
  (pattern) => new RegExp(pattern, 'u'),
);
const formats = [...new Set(schemas.flatMap((part) => askedBy(part, 'format')))];
const ofFormats = patternsOfFormats(formats);

const patterns = new Map<string, RegExp>();
for (const pattern of [...written.flatMap((file) => file.patterns), ...asked, ...ofFormats])
  patterns.set(String(pattern), pattern);

/** All patterns take seconds, and on a busy machine minutes. */
const timeout = 180_000;

describe('the judge of patterns', { timeout }, () => {
  test.each(bad)('finds that %s takes more than linear time', (pattern) => {
    expect(slowPumpOf(pattern)).not.toBeNull();
  });

  test.each(good)('lets %s pass, which takes linear time', (pattern) => {
    expect(slowPumpOf(pattern)).toBeNull();
  });

  test('counts the steps of a search that finds what the engine finds', () => {
    const all = [...patterns.values(), ...bad, ...good];
    const differing = all.filter((pattern) => differenceOf(pattern) !== null);
    expect(differing).toEqual([]);
  });
});

test('no pattern takes more than linear time for a text of a caller', { timeout }, () => {
  const slow = [...patterns].filter(([, pattern]) => slowPumpOf(pattern) !== null);
  const places = slow.flatMap(([name]) => {
    const files = written.filter((file) => file.patterns.map(String).includes(name));
    return files.length > 0 ? files.map(({ file }) => `${file} ${name}`) : [name];
  });
  expect(places.toSorted()).toEqual(Object.keys(unreached).toSorted());
});

test('every pattern is known: of literals, of schemas and of the formats that they ask for', () => {
  const files = written.filter((file) => file.built > 0).map(({ file }) => file);
  expect(files.toSorted()).toEqual(Object.keys(built).toSorted());
  expect(formats).toEqual(expect.arrayContaining(['date', 'date-time', 'email', 'uri']));
  expect(asked.length).toBeGreaterThan(10);
  expect(ofFormats.length).toBeGreaterThan(6);
  expect(patterns.size).toBeGreaterThan(120);
});
