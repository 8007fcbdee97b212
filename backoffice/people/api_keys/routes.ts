import { serveHandler, servePlatform } from '@tenant-payments/service/http/serve/serve.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as contract from '../../contract/people/api_keys.ts';
import { openNotices } from '../notices/notices.ts';
import { logActorEvent } from './actor_event.ts';
import { createKey, listKeys, revokeKey, revokeThisKey } from './manage.ts';
import type { ApiKeyRow } from './table.ts';

/** Registers the operations of API keys, behind the portal's guard. */
export function serveApiKeys(scope: FastifyInstance, service: Service, messages: Messages): void {
  const notices = openNotices(service, messages);
  const made = (
    { id, scope: of, roles, person_id: personId }: Omit<contract.NewApiKey, 'key'>,
    { actor }: FastifyRequest,
  ) => {
    logActorEvent(service, actor, 'api_key_made', { api_key_id: id, scope: of, roles });
    if (personId !== null) notices.tell({ kind: 'api_key_made', personId, scope: of, roles });
  };
  const revoked = ({ id, scope: of }: ApiKeyRow, { actor }: FastifyRequest) =>
    logActorEvent(service, actor, 'api_key_revoked', { api_key_id: id, scope: of });
  serveHandler(scope, service, contract.listApiKeys, listKeys(service));
  servePlatform(scope, service, contract.createApiKey, createKey, made);
  servePlatform(scope, service, contract.revokeThisApiKey, revokeThisKey, revoked);
  servePlatform(scope, service, contract.revokeApiKey, revokeKey, revoked);
}
