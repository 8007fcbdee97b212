import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformId, platformScope } from '@tenant-payments/engine/platform.ts';
import { column, orNull, table } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type Alarm, acknowledgeAlarm as contract } from '../../contract/operate/alarms.ts';
import { ownTenant } from '../../own_tenant.ts';
import { readAlarm } from './alarms.ts';

/** Alarms as they are taken note of; the service raises and counts them itself, by `service/alarms`. */
export const alarms = table({
  name: 'control.alarms',
  of: 'platform',
  key: ['id'],
  columns: {
    id: column.uuid,
    scope: column.text,
    acknowledged_at: orNull(column.instant),
    acknowledged_by: orNull(column.text),
    note: orNull(column.text),
  },
  frozen: ['scope'],
  audited: ({ id, acknowledged_at }) => ({ id, acknowledged_at }),
});

interface Acknowledgement {
  readonly id: string;
  readonly note: string;
  /**
   * The only Tenant whose alarms the caller acknowledges, as a program does in a sandbox; null: of
   * all.
   */
  readonly own: string | null;
}

const acknowledge = command('acknowledge_alarm', {
  load: (read, { id }: Acknowledgement) => read.maybe(alarms, isUuid(id) ? id : null),
  decide: (work, row, { note, own }) => {
    if (row === null || row.scope !== (own ?? row.scope)) throw fail('not_found', { param: 'id' });
    if (row.acknowledged_at !== null)
      throw fail('invalid_state', { details: { reason: 'already_acknowledged' } });
    const acknowledged_by = actorName(work.actor);
    work.change<typeof alarms>(row, { acknowledged_at: work.now, acknowledged_by, note });
    return { value: null };
  },
});

/**
 * POST /portal/api/alarms/{id}/acknowledge
 * @throws ApiError not_found; invalid_state, reason `already_acknowledged`
 */
export const acknowledgeAlarm =
  ({ platformEngine }: Pick<Service, 'platformEngine'>) =>
  async (
    context: ReadContext,
    { id, note }: Pick<Acknowledgement, 'id' | 'note'>,
  ): Promise<Alarm> => {
    const { actor } = context;
    const act = { act: contract.id, record: id, scope: platformScope };
    const input = { id, note, own: ownTenant(context) };
    await platformEngine.submit(acknowledge, { tenantId: platformId, actor, act, input });
    return readAlarm(context, id);
  };
