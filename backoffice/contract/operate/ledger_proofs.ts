import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Day,
  Id,
  IdInput,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { KeptProof } from '@tenant-payments/contract/resources/ledger_proofs.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The findings of the proofs of each ledger, and when (rules/operations#67). */

/** Days of a Tenant's strip. */
export const proofDays = 30;

export const TenantProofs = Closed({
  object: Type.Literal('tenant_proofs'),
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
  last: Nullable(KeptProof),
  days: Type.Array(
    Closed({
      day: Day('In Eastern Time'),
      state: OneOf(['ok', 'violated', 'missing'], 'violated: a proof of that day found something'),
    }),
    {
      description: `The last ${proofDays} days since the Tenant was made, the oldest first; today once there is a proof`,
    },
  ),
});
export type TenantProofs = Static<typeof TenantProofs>;

export const listTenantProofs = portalEndpoint({
  id: 'listTenantProofs',
  method: 'GET',
  path: '/portal/api/ledger-proofs',
  summary: 'List the Tenants with the last proof of their ledger and what each day has found',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
  query: Closed({
    tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(TenantProofs) },
  errors: ['parameter_invalid'],
});

export const listLedgerProofs = portalEndpoint({
  id: 'listLedgerProofs',
  method: 'GET',
  path: '/portal/api/ledger/proofs',
  summary: "List the proofs of the Tenant's ledger, newest first",
  idempotent: 'none',
  may: ['finance', 'support'],
  of: 'tenant',
  query: Closed({
    ok: Type.Optional(Type.Boolean({ description: 'Only those that found nothing, or something' })),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(KeptProof) },
  errors: ['parameter_invalid'],
});
