import { expect, test } from 'vitest';
import {
  disclosureParts,
  lackingParts,
  saysLongerPeriods,
} from '../../../../contract/core/disclosures.ts';
import { defaultSettings } from '../../../../contract/core/settings.ts';
import { institution, realTexts } from '../../../../test/kit/go_live.ts';
import { openServer } from '../../../../test/kit/server.ts';
import { watchLive } from '../../../jobs/live_watch.ts';
import { readLacking } from './live.ts';
import { publishForAll } from './publication.ts';

const server = await openServer({ environment: 'production', workers: false });
const { service } = server;

const person = (ref: string, type = 'individual') => ({
  type,
  external_ref: ref,
  email: `${ref}@example.com`,
  mobile_number: `+1202555${Math.floor(1000 + Math.random() * 9000)}`,
});

const [terms] = realTexts('2026-02') as [ReturnType<typeof realTexts>[number]];

test('production takes no customer of a Tenant that has sample texts or no institution, and says what is missing', async () => {
  const { tenantId, token } = await server.anotherTenant({ live: false });
  const apply = (type: string) =>
    server.call('POST', '/v1/customers', {
      token,
      body: person(`ana-${crypto.randomUUID()}`, type),
      key: crypto.randomUUID(),
    });
  const texts = realTexts('2026-02');
  const all = texts.map(({ document_type }) => document_type);
  const refused = await apply('business');
  expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
    403,
    'flow_not_enabled',
    { flow: 'customers_business', reason: 'not_live', lacks: ['institution', ...all] },
  ]);
  for (const input of texts.slice(0, 4))
    await service.engine.submit(publishForAll(service, 'production'), { tenantId, input });
  expect((await apply('individual')).body.error.details.lacks).toEqual(['institution']);
  await service.pool.query(
    `update tenants set settings = settings || jsonb_build_object('institution', $2::jsonb),
      revision = revision + 1 where tenant_id = $1`,
    [tenantId, JSON.stringify(institution)],
  );
  expect((await apply('individual')).status).toBe(201);
  expect((await apply('business')).body.error.details.lacks).toEqual(all.slice(4));
});

test('a sandbox takes customers as it is', async () => {
  const sandbox = await openServer({ workers: false });
  expect(defaultSettings('').institution).toBeNull();
  expect((await sandbox.api.customer('individual')).object).toBe('customer');
});

const publishing = (text: { readonly en: string; readonly es: string }, version: string) =>
  service.engine.submit(publishForAll(service, 'production'), {
    tenantId: server.tenant.tenantId,
    input: { ...terms, version, text },
  });

test('production publishes no text that says it is a sample', async () => {
  const { en, es } = terms.text;
  await expect(publishing({ en: `**Sample text.** ${en}`, es }, '2026-03')).rejects.toMatchObject({
    code: 'parameter_invalid',
    param: 'text',
    details: { reason: 'sample_text' },
  });
});

test.each(disclosureParts.map(({ part, en, es }) => [part, en, es] as const))(
  'terms that do not say %s in either language lack it, and production refuses them',
  async (part, en, es) => {
    const without = (text: string, [word]: readonly RegExp[]) =>
      text.replaceAll(new RegExp(word?.source ?? '', 'gi'), '');
    const said = {
      en: terms.text.en.replaceAll(/\s+/g, ' '),
      es: terms.text.es.replaceAll(/\s+/g, ' '),
    };
    expect(lackingParts(said)).toEqual([]);
    for (const text of [
      { ...said, en: without(said.en, en) },
      { ...said, es: without(said.es, es) },
    ]) {
      expect(lackingParts(text)).toContain(part);
      await expect(publishing(text, '2026-03')).rejects.toMatchObject({
        details: { reason: 'parts_missing', parts: expect.arrayContaining([part]) },
      });
    }
  },
);

test('the longer periods are said only where both languages say them', () => {
  const { en, es } = terms.text;
  expect(saysLongerPeriods({ en, es })).toBe(true);
  expect(saysLongerPeriods({ en, es: '' })).toBe(false);
  expect(saysLongerPeriods({ en: en.replace('20 business', '30 business'), es })).toBe(false);
});

test('a Tenant with customers that lacks something goes on, and each night and its page say what', async () => {
  const { tenantId, token } = await server.anotherTenant();
  const { status } = await server.call('POST', '/v1/customers', {
    token,
    body: person(`eva-${crypto.randomUUID()}`),
    key: crypto.randomUUID(),
  });
  expect(status).toBe(201);
  const lines: unknown[] = [];
  const log = { error: (facts: unknown) => void lines.push(facts) } as typeof service.log;
  await watchLive({ ...service, log }, tenantId);
  expect([lines, await readLacking(service, tenantId)]).toEqual([[], []]);
  await service.pool.query(
    `update tenants set settings = jsonb_set(settings, '{institution}', 'null') where tenant_id = $1`,
    [tenantId],
  );
  await watchLive({ ...service, log }, tenantId);
  expect(lines).toEqual([{ alarm: 'not_live', tenant_id: tenantId, lacks: ['institution'] }]);
  expect((await server.call('GET', '/v1/customers?limit=1', { token })).status).toBe(200);
});
