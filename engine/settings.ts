import { defaultSettings, Settings } from '@tenant-payments/contract/core/settings.ts';
import { LRUCache } from 'lru-cache';
import { atMost } from './at_most.ts';
import { jsonColumn } from './stored_json.ts';

declare const isStored: unique symbol;

/** The settings that were set of a Tenant, as its row holds them. `settingsOf` says which are in force. */
export interface StoredSettings {
  readonly [isStored]: true;
}

/** The part of a Tenant's row that says its settings. */
export interface SettingsRow {
  readonly name: string;
  readonly settings: StoredSettings;
}

export const settingsColumn = jsonColumn('tenants.settings', 'jsonb', Settings);

/** A row as it was read last, and its settings. */
interface Known {
  readonly name: string;
  stored: StoredSettings;
  readonly settings: Settings;
}

/** By Tenant: its row is read with each of its batches, and seldom has other settings than before. */
const known = new LRUCache<string, Known>(atMost(10_000));

type Values = Readonly<Record<string, unknown>>;

const valuesOf = (value: unknown): Values | null =>
  typeof value === 'object' ? (value as Values | null) : null;

/** Whether two values are the same JSON: in half of the time that it takes to parse it. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [left, right] = [valuesOf(one), valuesOf(other)];
  if (!left || !right || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => isSame(left[key], right[key]))
  );
}

/**
 * A Tenant's settings in force: what was set, over the defaults (rules/operations#74).
 * @throws StoredJsonError where a value that was set is none that this release takes
 */
export function settingsOf(tenantId: string, { name, settings: stored }: SettingsRow): Settings {
  const before = known.get(tenantId);
  if (before?.name === name && isSame(before.stored, stored)) {
    // The other commands of the batch bring the same object.
    before.stored = stored;
    return before.settings;
  }
  const settings = settingsColumn.read(tenantId, stored, defaultSettings(name));
  known.set(tenantId, { name, stored, settings });
  return settings;
}

/** The same where a value may be one that this release does not take: what a change is about to mend. */
export const unprovenSettings = ({ name, settings }: SettingsRow): Settings =>
  settingsColumn.over(settings, defaultSettings(name)) as Settings;

const defaults = defaultSettings('');

const rateColumn = jsonColumn(
  `${settingsColumn.name}.rate_limit_per_minute`,
  'jsonb',
  Settings.properties.rate_limit_per_minute,
);

/**
 * The rate limit, where a statement has read it alone.
 * @param stored null: it was not set
 * @throws StoredJsonError
 */
export const rateLimitOf = (tenantId: string, stored: unknown): number =>
  rateColumn.read(tenantId, stored ?? undefined, defaults.rate_limit_per_minute);

/** SQL of the row `t`: a setting as text, or its default where it was not set. */
export const settingText = (t: string, key: 'account_structure'): string =>
  `coalesce(${t}.settings ->> '${key}', '${defaults[key]}')`;

/** The stored settings after a change: each given key is replaced as a whole. */
export const withChanges = (
  stored: StoredSettings,
  changes: Partial<Settings>,
): StoredSettings => ({
  ...stored,
  ...changes,
});
