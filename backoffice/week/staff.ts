import type { Actor } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { keepSample, loadSample, type Sample } from '../people/sample.ts';
import { platform } from '../people/scope.ts';

/** The reviewer of the week. Without a passkey or a link, nobody can sign in as her. */
const reviewer: Sample = {
  email: 'nora@example.com',
  name: 'Nora Ellery',
  roles: [{ scope: platform, role: 'reviewer' }],
};

const keepReviewer = command('keep_reviewer', {
  load: (read) => loadSample(read, reviewer),
  decide: (work, loaded) => ({ value: { id: keepSample(work, loaded, reviewer) } }),
});

/** Makes the reviewer of the week, once. */
export async function reviewerOf({
  platformEngine,
}: Pick<Service, 'platformEngine'>): Promise<Actor> {
  const { body } = await platformEngine.submit(keepReviewer, { tenantId: platformId, input: {} });
  const { id } = JSON.parse(body);
  const roles = ['reviewer'] as const;
  return { kind: 'person', id, personId: id, roles, address: null, requestId: null };
}
