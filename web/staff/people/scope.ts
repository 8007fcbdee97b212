import type { memberRoles, staffRoles } from '@tenant-payments/contract/core/roles.ts';
import type { ComponentType } from 'react';
import type { InputOf } from '../api/call.ts';
import { Trouble } from '../parts/trouble.tsx';

/** An act on people, as a request names it where one admin may not do it alone. */
export type PeopleAct = Pick<
  InputOf<'POST /portal/api/platform-approvals'>,
  'resource' | 'id' | 'move' | 'email' | 'roles'
>;

type Ours = 'members' | 'staff';
type Invited = 'invitations' | 'staff-invitations';

/** Shows why an act was not done. */
type NotDone = ComponentType<{ readonly error: Error; readonly act: PeopleAct | undefined }>;

/** A scope in which people work: the operations on them, their roles, and the words for both. */
export interface PeopleScope {
  readonly people: `GET /portal/api/${Ours}`;
  readonly change: `PUT /portal/api/${Ours}/:id`;
  readonly remove: `DELETE /portal/api/${Ours}/:id`;
  readonly end: `DELETE /portal/api/${Ours}/:id/sessions`;
  readonly invitations: `GET /portal/api/${Invited}`;
  readonly invite: `POST /portal/api/${Invited}`;
  readonly revoke: `DELETE /portal/api/${Invited}/:id`;
  /** Every role, with what it is for in a line (rules/people#1). */
  readonly roles: Readonly<Record<string, string>>;
  readonly title: string;
  /** The name of the listed people, for a screen reader. */
  readonly label: string;
  readonly text: string;
  readonly nobody: string;
  /** The name of one of them, with an article. */
  readonly one: string;
  /** The scope in words, as they follow "loses all roles": `on the platform`. */
  readonly place: string;
  readonly NotDone: NotDone;
}

/** The rights of a member of each role, in a line. */
export const members: Readonly<Record<(typeof memberRoles)[number], string>> = {
  owner: 'Everything in this tenant, and decides who its members are',
  developer: 'Builds the integration: webhooks, credentials, requests, events, the sandbox',
  finance: 'Follows the money: ledger, reports, statements, transactions',
  reader: 'Sees lists and records; names and contact data stay hidden',
};

const staff: Readonly<Record<(typeof staffRoles)[number], string>> = {
  admin: 'Everything on the platform, and decides who its staff are',
  reviewer: 'Decides cases and disputes, and matches money',
  support: 'Sees every tenant’s records; names and contact data stay hidden',
};

/** The people of a Tenant: owners and admins manage them (rules/people#12). */
export const ofTenant: PeopleScope = {
  people: 'GET /portal/api/members',
  change: 'PUT /portal/api/members/:id',
  remove: 'DELETE /portal/api/members/:id',
  end: 'DELETE /portal/api/members/:id/sessions',
  invitations: 'GET /portal/api/invitations',
  invite: 'POST /portal/api/invitations',
  revoke: 'DELETE /portal/api/invitations/:id',
  roles: members,
  title: 'Members',
  label: 'Members of the tenant',
  text: 'A change of roles ends the sessions of the member, who signs in again. Nobody changes their own roles, and the last owner stays.',
  nobody: 'Nobody yet. Invite an owner.',
  one: 'a member',
  place: 'in this tenant',
  NotDone: Trouble,
};

/**
 * The staff of the platform.
 * @param NotDone asks a second admin where one is needed (rules/approvals#21)
 */
export const ofPlatform = (NotDone: NotDone): PeopleScope => ({
  people: 'GET /portal/api/staff',
  change: 'PUT /portal/api/staff/:id',
  remove: 'DELETE /portal/api/staff/:id',
  end: 'DELETE /portal/api/staff/:id/sessions',
  invitations: 'GET /portal/api/staff-invitations',
  invite: 'POST /portal/api/staff-invitations',
  revoke: 'DELETE /portal/api/staff-invitations/:id',
  roles: staff,
  title: 'People',
  label: 'Staff of the platform',
  text: 'A change of roles ends the sessions of the person, who signs in again. Nobody changes their own roles, and the last admin stays.',
  nobody: 'Nobody yet.',
  one: 'one of the staff',
  place: 'on the platform',
  NotDone,
});
