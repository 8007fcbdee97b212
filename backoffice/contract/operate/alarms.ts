import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { type AlarmName, alarmNames } from './alarm_texts.ts';

/** A thing that needs a person's attention (rules/operations#69). */

export const Alarm = Closed({
  id: Id('The alarm'),
  object: Type.Literal('alarm'),
  alarm: OneOf(alarmNames),
  tenant_id: Nullable(Id('The Tenant; null: it is about the platform')),
  tenant_name: Nullable(Type.String({ description: "The Tenant's name" })),
  record_id: Nullable(Id('The record that it is about')),
  message: Type.String({ description: 'As the log said it' }),
  means: Type.String({ description: 'What it means, as the guide says it' }),
  remedy: Type.String({ description: 'What to do' }),
  facts: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the log said besides, of the last time; without personal data',
  }),
  process_id: Id('The process that said it last'),
  count: Type.Integer({ minimum: 1, description: 'How often it was said on its day' }),
  first_at: Instant('In real time'),
  last_at: Instant('In real time'),
  acknowledged_at: Nullable(Instant('Since when a person has taken note of it')),
  acknowledged_by: Nullable(Type.String({ description: 'Who has taken note of it' })),
  note: Nullable(Type.String({ description: 'What that person wrote' })),
});
export type Alarm = Static<typeof Alarm>;

export const listAlarms = portalEndpoint({
  id: 'listAlarms',
  method: 'GET',
  path: '/portal/api/alarms',
  summary: 'List the alarms of all Tenants and of the platform, newest first, with what to do',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
  query: Closed({
    status: Type.Optional(OneOf(['open', 'acknowledged'], 'Whether a person has taken note of it')),
    alarm: Type.Optional(Type.Unsafe<AlarmName>(OneOf(alarmNames))),
    tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
    from: Type.Optional(Instant('First said not before')),
    to: Type.Optional(Instant('First said before')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(Alarm) },
  errors: ['parameter_invalid'],
});

/** Alarms that are counted at most. */
export const mostAlarms = 1_000;

export const AlarmCount = Closed({
  object: Type.Literal('alarm_count'),
  open: Type.Integer({
    minimum: 0,
    maximum: mostAlarms,
    description: `Alarms that nobody has taken note of, up to ${mostAlarms}`,
  }),
});

export const countAlarms = portalEndpoint({
  id: 'countAlarms',
  method: 'GET',
  path: '/portal/api/alarms/count',
  summary: 'Count the alarms that nobody has taken note of',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
  success: { status: 200, schema: AlarmCount },
  errors: [],
});

export const acknowledgeAlarm = portalEndpoint({
  id: 'acknowledgeAlarm',
  method: 'POST',
  path: '/portal/api/alarms/:id/acknowledge',
  summary: 'Take note of an alarm, with what was done about it',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  params: Closed({ id: IdInput('The alarm') }),
  body: Closed({ note: Readable(2_000, 'What was done about it') }),
  success: { status: 200, schema: Alarm },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'],
});
