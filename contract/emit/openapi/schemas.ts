import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { TSchema } from 'typebox';
import { endpoints, records } from '../../catalog.ts';
import type { EndpointDefinition } from '../../core/endpoint.ts';
import { Balance, Counterparty } from '../../resources/accounts.ts';
import { BusinessProfile, Verification } from '../../resources/customers.ts';
import { ErrorEnvelope } from '../../resources/errors.ts';
import { Capabilities, LinkToken } from '../../resources/linked_accounts.ts';
import { CollectionPoint } from '../../resources/payment_requests.ts';
import { Fee } from '../../resources/payments.ts';
import { FileLink, ReconTotals } from '../../resources/reports.ts';
import { ConfirmationSession, SessionOutcome, Target } from '../../resources/sessions.ts';
import { SimulationResult } from '../../resources/simulations.ts';
import { Token } from '../../resources/tokens.ts';
import { Delivery, Event, EventData, WebhookEvent } from '../../resources/webhook_events.ts';
import { Recovery } from '../../resources/webhook_recoveries.ts';
import type { Json } from './json.ts';
import { schemaTexts } from './operation_texts.ts';
import { portalSchemas } from './portal_schemas.ts';
import { nameIn, ofRole, type Role, unionOfRole } from './roles.ts';

export type { Json };

/** The schemas that a document names, in its order. */
const namedSchemas: Readonly<Record<string, TSchema>> = {
  ErrorEnvelope,
  Token,
  ConfirmationSession,
  Target,
  Session: records.session,
  SessionOutcome,
  Verification,
  BusinessProfile,
  Customer: records.customer,
  Owner: records.owner,
  DocumentAcceptance: records.document_acceptance,
  LinkToken,
  Capabilities,
  LinkedAccount: records.linked_account,
  Account: records.account,
  Balance,
  Counterparty,
  Transaction: records.transaction,
  Statement: records.statement,
  Load: records.load,
  CollectionPoint,
  PaymentRequest: records.payment_request,
  Fee,
  Payment: records.payment,
  Withdrawal: records.withdrawal,
  Refund: records.refund,
  Dispute: records.dispute,
  EventData,
  Event,
  Delivery,
  WebhookEvent,
  Recovery,
  ReconTotals,
  FileLink,
  ReconciliationReport: records.reconciliation_report,
  SimulationResult,
  ...portalSchemas,
};

const names = new Map<unknown, string>();
for (const [name, schema] of Object.entries(namedSchemas)) names.set(schema, name);

/** Each list envelope is named after its items: `PaymentList`. */
const lists: Record<string, TSchema> = {};
const published: readonly EndpointDefinition[] = [endpoints, portalEndpoints].flatMap((catalog) =>
  Object.values<EndpointDefinition>(catalog),
);
for (const { success } of published) {
  const item = names.get((success.schema as ListShape).properties?.data?.items);
  if (item === undefined) continue;
  names.set(success.schema, `${item}List`);
  lists[`${item}List`] = success.schema;
}

interface ListShape {
  readonly properties?: { readonly data?: { readonly items?: unknown } };
}

const roles: readonly Role[] = ['reply', 'request'];

/** Every schema that a document may name, written out in both roles. */
export function componentSchemas(): Json {
  return Object.fromEntries(
    Object.entries({ ...namedSchemas, ...lists }).flatMap(([name, schema]) =>
      roles.map((role) => [nameIn(role, name), { ...described(name), ...body(schema, role) }]),
    ),
  );
}

function described(name: string): Json {
  const text = name.endsWith('List') ? 'One page of a list, newest first.' : schemaTexts[name];
  return text === undefined ? {} : { description: text };
}

export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The name under which the document holds a schema, if it has one. */
export const nameOf = (schema: TSchema): string | undefined => names.get(schema);

/** A TypeBox schema as OpenAPI 3.1 shows it in a role: a reference where the schema has a name. */
export function schemaJson(schema: unknown, role: Role): Json {
  const name = names.get(schema);
  return name === undefined ? body(schema, role) : schemaRef(nameIn(role, name));
}

/** How each keyword that contains schemas is written; all others are copied, as the role allows them. */
function body(schema: unknown, role: Role): Json {
  const { anyOf, items, properties, patternProperties, propertyNames, writeOnly, ...rest } =
    schema as Json;
  const inner = (part: unknown): Json => schemaJson(part, role);
  if (Array.isArray(anyOf)) return { ...union(unionOfRole[role](anyOf.map(inner))), ...rest };
  const json: Json = { ...('enum' in rest ? { type: 'string' } : {}), ...rest };
  if (items !== undefined) json.items = inner(items);
  if (properties !== undefined) json.properties = mapValues(properties as Json, inner);
  if (propertyNames !== undefined) json.propertyNames = inner(propertyNames);
  // TypeBox writes a record as a pattern that matches any name.
  if (patternProperties !== undefined)
    json.additionalProperties = anyValue(Object.values(patternProperties as Json).map(inner));
  return ofRole[role](json);
}

/** The values of a record; `true` is the same as an empty schema. */
const anyValue = ([value]: readonly Json[]) =>
  value === undefined || Object.keys(value).length === 0 ? true : value;

/** `X or null` becomes a second type of X where X is written out, so that its values are shown. */
function union(members: readonly Json[]): Json {
  const [first, second] = members;
  if (first === undefined || second?.type !== 'null' || members.length !== 2)
    return { anyOf: members };
  if (typeof first.type !== 'string') return { anyOf: members };
  const nullable: Json = { ...first, type: [first.type, 'null'] };
  if (Array.isArray(first.enum)) nullable.enum = [...first.enum, null];
  return nullable;
}

const mapValues = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
