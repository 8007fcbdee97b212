import type { AccessKind } from '@tenant-payments/contract/core/access_kinds.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import type { May } from '@tenant-payments/contract/core/roles.ts';

/**
 * How an operation wants step-up by what it is asked for: by a table (`step_up.ts`), or by consent, where a passkey
 * signs the very request that is approved (rules/approvals#23).
 */
export type StepUpBy = 'by_setting' | 'by_move' | 'by_format' | 'by_consent';

/** An operation of the portal's JSON, with who may call it (rules/people#2). */
export interface PortalEndpoint extends EndpointDefinition {
  /** The least roles; the service enforces them from here. */
  readonly may: May;
  /**
   * The owner of the records: one Tenant, the platform's, the caller's own, or one of the first two as the caller asks.
   */
  readonly of: 'tenant' | 'platform' | 'person' | 'tenant_or_platform';
  /**
   * A sandbox's program may call it too, and is answered about its own Tenant alone. Any other operation of the
   * platform refuses a program (rules/tenants#5).
   */
  readonly ownTenant?: true;
  /**
   * Whether it wants a passkey, or a sign-in at the provider, of the last five minutes (rules/people#6): always, or by
   * what it is asked for.
   */
  readonly stepUp?: true | StepUpBy;
  /** The operation answers sandbox_only in production. */
  readonly sandboxOnly?: true;
  /** By it one plays the outside, or sees what came of it: open where a sandbox answers as production (rules/sandbox#49). */
  readonly playsOutside?: true;
  /** The field of the reply that holds personal data: masked for whoever may not see it (rules/people#7). */
  readonly personal?: string;
  /** Whoever is shown personal data by it leaves an access record of this kind (rules/audit#18). */
  readonly access?: AccessKind;
  /** Programs call it, which send no Origin: no cookie is read, so no other site can use one. */
  readonly from?: 'program';
  /**
   * The key that the operation takes in a sandbox besides a session; a Tenant's access token it
   * never takes.
   */
  readonly key?: 'operator';
}

/** The codes that the rights of an operation may answer besides its own. */
const codesOf = (endpoint: PortalEndpoint): ErrorCode[] => [
  // Also where everybody may call it: a Tenant-Id that is not the session's, a write of another site.
  ...(endpoint.from === 'program' || (endpoint.may === 'anybody' && endpoint.method === 'GET')
    ? []
    : (['forbidden'] as const)),
  ...(endpoint.stepUp ? (['step_up_required'] as const) : []),
  ...(endpoint.sandboxOnly ? (['sandbox_only'] as const) : []),
];

/** Declares an operation of the portal and keeps its literal types. */
export const portalEndpoint = <const E extends PortalEndpoint>(definition: E): E => ({
  ...definition,
  errors: [...definition.errors, ...codesOf(definition)],
});
