import { createHash, randomBytes } from 'node:crypto';
import type { WebhookEndpoint } from '@tenant-payments/contract/resources/webhook_endpoints.ts';
import { homePath, readHomeFile, writeHomeFile } from '../../home_file.ts';
import type { Terminal } from '../../terminal.ts';
import type { Account } from '../connection.ts';

/** The memory of `listen` about an account between its runs. */
interface Memory {
  /** With which it signs where no other secret is known. */
  readonly secret?: string;
  /** The place at which an earlier release ended, whatever its target; the next listener goes on there. */
  readonly after?: string | undefined;
  /** The endpoint whose place a listener has taken, until it is put back. */
  readonly taken?: { readonly ours: string; readonly before: WebhookEndpoint } | null;
}

type All = Readonly<Record<string, Memory>>;

const pathOf = (terminal: Terminal) => homePath(terminal, 'listen.json');
const readAll = (terminal: Terminal): All =>
  readHomeFile<All>(pathOf(terminal), 'listen again: tpay listen') ?? {};

/** A profile, or whoever else calls, at an address. */
const nameOf = ({ from, profile, client, baseUrl }: Account): string =>
  `${from === 'profile' ? profile : (client?.clientId ?? from)} ${baseUrl}`;

export const recall = (terminal: Terminal, account: Account): Memory =>
  readAll(terminal)[nameOf(account)] ?? {};

export function remember(terminal: Terminal, account: Account, news: Memory): void {
  const all = readAll(terminal);
  const name = nameOf(account);
  writeHomeFile(pathOf(terminal), { ...all, [name]: { ...all[name], ...news } });
}

/** The place at which a target of an account ended; a file of its own, since several listeners write at once. */
interface Place {
  readonly account: string;
  readonly target: string;
  /** The last message of the feed that was handed over. */
  readonly after: string;
}

function placePath(terminal: Terminal, account: Account, target: string): string {
  const name = createHash('sha256').update(JSON.stringify([nameOf(account), target]));
  return homePath(terminal, `listen/${name.digest('hex').slice(0, 32)}.json`);
}

/** @returns undefined: this target has not listened yet */
export const placeOf = (terminal: Terminal, account: Account, target: string): string | undefined =>
  readHomeFile<Place>(placePath(terminal, account, target), 'listen again: tpay listen')?.after;

export function keepPlace(
  terminal: Terminal,
  account: Account,
  { target, after }: Omit<Place, 'account'>,
): void {
  const place: Place = { account: nameOf(account), target, after };
  writeHomeFile(placePath(terminal, account, target), place);
}

/** The secret of the account, else one of this listener's own, which stays the same (rules/tpay#16). */
export function signingSecretOf(terminal: Terminal, account: Account): string {
  if (account.webhookSecret !== null) return account.webhookSecret;
  const known = recall(terminal, account).secret;
  if (known !== undefined) return known;
  const secret = `whsec_${randomBytes(32).toString('hex')}`;
  remember(terminal, account, { secret });
  return secret;
}
