import type { Json } from '../openapi/schemas.ts';
import type { OperationExample } from './operation_example.ts';
import { at, ids } from './story.ts';

/** The Tenants as the staff of the platform see them. */

const id = '019cb0c4-5e00-7000-8000-0000000000b1';

const figures: Json = {
  id,
  object: 'tenant',
  name: 'Corner Shop',
  created_at: at('14:00:00'),
  suspended_at: null,
  now: at('15:05:30'),
  endpoint: {
    host: 'shop.example.com',
    enabled: true,
    last_success_at: at('15:05:21'),
    failure_streak: 0,
  },
  last_day: { payments: 118, volume: 482_350, requests: 2_911, refused: 37, failed: 0 },
  notices: { total: 6, purchase_disputes: 2, reclassified: 1, reasserted: 0 },
};

/** By schema name. */
export const tenantExamples: Readonly<Record<string, Json>> = {
  Logo: {
    logo_url: `https://pay.example.com/hosted/${'4b'.repeat(16)}/logo/${'9c'.repeat(32)}.png`,
    width: 128,
    height: 128,
    bytes: 1031,
  },
  TenantFigures: figures,
  TenantDetail: {
    ...figures,
    suspended_reason: null,
    customers: 64,
    open_disputes: 1,
    waiting: 3,
    active_credentials: 1,
    lacks: [],
    rate: { limit: 6_000, busiest_minute: 240, last_minute: 61 },
    limits_used: {
      day: '2026-03-02',
      approvals: { used: 125_000, maximum: 1_000_000 },
      customers: [
        {
          limit: 'payment_daily',
          customer_type: 'individual',
          customer_id: ids.ana,
          used: 48_000,
          maximum: 1_000_000,
        },
      ],
    },
    owners: [
      {
        id: '019cb0c4-5e00-7000-8000-0000000000a4',
        name: 'Ruth Blake',
        email: 'ruth@shop.example.com',
      },
    ],
  },
};

/** By operation id. */
export const tenantRequests: Readonly<Record<string, OperationExample>> = {
  uploadLogo: {
    body: {
      png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==',
    },
  },
  listTenants: { query: { q: 'corner', ids: id, status: 'active' } },
  getTenant: { path: { id } },
  createTenant: { body: { name: 'Another Tenant', rate_limit: 6000 } },
};
