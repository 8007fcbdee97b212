import type { Check } from '../check.ts';
import type { RecordedResource } from './recorded.ts';

/** How many events each resource has; the replay counts those that belong to records. */
export const eventCounts = `select object_type as resource, count(*) as events from events
  where not sample group by object_type`;

/** Run only where the counts differ: finds events without a record. */
export const strayEvents = ({ resource, rows }: RecordedResource): Check => ({
  name: '6.records',
  clause: 'every event belongs to a record',
  sql: `select e.tenant_id, '${resource}' as kind, e.object_id as id,
      format('%s of version %s, but no such record', e.type, e.version) as message
    from events e where e.object_type = '${resource}' and not e.sample and not exists (
      select from ${rows} r where r.tenant_id = e.tenant_id and r.id = e.object_id)`,
});

export const versionsChecks: readonly Check[] = [
  {
    name: '6.texts',
    clause:
      'the texts of the oldest events are removed up to the position of the redaction, and no others',
    sql: `select e.tenant_id, 'event' as kind, e.id, format('%s of %s has %s text', e.type,
        e.created_at, case when e.body = '' then 'no' else 'a' end) as message
      from events e left join event_retention r on r.tenant_id = e.tenant_id
      where (e.body = '') <> (r.redacted_until is not null and e.id <= r.redacted_until)`,
  },
];
