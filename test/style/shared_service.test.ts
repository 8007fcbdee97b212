import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sortTests } from '../kit/projects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files whose statements change no row that another file has, and why. */
const harmless: Readonly<Record<string, string>> = {
  'service/jobs/redaction.test.ts': 'the database refuses them',
  'backoffice/portal/legal_texts.test.ts': 'the database refuses them',
  'service/webhooks/event_requests.test.ts': 'the database refuses them',
  'service/resources/suspense/suspense.test.ts': 'their transactions are rolled back',
  'backoffice/portal/stream/streams.test.ts':
    'they go to another service, which ends with its test',
  'test/style/shared_service.test.ts': 'they are never sent',
};

/** Options that give a file a service of its own, or another process of one that it has. */
const ofItsOwn = /\b(own|alone|onLog|config|environment|realNow|database|beside):/;
const opensShared = (text: string): boolean =>
  [...text.matchAll(/\bopenServer\(([^;]*?)\);/g)].some(
    ([, options]) => !ofItsOwn.test(`${options}`),
  );

/** Statements that change rows of a table of Tenants, whosever they are. */
function reachingOthers(text: string): string[] {
  const literals = text.matchAll(
    /(['"`])\s*((?:update|delete from|truncate) (?!control\.)(?:(?!\1).)*)\1/gs,
  );
  return [...literals].map(([, , sql = '']) => sql).filter((sql) => !sql.includes('tenant_id ='));
}

test('no statement of a test that shares a service changes rows of another file', () => {
  const files = Object.values(sortTests(root)).flat();
  const faults = files.flatMap((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    if (file in harmless || !opensShared(text)) return [];
    return reachingOthers(text).map((sql) => `${file}: ${sql}`);
  });
  expect(faults).toEqual([]);
});

test('a statement without its Tenant is seen', () => {
  expect(reachingOthers('query("delete from jobs")')).toEqual(['delete from jobs']);
  expect(reachingOthers('query("delete from jobs where tenant_id = $1")')).toEqual([]);
  expect(opensShared('openServer({ manual: true });')).toBe(true);
  expect(opensShared('openServer({ own: true, manual: true });')).toBe(false);
});
