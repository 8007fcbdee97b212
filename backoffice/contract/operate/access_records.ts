import { accessKinds } from '@tenant-payments/contract/core/access_kinds.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Access records: each names a person who read personal data (rules/audit#18). */

export const AccessRecord = Closed({
  id: Id('Access record identifier'),
  object: Type.Literal('access_record'),
  at: Instant('When it was read first in that hour, in real time'),
  acted_as: OneOf(['staff', 'member'], 'For whom the person acted: the platform, or the Tenant'),
  person_id: Id('The person who read'),
  email: Nullable(Type.String({ description: 'Email address of the person' })),
  api_key_id: Nullable(Id('The API key of the person by which it was read; null: by a session')),
  kind: OneOf(accessKinds, 'What was read of the record'),
  record: Type.String({ description: 'The id of the record; of an export its name' }),
  address: Nullable(Type.String({ description: 'Network address of the caller' })),
  request_id: Nullable(Type.String({ description: 'As in Service-Request-Id' })),
});
export type AccessRecord = Static<typeof AccessRecord>;

export const listAccessRecords = portalEndpoint({
  id: 'listAccessRecords',
  method: 'GET',
  path: '/portal/api/access-records',
  summary: 'List who read cases, records, letters and files with personal data, newest first',
  idempotent: 'none',
  may: ['owner', 'admin'],
  of: 'tenant',
  query: Closed({
    person_id: Type.Optional(IdInput('Only what this person read')),
    record: Type.Optional(IdInput('Only who read this record')),
    acted_as: Type.Optional(OneOf(['staff', 'member'], 'Only what was read so')),
    from: Type.Optional(Instant('Not before')),
    to: Type.Optional(Instant('Before')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(AccessRecord) },
  errors: ['parameter_invalid'],
});
