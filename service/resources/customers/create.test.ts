import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { Customer } from '@tenant-payments/contract/resources/customers.ts';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';
import { createCustomer } from './create.ts';
import { storeMobile } from './mobile_number.ts';
import { getCustomer, listCustomers, listDocuments, listOwners } from './read.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

const applicant = {
  type: 'individual',
  external_ref: 'first',
  email: 'first@example.com',
  mobile_number: '+12025550199',
  prefill: { first_name: 'Ana' },
} as const;
const create = () => createCustomer(server.service.vault);

test('a new customer is shown with its onboarding session in the first reply only', async () => {
  const created = await engine.run(create(), applicant);
  expect(Value.Errors(Customer, created)).toEqual([]);
  expect(created).toMatchObject({
    type: 'individual',
    external_ref: 'first',
    mobile_number_last4: '0199',
    business: null,
    account_id: null,
    verification: { status: 'created', retry_available_at: null },
    onboarding_session: { flow: 'onboarding' },
    version: 1,
  });
  const plain = { ...created, onboarding_session: null };
  expect(await getCustomer(engine.context(), { id: created.id })).toEqual(plain);
  const list = await listCustomers(engine.context(), { external_ref: 'first' });
  expect(list).toEqual({ object: 'list', data: [plain], has_more: false, next_cursor: null });
  expect(await engine.events(uuid('customer', created.id))).toEqual(['customer.created']);
});

test('the mobile number is stored nowhere in clear', async () => {
  const { rows } = await server.service.pool.query(
    `select to_json(c)::text as row from customers c where external_ref = 'first'`,
  );
  expect(rows[0].row).not.toContain('5550199');
});

test('each territory of the US has mobile numbers, and area codes too new for the library', () => {
  const territories = [787, 939, 671, 340, 684, 670];
  const opened = [436, 457, 465, 471, 483, 621, 624, 679, 729, 837, 861, 924];
  for (const areaCode of [...territories, ...opened]) {
    const stored = storeMobile(
      server.service.vault,
      server.tenant.tenantId,
      `+1${areaCode}2345678`,
    );
    expect([areaCode, stored.mobile_last4]).toEqual([areaCode, '5678']);
  }
});

describe('refusals in the order of the checks', () => {
  test.each([
    ['Canada', '+14165550123', 'not_a_us_number'],
    ['the Bahamas', '+12429999999', 'not_a_us_number'],
    ['Jamaica', '+18765550123', 'not_a_us_number'],
    ['the Dominican Republic', '+18095550123', 'not_a_us_number'],
    ['Canada without a place', '+16002345678', 'not_a_us_number'],
    ['no area code', '+15555550100', 'not_a_us_number'],
    ['an emergency code', '+19112345678', 'not_a_us_number'],
    ['an exchange that begins with 1', '+12021345678', 'not_a_us_number'],
    ['toll-free calls', '+18002345678', 'not_a_mobile_number'],
    ['premium calls', '+19002345678', 'not_a_mobile_number'],
    ['personal numbers', '+15002345678', 'not_a_mobile_number'],
  ])('a mobile number of %s is parameter_invalid', async (_where, mobile_number, reason) => {
    expect(await engine.refusal(create(), { ...applicant, mobile_number })).toEqual({
      code: 'parameter_invalid',
      param: 'mobile_number',
      details: { reason },
    });
  });

  test.each([
    ['individual', 'legal_name'],
    ['business', 'last_name'],
  ] as const)('prefill of an %s with %s is parameter_invalid', async (type, key) => {
    const refused = await engine.refusal(create(), { ...applicant, type, prefill: { [key]: 'x' } });
    expect(refused).toMatchObject({ code: 'parameter_invalid', param: `prefill.${key}` });
  });

  test('flow_not_enabled comes before the duplicates, duplicate_external_ref before the number', async () => {
    const { flows } = defaultSettings('x');
    await engine.change({ flows: { ...flows, customers_individual: false } });
    expect(await engine.refusal(create(), applicant)).toEqual({
      code: 'flow_not_enabled',
      param: null,
      details: { flow: 'customers_individual' },
    });
    await engine.change({ flows });
    const { data } = await listCustomers(engine.context(), { external_ref: 'first' });
    expect(await engine.refusal(create(), applicant)).toEqual({
      code: 'duplicate_external_ref',
      param: 'external_ref',
      details: { customer_id: data[0]?.id },
    });
    expect(await engine.refusal(create(), { ...applicant, external_ref: 'second' })).toEqual({
      code: 'duplicate_mobile_number',
      param: 'mobile_number',
      details: null,
    });
  });

  test('of twenty parallel requests with one number exactly one creates a customer', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        engine.run(create(), {
          ...applicant,
          external_ref: `parallel-${index}`,
          mobile_number: '+12025550150',
        }),
      ),
    );
    const refused = outcomes.flatMap((o) => (o.status === 'rejected' ? [o.reason.code] : []));
    expect(refused).toEqual(Array(19).fill('duplicate_mobile_number'));
  });
});

test('lists of an unknown customer are not_found, and an individual has no owners', async () => {
  const unknown = { id: 'cus_unknown' };
  await expect(getCustomer(engine.context(), unknown)).rejects.toMatchObject({ code: 'not_found' });
  await expect(listOwners(engine.context(), unknown)).rejects.toMatchObject({ code: 'not_found' });
  await expect(listDocuments(engine.context(), unknown)).rejects.toMatchObject({
    code: 'not_found',
  });
  const { id } = await api.customer('individual');
  await expect(listOwners(engine.context(), { id })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  const shop = await api.customer('business');
  expect((await listOwners(engine.context(), { id: shop.id })).data).toEqual([]);
  expect((await listDocuments(engine.context(), { id })).data).toEqual([]);
});
