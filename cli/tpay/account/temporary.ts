import { createTemporaryClient } from '@tenant-payments/backoffice/contract/sandbox/sandbox.ts';
import { isCode } from '@tenant-payments/sdk-server';
import { connectByKey } from '../../connect.ts';
import type { Console, Options } from '../options.ts';
import {
  isOver,
  type Profile,
  profileNameOf,
  readProfiles,
  saveProfile,
  type TemporaryClient,
} from '../profiles.ts';

/**
 * A client of the sandbox for the key of a login (rules/tpay#4); null: in production, or without the role of a
 * developer.
 */
export async function fetchTemporary(
  address: string,
  key: string,
): Promise<TemporaryClient | null> {
  try {
    return (await connectByKey(address, key).request(createTemporaryClient)).data;
  } catch (error) {
    const isRefused = ['sandbox_only', 'forbidden', 'not_found'] as const;
    if (isRefused.some((code) => isCode(error, code))) return null;
    throw error;
  }
}

/** Makes the profile's client anew once it is over. A failure is told by the command that needs it. */
export async function renewTemporary(terminal: Console, options: Options): Promise<void> {
  const name = profileNameOf(terminal, options.profile);
  const profile: Profile | undefined = readProfiles(terminal).profiles[name];
  if (!profile?.key || !profile.temporary || !isOver(profile.temporary)) return;
  const temporary = await fetchTemporary(profile.base_url, profile.key.key).catch(() => null);
  if (temporary) saveProfile(terminal, name, { ...profile, temporary });
}
