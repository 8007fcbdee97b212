import type {
  PortalEndpointId,
  portalEndpoints,
} from '@tenant-payments/backoffice/contract/catalog.ts';
import type { Static } from 'typebox';
import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
  QueryOf,
  SuccessOf,
} from '../../core/endpoint.ts';
import type { Json } from '../openapi/json.ts';
import type { portalSchemas } from '../openapi/portal_schemas.ts';

/** The example of a call: its request, and its reply where that is not the record as GET shows it. */
export interface OperationExample {
  readonly path?: Json;
  readonly query?: Json;
  readonly body?: Json;
  readonly reply?: Json;
}

/** The same, typed by its operation: a missing or unknown field does not compile. */
export interface ExampleOf<E extends EndpointDefinition> {
  readonly path?: ParamsOf<E>;
  readonly query?: QueryOf<E>;
  readonly body?: BodyOf<E>;
  readonly reply?: SuccessOf<E>;
}

type SchemaName = keyof typeof portalSchemas;
/** A value of one of the portal's schemas, by its name. */
export type Shown<N extends SchemaName> = Static<(typeof portalSchemas)[N]>;

/** Examples of the portal's schemas. */
export type PortalRecords = { readonly [N in SchemaName]?: Shown<N> };
/** Examples of the portal's calls. */
export type PortalCalls = {
  readonly [I in PortalEndpointId]?: ExampleOf<(typeof portalEndpoints)[I]>;
};
