import { industriesOf, naicsSectors } from '@tenant-payments/contract/core/industries.ts';
import { expect, test } from 'vitest';
import { code, firstDocuments, person } from '../../../../test/kit/pages/applicant.ts';
import { openHostedPages, refusalLine } from '../../../../test/kit/pages/hosted.ts';
import { openServer } from '../../../../test/kit/server.ts';

/** A business chooses its industry from the program's list (rules/customers#31). */

const server = await openServer({ manual: true });
const { api, service } = server;
const pages = openHostedPages(server);
const keys = naicsSectors.map(({ key }) => key);
const own = { key: 'bakery', name: { en: 'Bakery', es: 'Panadería' } };

async function applicant() {
  const customer = await api.customer('business');
  const page = await pages.page(customer.onboarding_session.token);
  await page.ask('/code');
  await page.ask('/code/check', { code });
  const business = (industry: string | null) => ({
    legal_name: 'Corner Cafe LLC',
    trading_name: null,
    industry,
    ein: '937461825',
    address: person.address,
  });
  const apply = (industry: string | null) =>
    page.ask('/onboarding', {
      business: business(industry),
      accepts_documents: firstDocuments('business'),
      pin: '284617',
    });
  const industry = async () => (await api.get(`/v1/customers/${customer.id}`)).business.industry;
  return { page, apply, industry };
}

test('until a program sets a list it is the 20 sectors of NAICS, and the page shows it to a business', async () => {
  expect(new Set(keys).size).toBe(20);
  expect((await api.get('/portal/api/settings')).industries).toEqual(naicsSectors);
  const { page } = await applicant();
  expect(page.view.onboarding.industries).toEqual(naicsSectors);
  const ana = await api.customer('individual');
  const hers = await pages.page(ana.onboarding_session.token);
  expect(hers.view.onboarding.industries).toEqual([]);
});

test('an industry outside the list is refused with the list, and nothing changes', async () => {
  const { apply, industry } = await applicant();
  const { rows: before } = await service.pool.query('select count(*) from events');
  for (const word of ['Bakery', 'RETAIL_TRADE', ' retail_trade', '72']) {
    const { status, body } = await apply(word);
    expect([status, body.error]).toMatchObject([
      400,
      {
        code: 'parameter_invalid',
        param: 'business.industry',
        details: { reason: 'not_allowed', allowed: keys },
      },
    ]);
  }
  expect((await service.pool.query('select count(*) from events')).rows).toEqual(before);
  expect((await apply('accommodation_food_services')).status).toBe(200);
  expect(await industry()).toBe('accommodation_food_services');
});

test('a business may choose none', async () => {
  const { apply, industry } = await applicant();
  expect((await apply(null)).status).toBe(200);
  expect(await industry()).toBeNull();
});

test('a prefill has no industry', async () => {
  const prefill = { legal_name: 'Corner Cafe LLC', industry: 'retail_trade' };
  const { status, body } = await api.call('POST', '/v1/customers', {
    key: 'prefill-industry',
    body: {
      type: 'business',
      external_ref: 'prefill-industry',
      email: 'cafe@example.com',
      mobile_number: '+12025550187',
      prefill,
    },
  });
  expect([status, body.error.code, body.error.param]).toEqual([
    400,
    'parameter_invalid',
    'prefill.industry',
  ]);
});

test("a program's own list replaces the sectors, and holds from the moment it is set", async () => {
  const { page, apply, industry } = await applicant();
  await api.settings({ industries: [own] });
  expect((await page.look()).onboarding.industries).toEqual([own]);
  expect(refusalLine(await apply('retail_trade'))).toBe('parameter_invalid not_allowed');
  expect((await apply('bakery')).status).toBe(200);
  expect(await industry()).toBe('bakery');
  expect(industriesOf(await api.get('/portal/api/settings'))).toEqual([own]);
});

test.each([
  [[], 'industries', 'format'],
  [[own, own], 'industries', 'two_of_a_key'],
  [[{ ...own, key: 'Not a key' }], 'industries.0.key', 'format'],
  [[{ ...own, name: { en: '', es: 'x' } }], 'industries.0.name.en', 'empty'],
])('a list such as %j is refused', async (industries, param, reason) => {
  const { status, body } = await api.call('PUT', '/portal/api/settings', { body: { industries } });
  expect([status, body.error.param, body.error.details.reason]).toEqual([400, param, reason]);
});
