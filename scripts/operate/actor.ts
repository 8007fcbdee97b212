import { userInfo } from 'node:os';
import type { Actor } from '../../engine/actor.ts';

/** The user's name; the number where the machine knows no name, as in some containers. */
function userOf(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** Whoever runs the command line: who has the settings of the service may do everything. */
export const commandLine = (): Actor => ({
  kind: 'command_line',
  id: userOf(),
  personId: null,
  roles: ['admin', 'owner'],
  address: null,
  requestId: null,
});
