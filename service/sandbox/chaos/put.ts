import { type Chaos, defaultSeed } from '@tenant-payments/contract/sandbox/chaos.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { column, orNull, table } from '@tenant-payments/engine/table.ts';
import { epochMs } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '../../service.ts';

/** The fields of a row that are the setting. */
export const settingOf = (row: Chaos): Chaos => ({
  duplicate: row.duplicate,
  out_of_order: row.out_of_order,
  fail_first_attempt: row.fail_first_attempt,
  api_503: row.api_503,
  seed: row.seed,
  ends_at: row.ends_at,
});

/** A Tenant's setting, and how far its calls and events are counted: `store.ts` counts them. */
const chaos = table({
  name: 'chaos',
  key: [],
  columns: {
    duplicate: column.double,
    out_of_order: column.double,
    fail_first_attempt: column.double,
    api_503: column.double,
    seed: column.cents,
    ends_at: orNull(column.instant),
    requests_seen: column.cents,
    events_seen: column.cents,
    events_after: column.uuid,
    updated_at: column.instant,
  },
  audited: settingOf,
});

/**
 * Replaces the setting, in which a fault without a value is off, and counts anew. Events made before are not
 * after `events_after`, so no fault strikes them.
 * @throws ApiError parameter_invalid: it would have ended already
 */
export const putChaos = ({ clocks }: Pick<Service, 'clocks'>) =>
  command('put_chaos', {
    load: (read, _given: Partial<Chaos>) => read.maybe(chaos, {}),
    decide: (work, row, given) => {
      const { duplicate = 0, out_of_order = 0, fail_first_attempt = 0, api_503 = 0 } = given;
      const { seed = defaultSeed, ends_at = null } = given;
      if (ends_at !== null && epochMs(ends_at) <= clocks.realNow())
        throw fail('parameter_invalid', { param: 'ends_at', details: { reason: 'past' } });
      const setting = { duplicate, out_of_order, fail_first_attempt, api_503, seed, ends_at };
      const counted = { requests_seen: 0, events_seen: 0, events_after: work.newId() };
      const values = { ...setting, ...counted, updated_at: work.now };
      if (row) work.change(row, values);
      else work.create(chaos, values);
      return { value: setting };
    },
  });
