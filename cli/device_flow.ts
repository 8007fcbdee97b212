import { hostname, userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type NewApiKey,
  revokeThisApiKey,
} from '@tenant-payments/backoffice/contract/people/api_keys.ts';
import {
  type BegunDeviceSignIn,
  beginDeviceSignIn,
  pollDeviceSignIn,
} from '@tenant-payments/backoffice/contract/people/device.ts';
import { readableOf } from '@tenant-payments/contract/core/readable.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { type AnyErrorCode, isCode, TenantPaymentsError } from '@tenant-payments/sdk-server';
import { connectByKey, connectStranger, loopback, type Portal } from './connect.ts';
import type { SavedKey } from './saved_keys.ts';
import { type Terminal, UsageError } from './terminal.ts';

const longestName = 60;

/** `Command line of ana on laptop`: what the page shows, and the list of keys. */
const clientName = (): string =>
  readableOf(`Command line of ${userInfo().username} on ${hostname()}`, longestName) ??
  'Command line';

/** A key must not go in clear over a network. */
export function checkedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname)))
    return address;
  const hint = 'Give an https address, or a service on this machine: http://localhost:8080';
  throw new UsageError(`${address} would send the key in clear`, hint);
}

/** After these the next poll may succeed. */
const passing: ReadonlySet<string> = new Set<AnyErrorCode>([
  'connection_failed',
  'timed_out',
  'internal_error',
  'rate_limited',
]);

/** The seconds to the next poll. @throws the error, if polling again is of no use */
function intervalAfter(error: unknown, seconds: number): number {
  if (!(error instanceof TenantPaymentsError)) throw error;
  if (passing.has(error.code)) return seconds;
  const { reason, interval } = error.details ?? {};
  if (error.code === 'invalid_state' && reason === 'authorization_pending') return seconds;
  if (error.code === 'invalid_state' && reason === 'slow_down')
    return typeof interval === 'number' ? interval : seconds + 5;
  throw error;
}

/** Polls as the service asks for (rules/device-sign-in#2). @throws TenantPaymentsError denied, expired */
async function fetchKey(
  { pause = wait }: Terminal,
  portal: Portal,
  { device_code, interval }: BegunDeviceSignIn,
): Promise<NewApiKey> {
  for (let seconds = interval; ; ) {
    await pause(seconds * 1_000);
    try {
      return (await portal.request(pollDeviceSignIn, { device_code })).data;
    } catch (error) {
      seconds = intervalAfter(error, seconds);
    }
  }
}

/**
 * A key that somebody approves in the portal (rules/device-sign-in#1).
 * @param say shows the address and the code
 * @throws TenantPaymentsError denied, expired
 */
export async function askForKey(
  terminal: Terminal,
  address: string,
  asked: { readonly roles?: Role[] },
  say: (line: string) => void,
): Promise<NewApiKey> {
  const portal = connectStranger(address);
  const { data } = await portal.request(beginDeviceSignIn, { client_name: clientName(), ...asked });
  for (const line of [
    `Open  ${data.verification_uri}`,
    `Code  ${data.user_code}`,
    `or    ${data.verification_uri_complete}`,
    `Waiting for somebody to approve, ${data.expires_in / 60} minutes at most.`,
  ])
    say(line);
  return fetchKey(terminal, portal, data);
}

/** The key of an earlier login is of no use any more. */
export async function revokeEarlier(
  terminal: Terminal,
  address: string,
  earlier: SavedKey | null,
): Promise<void> {
  if (!earlier) return;
  try {
    await connectByKey(address, earlier.key).request(revokeThisApiKey);
  } catch (error) {
    if (isCode(error, 'authentication_required')) return;
    terminal.err(`note: the earlier key ${earlier.id} was not revoked; end it in the portal`);
  }
}
