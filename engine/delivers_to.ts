import { Closed, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { shownIds } from './rotation.ts';
import { jsonColumn } from './stored_json.ts';

/** Ids of webhook endpoints beside the first one, as they are shown. */
export const endpointIds = shownIds('whe_');

/** An enabled webhook endpoint beside the first one, and the types of the events that it gets; null: all. */
const FurtherEndpoint = Closed({
  endpoint_id: Type.String(),
  types: Nullable(Type.Array(Type.String())),
});
export interface FurtherEndpoint
  extends Readonly<Pick<Static<typeof FurtherEndpoint>, 'endpoint_id'>> {
  readonly types: readonly string[] | null;
}

export const deliversToColumn = jsonColumn(
  'tenants.delivers_to',
  'jsonb',
  Type.Array(FurtherEndpoint),
);

/** The part of a Tenant's row that says to which endpoints beside the first one its events go. */
export interface DeliversTo {
  readonly delivers_to: readonly FurtherEndpoint[] | null;
}

/** The endpoints beside the first one that get an event of this type (rules/webhooks#36). */
export const furtherEndpointsOf = (
  tenantId: string,
  { delivers_to }: DeliversTo,
  type: string,
): readonly string[] =>
  delivers_to === null
    ? []
    : deliversToColumn
        .read(tenantId, delivers_to)
        .filter(({ types }) => types === null || types.includes(type))
        .map(({ endpoint_id }) => endpoint_id);
