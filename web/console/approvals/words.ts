import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { isolated } from '../../ui/isolated.ts';
import { moveOn } from '../desk/words.ts';

/** What a request for two admins asks for, in words. */

type Request = Pick<
  PlatformApproval,
  'resource' | 'move' | 'record_id' | 'body' | 'effect' | 'people' | 'tenant_name'
>;

/** The name of a person; of nobody who is known the id. */
function personOf({ people }: Pick<Request, 'people'>, id: string): string {
  const found = people.find((one) => one.id === id);
  return found ? isolated(found.name) : id;
}

/** Who made or decided it, by kind and id: a person by name and address. */
export function actorOf({ people }: Pick<Request, 'people'>, actor: string): string {
  const found = people.find(({ id }) => actor === `person ${id}`);
  return found ? `${isolated(found.name)} (${found.email})` : actor;
}

const joined = new Intl.ListFormat('en-US', { type: 'conjunction' });
const named = (roles: readonly string[]): string => joined.format(roles);
const theRoles = (roles: readonly string[]): string =>
  `the ${roles.length === 1 ? 'role' : 'roles'} ${named(roles)}`;

/** What a field was when the request was made. */
const before = ({ effect }: Request, field: string): string => {
  const found = effect?.changes.find((change) => change.field === field);
  return String(found?.before ?? '');
};

const sentences: Readonly<Record<string, (request: Request) => string>> = {
  'staff.invite': ({ body: { email = '', roles = [] } }) => `Give ${theRoles(roles)} to ${email}`,
  'staff.change': (request) => {
    const who = personOf(request, request.record_id);
    return `Give ${theRoles(request.body.roles ?? [])} to ${who}, in place of ${before(request, 'roles')}`;
  },
  'staff.remove': (request) =>
    `Remove ${named(before(request, 'roles').split(', '))} ${personOf(request, request.record_id)}`,
  'single-sign-on.set': (request) => {
    const verb = before(request, 'issuer') === '' ? 'Set' : 'Change';
    return `${verb} the identity provider to ${request.body.provider?.issuer ?? ''}`;
  },
  'single-sign-on.remove': (request) => `Remove the identity provider ${before(request, 'issuer')}`,
  'tenants.suspend': ({ tenant_name, record_id }) =>
    `Suspend the tenant ${isolated(tenant_name ?? record_id)}`,
  'qr-keys.revoke': ({ record_id }) => `Revoke the QR key ${record_id}`,
  'restores.end': () => 'End the restore: release orders, messages and events',
  'restores.settle': ({ record_id }) =>
    `Settle the bank's order ${record_id}, which nobody repeats after a restore`,
};

/** An act of this release in a sentence; one that has none by its names. */
export const actOf = (request: Request): string =>
  sentences[`${request.resource}.${request.move}`]?.(request) ??
  `${moveOn(request.move, request.resource)}: ${request.record_id}`;
