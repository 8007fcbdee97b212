import type { Approval } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { moveWords } from '@tenant-payments/contract/core/fields/acts.ts';
import { changesSentence } from '@tenant-payments/contract/core/fields/changes.ts';
import { capitalized, plainWords, within } from '@tenant-payments/contract/core/fields/field.ts';
import { fieldOf } from '@tenant-payments/contract/core/fields/records.ts';
import { dollars, valueWords } from '@tenant-payments/contract/core/fields/values.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import { isolated } from '../../ui/isolated.ts';

/** The act that a request asks for, in words. */

type Request = Pick<
  PlatformApproval,
  'resource' | 'move' | 'record_id' | 'body' | 'effect' | 'people' | 'tenant_name'
>;

/** The name of a person whom the request names; null: it is not known. */
export function personIn({ people }: Pick<Request, 'people'>, id: string): string | null {
  const found = people.find((one) => one.id === id);
  return found ? isolated(found.name) : null;
}

const personOf = (request: Pick<Request, 'people'>, id: string): string =>
  personIn(request, id) ?? 'somebody who has left';

/** The maker or decider in words: a person by name and address, others by kind and id. */
export function actorOf({ people }: Pick<Request, 'people'>, actor: string): string {
  const found = people.find(({ id }) => actor === `person ${id}`);
  return found
    ? `${isolated(found.name)} (${found.email})`
    : valueWords(fieldOf(null, 'maker'), actor);
}

const joined = new Intl.ListFormat('en-US', { type: 'conjunction' });
const named = (roles: readonly string[]): string => joined.format(roles);
const theRoles = (roles: readonly string[]): string =>
  `the ${roles.length === 1 ? 'role' : 'roles'} ${named(roles)}`;

/** The value of a field when the request was made. */
const before = ({ effect }: Request, field: string): string => {
  const found = effect?.changes.find((change) => change.field === field);
  return String(found?.before ?? '');
};

const sentences = {
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
  'restores.settle': () => "Settle a bank's order, which nobody repeats after a restore",
} as const satisfies Record<string, (request: Request) => string>;

/** An act on the platform in a sentence; one of another release by its names. */
export const actOf = (request: Request): string =>
  ownValue(sentences, `${request.resource}.${request.move}`)?.(request) ??
  capitalized(plainWords(`${request.move} ${request.resource}`.replaceAll('-', ' ')));

type Asked = Pick<Approval, 'resource' | 'move' | 'record_id' | 'body' | 'amount' | 'effect'>;

/** The settings one by one; where nothing can be computed now, those that were asked for. */
function settingsAct({ effect, body }: Asked): string {
  const changes = (effect?.changes ?? []).filter(({ object }) => object === 'settings');
  if (changes.length > 0) return changesSentence(changes);
  const keys = Object.keys(body.settings ?? {});
  const labels = keys.map((key) => within(fieldOf('settings', key).label));
  return labels.length === 0 ? 'Change the settings' : `Change ${joined.format(labels)}`;
}

function adjustment({ body, amount }: Asked): string {
  const cents = body.amount ?? amount ?? 0;
  if (cents === 0) return 'Adjust the balance of an account';
  return cents > 0
    ? `Credit an account, ${dollars(cents)}`
    : `Debit an account, ${dollars(-cents)}`;
}

/** Acts that say more than their name. */
const tenantSentences = {
  'settings.change': settingsAct,
  'accounts.adjust': adjustment,
  'documents.publish': ({ record_id, body }) =>
    `Publish ${plainWords(record_id)}${body.version ? `, version ${body.version}` : ''}`,
  'ledger-proofs.acknowledge': () => 'Acknowledge the violations of a proof',
  'ledger-proofs.take_back': () => 'Take back the acknowledgement of a proof',
  'own-bank-accounts.put_in_force': ({ record_id }) =>
    `Put the ${record_id === 'fbo' ? 'FBO' : plainWords(record_id)} account at the bank in force`,
} as const satisfies Record<string, (asked: Asked) => string>;

const amountOf = ({ body, amount }: Asked): string => {
  const cents = body.amount ?? amount;
  return cents === null || cents === undefined ? '' : `, ${dollars(Math.abs(cents))}`;
};

/**
 * The act on a Tenant in words, such as `Raise the daily withdrawal limit of individuals, $10,000
 * to $50,000`.
 */
export function askedFor(asked: Asked): string {
  const { resource, move } = asked;
  const sentence = ownValue(tenantSentences, `${resource}.${move}`);
  if (sentence) return sentence(asked);
  const words =
    moveWords(resource, move) ??
    capitalized(plainWords(`${move} ${resource}`.replaceAll('-', ' ')));
  return `${words}${amountOf(asked)}`;
}

/** The words of the button that approves an act: the act itself, without its values. */
export const approveText = (act: string): string => {
  const [words = act] = act.split(/, (?=[$\d]|no limit)/);
  return `Approve: ${within(words)}`;
};
