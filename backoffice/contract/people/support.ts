import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import { List } from '@tenant-payments/contract/core/page.ts';
import type { MemberRole } from '@tenant-payments/contract/core/roles.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { type PortalEndpoint, portalEndpoint } from '../endpoint.ts';
import { CurrentSession } from './session.ts';

/** How staff see a Tenant as a reader, by consent of an owner (rules/people#8). */

/** The roles of a visitor in the Tenant, whatever the roles on the platform. */
export const visitorRoles: readonly MemberRole[] = ['reader'];

/** Open also when the visit is over. */
const always: ReadonlySet<string> = new Set(['getSession', 'leaveTenant', 'signOut']);

/** Whether an operation is open to a visitor; the role must allow it besides (rules/people#10). */
export const isOpenTo = (
  visit: 'on' | 'over',
  { id, method }: Pick<PortalEndpoint, 'id' | 'method'>,
): boolean => always.has(id) || (visit === 'on' && method === 'GET');

const SupportVisit = Closed({
  id: Id('Visit identifier'),
  person: Type.String({ description: 'Email address of the member of staff' }),
  entered_at: Instant('When the person came in'),
  until: Instant('When it is over in any case'),
  left_at: Nullable(Instant('When it was over; null: the person is in')),
});

export const SupportConsent = Closed({
  id: Id('Consent identifier'),
  object: Type.Literal('support_consent'),
  status: OneOf(['open', 'ended', 'expired'], 'Whether staff may come in'),
  note: Type.String({ description: 'What for, in the words of the owner' }),
  given_by: Nullable(
    Type.String({ description: 'Email address of the owner; null: a program gave it' }),
  ),
  created_at: Instant('When it was given'),
  expires_at: Instant('Until when it holds'),
  ended_at: Nullable(Instant('When an owner ended it')),
  visits: Type.Array(SupportVisit, { description: 'Who came in, newest first' }),
});
export type SupportConsent = Static<typeof SupportConsent>;

const ofTenant = { idempotent: 'none', of: 'tenant' } as const;

export const listSupportConsents = portalEndpoint({
  id: 'listSupportConsents',
  method: 'GET',
  path: '/portal/api/support-consents',
  summary: 'List the consents of the last 90 days by which staff may see the Tenant, newest first',
  ...ofTenant,
  may: ['owner', 'support'],
  personal: 'data',
  success: { status: 200, schema: List(SupportConsent) },
  errors: [],
});

export const giveSupportConsent = portalEndpoint({
  id: 'giveSupportConsent',
  method: 'POST',
  path: '/portal/api/support-consents',
  summary: 'Let staff see the Tenant as a reader, for a time',
  ...ofTenant,
  may: ['owner'],
  stepUp: true,
  body: Closed({
    hours: Type.Integer({
      minimum: 1,
      maximum: lifetimes.supportConsent / 3_600,
      description: 'How long it holds',
    }),
    note: Readable(500, 'What for; staff read it'),
  }),
  success: { status: 201, schema: SupportConsent },
  errors: ['invalid_state'],
});

export const endSupportConsent = portalEndpoint({
  id: 'endSupportConsent',
  method: 'DELETE',
  path: '/portal/api/support-consents/:id',
  summary: 'End a consent; whoever is in by it is out at once',
  ...ofTenant,
  may: ['owner'],
  params: Closed({ id: IdInput('Consent identifier') }),
  success: { status: 200, schema: SupportConsent },
  errors: ['invalid_state', 'not_found'],
});

export const enterTenant = portalEndpoint({
  id: 'enterTenant',
  method: 'POST',
  path: '/portal/api/tenants/:id/enter',
  summary: 'See a Tenant as a reader, by consent of its owner, for an hour at most',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  stepUp: true,
  params: Closed({ id: IdInput('Tenant identifier') }),
  success: { status: 200, schema: CurrentSession },
  errors: ['invalid_state', 'not_found'],
});

export const leaveTenant = portalEndpoint({
  id: 'leaveTenant',
  method: 'POST',
  path: '/portal/api/session/leave',
  summary: 'Leave the Tenant that was entered by consent: the session acts on the platform again',
  idempotent: 'none',
  may: 'signed_in',
  of: 'person',
  success: { status: 200, schema: CurrentSession },
  errors: ['invalid_state'],
});
