import * as contract from '@tenant-payments/contract/portal/people/api_keys.ts';
import type { FastifyInstance } from 'fastify';
import { serveHandler } from '../../http/serve/serve.ts';
import { serveWrite } from '../../portal/serve_write.ts';
import type { Messages } from '../../rails/messages.ts';
import type { Service } from '../../service.ts';
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
