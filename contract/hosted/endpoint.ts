import type { EndpointDefinition } from '../core/endpoint.ts';

/**
 * The credential of an operation. `none`: the body holds a session token, an owner's link or a link
 * token. `bearer`: `Authorization: Bearer` with the token from opening the session, which the page
 * holds in memory only. `link`: the same with the token of an owner's link, which is looked at before the body is.
 */
export interface HostedEndpoint extends EndpointDefinition {
  readonly key: 'none' | 'bearer' | 'link';
  /** Only a sandbox serves it. */
  readonly sandboxOnly?: true;
}

/** Declares an operation of the hosted pages' JSON and keeps its literal types. */
export const hostedEndpoint = <const E extends HostedEndpoint>(definition: E): E => definition;
