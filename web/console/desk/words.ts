import type { DeskResource } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { inWords } from '../../staff/parts/tell.ts';

/** The desk's names for its cases and for the moves of a reviewer. */

export const kinds: Readonly<Record<DeskResource, string>> = {
  customers: 'Customer in review',
  owners: 'Owner in review',
  'linked-accounts': 'Bank account held',
  accounts: 'Account that closes',
  disputes: 'Dispute',
  suspense: 'Unmatched money',
  'bank-messages': 'Bank message',
  'return-requests': 'Money asked back',
  notices: 'Notice to give',
  approvals: 'Request for approval',
};

const moves: Readonly<Record<string, string>> = {
  request_more: 'Ask for more',
  review: 'Review again',
  erase: 'Erase personal data',
  allow_pin_reset: 'Allow a PIN reset',
  withdraw_electronic: 'Send records on paper',
  restore_electronic: 'Send records electronically again',
  open_identity: 'Open identity data',
  release_hold: 'Release the hold',
  lift_opt_out: 'Allow requests again',
  place_hold: 'Place a hold',
  adjust: 'Adjust the balance',
  investigate: 'Start the investigation',
  reopen: 'Open it again',
  classify: 'Handle as another kind',
  extenuating: 'Accept the delay',
  give_papers: 'Documents were given',
  credit: 'Give provisional credit',
  resolve_approved: 'Decide for the customer',
  resolve_partial: 'Award a part',
  resolve_denied: 'Deny',
  resolve_withdrawn: 'Close as withdrawn',
  liability_merchant: 'The merchant bears it',
  liability_platform: 'The platform bears it',
  match: 'Credit an account',
  return: 'Return to the bank',
  close: 'Close the message',
  book: 'Book what the bank moved',
  accept: 'Give it back',
  refuse: 'Give nothing back',
  give: 'It was given',
  fund: 'Fund the reserve',
  take_back: 'Take it back',
  put_in_force: 'Put in force',
};

export const capitalized = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** A move as its button says it; one that has no words of its own by its name. */
export const moveName = (move: string): string => moves[move] ?? capitalized(inWords(move));

/** One record of a resource, whether it waits or not. */
const records: Readonly<Record<DeskResource, string>> = {
  customers: 'Customer',
  owners: 'Owner',
  'linked-accounts': 'Bank account',
  accounts: 'Account',
  disputes: 'Dispute',
  suspense: 'Unmatched money',
  'bank-messages': 'Bank message',
  'return-requests': 'Money asked back',
  notices: 'Notice',
  approvals: 'Request for approval',
};

/** The subjects of requests that are no cases. */
const others: Readonly<Record<string, string>> = {
  'ledger-proofs': 'Proof of the ledger',
  'own-bank-accounts': 'Own bank account',
};

/** The kind of a record in words; a resource without words of its own gives its name. */
export const kindOf = (resource: string): string =>
  (records as Readonly<Record<string, string>>)[resource] ??
  others[resource] ??
  capitalized(inWords(resource));

/** Whether records of a resource can be cases of the desk. */
export const isCase = (resource: string): boolean => Object.hasOwn(kinds, resource);
