import { unreachable } from './call.ts';

/** Loads what asks a browser for a passkey: few pages ever do. @throws Failed */
export const loadCeremonies = () =>
  import('../../ui/ceremonies.ts').catch(() => {
    throw unreachable();
  });

/** Signs a challenge with a passkey. @throws Failed; Error: nobody gave one */
export async function askPasskey(options: unknown): Promise<Record<string, unknown>> {
  const ceremonies = await loadCeremonies();
  return ceremonies.askPasskey(options as Record<string, unknown>).catch(() => {
    throw new Error('No passkey was used.');
  });
}
