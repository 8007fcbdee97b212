import type { EndpointDefinition } from '../core/endpoint.ts';

/**
 * The roles of a portal login (rules/operations#33). An operation names one; every login has
 * `reader`. The sandbox's access token has all of them.
 */
export const roles = ['operator', 'developer', 'finance', 'reader'] as const;
export type Role = (typeof roles)[number];

/** An operation of the portal's JSON, with the role that may call it. */
export interface PortalEndpoint extends EndpointDefinition {
  readonly role: Role;
  /** It takes the operator's key in place of an access token. */
  readonly key?: 'operator';
}

/** Declares an operation of the portal and keeps its literal types. */
export const portalEndpoint = <const E extends PortalEndpoint>(definition: E): E => definition;
