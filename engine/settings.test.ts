import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';
import { describe, expect, test } from 'vitest';
import { StoredJsonError } from './fail.ts';
import { rateLimitOf, type StoredSettings, settingsOf, withChanges } from './settings.ts';

const name = 'Corner Shop';
const defaults = defaultSettings(name);
/** The settings in force where a row holds this. */
const read = (settings: object) =>
  settingsOf('the tenant', { name, settings: settings as StoredSettings });

type Path = readonly string[];

/** Each key, and each key within it, down to what is one value. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  const below = Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

/** A copy whose value at this path is another one; undefined: it is not there. */
function having(path: Path, value: unknown): object {
  const copy: Record<string, unknown> = structuredClone(defaults);
  const last = path.at(-1) ?? '';
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** Settings that differ from every default, so that a value which was set shows. */
const set: Settings = {
  ...defaults,
  return_urls: ['https://shop.example/done'],
  flows: { ...defaults.flows, loads: false },
  refund_window_days: 30,
};

describe('the settings in force', () => {
  test('are the defaults where nothing was set', () => {
    expect(read({})).toEqual(defaults);
  });

  test.each(pathsOf(defaults).map((path) => [path.join('.'), path] as const))(
    'have the default of %s in a row that was stored before the setting came',
    (_, path) => {
      expect(read(having(path, undefined))).toEqual(defaults);
    },
  );

  test('are what was set, as a whole and in parts', () => {
    expect(read(set)).toEqual(set);
    expect(read({ flows: { loads: false }, limits: { load_daily: { business: 1 } } })).toEqual({
      ...defaults,
      flows: { ...defaults.flows, loads: false },
      limits: { ...defaults.limits, load_daily: { ...defaults.limits.load_daily, business: 1 } },
    });
  });

  test('keep a limit that was set to none, where the default is a limit', () => {
    const none = { individual: null, business: null };
    expect(read({ limits: { load_daily: none } }).limits.load_daily).toEqual(none);
  });

  test('leave out what this release does not know, also in a list', () => {
    const fee = {
      type: 'platform',
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      basis_points: 50,
      fixed: 0,
      paid_by: 'payee',
    };
    const stored = { fees: [{ ...fee, later: 1 }], later: true, flows: { later: true } };
    expect(read(stored)).toEqual({ ...defaults, fees: [fee] });
  });

  test('follow a change of the row', () => {
    const row = { name, settings: { refund_window_days: 30 } as object as StoredSettings };
    expect(settingsOf('the tenant', row).refund_window_days).toBe(30);
    const settings = withChanges(row.settings, { refund_window_days: 10 });
    expect(settingsOf('the tenant', { name, settings }).refund_window_days).toBe(10);
    expect(settingsOf('the tenant', row).refund_window_days).toBe(30);
  });
});

/** A value that this release does not take, the place that is named, and why. */
const unreadable: readonly [Path, unknown, string, string][] = [
  [['sandbox_mode'], 'removed', 'sandbox_mode', 'enum'],
  [['refund_window_days'], 'ninety', 'refund_window_days', 'type'],
  [['refund_window_days'], 0, 'refund_window_days', 'minimum'],
  [['flows'], null, 'flows', 'type'],
  [['flows', 'loads'], 'yes', 'flows.loads', 'type'],
  [['limits', 'load_daily', 'individual'], -1, 'limits.load_daily.individual', 'minimum'],
  [['fees'], [{ type: 'platform' }], 'fees.0.payment_type', 'required'],
];

test.each(unreadable)(
  '%j of %j is refused, and named without its value',
  (path, value, at, reason) => {
    const facts = { column: 'tenants.settings', tenant_id: 'the tenant', at, reason };
    const reading = () => read(having(path, value));
    expect(reading).toThrow(StoredJsonError);
    expect(reading).toThrow(expect.objectContaining({ facts }));
    // Refused again: no faulty row is remembered as read.
    expect(reading).toThrow(StoredJsonError);
  },
);

test('a row that holds no object is refused', () => {
  for (const settings of [[], 'text', 1, null])
    expect(() => read(settings as object)).toThrow(StoredJsonError);
});

test('a rate limit that a statement reads alone is the default, what was set, or refused', () => {
  expect(rateLimitOf('the tenant', null)).toBe(defaults.rate_limit_per_minute);
  expect(rateLimitOf('the tenant', 50)).toBe(50);
  for (const stored of ['50', 0, 1.5, {}])
    expect(() => rateLimitOf('the tenant', stored)).toThrow(StoredJsonError);
});
