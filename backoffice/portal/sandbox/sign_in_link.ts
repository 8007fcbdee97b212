import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformScope } from '@tenant-payments/engine/platform.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { actOf } from '../../audit/acts.ts';
import { createSignInLink as contract, type SignInLink } from '../../contract/sandbox/sandbox.ts';
import { sandboxSignInLink } from '../../people/sign_in/sandbox_link.ts';

/** POST /portal/api/sandbox/sign-in-link (rules/sign-in#16) @throws ApiError sandbox_only; not_found */
export const createSignInLink =
  (service: Service) =>
  async (
    { actor }: Pick<ReadContext, 'actor'>,
    { client_id }: BodyOf<typeof contract>,
  ): Promise<SignInLink> => {
    if (service.environment !== 'sandbox') throw fail('sandbox_only');
    // The link signs in as another admin: no person may approve their own requests by it.
    if (actor.kind !== 'operator_key')
      throw fail('forbidden', { details: { reason: 'operator_key' } });
    const { rows } = await service.control.query<{ tenant_id: string }>(
      'select tenant_id from control.clients where client_id = $1',
      [client_id],
    );
    const [client] = rows;
    if (!client) throw fail('not_found');
    const act = { act: actOf(contract), record: client.tenant_id, scope: platformScope };
    return { url: await sandboxSignInLink(service, client.tenant_id, { actor, act }) };
  };
