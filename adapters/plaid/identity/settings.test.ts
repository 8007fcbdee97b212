import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from '../../../service/config/config.ts';
import { adapterSettings } from '../../settings.ts';

/** The settings of `IDENTITY=plaid`, as `config check` and a start judge them. */

function ofPlaid(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    parseConfig({ IDENTITY: 'plaid', ...env }, adapterSettings);
    return [];
  } catch (error) {
    if (error instanceof ConfigError)
      return error.faults.filter((fault) => fault.includes('PLAID'));
    throw error;
  }
}
const whole = {
  PLAID_CLIENT_ID: 'id',
  PLAID_SECRET: 'secret',
  PLAID_CLIENT_NAME: 'Corner Bank',
  PLAID_IDENTITY_TEMPLATE: 'idvtmp_4FrXJvfQU3zGUR',
};

test('what identity by Plaid needs and is not set is said at once, and its template is of identity alone', () => {
  expect(ofPlaid({})).toEqual([
    'PLAID_CLIENT_ID is required by IDENTITY=plaid',
    'PLAID_SECRET is required by IDENTITY=plaid (or PLAID_SECRET_FILE)',
    'PLAID_CLIENT_NAME is required by IDENTITY=plaid',
    'PLAID_IDENTITY_TEMPLATE is required by IDENTITY=plaid',
  ]);
  expect(ofPlaid(whole)).toEqual([]);
  const { PLAID_IDENTITY_TEMPLATE: _, ...linking } = whole;
  const linked = parseConfig({ AGGREGATOR: 'plaid', ...linking }, adapterSettings);
  expect(linked.adapters).toMatchObject([{ name: 'plaid', ports: ['aggregator'] }]);
});

test('a template that is none is said, and the value is not', () => {
  expect(ofPlaid({ ...whole, PLAID_IDENTITY_TEMPLATE: 'Kanarienvogel' })).toEqual([
    'PLAID_IDENTITY_TEMPLATE must be the id of a template, such as idvtmp_4FrXJvfQU3zGUR',
  ]);
});

test("Plaid's sandbox stops production, and its production a sandbox", () => {
  const sandbox = { ...whole, PLAID_URL: 'https://sandbox.plaid.com' };
  const production = { ...whole, PLAID_URL: 'https://production.plaid.com' };
  expect(ofPlaid({ ...sandbox, ENVIRONMENT: 'production' })).toEqual([
    "PLAID_URL is of the provider's sandbox, and ENVIRONMENT is production",
  ]);
  expect(ofPlaid(production)).toEqual([
    "PLAID_URL is of the provider's production, and ENVIRONMENT is sandbox",
  ]);
});
