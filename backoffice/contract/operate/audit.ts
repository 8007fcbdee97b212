import { actorKinds } from '@tenant-payments/contract/core/actors.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile, inOrder } from '../records/list_filters.ts';

/** The audit: each row says who did what (rules/audit#1). */

const AuditActor = Closed({
  kind: OneOf(actorKinds, 'What acted'),
  id: Type.String({ description: 'Of the person, key or client; else the name of the user' }),
  person_id: Nullable(Type.String({ description: 'The person behind a session or an API key' })),
  name: Nullable(Type.String({ description: "The person's name; null: no person is known" })),
  email: Nullable(Type.String({ description: "The person's email address" })),
});

const Fields = (description: string) =>
  Nullable(Type.Record(Type.String(), Type.Unknown(), { description }));

export const AuditRow = Closed({
  number: Type.Integer({ minimum: 1, description: 'Its place in the chain, without a gap' }),
  tenant_id: Nullable(
    Type.String({ description: "The Tenant whose chain it is; null: the platform's" }),
  ),
  tenant_name: Nullable(Type.String({ description: "The Tenant's name" })),
  at: Instant('Real time of the database'),
  actor: AuditActor,
  act: Type.String({ description: "The operation's id, or `review.<resource>.<move>`" }),
  record: Nullable(Type.String({ description: 'The id of what it was done to' })),
  address: Nullable(Type.String({ description: 'Network address of the caller' })),
  request_id: Nullable(Type.String({ description: 'As in Service-Request-Id' })),
  outcome: Type.String({ description: '`done`, or the code of the refusal' }),
  count: Type.Integer({
    minimum: 1,
    description:
      'For how many acts it stands: refusals of one caller and act within a minute of a first one are one row, whose `after` has them by code',
  }),
  before: Fields('The fields that changed, as they were, without secrets'),
  after: Fields('The same as they are'),
  previous_hash: Type.String({ description: 'Hash of the row before' }),
  hash: Type.String({ description: 'SHA-256 over the hash before and the text of this row' }),
});
export type AuditRow = Static<typeof AuditRow>;

/** The columns whose values the hashed text holds too. */
export const hashedColumns = [
  'number',
  'at',
  'actor_kind',
  'actor_id',
  'person_id',
  'act',
  'record',
  'address',
  'request_id',
  'outcome',
] as const;

/** The columns of the file of one chain, in their order; `body` is the text that is hashed (rules/audit#14). */
export const auditColumns = [...hashedColumns, 'previous_hash', 'hash', 'body'] as const;

export const listAudit = portalEndpoint({
  id: 'listAudit',
  method: 'GET',
  path: '/portal/api/audit',
  summary: 'List the acts of the Tenant, or of the platform, newest first',
  idempotent: 'none',
  may: ['owner', 'admin'],
  of: 'tenant_or_platform',
  ownTenant: true,
  access: 'export',
  stepUp: 'by_format',
  query: Closed({
    scope: Type.Optional(
      OneOf(
        ['tenant', 'platform', 'all'],
        "Whose chain: that of the Tenant that the caller acts in (the default), the platform's, or all that the caller may read; the last two for admin alone",
      ),
    ),
    actor: Type.Optional(IdInput('Only acts of this actor, or of this person by any key')),
    act: Type.Optional(
      IdInput('Only this act; `review` also finds every `review.<resource>.<move>`'),
    ),
    record: Type.Optional(IdInput('Only acts on records whose id begins so')),
    outcome: Type.Optional(
      OneOf(['done', 'refused'], 'Only acts that were done, or that were refused for any reason'),
    ),
    from: Type.Optional(Instant('Not before')),
    to: Type.Optional(Instant('Before')),
    ...inOrder,
    ...asFile,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(AuditRow) },
  errors: ['parameter_invalid'],
});

export const AuditPerson = Closed({
  object: Type.Literal('audit_person'),
  id: Type.String({ description: 'Of the person, for the filter `actor`' }),
  name: Type.String({ description: 'Name' }),
  email: Type.String({ description: 'Email address' }),
});
export type AuditPerson = Static<typeof AuditPerson>;

export const listAuditPeople = portalEndpoint({
  id: 'listAuditPeople',
  method: 'GET',
  path: '/portal/api/audit/people',
  summary: 'List who has acted, by a part of the name or email address; at most 20',
  idempotent: 'none',
  may: ['owner', 'admin'],
  of: 'tenant_or_platform',
  ownTenant: true,
  query: Closed({
    scope: listAudit.query.properties.scope,
    q: Type.Optional(Text(255, 'A part of the name or email address, in any case')),
  }),
  success: { status: 200, schema: List(AuditPerson) },
  errors: ['parameter_invalid'],
});

const Head = {
  number: AuditRow.properties.number,
  hash: Type.String({ description: 'Of that row' }),
};

export const AuditFaults = Type.Array(
  Closed({
    number: Type.Integer({ description: 'Of the row' }),
    fault: Type.String({ description: 'What is wrong there' }),
  }),
  { description: 'The first 20' },
);

export const AuditProof = Closed({
  object: Type.Literal('audit_proof'),
  head: Nullable(Closed(Head, 'Where the chain ends now')),
  verified: Nullable(
    Closed(
      {
        at: Instant('In real time'),
        ok: Type.Boolean(),
        checked: Type.Integer({ minimum: 0, description: 'Rows that were read' }),
        faults: AuditFaults,
        number: Type.Integer({ minimum: 0, description: 'Of the last row that was read' }),
        hash: Head.hash,
      },
      'The last verification by a worker',
    ),
  ),
});
export type AuditProof = Static<typeof AuditProof>;

export const getAuditProof = portalEndpoint({
  id: 'getAuditProof',
  method: 'GET',
  path: '/portal/api/audit/proof',
  summary: 'Get where a chain of the audit ends, and what its last verification has found',
  idempotent: 'none',
  may: ['owner', 'admin'],
  of: 'tenant_or_platform',
  ownTenant: true,
  query: Closed({
    scope: Type.Optional(OneOf(['tenant', 'platform'], 'Whose chain, as in the list')),
  }),
  success: { status: 200, schema: AuditProof },
  errors: ['parameter_invalid'],
});

export const SettingChange = Closed({
  at: AuditRow.properties.at,
  actor: AuditActor,
  request_id: AuditRow.properties.request_id,
  key: Type.String({ description: 'The top-level setting' }),
  before: Type.Unknown({ description: 'Its value before' }),
  after: Type.Unknown({ description: 'Its value after' }),
});
export type SettingChange = Static<typeof SettingChange>;

export const listSettingChanges = portalEndpoint({
  id: 'listSettingChanges',
  method: 'GET',
  path: '/portal/api/settings/history',
  summary: 'List the changes of settings with who made them, newest first',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  query: Closed({
    key: Type.Optional(IdInput('Only changes of this setting')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(SettingChange) },
  errors: ['parameter_invalid'],
});
