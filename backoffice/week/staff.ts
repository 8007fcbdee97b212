import type { Actor } from '@tenant-payments/engine/actor.ts';
import { inTransaction } from '@tenant-payments/engine/database/transaction.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { lockPeople, platform } from '../people/scope.ts';
import { samplePersonId } from '../people/sign_in/sandbox_link.ts';

/** Who reviews in the week. Without a passkey or a link, nobody can sign in as her. */
const reviewer = { email: 'nora@example.com', name: 'Nora Ellery' };

/** Makes the reviewer of the week, once. */
export async function reviewerOf({
  control,
  clocks,
}: Pick<Service, 'control' | 'clocks'>): Promise<Actor> {
  const nowMs = clocks.realNow();
  const id = await inTransaction(control, async (connection) => {
    await lockPeople(connection);
    const personId = await samplePersonId(connection, reviewer, nowMs);
    await connection.query(
      `insert into control.roles (scope, person_id, role, granted_at)
       values ($1, $2, 'reviewer', $3) on conflict do nothing`,
      [platform, personId, instantOf(nowMs)],
    );
    return personId;
  });
  const roles = ['reviewer'] as const;
  return { kind: 'person', id, personId: id, roles, address: null, requestId: null };
}
