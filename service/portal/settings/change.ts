import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { command } from '../../core/command.ts';
import { assert } from '../../core/fail.ts';
import { tenants } from '../../core/tenant.ts';
import { redactedValue } from '../../http/log/redact.ts';
import type { Service } from '../../service.ts';
import type { ReviewInput } from '../review/moves.ts';
import { checkSettings } from './checks.ts';
import { changedLeaves } from './leaves.ts';
import { assertOwnSettings } from './owners.ts';

/** The settings with a change, and what of them the audit shows. */
function changed(now: Settings, changes: Partial<Settings>) {
  const settings: Settings = { ...now, ...changes };
  const fields = changedLeaves(now, settings).map(({ field }) => field.split('.', 1)[0]);
  const keys = [...new Set(fields)] as (keyof Settings)[];
  const picked = (of: Settings) =>
    redactedValue(Object.fromEntries(keys.map((key) => [key, of[key] ?? null])), false);
  return { settings, before: picked(now), after: picked(settings) };
}

/**
 * A change of settings that a second person approves: what PUT /portal/api/settings does, as a command,
 * so that it is one transaction with the approval.
 * @throws ApiError forbidden for a key of somebody else; parameter_invalid for a value
 */
export const changeSettings = ({ environment }: Pick<Service, 'environment'>) =>
  command('change_settings', {
    load: (read, _input: ReviewInput) => read.one(tenants, {}),
    decide: (work, tenant, { settings: changes }) => {
      assert(changes, 'a change of settings takes them');
      const now = work.tenant.settings;
      assertOwnSettings(work.actor.roles, now, changes);
      checkSettings(changes, environment);
      const { settings, before, after } = changed(now, changes);
      work.change<typeof tenants>(tenant, { settings });
      work.audit({ act: 'putSettings', record: null, before, after });
      return { value: null };
    },
  });
