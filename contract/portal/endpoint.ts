import type { EndpointDefinition } from '../core/endpoint.ts';

/**
 * What a login of the portal may be (surfaces, HTTP). An operation names one role; `reader` is what
 * every login may do. The sandbox's bearer token has all of them.
 */
export const roles = ['operator', 'developer', 'finance', 'reader'] as const;
export type Role = (typeof roles)[number];

/** An operation of the portal's JSON: as the contract's, and who may call it. */
export interface PortalEndpoint extends EndpointDefinition {
  readonly role: Role;
  /** The key of the machine's operator stands where an access token would. */
  readonly key?: 'operator';
}

/** Declares an operation of the portal and keeps its literal types. */
export const portalEndpoint = <const E extends PortalEndpoint>(definition: E): E => definition;
