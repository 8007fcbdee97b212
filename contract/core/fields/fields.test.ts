import { expect, test } from 'vitest';
import { settingOwners } from '../setting_facts.ts';
import { leavesOf } from '../setting_leaves.ts';
import { defaultSettings, type Settings } from '../settings.ts';
import { changeSentence, changesSentence } from './changes.ts';
import { lengthWords, secondsOf } from './lengths.ts';
import { recordField } from './records.ts';
import { settingField, settingFields } from './settings.ts';
import { valueWords } from './values.ts';

/** A key as the service spells it: nobody reads one. */
const rawKey = /[a-z0-9]_[a-z0-9]|[0-9a-f]{8}-[0-9a-f]{4}|undefined|\[object/;

/** Every setting with a value in it. */
const whole: Settings = {
  ...defaultSettings('Maple Market'),
  return_urls: ['https://shop.example/done'],
  frame_origins: ['https://shop.example'],
  link_redirect_uris: ['https://shop.example/linked'],
  fees: (['consumer_to_merchant', 'merchant_to_merchant'] as const).flatMap((payment_type) =>
    (['balance', 'bank_account'] as const).flatMap((source) =>
      (['platform', 'tenant'] as const).map((type) => ({
        type,
        payment_type,
        source,
        basis_points: 50,
        fixed: 25,
        paid_by: 'payee' as const,
      })),
    ),
  ),
  institution: { name: 'Maple', bank: 'Bank', address: 'One line', phone: '+1', hours: '9 to 5' },
  industries: [{ key: 'pet_food', name: { en: 'Pet food', es: 'Comida' } }],
};

test('every setting has its words, its kind and its group', () => {
  expect(Object.keys(settingFields).sort()).toEqual(Object.keys(settingOwners).sort());
  for (const key of Object.keys(settingOwners)) {
    const field = settingField(key);
    expect(field, key).toMatchObject({ label: expect.stringMatching(/^[A-Z]/) });
    expect(`${field?.label} ${field?.group}`).not.toMatch(rawKey);
  }
});

const leaves = [...leavesOf(whole)];

test.each(leaves)('%s is shown without a raw key or value', (path, value) => {
  const field = settingField(path);
  if (!field) throw new Error(`${path} has no entry in the catalog`);
  expect(field.label).not.toMatch(rawKey);
  expect(valueWords(field, value)).not.toMatch(rawKey);
  expect(changeSentence({ field: path, before: null, after: value })).not.toMatch(rawKey);
  expect(changeSentence({ field: path, before: value, after: null })).not.toMatch(rawKey);
});

test('no two values of the settings have the same label', () => {
  const labels = leaves.map(([path]) => settingField(path)?.label);
  expect(new Set(labels).size).toBe(labels.length);
});

test.each([
  [
    'limits.withdrawal_daily.individual',
    10_000_00,
    50_000_00,
    'Raise the daily withdrawal limit of individuals, $10,000 to $50,000',
  ],
  [
    'limits.load_daily.business',
    null,
    12_50,
    'Lower the daily load limit of businesses, no limit to $12.50',
  ],
  [
    'limits.balance_maximum.individual',
    5_00,
    null,
    'Raise the balance limit of individuals, $5 to no limit',
  ],
  ['withdrawal_hold_hours', 72, 24, 'Shorten the withdrawal hold, 3 days to 1 day'],
  [
    'confirmation_grace_seconds',
    0,
    900,
    'Lengthen the confirmation grace, 0 seconds to 15 minutes',
  ],
  ['flows.loads', true, false, 'Switch off loads from a bank'],
  [
    'fees.platform.consumer_to_merchant.balance.basis_points',
    50,
    25,
    'Lower the platform fee on payments of consumers from a balance, share, 0.5% to 0.25%',
  ],
  [
    'account_structure',
    'dedicated_fbo',
    'tenant_scheme',
    "Change the account structure, an FBO account of its own to the tenant's own scheme",
  ],
  [
    'rate_limit_per_minute',
    6_000,
    9_000,
    'Raise the rate limit, 6,000 requests a minute to 9,000 requests a minute',
  ],
] as const)('a change of %s says what it does', (field, before, after, words) => {
  expect(changeSentence({ field, before, after })).toBe(words);
});

test('several changes say how many there are and of what', () => {
  const limit = (field: string) => ({ field, before: 1, after: 2 });
  const [one, other] = [
    limit('limits.load_daily.individual'),
    limit('limits.payment_daily.individual'),
  ];
  expect(changesSentence([one, other])).toBe('Change 2 limits');
  expect(changesSentence([one, limit('refund_window_days')])).toBe('Change 2 settings');
});

test('lengths of time are written as people write them, and read back', () => {
  for (const seconds of [0, 1, 59, 60, 90, 900, 5_400, 86_400, 259_200, 694_861])
    expect(secondsOf(lengthWords(seconds))).toBe(seconds);
  expect(secondsOf(' 1h 30m ')).toBe(5_400);
  expect(secondsOf('1.5 hours')).toBe(5_400);
  expect(secondsOf('2 weeks')).toBe(1_209_600);
  for (const none of ['', '900', 'soon', '15 parsecs', '0.3 seconds', 'minutes'])
    expect(secondsOf(none)).toBeNull();
});

test.each([
  ['regulation_e', true, 'Regulation E', 'yes'],
  ['disputed_cents', 80_00, 'Disputed', '$80'],
  ['result_due_at', '2027-01-02T05:00:00Z', 'Result due', 'Jan 2, 2027, 12:00 AM ET'],
  ['payer_customer_id', `cus_${'0'.repeat(32)}`, 'Payer customer', 'cus_…000000'],
  ['status', 'requires_confirmation', 'Status', 'Requires confirmation'],
  ['expires_in_seconds', 900, 'Expires in', '15 minutes'],
  ['pin_locked', false, 'PIN locked', 'no'],
  ['maker', 'person 019c0000-0000-7000-8000-000000000000', 'Asked by', 'Person'],
] as const)('a field of a record, %s, is shown as people read it', (name, value, label, words) => {
  const field = recordField(name, value);
  expect([field.label, valueWords(field, value)]).toEqual([label, words]);
});
