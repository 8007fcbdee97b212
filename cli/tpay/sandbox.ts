import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SandboxFacts } from '@tenant-payments/backoffice/contract/operate/tenants.ts';
import { addressOf } from '../saved_keys.ts';
import { type Terminal, UsageError } from '../terminal.ts';

const fileName = 'sandbox.json';

/** The facts' file of a sandbox on this machine: in DATA_DIR, else in `.data` here or above. */
export function factsPath({ env }: Terminal): string | null {
  if (env.DATA_DIR) return join(env.DATA_DIR, fileName);
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const path = join(folder, '.data', fileName);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return null;
  }
}

/** The operator key beside the facts; null: this user cannot read one. */
export function operatorKeyHere(terminal: Terminal): string | null {
  const facts = factsPath(terminal);
  try {
    return facts && readFileSync(join(dirname(facts), 'operator.key'), 'utf8').trim();
  } catch {
    return null;
  }
}

/** The facts that the sandbox on this machine wrote at its start; null: none is here. */
export function findSandbox(terminal: Terminal): SandboxFacts | null {
  const path = factsPath(terminal);
  if (path === null || !existsSync(path)) return null;
  try {
    const facts = JSON.parse(readFileSync(path, 'utf8')) as SandboxFacts;
    return { ...facts, base_url: addressOf(facts.base_url) };
  } catch {
    throw new UsageError(
      `${path} cannot be read as JSON`,
      'Start the sandbox again with `npm start`; it writes the file anew.',
    );
  }
}
