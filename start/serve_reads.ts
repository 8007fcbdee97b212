import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { FastifyInstance } from 'fastify';
import type { DownloadLinks } from '../service/http/files/download_links.ts';
import { serveHandler } from '../service/http/serve/serve.ts';
import { getAccount } from '../service/resources/accounts/read.ts';
import { getTransaction } from '../service/resources/accounts/transactions.ts';
import { getDispute } from '../service/resources/disputes/read.ts';
import {
  getLinkedAccount,
  listAllLinkedAccounts,
} from '../service/resources/linked_accounts/read.ts';
import { listLoads } from '../service/resources/loads/read.ts';
import { listPaymentRequests } from '../service/resources/payment_requests/read.ts';
import { listPayments } from '../service/resources/payments/read.ts';
import { listRefunds } from '../service/resources/refunds/read.ts';
import { getSession } from '../service/resources/sessions/read.ts';
import { getStatement } from '../service/resources/statements/read.ts';
import { listWithdrawals } from '../service/resources/withdrawals/read.ts';
import type { Service } from '../service/service.ts';
import { getWebhookEvent } from '../service/webhooks/list.ts';

/** The reads of `/v1` beyond the contract (rules/reads#1). */
export function serveReads(scope: FastifyInstance, service: Service, links: DownloadLinks): void {
  serveHandler(scope, service, endpoints.getSession, getSession);
  serveHandler(scope, service, endpoints.listAllLinkedAccounts, listAllLinkedAccounts);
  serveHandler(scope, service, endpoints.getLinkedAccount, getLinkedAccount);
  serveHandler(scope, service, endpoints.getAccount, getAccount);
  serveHandler(scope, service, endpoints.getTransaction, getTransaction);
  serveHandler(scope, service, endpoints.getStatement, getStatement(links));
  serveHandler(scope, service, endpoints.listLoads, listLoads);
  serveHandler(scope, service, endpoints.listPaymentRequests, listPaymentRequests);
  serveHandler(scope, service, endpoints.listPayments, listPayments);
  serveHandler(scope, service, endpoints.listWithdrawals, listWithdrawals);
  serveHandler(scope, service, endpoints.listRefunds, listRefunds);
  serveHandler(scope, service, endpoints.getDispute, getDispute);
  serveHandler(scope, service, endpoints.getWebhookEvent, getWebhookEvent);
}
