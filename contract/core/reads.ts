import Type, { type TProperties, type TSchema } from 'typebox';
import { endpoint } from './endpoint.ts';
import { MetadataFilter } from './metadata.ts';
import { List, pageQuery } from './page.ts';
import { Closed, IdInput, Instant, OneOf, ReadableAsGiven } from './schema.ts';

/** Reads beyond the contract 1.1: one record by its id, and lists of all records (rules/reads#1). */

/** When the records of a list were made, both inclusive. */
export const madeBetween = {
  from: Type.Optional(Instant('Earliest creation time, inclusive')),
  to: Type.Optional(Instant('Latest creation time, inclusive')),
};

/** The records of one customer. */
export const ofCustomer = {
  customer_id: Type.Optional(IdInput('Only those of this customer, on either side')),
};

/** Records with exactly this reference of the Tenant's. */
export const withReference = (description: string) =>
  Type.Optional(ReadableAsGiven(64, description));

/** `GET /v1/payments` and the like: newest first, a page at a time (rules/reads#4). */
export const recordList = <
  const Id extends string,
  const Path extends string,
  T extends TSchema,
  const S extends readonly string[],
  F extends TProperties,
>(
  id: Id,
  path: Path,
  summary: string,
  { item, states, filters }: { readonly item: T; readonly states: S; readonly filters: F },
) =>
  endpoint({
    id,
    method: 'GET',
    path,
    summary,
    idempotent: 'none',
    extension: true,
    query: Closed({
      status: Type.Optional(OneOf(states)),
      ...filters,
      ...madeBetween,
      metadata: MetadataFilter,
      ...pageQuery,
    }),
    success: { status: 200, schema: List(item) },
    errors: ['parameter_invalid'],
  });

/** `GET /v1/disputes/{id}` and the like (rules/reads#2). */
export const recordRead = <const Id extends string, const Path extends string, T extends TSchema>(
  id: Id,
  path: Path,
  summary: string,
  schema: T,
) =>
  endpoint({
    id,
    method: 'GET',
    path,
    summary,
    idempotent: 'none',
    extension: true,
    params: Closed({ id: IdInput('Identifier of the record') }),
    success: { status: 200, schema },
    errors: ['not_found'],
  });
