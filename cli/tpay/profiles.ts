import { homePath, readHomeFile, writeHomeFile } from '../home_file.ts';
import type { SavedKey } from '../saved_keys.ts';
import { type Terminal, UsageError } from '../terminal.ts';

/** An account at one address, with what opens it. */
export interface Profile {
  readonly base_url: string;
  /** The key of `login`, which opens the portal. */
  readonly key?: SavedKey;
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The client of a sandbox, made for the key of `login`. */
  readonly temporary?: TemporaryClient;
}

/** A client whose secret ends by itself. */
export interface TemporaryClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly expires_at: string;
  /** With which the service signs; absent: an older release made the client. */
  readonly webhook_secret?: string | null;
  readonly webhook_secret_id?: string | null;
}

const minuteMs = 60_000;

/** Whether it has ended, or does within a minute. */
export const isOver = ({ expires_at }: TemporaryClient): boolean =>
  Date.parse(expires_at) - minuteMs <= Date.now();

interface Saved {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const none: Saved = { current: 'default', profiles: {} };

export const profilesPath = (terminal: Terminal): string => homePath(terminal, 'profiles.json');

export const readProfiles = (terminal: Terminal): Saved => ({
  ...none,
  ...readHomeFile<Saved>(profilesPath(terminal), 'sign in again with: tpay login'),
});

export const writeProfiles = (terminal: Terminal, saved: Saved): void =>
  writeHomeFile(profilesPath(terminal), saved);

const nameForm = /^[a-z0-9][a-z0-9_-]{0,31}$/i;

/** The name of the profile of a command: --profile, PAY_PROFILE, else the current one. */
export function profileNameOf(terminal: Terminal, given: string | undefined): string {
  const name = given ?? (terminal.env.PAY_PROFILE || readProfiles(terminal).current);
  if (nameForm.test(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is no name of a profile`,
    'Take up to 32 letters, digits, - and _: staging',
  );
}

/** Changes one profile; null removes it. */
export function saveProfile(terminal: Terminal, name: string, profile: Profile | null): void {
  const saved = readProfiles(terminal);
  const { [name]: _, ...others } = saved.profiles;
  const profiles = profile ? { ...others, [name]: profile } : others;
  writeProfiles(terminal, { ...saved, profiles });
}

/**
 * The saved profile of a name, for what is kept of it at this address.
 * @throws UsageError: it is of another address, and has a client whose secret was shown once
 */
export function keptAt(terminal: Terminal, name: string, address: string): Partial<Profile> {
  const saved = readProfiles(terminal).profiles[name];
  if (saved?.base_url === address) return saved;
  if (!saved?.client_id) return {};
  throw new UsageError(
    `profile ${name} is of ${saved.base_url}, and its client would be lost`,
    `Name another with --profile, or forget this one with: tpay profiles remove ${name}`,
  );
}

/** Has commands use a profile unless they name another. */
export const useProfile = (terminal: Terminal, current: string): void =>
  writeProfiles(terminal, { ...readProfiles(terminal), current });
