import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { command } from '../../core/command.ts';
import { entityFor } from '../../core/entity.ts';
import { assert } from '../../core/fail.ts';
import { settingsOf, withChanges } from '../../core/settings.ts';
import { tenants } from '../../core/tenant.ts';
import { redactedValue } from '../../http/log/redact.ts';
import type { Service } from '../../service.ts';
import type { ReviewInput } from '../review/moves.ts';
import { checkSettings } from './checks.ts';
import { changedLeaves } from './leaves.ts';
import { assertOwnSettings } from './owners.ts';

/** What the audit shows of a change. */
function differing(was: Settings, is: Settings) {
  const fields = changedLeaves(was, is).map(({ field }) => field.split('.', 1)[0]);
  const keys = [...new Set(fields)] as (keyof Settings)[];
  const picked = (of: Settings) =>
    redactedValue(Object.fromEntries(keys.map((key) => [key, of[key] ?? null])), false);
  return { before: picked(was), after: picked(is) };
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
      const settings = withChanges(tenant.settings, changes);
      const then = settingsOf(entityFor(tenant).tenantId, { ...tenant, settings });
      work.change<typeof tenants>(tenant, { settings });
      work.audit({ act: 'putSettings', record: null, ...differing(now, then) });
      return { value: null };
    },
  });
