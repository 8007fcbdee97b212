import type { EndpointDefinition } from '../core/endpoint.ts';

/**
 * Whose key an operation of the hosted pages takes. `none`: the body brings it, a token that is good
 * once, an owner's link or a link token. `bearer`: `Authorization: Bearer`, what the opening of a
 * session handed to the page, which holds it in memory alone.
 */
export interface HostedEndpoint extends EndpointDefinition {
  readonly key: 'none' | 'bearer';
  /** Served by a sandbox alone. */
  readonly sandboxOnly?: true;
}

/** Declares an operation of the hosted pages' JSON and keeps its literal types. */
export const hostedEndpoint = <const E extends HostedEndpoint>(definition: E): E => definition;
