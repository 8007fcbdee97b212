import { Cents } from '@tenant-payments/contract/core/money.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The money of a Tenant that is no customer's: reserve, fees and cash (rules/money-desk#5). */

const ofTenant = {
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
};
const byStaff = {
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
} as const;
const query = {
  tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
  ...pageQuery,
};

export const Reserve = Closed({
  object: Type.Literal('reserve'),
  ...ofTenant,
  balance: Type.Integer({ description: 'Integer cents; it may be below zero' }),
  in_transit: Type.Integer({
    minimum: 0,
    description: 'Integer cents of the balance that are ordered and not at the bank yet',
  }),
  floor: Type.Integer({
    minimum: 0,
    description:
      'Integer cents that the open disputes may still cost; the reserve should hold them',
  }),
  short: Type.Integer({ minimum: 0, description: 'Integer cents that it lacks of its floor' }),
  open_disputes: Type.Integer({ minimum: 0, description: 'Disputes without a determination' }),
  unknown_disputes: Type.Integer({
    minimum: 0,
    description: 'Those of them whose amount nobody knows, which the floor leaves out',
  }),
});
export type Reserve = Static<typeof Reserve>;

export const listReserves = portalEndpoint({
  id: 'listReserves',
  method: 'GET',
  path: '/portal/api/reserves',
  summary: 'List the reserves of the Tenants with what their open disputes may cost',
  ...byStaff,
  query: Closed(query),
  success: { status: 200, schema: List(Reserve) },
  errors: ['parameter_invalid'],
});

export const FeeSweep = Closed({
  object: Type.Literal('fee_sweep'),
  id: Id('The source_id of its entries'),
  ...ofTenant,
  day: Type.String({ format: 'date', description: 'In Eastern Time' }),
  status: OneOf(
    ['in_transit', 'swept', 'failed'],
    'Until the bank has answered the money is in transit; after a failure it waits for the next sweep',
  ),
  platform_fees: Cents,
  tenant_fees: Cents,
  created_at: Instant('Ordered'),
});
export type FeeSweep = Static<typeof FeeSweep>;

export const listFeeSweeps = portalEndpoint({
  id: 'listFeeSweeps',
  method: 'GET',
  path: '/portal/api/fee-sweeps',
  summary: 'List the sweeps of fees of all Tenants, newest first',
  ...byStaff,
  query: Closed(query),
  success: { status: 200, schema: List(FeeSweep) },
  errors: ['parameter_invalid'],
});

export const WaitingFees = Closed({
  object: Type.Literal('waiting_fees'),
  platform_fees: Cents,
  tenant_fees: Cents,
  next_sweep_at: Nullable(Instant("On the Tenant's clock; null: none is planned")),
  now: Instant("The Tenant's clock"),
});
export type WaitingFees = Static<typeof WaitingFees>;

export const getWaitingFees = portalEndpoint({
  id: 'getWaitingFees',
  method: 'GET',
  path: '/portal/api/waiting-fees',
  summary: 'Get the fees that wait for the next sweep',
  idempotent: 'none',
  may: ['finance', 'support'],
  of: 'tenant',
  success: { status: 200, schema: WaitingFees },
  errors: [],
});
