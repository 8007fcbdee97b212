import type { Declare } from '../family.ts';
import { declareProfiles } from './profiles.ts';
import { declareLogin, declareLogout } from './sign_in.ts';
import { declareStatus } from './status.ts';
import { declareToken, declareWhoami } from './who.ts';

/** The commands about who calls, by their first word. */
export const declares = {
  login: declareLogin,
  logout: declareLogout,
  whoami: declareWhoami,
  status: declareStatus,
  token: declareToken,
  profiles: declareProfiles,
} satisfies Readonly<Record<string, Declare>>;
