import { serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import * as contract from '../../contract/people/api_keys.ts';
import { serveWrite } from '../../serve/write.ts';
import { openNotices } from '../notices/notices.ts';
import { createKey, listKeys, revokeKey, revokeThisKey } from './manage.ts';

/** Registers the operations of API keys, behind the portal's guard. */
export function serveApiKeys(scope: FastifyInstance, service: Service, messages: Messages): void {
  const notices = openNotices(service, messages);
  serveHandler(scope, service, contract.listApiKeys, listKeys(service));
  serveWrite(scope, service, contract.createApiKey, createKey(service), {
    afterCommit(_tenantId, { person_id: personId, scope: of, roles }) {
      if (personId !== null) notices.tell({ kind: 'api_key_made', personId, scope: of, roles });
    },
  });
  serveWrite(scope, service, contract.revokeThisApiKey, revokeThisKey(service));
  serveWrite(scope, service, contract.revokeApiKey, revokeKey(service));
}
