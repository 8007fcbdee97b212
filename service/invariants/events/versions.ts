import type { Check } from '../check.ts';
import { type Recorded, recordedResources } from './recorded.ts';

const known = recordedResources.map(({ resource }) => `'${resource}'`).join(', ');

/** How many events each resource has told; the replay counts those that belong to records. */
export const eventCounts = `select object_type as resource, count(*) as events from events
  where not sample group by object_type`;

/** Looked up only where the counts differ: an event whose record is not there. */
export const strayEvents = ({ resource, rows }: Recorded): Check => ({
  name: '6.records',
  clause: 'every event is of a record',
  sql: `select e.tenant_id, '${resource}' as kind, e.object_id as id,
      format('%s of version %s, but no such record', e.type, e.version) as message
    from events e where e.object_type = '${resource}' and not e.sample and not exists (
      select from ${rows} r where r.tenant_id = e.tenant_id and r.id = e.object_id)`,
});

export const versionsChecks: readonly Check[] = [
  {
    name: '6.texts',
    clause:
      'the texts of the oldest events are blank, up to where they were blanked, and no others',
    sql: `select e.tenant_id, 'event' as kind, e.id, format('%s of %s has %s text', e.type,
        e.created_at, case when e.body = '' then 'no' else 'a' end) as message
      from events e left join event_retention r on r.tenant_id = e.tenant_id
      where (e.body = '') <> (r.redacted_until is not null and e.id <= r.redacted_until)`,
  },
  {
    name: '6.resources',
    clause: 'events are told of resources alone',
    sql: `select tenant_id, 'event' as kind, id, format('%s is no resource', object_type) as message
      from events where object_type not in (${known})`,
  },
];
