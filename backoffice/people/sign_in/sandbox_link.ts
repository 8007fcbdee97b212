import type { Submission } from '@tenant-payments/engine/batch/engine.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { keepSample, loadSample, type Sample } from '../sample.ts';
import { platform } from '../scope.ts';
import { newToken } from './secrets.ts';
import { storedSecret } from './stored_secrets.ts';
import { signInLinks } from './table.ts';

const lifetimeSeconds = 7 * 24 * 3_600;

/** The person who owns every Tenant of a sandbox, and is admin of its staff (rules/sign-in#16). */
const samplePerson = (tenantId: string): Sample => ({
  email: 'sam@example.com',
  name: 'Sam Porter',
  roles: [
    { scope: tenantId, role: 'owner' },
    { scope: platform, role: 'admin' },
  ],
});

const makeLink = command('make_sign_in_link', {
  load: async (read, { scope }: { readonly scope: string; readonly hash: string }) => {
    const [sample, links] = await Promise.all([
      loadSample(read, samplePerson(scope)),
      read.set(signInLinks, 'scope', scope),
    ]);
    return { sample, links };
  },
  decide: (work, { sample, links }, { scope, hash }) => {
    for (const link of links) work.change<typeof signInLinks>(link, { ended_at: work.now });
    work.create(signInLinks, {
      token_hash: hash,
      person_id: keepSample(work, sample, samplePerson(scope)),
      scope,
      expires_at: addSeconds(work.now, lifetimeSeconds),
      used_at: null,
      ended_at: null,
    });
    return { value: null };
  },
});

/**
 * A link that signs in once as the sample person of a sandbox, acting in a Tenant. The earlier link of
 * that Tenant stops working.
 */
export async function sandboxSignInLink(
  { platformEngine, config, vault }: Pick<Service, 'platformEngine' | 'config' | 'vault'>,
  tenantId: string,
  asked: Pick<Submission<never>, 'actor' | 'act'> = {},
): Promise<string> {
  const token = newToken({ vault }, 'tpl');
  const input = { scope: tenantId, hash: storedSecret({ vault }, 'link', token) };
  await platformEngine.submit(makeLink, { ...asked, tenantId: platformId, input });
  return `${consoleSite(config)}/portal/sign-in#link=${token}`;
}
