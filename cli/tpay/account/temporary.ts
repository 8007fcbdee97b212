import { createTemporaryClient } from '@tenant-payments/backoffice/contract/sandbox/sandbox.ts';
import { listWebhookSecrets } from '@tenant-payments/backoffice/contract/traffic/webhooks.ts';
import { isCode } from '@tenant-payments/sdk-server';
import { connectByKey, type Portal } from '../../connect.ts';
import type { Console, Options } from '../options.ts';
import {
  isOver,
  type Profile,
  profileNameOf,
  readProfiles,
  saveProfile,
  type TemporaryClient,
} from '../profiles.ts';

/** The newest secret that signs; null: there is none. */
async function signingIdOf(portal: Portal): Promise<string | null> {
  const { data } = (await portal.request(listWebhookSecrets)).data;
  const active = data.filter(({ retired_at }) => retired_at === null);
  return active.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0]?.id ?? null;
}

/**
 * A client of the sandbox for the key of a login (rules/tpay#4); null: in production, or without the role of a
 * developer.
 */
export async function fetchTemporary(
  address: string,
  key: string,
): Promise<TemporaryClient | null> {
  const portal = connectByKey(address, key);
  try {
    const { data } = await portal.request(createTemporaryClient);
    return { ...data, webhook_secret_id: await signingIdOf(portal) };
  } catch (error) {
    const isRefused = ['sandbox_only', 'forbidden', 'not_found'] as const;
    if (isRefused.some((code) => isCode(error, code))) return null;
    throw error;
  }
}

/** Makes the profile's client anew once it is over. A failure is told by the command that needs it. */
export async function renewTemporary(terminal: Console, options: Options): Promise<void> {
  await renew(terminal, options, isOver);
}

/** Makes it anew too where another secret signs by now than the one that it brought (rules/tpay#30). */
export async function renewRotated(terminal: Console, options: Options): Promise<void> {
  const profile = readProfiles(terminal).profiles[profileNameOf(terminal, options.profile)];
  if (!profile?.key || !profile.temporary) return;
  const { base_url, key } = profile;
  const id = await signingIdOf(connectByKey(base_url, key.key)).catch(() => undefined);
  if (id !== undefined)
    await renew(terminal, options, ({ webhook_secret_id: known = null }) => known !== id);
}

async function renew(
  terminal: Console,
  options: Options,
  isDue: (temporary: TemporaryClient) => boolean,
): Promise<void> {
  const name = profileNameOf(terminal, options.profile);
  const profile: Profile | undefined = readProfiles(terminal).profiles[name];
  if (!profile?.key || !profile.temporary || !isDue(profile.temporary)) return;
  const temporary = await fetchTemporary(profile.base_url, profile.key.key).catch(() => null);
  if (temporary) saveProfile(terminal, name, { ...profile, temporary });
}
