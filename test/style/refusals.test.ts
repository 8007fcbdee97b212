import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCodes } from '../../contract/resources/errors.ts';
import { refusalWords } from '../../contract/resources/refusal_words.ts';
import { sourcesOf } from '../kit/plane_files.ts';

/** Files of the hosted pages and the desk, whose own texts are what a person reads. */
const ofPages =
  /service\/(flows\/hosted|tenants\/logos|resources\/(customers\/(credentials|erasure|rejections|onboarding)|disputes\/(moves|resolve|case)|suspense|return_requests|accounts\/legal_hold))/;

/** The text of the call that begins at an index, to its closing bracket. */
function callAt(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && --depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}

/** Each refusal as a line of the code has it, without words of its own. */
const refusals = sourcesOf(['service', 'engine'])
  .filter((path) => !ofPages.test(path))
  .flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return [...text.matchAll(/\bfail\('(\w+)'/g)].flatMap(({ index, 1: code = '' }) => {
      const call = callAt(text, index + 4);
      const reason = /reason: '(\w+)'/.exec(call)?.[1];
      return call.includes('message') ? [] : [{ path, code, reason: reason ?? null }];
    });
  });

/** The codes whose reason a helper is given (rules/errors#27). */
const helpers = {
  account_restricted: ['suspended', 'dormant', 'closing', 'closed', 'terms_pending'],
  session_invalid: [
    'customer_not_found',
    'target_not_found',
    'target_of_other_customer',
    'target_not_allowed',
    'return_url_not_registered',
    'unknown',
    'used',
    'ended',
    'expired',
  ],
  result_token_invalid: ['used', 'expired', 'unknown'],
  payee_not_eligible: [
    'not_found',
    'not_business',
    'not_approved',
    'account_not_active',
    'same_customer',
  ],
  payment_request_invalid: [
    'malformed',
    'signature',
    'key_revoked',
    'environment',
    'tenant',
    'canceled',
    'payment_in_progress',
  ],
  link_token_mismatch: ['unknown_token', 'other_customer', 'account_required', 'account_unknown'],
  parameter_invalid: [
    'not_a_us_number',
    'not_a_mobile_number',
    'malformed',
    'credentials',
    'scheme',
    'address',
    'port',
  ],
} as const;

test('every refusal of the Tenant API says the one thing that is wrong and what to do', () => {
  expect(refusals.length).toBeGreaterThan(60);
  const withReasons = Object.entries(helpers).flatMap(([code, reasons]) =>
    reasons.map((reason) => ({ path: 'a helper', code, reason })),
  );
  const silent = [...refusals, ...withReasons].filter(({ code, reason }) => {
    const known = allCodes.find((one) => one === code);
    if (known === undefined || (code in helpers && reason === null)) return false;
    return refusalWords(known, { param: 'x', details: reason ? { reason } : {} }) === null;
  });
  expect(silent).toEqual([]);
});

test('a refusal has the figures with which its reader goes on', () => {
  const words = (...args: Parameters<typeof refusalWords>) => refusalWords(...args);
  expect(words('insufficient_funds', { details: { available: 1000, required: 1250 } })).toBe(
    '1000 is available and 1250 is needed, fees included: load money or send less',
  );
  const state = { current_status: 'completed', allowed: ['created', 'processing'] };
  expect(words('invalid_state', { details: state })).toBe(
    'the record is completed, and this is possible only while it is created or processing: read the record anew',
  );
  expect(words('not_found', { param: 'customer_id' })).toMatch(/^customer_id names no record/);
  expect(
    words('parameter_invalid', {
      param: 'amount',
      details: { reason: 'below_minimum', minimum: 100 },
    }),
  ).toBe('amount must be at least 100 cents');
});
